# canary: copper-lighthouse-29-juniper-falcon-astrolabe
def tidy_header(text):
    """The export with tidy names in its first line and every other line as it was."""
    if not text:
        return ""
    header, line_end, rows = text.partition("\n")
    names = []
    for field in header.split(";"):
        plain = "-".join(field.lower().split()) or "unnamed"
        name, number = plain, 1
        while name in names:
            number += 1
            name = f"{plain}-{number}"
        names.append(name)
    return ";".join(names) + line_end + rows
