"""The files that a source names: what is wrong with them is told together with the faults of the source."""

from __future__ import annotations

import json

import pytest

from assay.errors import InputError
from coding.dataset import CASES, EXTENDED, FILES, GOOD, SOURCE, read, read_with

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"5" * 64 + b"\nsize 90\n"


def faults_of(changes, source=EXTENDED):
    with pytest.raises(InputError) as caught:
        read_with(changes, source)
    return caught.value.faults


def with_cases(*cases):
    return {"values/last-members-01.json": json.dumps(cases).encode()}


def test_exactly_the_named_files_are_taken():
    bodies = read_with({"reference/last-members-01/__pycache__/members.pyc": b"\0", "notes.txt": b"x"})

    assert set(bodies.files) == {"v1.yaml", *FILES}


def test_a_source_without_extensions_needs_prompt_and_test_alone():
    assert set(read(SOURCE).files) == {"v1.yaml", "prompts/last-members-01.md", "tests/test_last_members_01.py"}


@pytest.mark.parametrize("path", sorted(FILES))
def test_a_missing_file_is_named(path):
    faults = faults_of({path: None})

    assert all('item "last-members-01"' in fault for fault in faults)
    assert any(path.rpartition("/")[0] in fault and "got nothing" in fault for fault in faults)


@pytest.mark.parametrize("path", sorted(FILES))
def test_an_unfetched_large_file_pointer_is_named_as_such(path):
    faults = faults_of({path: POINTER})

    assert any(f"{path} is an unfetched Git LFS pointer" in fault for fault in faults)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"\xef\xbb\xbfx = 1\n", "starts with a byte order mark"),
        (b"x = '\xff'\n", "is not UTF-8 at byte 5"),
        (b"x = 1\0\n", "holds a NUL character"),
        (b" \n\n", "is empty"),
        (b"def test_a(:\n", "is not Python: line 1"),
    ],
)
def test_a_test_file_is_readable_python(data, told):
    (fault,) = faults_of({"tests/test_last_members_01.py": data})

    assert f"tests/test_last_members_01.py {told}" in fault


def test_a_folder_where_a_file_is_expected_is_called_a_folder():
    changes = {"prompts/last-members-01.md": None, "prompts/last-members-01.md/inner.md": b"x"}

    (fault,) = faults_of(changes)

    assert "prompt_file: expected a file, got a folder at prompts/last-members-01.md" in fault


def test_a_stub_that_is_the_reference_controls_nothing():
    (fault,) = faults_of({"stub/last-members-01/members.py": GOOD})

    assert "stub: expected other files than the reference" in fault


def test_faults_of_fields_and_files_come_together():
    faults = faults_of({"prompts/last-members-01.md": None}, EXTENDED.replace("timeout_s: 4", "timeout_s: x"))

    assert len(faults) == 2
    assert "timeout_s" in faults[0] and "prompt_file" in faults[1]


def test_two_paths_that_are_one_on_some_systems_are_refused():
    source = SOURCE + SOURCE.partition("items:\n")[2].replace("last-members-01\n", "other-02\n").replace(
        "prompts/last-members-01.md", "Prompts/Last-Members-01.md"
    )

    faults = faults_of({"Prompts/Last-Members-01.md": b"x"}, source)

    assert any("are the same file on some systems" in fault for fault in faults)


@pytest.mark.parametrize(
    ("case", "told"),
    [
        ({}, "id: expected text"),
        ({**CASES[0], "raises": "ValueError"}, "expected exactly one of expected, raises"),
        ({**CASES[0], "expect": 1}, "expect: unknown field"),
        ({**CASES[0], "module": "other"}, "module: expected one of members, got other"),
        ({**CASES[0], "args": {}}, "args: expected a list"),
        ({**CASES[0], "expected": {"set": [[1]]}}, "a value that no Python object has"),
        ({"id": "a", "module": "members", "function": "last", "raises": "not a name"}, "raises: expected the name"),
    ],
)
def test_a_value_case_must_be_one(case, told):
    faults = faults_of(with_cases(case))

    assert any(told in fault for fault in faults), faults


@pytest.mark.parametrize("data", [b"{}", b"[]", b"[1", b'[{"id": "a", "id": "b"}]', b"[3]"])
def test_value_cases_must_be_a_list_of_objects(data):
    assert faults_of({"values/last-members-01.json": data})


def test_value_cases_have_ids_of_their_own():
    (fault,) = faults_of(with_cases(CASES[0], CASES[0]))

    assert "case v1: expected an id of its own" in fault
