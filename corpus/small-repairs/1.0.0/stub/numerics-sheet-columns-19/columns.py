def column_name(number):
    name = ""
    while number > 0:
        name = chr(ord("A") + number % 26 - 1) + name
        number //= 26
    return name


def column_number(name):
    number = 0
    for char in name.upper():
        number = number * 26 + ord(char) - ord("A")
    return number + 1


def shift_reference(reference, down, right):
    plain = reference.replace("$", "")
    letters = "".join(char for char in plain if char.isalpha())
    row = int(plain[len(letters) :])
    return column_name(column_number(letters) + right) + str(row + down)
