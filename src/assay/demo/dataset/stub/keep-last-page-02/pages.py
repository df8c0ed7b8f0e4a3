def pages(total, size):
    found = []
    for number in range(total // size):
        found.append([number * size + 1, number * size + size])
    return found
