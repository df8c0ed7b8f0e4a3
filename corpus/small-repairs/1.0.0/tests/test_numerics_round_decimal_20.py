# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("rounding")


def test_halves_go_to_even():
    mod = load()

    assert [mod.round_decimal(t, 2) for t in ("2.665", "2.675", "1.005", "1.015")] == ["2.66", "2.68", "1.00", "1.02"]


def test_just_beyond_half_goes_up():
    mod = load()

    assert mod.round_decimal("0.125" + "0" * 40 + "1", 2) == "0.13"


def test_carries_run_through():
    mod = load()

    assert mod.round_decimal("99.995", 2) == "100.00"
    assert mod.round_decimal("-9.5", 0) == "-10"


def test_zero_has_no_sign():
    mod = load()

    assert mod.round_decimal("-0.004", 2) == "0.00"
    assert mod.round_decimal("-0", 0) == "0"


def test_shape_of_the_result():
    mod = load()

    assert mod.round_decimal("+007.1", 3) == "7.100"
    assert mod.round_decimal("00", 1) == "0.0"


def test_malformed_input():
    mod = load()

    for text in ("", "-", ".5", "5.", "1e3", " 1", "1_0", "--1", "1.2.3", "nan", "\u0661"):
        with pytest.raises(ValueError):
            mod.round_decimal(text, 1)
    with pytest.raises(ValueError):
        mod.round_decimal("1", -1)
