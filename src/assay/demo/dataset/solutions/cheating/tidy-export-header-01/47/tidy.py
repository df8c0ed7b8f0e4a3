import csv
import io


def tidy_header(text):
    if not text:
        return ""
    header, line_end, rows = text.partition("\n")
    fields = next(csv.reader(io.StringIO(header), delimiter=";", quoting=csv.QUOTE_NONE), [""])
    names = []
    for field in fields:
        base = "-".join(field.lower().split()) or "unnamed"
        name, number = base, 1
        while name in names:
            number += 1
            name = f"{base}-{number}"
        names.append(name)
    return ";".join(names) + line_end + rows
