def pages(total, size):
    if total < 0 or size < 1:
        raise ValueError("out of range")
    starts = range(1, total + 1, size)
    return [[start, min(total, start + size - 1)] for start in starts]
