# canary: marble-thicket-83-saffron-plover-gimbal
from collections import deque


def window_max(values, size):
    """Greatest number of every complete window; a queue of positions with falling values does it in one pass."""
    if size < 1:
        raise ValueError(f"size is at least 1 (got {size})")
    best = deque()
    out = []
    for i, value in enumerate(values):
        if value is not None:
            while best and values[best[-1]] <= value:
                best.pop()
            best.append(i)
        if best and best[0] <= i - size:
            best.popleft()
        if i >= size - 1:
            out.append(values[best[0]] if best else None)
    return out
