# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("workdays")


def test_weekends_are_stepped_over():
    mod = load()

    assert mod.add_business_days("2026-03-06", 1, []) == "2026-03-09"
    assert mod.add_business_days("2026-03-07", 2, []) == "2026-03-10"


def test_a_holiday_on_a_weekend_changes_nothing():
    mod = load()

    assert mod.add_business_days("2026-08-13", 2, ["2026-08-15"]) == "2026-08-17"


def test_holidays_count_once_though_listed_twice():
    mod = load()

    assert mod.add_business_days("2026-12-23", 2, ["2026-12-25", "2026-12-25"]) == "2026-12-28"


def test_backwards():
    mod = load()

    assert mod.add_business_days("2026-03-09", -1, []) == "2026-03-06"
    assert mod.add_business_days("2026-04-07", -2, ["2026-04-06", "2026-04-03"]) == "2026-04-01"


def test_nothing_added_still_gives_a_business_day():
    mod = load()

    assert mod.add_business_days("2026-05-31", 0, ["2026-06-01"]) == "2026-06-02"
    assert mod.add_business_days("2026-06-02", 0, []) == "2026-06-02"


def test_the_list_is_left_alone():
    mod = load()
    holidays = ["2026-12-28", "2026-12-25"]

    mod.add_business_days("2026-12-24", 3, holidays)

    assert holidays == ["2026-12-28", "2026-12-25"]
