def pages(total, size):
    if size < 1:
        raise ValueError(f"bad size {size}")
    if total < 0:
        raise ValueError(f"bad total {total}")
    full, rest = divmod(total, size)
    found = [[n * size + 1, (n + 1) * size] for n in range(full)]
    if rest:
        found.append([full * size + 1, total])
    return found
