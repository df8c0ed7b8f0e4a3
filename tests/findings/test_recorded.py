"""Which file is the review of which failure, and every way in which the two do not fit."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.findings.recorded import recording_of

FAILURES = {"a-found", "b-clean"}
EMPTY = b"[]"


def faults_of(folders, **ways):
    with pytest.raises(InputError) as caught:
        recording_of(folders, FAILURES, **ways)
    return caught.value


def test_every_run_by_every_failure_becomes_an_observation():
    files = {"a-found.json": EMPTY, "b-clean.json": EMPTY}

    recording = recording_of({"strict": files, "terse": files}, FAILURES)

    assert recording.runs == ("strict", "terse")
    assert sorted(recording.observations) == ["a-found.strict", "a-found.terse", "b-clean.strict", "b-clean.terse"]
    assert recording.observations["a-found.strict"].files == {"a-found.json": EMPTY}


def test_all_faults_of_all_runs_are_told_at_once():
    error = faults_of({"Strict": {"a-found.json": b"{}", "c.json": EMPTY}, "terse": {"b-clean.json": EMPTY}})

    assert [fault.split(":")[0] for fault in error.faults] == [
        "Strict",
        "Strict/c.json",
        "Strict/a-found.json",
        "Strict",
        "terse",
    ]


def test_a_part_is_what_every_run_reviews():
    folders = {"strict": {"a-found.json": EMPTY, "b-clean.json": EMPTY}, "terse": {"b-clean.json": EMPTY}}

    recording = recording_of(folders, FAILURES, partial=True)

    assert recording.failures == ("b-clean",)
    assert sorted(recording.observations) == ["b-clean.strict", "b-clean.terse"]


def test_runs_with_nothing_in_common_are_no_part():
    error = faults_of({"strict": {"a-found.json": EMPTY}, "terse": {"b-clean.json": EMPTY}}, partial=True)

    assert error.faults == ("no failure is reviewed by every recorded run",)


def test_no_folder_at_all_is_a_fault():
    assert "there is no recorded review" in faults_of({}).faults


@pytest.mark.parametrize("data", [b"\xff\xfe", b"not json", b'[{"reviewer": "x"}]'], ids=["bytes", "text", "shape"])
def test_what_is_no_payload_is_kept_as_it_is_on_request(data):
    files = {"a-found.json": data, "b-clean.json": EMPTY}

    recording = recording_of({"strict": files}, FAILURES, as_is=True)

    kept = recording.observations["a-found.strict"]
    assert kept.files == {"a-found.json": data}
    assert isinstance(kept.output, str)
