# canary: marble-thicket-83-saffron-plover-gimbal
def merge(spans, gap=0):
    """Joined spans in order, as new lists."""
    if gap < 0:
        raise ValueError(f"gap is not negative (got {gap})")
    for start, end in spans:
        if end < start:
            raise ValueError(f"span ends before it starts: [{start}, {end}]")
    merged = []
    for start, end in sorted([start, end] for start, end in spans if start < end):
        if merged and start - merged[-1][1] <= gap:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged
