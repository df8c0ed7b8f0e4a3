# canary: velvet-anvil-57-cobalt-heron-sextant
def windows(items, size, step=1, tail=False):
    """All full pieces of a list, and on request the shorter one that is left."""
    if size < 1 or step < 1:
        raise ValueError(f"size {size} and step {step} are at least 1")
    pieces = [items[start : start + size] for start in range(0, len(items) - size + 1, step)]
    covered = (len(pieces) - 1) * step + size if pieces else 0
    begin = len(pieces) * step
    if tail and covered < len(items) and begin < len(items):
        pieces.append(items[begin:])
    return pieces
