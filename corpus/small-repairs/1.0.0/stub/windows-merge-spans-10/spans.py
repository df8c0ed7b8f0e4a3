def merge(spans, gap=0):
    spans.sort()
    merged = []
    for span in spans:
        if merged and span[0] - merged[-1][1] < gap:
            merged[-1][1] = span[1]
        else:
            merged.append(span)
    return merged
