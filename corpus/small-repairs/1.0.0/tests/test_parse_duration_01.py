# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("duration")


def test_parts_add_up():
    mod = load()

    assert mod.parse_duration("2h5m") == 7500
    assert mod.parse_duration("1w1d") == 691200


def test_a_number_without_unit_is_refused():
    mod = load()

    for text in ("45", "3h20"):
        with pytest.raises(ValueError):
            mod.parse_duration(text)


def test_order_and_repetition_are_checked():
    mod = load()

    for text in ("5s2m", "1h1h"):
        with pytest.raises(ValueError):
            mod.parse_duration(text)


def test_empty_and_spaced_texts_are_refused():
    mod = load()

    for text in ("", " 10s"):
        with pytest.raises(ValueError):
            mod.parse_duration(text)


def test_a_unit_needs_its_number():
    mod = load()

    with pytest.raises(ValueError):
        mod.parse_duration("h15m")
