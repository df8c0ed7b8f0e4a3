def tidy_header(text):
    if text == "":
        return text
    first, newline, rest = text.partition("\n")
    seen = []
    for raw in first.split(";"):
        base = "-".join(raw.lower().split())
        if not base:
            base = "unnamed"
        name = base
        count = 2
        while name in seen:
            name = f"{base}-{count}"
            count += 1
        seen.append(name)
    return ";".join(seen) + newline + rest
