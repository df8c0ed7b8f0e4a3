# canary: marble-thicket-83-saffron-plover-gimbal
DIGITS = frozenset("0123456789")
SMALL = "abcdefghijklmnopqrstuvwxyz"
LETTERS = frozenset(SMALL + SMALL.upper() + "-")


def compare(left, right):
    """Order of two versions as -1, 0 or 1; ValueError when either is malformed."""
    a, b = _key(left), _key(right)
    return (a > b) - (a < b)


def _key(version):
    main, plus, build = version.partition("+")
    if plus:
        for word in build.split("."):
            _check_word(word, version)
    core, dash, pre = main.partition("-")
    numbers = core.split(".")
    if len(numbers) != 3:
        raise ValueError(f"three numbers expected in {version!r}")
    key = [_number(number, version) for number in numbers]
    words = pre.split(".") if dash else []
    return key, not dash, [_word_key(word, version) for word in words]


def _word_key(word, version):
    _check_word(word, version)
    if set(word) <= DIGITS:
        return 0, _number(word, version), ""
    return 1, 0, word


def _check_word(word, version):
    if not word or not set(word) <= DIGITS | LETTERS:
        raise ValueError(f"bad identifier {word!r} in {version!r}")


def _number(text, version):
    if not text or not set(text) <= DIGITS or (text[0] == "0" and text != "0"):
        raise ValueError(f"bad number {text!r} in {version!r}")
    return int(text)
