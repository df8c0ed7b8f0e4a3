def locate(text, offset):
    before = text[:offset]
    lines = before.splitlines() or [""]
    return [len(lines), len(lines[-1]) + 1]


def offset_of(text, line, column):
    lines = text.splitlines()
    return sum(len(each) + 1 for each in lines[: line - 1]) + column - 1
