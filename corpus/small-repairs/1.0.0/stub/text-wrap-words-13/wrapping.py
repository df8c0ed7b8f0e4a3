def wrap(text, width):
    lines = []
    line = ""
    for word in text.split():
        if line and len(line) + len(word) <= width:
            line += " " + word
        else:
            if line:
                lines.append(line)
            line = word
    lines.append(line)
    return lines
