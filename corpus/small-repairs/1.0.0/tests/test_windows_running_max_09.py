# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("running_max")


def test_equal_readings_are_kept_apart():
    mod = load()

    assert mod.window_max([4, 4, 1, 0], 2) == [4, 4, 1]
    assert mod.window_max([7, 7, 2, 1, 1], 3) == [7, 7, 2]


def test_falling_and_rising():
    mod = load()

    assert mod.window_max([5, 4, 3, 2, 6], 2) == [5, 4, 3, 6]


def test_failed_readings():
    mod = load()

    assert mod.window_max([None, None, -3, None, None], 2) == [None, -3, -3, None]


def test_odd_sizes():
    mod = load()

    assert mod.window_max([1, 2], 3) == []
    for size in (0, -1):
        with pytest.raises(ValueError):
            mod.window_max([], size)


def test_agrees_with_the_plain_definition():
    mod = load()
    values = [(i * i * 7919) % 11 for i in range(300)]

    for size in (1, 2, 5, 17, 300):
        assert mod.window_max(values, size) == [max(values[i : i + size]) for i in range(301 - size)]
