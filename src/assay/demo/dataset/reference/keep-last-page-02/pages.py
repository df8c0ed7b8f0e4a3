# canary: copper-lighthouse-29-juniper-falcon-astrolabe
def pages(total, size):
    """First and last number of every page, the last page cut to what is left."""
    if total < 0 or size < 1:
        raise ValueError(f"total {total} or size {size} out of range")
    return [[first, min(first + size - 1, total)] for first in range(1, total + 1, size)]
