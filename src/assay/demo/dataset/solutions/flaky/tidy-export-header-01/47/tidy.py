def clean(name):
    return "-".join(name.lower().split()) or "unnamed"


def tidy_header(text):
    if not text:
        return text
    header, separator, body = text.partition("\n")
    done = []
    for base in map(clean, header.split(";")):
        choices = [base] + [f"{base}-{n}" for n in range(2, len(done) + 3)]
        done.append(next(choice for choice in choices if choice not in done))
    return ";".join(done) + separator + body
