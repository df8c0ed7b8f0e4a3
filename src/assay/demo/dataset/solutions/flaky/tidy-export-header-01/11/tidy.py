def tidy_header(text):
    if not text:
        return ""
    header, separator, body = text.partition("\n")
    done = []
    for name in header.split(";"):
        name = "-".join(name.lower().split()) or "unnamed"
        unique, n = name, 2
        while unique in done:
            unique, n = f"{name}-{n}", n + 1
        done.append(unique)
    return ";".join(done) + separator + body
