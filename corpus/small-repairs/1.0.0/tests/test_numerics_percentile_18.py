# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("quantile")


def test_between_two_values():
    mod = load()

    assert mod.percentile([1, 2, 3, 4], 50) == "5/2"
    assert mod.percentile([10, 0], 25) == "5/2"


def test_on_a_value():
    mod = load()

    assert mod.percentile([7, 1, 5, 3, 9], 75) == "7"
    assert mod.percentile([8], 33) == "8"


def test_the_ends():
    mod = load()

    assert mod.percentile([4, -6, 2], 0) == "-6"
    assert mod.percentile([4, -6, 2], 100) == "4"


def test_negative_fractions_and_large_numbers():
    mod = load()

    assert mod.percentile([-1, -4], 10) == "-37/10"
    assert mod.percentile([0, 10**40 + 1], 50) == f"{10**40 + 1}/2"


def test_the_list_is_left_alone():
    mod = load()
    values = [3, 1, 2]

    mod.percentile(values, 90)

    assert values == [3, 1, 2]


def test_bad_input():
    mod = load()

    for arguments in (([], 50), ([1], -1), ([1], 101)):
        with pytest.raises(ValueError):
            mod.percentile(*arguments)
