def percentile(values, percent):
    values.sort()
    rank = len(values) * percent // 100
    if rank >= len(values):
        rank = len(values) - 1
    low = values[rank - 1] if rank else values[0]
    return str((low + values[rank]) // 2)
