# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("months")


def test_december_is_a_month():
    mod = load()

    assert mod.add_months("2024-11-15", 1) == "2024-12-15"
    assert mod.add_months("2025-01-09", -1) == "2024-12-09"


def test_short_months_cut_the_day():
    mod = load()

    assert mod.add_months("2023-12-31", 2) == "2024-02-29"
    assert mod.add_months("2024-05-31", -3) == "2024-02-29"
    assert mod.add_months("2026-10-31", 1) == "2026-11-30"


def test_sticky_keeps_the_end_of_the_month():
    mod = load()

    assert mod.add_months("2026-04-30", 1, sticky=True) == "2026-05-31"
    assert mod.add_months("2026-04-29", 1, sticky=True) == "2026-05-29"
    assert mod.add_months("2026-04-30", 1) == "2026-05-30"


def test_other_spellings_are_refused():
    mod = load()

    for text in ("20260115", "2026-1-15", "2026-W03-4", "2026-02-30"):
        with pytest.raises(ValueError):
            mod.add_months(text, 1)


def test_the_calendar_ends():
    mod = load()

    with pytest.raises(ValueError):
        mod.add_months("9999-12-01", 1)
    assert mod.add_months("0001-02-01", -1) == "0001-01-01"
