# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("columns")


def test_names_around_the_turns():
    mod = load()

    assert [mod.column_name(n) for n in (1, 26, 52, 53, 702, 703)] == ["A", "Z", "AZ", "BA", "ZZ", "AAA"]


def test_numbers_and_names_agree():
    mod = load()

    assert [mod.column_number(mod.column_name(n)) for n in range(1, 2000)] == list(range(1, 2000))


def test_free_parts_move():
    mod = load()

    assert mod.shift_reference("Y9", 1, 2) == "AA10"
    assert mod.shift_reference("AB12", -11, -27) == "A1"


def test_fixed_parts_stay():
    mod = load()

    assert mod.shift_reference("$Z3", 2, 5) == "$Z5"
    assert mod.shift_reference("Z$3", 2, 1) == "AA$3"
    assert mod.shift_reference("$B$2", -9, -9) == "$B$2"


def test_off_the_sheet():
    mod = load()

    for down, right in ((-2, 0), (0, -2)):
        with pytest.raises(ValueError):
            mod.shift_reference("B2", down, right)


def test_malformed_input():
    mod = load()

    for reference in ("", "7", "C", "c7", "C07", "C0", "$$C7", "C7$", "C-7", "C7 "):
        with pytest.raises(ValueError):
            mod.shift_reference(reference, 0, 0)
    for name in ("", "aa", "A1", "\u00c4"):
        with pytest.raises(ValueError):
            mod.column_number(name)
    with pytest.raises(ValueError):
        mod.column_name(0)
