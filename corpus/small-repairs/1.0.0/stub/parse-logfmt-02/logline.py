def parse_line(line):
    entries = {}
    for part in line.split():
        key, found, value = part.partition("=")
        if not found:
            entries[key] = True
        else:
            entries[key] = value.strip('"')
    return entries
