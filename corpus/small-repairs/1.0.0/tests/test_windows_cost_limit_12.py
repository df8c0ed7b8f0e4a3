# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("limiter")


def test_refused_requests_are_not_charged():
    mod = load()

    assert mod.decide([[0, 2], [1, 2], [2, 1]], 3, 10) == [True, False, True]


def test_the_window_is_open_at_its_old_end():
    mod = load()

    assert mod.decide([[0, 1], [4, 1], [5, 1]], 1, 5) == [True, False, True]


def test_a_busy_client_gets_through_again():
    mod = load()
    answers = mod.decide([[second, 1] for second in range(30)], 2, 10)

    assert [i for i, answer in enumerate(answers) if answer] == [0, 1, 10, 11, 20, 21]


def test_bad_input_is_refused():
    mod = load()

    for arguments in (([[0, 0]], 1, 1), ([[5, 1], [4, 1]], 9, 1), ([], -1, 1), ([], 1, 0)):
        with pytest.raises(ValueError):
            mod.decide(*arguments)


def test_many_requests_in_one_window():
    mod = load()

    assert mod.decide([[7, 1]] * 2000, 1999, 60) == [True] * 1999 + [False]
