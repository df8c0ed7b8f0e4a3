def pages(total, size):
    if total < 0 or size < 1:
        raise ValueError("out of range")
    count = total // size + 1
    return [[page * size + 1, min((page + 1) * size, total)] for page in range(count)]
