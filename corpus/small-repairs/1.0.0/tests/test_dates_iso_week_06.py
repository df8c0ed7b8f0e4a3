# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("isoweek")


def test_the_turn_of_the_year_uses_the_year_of_the_week():
    mod = load()

    assert mod.week_label("2019-12-30") == "2020-W01"
    assert mod.week_label("2023-01-01") == "2022-W52"
    assert mod.week_label("2016-01-03") == "2015-W53"


def test_ordinary_days():
    mod = load()

    assert mod.week_label("2026-03-04") == "2026-W10"


def test_way_back_is_a_monday():
    mod = load()

    assert mod.week_start("2022-W01") == "2022-01-03"
    assert mod.week_start("2020-W53") == "2020-12-28"
    assert mod.week_start("2025-W01") == "2024-12-30"


def test_weeks_that_do_not_exist():
    mod = load()

    for label in ("2022-W53", "2022-W00", "2022-w01", "2022-W1", "22-W01"):
        with pytest.raises(ValueError):
            mod.week_start(label)


def test_there_and_back():
    mod = load()

    for year in range(1995, 2045):
        for day in ("01-01", "12-31"):
            label = mod.week_label(f"{year}-{day}")
            assert mod.week_label(mod.week_start(label)) == label
