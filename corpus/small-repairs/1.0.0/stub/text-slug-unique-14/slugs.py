def slugify(title, taken, limit=24):
    name = ""
    for char in title.lower():
        if char.isalnum() and char.isascii():
            name += char
        else:
            name += "-"
    name = name.strip("-")[:limit]
    if name in taken:
        name += "-2"
    return name
