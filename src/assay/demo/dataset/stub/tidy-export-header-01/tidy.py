def tidy_header(text):
    lines = text.splitlines()
    names = [name.lower().replace(" ", "-") for name in lines[0].split(";")]
    return "\n".join([";".join(names), *lines[1:]])
