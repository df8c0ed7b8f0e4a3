"""A fixture revision is a function of bytes; what changed between two of them is named file by file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.coding.changes import changed_files, mismatches, refuse_changed_content
from assay.coding.freeze import freeze, freeze_sealed, salt_of
from assay.errors import Inconclusive, InputError, Refused
from assay.record import schema
from assay.record.canonical import encode
from assay.record.digest import digest
from assay.record.pins import Pin
from coding.dataset import EXTENDED, FILES, SOURCE, SUITE, a_fixture, read, read_with

SECRET = bytes(range(32))
PROMPT = "prompts/last-members-01.md"
TESTS = "tests/test_last_members_01.py"


def test_the_record_is_valid_and_pins_every_file():
    frozen = freeze(read(EXTENDED))

    assert schema.faults(frozen.record) == ()
    assert {entry["path"]: entry["sha256"] for entry in frozen.record["files"]} == {
        path: digest(data) for path, data in frozen.payloads.items()
    }


def test_the_source_is_kept_unchanged_under_its_own_name():
    frozen = freeze(read(EXTENDED))

    assert frozen.payloads["v1.yaml"] == EXTENDED.encode()
    assert frozen.record["source"] == "v1.yaml"


def test_two_people_freeze_the_same_bytes():
    here, there = freeze(read(EXTENDED)), freeze(read_with(dict(reversed(FILES.items()))))

    assert encode(here.record) == encode(there.record)


def test_items_list_their_files():
    record = freeze(read(EXTENDED)).record

    assert record["items"] == [{"id": "last-members-01", "files": sorted(FILES)}]


def test_a_superseded_version_must_be_pinned_by_its_record():
    source = SOURCE + 'supersedes: "0.9"\n'
    pin = Pin("corpus/tail-holdout/0.9/fixture.json", digest(b"x"))

    assert freeze(read(source), superseded=pin).record["supersedes"] == pin.to_json()
    with pytest.raises(InputError, match="expected version 0"):
        freeze(read(source))
    with pytest.raises(InputError, match="expected nothing"):
        freeze(read(SOURCE), superseded=pin)


def test_a_changed_prompt_under_the_same_version_is_refused_naming_it():
    old = freeze(read(EXTENDED)).record
    new = freeze(read_with({PROMPT: b"Write members.py, differently.\n"})).record

    with pytest.raises(Refused, match=rf"tail-holdout 1\.0 is frozen with other content; differs in {PROMPT}"):
        refuse_changed_content(old, new)


def test_freezing_the_same_again_is_no_change():
    refuse_changed_content(freeze(read(EXTENDED)).record, freeze(read(EXTENDED)).record)


def test_changed_added_and_removed_files_are_told_apart():
    old = freeze(read(EXTENDED)).record
    new = freeze(read_with({TESTS: b"def test_a():\n    pass\n"}, SOURCE)).record

    changes = {change.path: change.change for change in changed_files(old, new)}

    gone = dict.fromkeys(path for path in FILES if path not in (PROMPT, TESTS))
    assert changes == {**dict.fromkeys(gone, "removed"), TESTS: "changed", "v1.yaml": "changed"}
    assert [change.change for change in changed_files(new, old)].count("added") == len(gone)


@pytest.mark.parametrize(
    ("bend", "cause"),
    [
        (lambda data: b"\xef\xbb\xbf" + data, "a byte order mark was added"),
        (lambda data: data.replace(b"\n", b"\r\n"), "line endings were rewritten to CRLF"),
        (lambda data: data + b" ", "differs from its pin (expected sha256:"),
        (lambda data: None, "is missing"),
        (
            lambda data: b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 1\n",
            "an unfetched Git LFS pointer",
        ),
    ],
)
def test_a_copy_with_other_bytes_is_named_with_its_cause(bend, cause):
    frozen = freeze(read(EXTENDED))
    files = {**frozen.payloads, PROMPT: bend(frozen.payloads[PROMPT])}

    (told,) = mismatches(frozen.record, {path: data for path, data in files.items() if data is not None})

    assert told.startswith(f"{PROMPT}: ") and cause in told


def test_line_feeds_made_of_pinned_crlf_are_seen_too():
    frozen = freeze(read_with({PROMPT: b"one\r\ntwo\r\n"}))

    (told,) = mismatches(frozen.record, {**frozen.payloads, PROMPT: b"one\ntwo\n"})

    assert "line endings were rewritten to LF" in told


def test_a_fixture_with_wrong_bytes_is_not_loaded():
    frozen = freeze(read(EXTENDED))

    with pytest.raises(InputError, match=PROMPT):
        SUITE.load(frozen.record, {**frozen.payloads, PROMPT: b"other"})


def test_a_sealed_revision_holds_the_source_alone_and_salted_digests():
    frozen = freeze_sealed(read(EXTENDED), secret=SECRET)

    sealed = [entry for entry in frozen.record["files"] if entry.get("sealed")]
    assert schema.faults(frozen.record) == ()
    assert dict(frozen.payloads) == {"v1.yaml": EXTENDED.encode()}
    assert sorted(entry["path"] for entry in sealed) == sorted(FILES)
    assert not {entry["sha256"] for entry in sealed} & {digest(data) for data in FILES.values()}


def test_sealed_versions_are_comparable_under_one_secret_only():
    old = freeze_sealed(read(EXTENDED), secret=SECRET).record
    same = freeze_sealed(read_with({PROMPT: b"New.\n"}), secret=SECRET).record
    other = freeze_sealed(read(EXTENDED), secret=SECRET[::-1]).record

    assert [(change.path, change.change) for change in changed_files(old, same)] == [(PROMPT, "changed")]
    assert {change.change for change in changed_files(old, other)} == {"not comparable"}


def test_a_short_secret_is_refused():
    with pytest.raises(InputError, match="too short"):
        freeze_sealed(read(EXTENDED), secret=b"guess me")


def test_a_sealed_fixture_loads_without_bodies_and_says_so_when_they_are_needed():
    frozen = freeze_sealed(read(EXTENDED), secret=SECRET)

    content = SUITE.load(frozen.record, frozen.payloads)

    assert content.is_sealed and list(content.items) == ["last-members-01"]
    with pytest.raises(Inconclusive, match="sealed and not here"):
        content.body("last-members-01")


def test_a_sealed_fixture_with_its_bodies_is_whole():
    frozen = freeze_sealed(read(EXTENDED), secret=SECRET)

    content = SUITE.load(frozen.record, {**frozen.payloads, **FILES})

    assert content.body("last-members-01").prompt.startswith("Write members.py")


def test_a_loaded_fixture_has_everything_typed():
    content = a_fixture().content
    body, limits = content.body("last-members-01"), content.limits("last-members-01")

    assert [case.call.id for case in body.value_cases] == ["v1", "v2"]
    assert (limits.timeout_ms, limits.memory_mib, limits.network) == (4000, 1024, "off")
    assert content.known_tests("last-members-01") == ("test_none", "test_some")


@given(st.binary(min_size=16, max_size=40), st.text(max_size=20), st.text(max_size=20))
def test_salts_are_a_function_of_secret_and_place(secret, one, other):
    assert (salt_of(secret, "d", one) == salt_of(secret, "d", other)) == (one == other)
