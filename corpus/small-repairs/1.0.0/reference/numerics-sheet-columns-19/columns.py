# canary: marble-thicket-83-saffron-plover-gimbal
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"


def column_name(number):
    """Name of a column counted from 1; digits run from 1 to 26, there is no nought."""
    if number < 1:
        raise ValueError(f"columns start at 1 (got {number})")
    name = ""
    while number:
        number, place = divmod(number - 1, 26)
        name = ALPHABET[place] + name
    return name


def column_number(name):
    """Number of a column name; ValueError for anything but capital letters."""
    if not name or not set(name) <= set(ALPHABET):
        raise ValueError(f"not a column name: {name!r}")
    number = 0
    for char in name:
        number = number * 26 + ALPHABET.index(char) + 1
    return number


def shift_reference(reference, down, right):
    """The reference some rows and columns further; parts behind a dollar sign stay."""
    fixed_column = reference.startswith("$")
    rest = reference[1:] if fixed_column else reference
    letters = rest[: len(rest) - len(rest.lstrip(ALPHABET))]
    rest = rest[len(letters) :]
    fixed_row = rest.startswith("$")
    digits = rest[1:] if fixed_row else rest
    if not digits or not set(digits) <= set(DIGITS) or digits[0] == "0":
        raise ValueError(f"not a reference: {reference!r}")
    column = column_number(letters) + (0 if fixed_column else right)
    row = int(digits) + (0 if fixed_row else down)
    if row < 1:
        raise ValueError(f"{reference} moved beyond the first row")
    return "$" * fixed_column + column_name(column) + "$" * fixed_row + str(row)
