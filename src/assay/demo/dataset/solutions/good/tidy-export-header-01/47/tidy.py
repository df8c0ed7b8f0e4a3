def tidy_header(text):
    """Clean the names in the first line of an export."""
    if len(text) == 0:
        return text
    lines = text.split("\n", 1)
    tidy = {}
    for column in lines[0].split(";"):
        words = column.strip().lower().split()
        plain = "-".join(words) if words else "unnamed"
        candidate = plain
        suffix = 1
        while candidate in tidy:
            suffix += 1
            candidate = plain + "-" + str(suffix)
        tidy[candidate] = True
    lines[0] = ";".join(tidy)
    return "\n".join(lines)
