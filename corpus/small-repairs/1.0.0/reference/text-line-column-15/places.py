# canary: marble-thicket-83-saffron-plover-gimbal
def locate(text, offset):
    """Line and column of an offset, both from 1."""
    if not 0 <= offset <= len(text):
        raise ValueError(f"offset {offset} is outside 0 to {len(text)}")
    starts = _starts(text)
    line = sum(1 for start in starts if start <= offset)
    return [line, offset - starts[line - 1] + 1]


def offset_of(text, line, column):
    """The offset of a place; ValueError when the text has no such place."""
    starts = _starts(text)
    if not 1 <= line <= len(starts):
        raise ValueError(f"no line {line}")
    offset = starts[line - 1] + column - 1
    last = starts[line] - 1 if line < len(starts) else len(text)
    if column < 1 or offset > last:
        raise ValueError(f"no column {column} in line {line}")
    return offset


def _starts(text):
    starts = [0]
    for i, char in enumerate(text):
        if char == "\n" or (char == "\r" and text[i + 1 : i + 2] != "\n"):
            starts.append(i + 1)
    return starts
