# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("visits")


def test_a_long_visit_stays_one():
    mod = load()

    assert mod.sessions([["u", 0], ["u", 20], ["u", 40], ["u", 60]], 25) == [["u", 0, 60, 4]]


def test_the_limit_belongs_to_the_visit():
    mod = load()

    assert mod.sessions([["u", 0], ["u", 10]], 10) == [["u", 0, 10, 2]]
    assert mod.sessions([["u", 0], ["u", 11]], 10) == [["u", 0, 0, 1], ["u", 11, 11, 1]]


def test_users_are_told_apart_and_sorted():
    mod = load()
    events = [["zoe", 5], ["ann", 6], ["zoe", 100], ["bob", 5]]

    assert mod.sessions(events, 30) == [["bob", 5, 5, 1], ["zoe", 5, 5, 1], ["ann", 6, 6, 1], ["zoe", 100, 100, 1]]


def test_events_in_any_order_are_left_alone():
    mod = load()
    events = [["u", 9], ["u", 1], ["u", 5]]

    assert mod.sessions(events, 4) == [["u", 1, 9, 3]]
    assert events == [["u", 9], ["u", 1], ["u", 5]]


def test_a_negative_gap_is_refused():
    mod = load()

    with pytest.raises(ValueError):
        mod.sessions([], -1)
