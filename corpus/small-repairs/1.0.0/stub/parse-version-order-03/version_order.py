def compare(left, right):
    a = _parts(left)
    b = _parts(right)
    return (a > b) - (a < b)


def _parts(version):
    version = version.split("+")[0]
    core, _, pre = version.partition("-")
    numbers = [int(number) for number in core.split(".")]
    return numbers, pre
