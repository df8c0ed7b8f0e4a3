def pages(total, size):
    if total < 0 or size < 1:
        raise ValueError("total must not be negative and size must be positive")
    result = []
    start = 1
    while start <= total:
        result.append([start, min(total, start + size - 1)])
        start += size
    return result
