# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("places")


def test_behind_a_line_end_is_the_next_line():
    mod = load()

    assert mod.locate("ab\ncd", 3) == [2, 1]
    assert mod.locate("ab\n", 3) == [2, 1]


def test_line_ends_of_other_systems():
    mod = load()

    assert mod.locate("a\r\nb\rc", 2) == [1, 3]
    assert mod.locate("a\r\nb\rc", 3) == [2, 1]
    assert mod.locate("a\r\nb\rc", 5) == [3, 1]


def test_a_form_feed_is_no_line_end():
    mod = load()

    assert mod.locate("a\x0cb\u2028c", 4) == [1, 5]
    assert mod.offset_of("a\x0cb\u2028c", 1, 5) == 4


def test_both_ways_agree_everywhere():
    mod = load()
    text = "\r\n\n\rxy\r\r\nz\x0b\x85\n"

    places = [mod.locate(text, offset) for offset in range(len(text) + 1)]

    assert places == sorted(places)
    assert [mod.offset_of(text, *place) for place in places] == list(range(len(text) + 1))


def test_places_that_are_not_there():
    mod = load()

    for place in ((0, 1), (1, 0), (1, 4), (2, 3), (3, 1)):
        with pytest.raises(ValueError):
            mod.offset_of("ab\nc", *place)
    for offset in (-1, 5):
        with pytest.raises(ValueError):
            mod.locate("ab\nc", offset)
