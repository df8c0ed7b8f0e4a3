# canary: marble-thicket-83-saffron-plover-gimbal
def wrap(text, width):
    """Printed lines of a text, at most width characters each."""
    if width < 1:
        raise ValueError(f"width is at least 1 (got {width})")
    lines = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            if not word:
                continue
            if line and len(line) + 1 + len(word) <= width:
                line += " " + word
                continue
            if line:
                lines.append(line)
            while len(word) > width:
                lines.append(word[:width])
                word = word[width:]
            line = word
        lines.append(line)
    return lines
