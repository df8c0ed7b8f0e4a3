# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("spans")


def test_a_span_inside_another_changes_nothing():
    mod = load()

    assert mod.merge([[0, 50], [10, 20]]) == [[0, 50]]


def test_touching_spans_become_one():
    mod = load()

    assert mod.merge([[5, 8], [1, 5]]) == [[1, 8]]


def test_the_gap_is_inclusive():
    mod = load()

    assert mod.merge([[0, 2], [4, 6], [9, 10]], gap=2) == [[0, 6], [9, 10]]


def test_empty_spans_do_not_bridge():
    mod = load()

    assert mod.merge([[0, 2], [3, 3], [4, 6]], gap=1) == [[0, 2], [4, 6]]


def test_the_input_is_left_alone():
    mod = load()
    spans = [[3, 4], [1, 2], [2, 3]]

    result = mod.merge(spans)
    result[0][0] = 99

    assert spans == [[3, 4], [1, 2], [2, 3]]


def test_bad_input_is_refused():
    mod = load()

    with pytest.raises(ValueError):
        mod.merge([[2, 1]])
    with pytest.raises(ValueError):
        mod.merge([], gap=-1)
