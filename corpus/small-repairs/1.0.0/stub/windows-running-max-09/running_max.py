from collections import deque


def window_max(values, size):
    best = deque()
    out = []
    for i, value in enumerate(values):
        if value is not None:
            while best and best[-1] <= value:
                best.pop()
            best.append(value)
        if i >= size and best and best[0] == values[i - size]:
            best.popleft()
        if i >= size - 1:
            out.append(best[0] if best else None)
    return out
