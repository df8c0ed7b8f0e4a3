def pages(total, size):
    if total < 0 or size < 1:
        raise ValueError("out of range")
    return [[start, min(start + size - 1, total)] for start in range(1, total + 1, size)]
