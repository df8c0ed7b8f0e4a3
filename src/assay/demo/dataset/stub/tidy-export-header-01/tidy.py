def tidy_header(text):
    first, *others = text.splitlines()
    columns = [column.lower().replace(" ", "-") for column in first.split(";")]
    return "\n".join([";".join(columns)] + others)
