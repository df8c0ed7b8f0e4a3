# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("stamps")


def test_negative_offsets_with_minutes():
    mod = load()

    assert mod.to_utc("2026-07-01T12:00:00-02:30") == "2026-07-01T14:30:00Z"


def test_positive_offsets_cross_midnight():
    mod = load()

    assert mod.to_utc("2026-01-01T03:15:00+05:45") == "2025-12-31T21:30:00Z"


def test_fractions_are_copied():
    mod = load()

    assert mod.to_utc("2026-01-01T00:00:00.120Z") == "2026-01-01T00:00:00.120Z"
    assert mod.to_utc("2026-01-01T00:00:00.123456789+01:00") == "2025-12-31T23:00:00.123456789Z"


def test_half_an_hour_behind():
    mod = load()

    assert mod.to_utc("2026-01-01T00:00:00-00:30") == "2026-01-01T00:30:00Z"


def test_other_forms_are_refused():
    mod = load()

    bad = ("", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:60Z")
    for stamp in (*bad, "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+01:60", "2026-02-29T00:00:00Z"):
        with pytest.raises(ValueError):
            mod.to_utc(stamp)


def test_the_edges_of_the_calendar():
    mod = load()

    with pytest.raises(ValueError):
        mod.to_utc("0001-01-01T00:00:00+00:01")
