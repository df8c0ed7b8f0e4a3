# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("wrapping")


def test_the_space_counts():
    mod = load()

    assert mod.wrap("abc def gh", 6) == ["abc", "def gh"]


def test_long_words_are_cut_and_the_rest_can_be_joined():
    mod = load()

    assert mod.wrap("to abcdefgh me", 5) == ["to", "abcde", "fgh", "me"]
    assert mod.wrap("abcdefg x y", 5) == ["abcde", "fg x", "y"]


def test_paragraphs_stay():
    mod = load()

    assert mod.wrap("one\n\ntwo three\n", 20) == ["one", "", "two three", ""]


def test_runs_of_spaces_are_one():
    mod = load()

    assert mod.wrap("  a   b  ", 3) == ["a b"]
    assert mod.wrap("   ", 3) == [""]


def test_tabs_are_parts_of_words():
    mod = load()

    assert mod.wrap("a\tb c", 3) == ["a\tb", "c"]


def test_bad_width():
    mod = load()

    with pytest.raises(ValueError):
        mod.wrap("", 0)
