# canary: marble-thicket-83-saffron-plover-gimbal
DIGITS = frozenset("0123456789")


def resolve(document, pointer):
    """The value at a pointer; the error types tell a bad pointer from a missing place."""
    if not pointer:
        return document
    if pointer[0] != "/":
        raise ValueError(f"a pointer starts with / (got {pointer!r})")
    tokens = [_unescape(token) for token in pointer[1:].split("/")]
    here = document
    for token in tokens:
        if isinstance(here, dict):
            here = here[token]
        elif isinstance(here, list):
            here = here[_position(token)]
        else:
            raise TypeError(f"nothing below {here!r} (token {token!r})")
    return here


def _unescape(token):
    pieces = token.split("~")
    for piece in pieces[1:]:
        if piece[:1] not in ("0", "1"):
            raise ValueError(f"bad escape in {token!r}")
    return pieces[0] + "".join("~/"[int(piece[0])] + piece[1:] for piece in pieces[1:])


def _position(token):
    if not token or not set(token) <= DIGITS or (token[0] == "0" and token != "0"):
        raise ValueError(f"not a position: {token!r}")
    return int(token)
