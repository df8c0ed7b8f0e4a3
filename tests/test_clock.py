"""Times are instants: their spellings are never compared, and a time without an offset is no time."""

from __future__ import annotations

import re
import time

import pytest

from assay import clock


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Kathmandu"])
def test_instants_are_ordered_by_when_they_are_in_every_time_zone(monkeypatch, zone):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    frozen, ran = "2026-09-03T23:30:00-02:00", "2026-09-04T01:00:00Z"

    assert frozen < ran
    assert clock.instant(frozen) > clock.instant(ran)
    assert clock.instant(frozen) == clock.instant("2026-09-04T01:30:00.000z")

    monkeypatch.undo()
    time.tzset()


NO_INSTANTS = [
    "2026-09-03T10:00:00",
    "2026-09-03",
    "2026-09-03 10:00:00Z",
    "2026-02-30T10:00:00Z",
    "2026-09-03T25:00:00Z",
    "",
    "now",
]


@pytest.mark.parametrize("text", NO_INSTANTS)
def test_a_time_without_offset_or_out_of_range_is_refused(text):
    with pytest.raises(ValueError):
        clock.instant(text)


def test_now_is_an_instant_in_utc_to_the_second():
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", clock.now())
