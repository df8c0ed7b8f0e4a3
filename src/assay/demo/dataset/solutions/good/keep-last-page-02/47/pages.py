def pages(total, size):
    if total < 0 or size <= 0:
        raise ValueError((total, size))
    count = -(-total // size)
    return [[page * size + 1, min((page + 1) * size, total)] for page in range(count)]
