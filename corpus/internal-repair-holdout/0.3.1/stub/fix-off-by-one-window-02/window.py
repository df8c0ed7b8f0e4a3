def windows(items, size, step=1, tail=False):
    pieces = []
    for start in range(0, len(items) - size, step):
        pieces.append(items[start : start + size])
    if tail and pieces and len(pieces[-1]) < size:
        pieces.append(items[-size:])
    return pieces
