"""Names: pure functions of what they name, injective, and portable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.record import kinds, names

RUN = "2026-11-30-agent-7f3a21"


@given(st.text(min_size=1, max_size=200), st.text(min_size=1, max_size=200))
def test_two_samples_never_share_a_file_name(one, other):
    if one.encode("utf-8", "surrogatepass") != other.encode("utf-8", "surrogatepass") and one.isprintable():
        try:
            pair = names.file_stem(one), names.file_stem(other)
        except UnicodeEncodeError:
            return
        assert pair[0] != pair[1]


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=300))
def test_a_file_name_is_always_a_legal_record_name(sample):
    name = names.record_file(1, sample)

    assert names.RECORD_SEGMENT.fullmatch(name)


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("README.md", None),
        ("src/Window.java", None),
        ("../up.py", "climbs"),
        ("/etc/hostname", "absolute"),
        ("C:/x", "absolute"),
        ("..\\pairs.py", "not portable"),
        ("a//b", "empty segment"),
        ("nul.txt", "reserved"),
        (".git/config", "reserved"),
        ("a\x00b", "control"),
        ("a\u202eb", "control"),
        ("cafe\u0301.py", "normal form"),
        ("trailing. ", "not portable"),
    ],
)
def test_paths_that_some_system_cannot_hold_are_named(path, fault):
    found = names.portable_fault(path)

    assert (found is None) if fault is None else (fault in found)


def test_case_and_normal_form_twins_have_one_key():
    assert names.twin_key("Runs/A") == names.twin_key("runs/a")
    assert names.twin_key("caf\u00e9") == names.twin_key("cafe\u0301")


@pytest.mark.parametrize(
    ("path", "what"),
    [
        (f"runs/2026-11/{RUN}/run.json", "record"),
        (f"runs/2026-11/{RUN}/capture-0a1b2c/0001-x.11.json", "record"),
        (f"runs/2026-11/{RUN}/capture-0a1b2c/01/0300-x.11.json", "record"),
        (f"runs/2026-11/{RUN}/capture-0a1b2c/attempts-0001.jsonl", "shard"),
        (f"runs/2026-11/{RUN}/capture-0a1b2c/artifacts/ab/{'ab' * 32}", "artifact"),
        (f"runs/2026-11/{RUN}/capture-0a1b2c/artifacts/ac/{'ab' * 32}", "unknown"),
        (f"runs/2026-11/{RUN}/notes.txt", "unknown"),
        ("runs/notes.json", "unknown"),
        ("corpus/small-repairs/1.0.0/fixture.json", "record"),
        ("corpus/small-repairs/1.0.0/tests/Test.java", "payload"),
        ("corpus/failures/jwt-unverified.json", "gold"),
        ("corpus/readme.md", "unknown"),
        ("schemas/run-1.json", "schema"),
    ],
)
def test_a_path_says_what_lies_there(path, what):
    assert what == kinds.what_lies_at(path)


def test_a_record_lies_where_its_id_says():
    assert f"runs/2026-11/{RUN}/run.json" == kinds.path_of({"schema": "assay/run/1", "id": RUN})
    assert f"runs/2026-11/{RUN}/capture-0a1b2c/0001-x.json" == kinds.path_of(
        {"schema": "assay/observation/1", "id": f"{RUN}/capture-0a1b2c/0001-x"}
    )
