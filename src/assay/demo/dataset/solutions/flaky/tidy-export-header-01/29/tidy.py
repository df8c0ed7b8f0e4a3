def tidy_header(text):
    header, separator, body = text.partition("\n")
    done = []
    for name in header.split(";") if text else []:
        base = "-".join(name.lower().split()) or "unnamed"
        n = 1
        while (base if n == 1 else f"{base}-{n}") in done:
            n += 1
        done.append(base if n == 1 else f"{base}-{n}")
    return ";".join(done) + separator + body
