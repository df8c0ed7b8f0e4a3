"""What a source may say, and that everything wrong with it is told in one go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.coding.source import parse, read_fields
from assay.errors import InputError
from coding.dataset import EXTENDED, NAME, SOURCE, read


def faults_of(source: str | bytes) -> tuple[str, ...]:
    with pytest.raises(InputError) as caught:
        parse(source.encode() if isinstance(source, str) else source, NAME)
    return caught.value.faults


def test_every_field_of_the_format_is_read():
    source = read(EXTENDED).source

    item = source.items[0]
    assert (source.dataset_id, source.dataset_version, source.frozen_at) == ("tail-holdout", "1.0", "2026-10-05")
    assert (item.id, item.language, item.timeout_ms) == ("last-members-01", "python", 4000)
    assert (item.forbidden_imports, item.expected_files) == (("numpy",), ("members.py",))
    assert (item.reference, item.stub) == ("reference/last-members-01", "stub/last-members-01")


def test_optional_fields_are_read():
    more = "controls: {network: off, temperature: any}\nband: 0.25\nsupersedes: 0.9\n"
    provenance = "provenance: {source: own work, basis: by hand, limitations: [small]}\n"

    source = parse((SOURCE + more + provenance).encode(), NAME)

    assert dict(source.controls) == {"network": "off", "temperature": "any"}
    assert (str(source.band), source.supersedes) == ("1/4", "0.9")
    assert (source.provenance.source, source.provenance.limitations) == ("own work", ("small",))


def test_an_unquoted_version_keeps_every_digit():
    source = parse(SOURCE.replace('"1.0"', "0.10").encode(), NAME)

    assert source.dataset_version == "0.10"


@pytest.mark.parametrize("date", ["2026-10-05", '"2026-10-05"', "2026-10-05 10:00:00+02:00", "2026-10-05T10:00:00Z"])
def test_dates_stay_as_they_are_written(date):
    source = parse(SOURCE.replace('"2026-10-05"', date).encode(), NAME)

    assert source.frozen_at == date.strip('"')


@pytest.mark.parametrize("date", ["2026-13-05", "2026-10-05T10:00:00", "2026-10-05 10:00", "yesterday", "20261005"])
def test_a_date_that_names_no_day_or_no_instant_is_refused(date):
    (fault,) = faults_of(SOURCE.replace('"2026-10-05"', f'"{date}"'))

    assert "line 4: frozen_at: expected a date" in fault and date in fault


def test_a_repeated_key_is_named_with_its_line():
    (fault,) = faults_of(SOURCE.replace("    timeout_s: 4\n", "    timeout_s: 4\n    timeout_s: 400\n"))

    assert "line 13" in fault and "'timeout_s' is repeated" in fault


def test_a_repeated_key_at_the_top_is_named():
    (fault,) = faults_of(SOURCE.replace("frozen_at", 'dataset_version: "2"\nfrozen_at'))

    assert "line 4" in fault and "'dataset_version' is repeated" in fault


def test_nested_anchors_are_refused_at_once_and_never_expanded():
    layers = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9))
    bomb = f'a0: &a0 ["x"]\n{layers}' + SOURCE.replace('["numpy"]', "*a8")

    faults = faults_of(bomb)

    assert any("anchor &a0" in fault for fault in faults) and any("alias *a0" in fault for fault in faults)
    assert len(faults) < 200


@pytest.mark.parametrize(
    ("field", "path"),
    [
        ("prompt_file", "../../etc/hostname"),
        ("prompt_file", "/etc/hostname"),
        ("test_file", "tests/../../x.py"),
        ("test_file", "C:\\\\x.py"),
        ("prompt_file", "prompts\\\\a.md"),
        ("prompt_file", "~/a.md"),
        ("prompt_file", "a\\0.md"),
        ("prompt_file", "con.md"),
    ],
)
def test_a_path_cannot_leave_the_dataset(field, path):
    old = {"prompt_file": "prompts/last-members-01.md", "test_file": "tests/test_last_members_01.py"}[field]

    faults = faults_of(SOURCE.replace(old, f'"{path}"'))

    assert len(faults) == 1
    assert f'item "last-members-01": {field}: expected a relative path inside the dataset' in faults[0]


def test_expected_files_cannot_leave_the_workdir():
    faults = faults_of(SOURCE.replace('["members.py"]', '["/tmp/members.py", "..\\\\members.py"]'))

    assert [fault.partition(": expected a relative")[0] for fault in faults] == [
        'v1.yaml: line 14: item "last-members-01": expected_files: entry 1',
        'v1.yaml: line 14: item "last-members-01": expected_files: entry 2',
    ]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("coding-eval/v1", "coding-eval/v2", "schema: expected coding-eval/v1"),
        ("tail-holdout", "Tail Holdout", "dataset_id: expected lower case"),
        ("never-in-prompts", "", "holdout_policy: expected text"),
        ("never-in-prompts", "true", "holdout_policy: expected text (in quotes"),
        ("copper-lantern-41", "short", "canary: expected at least 8 characters"),
        ("language: python", "language: klingon", "language: expected one of python"),
        (
            "timeout_s: 4",
            "timeout_s: true",
            "timeout_s: expected seconds above 0 and up to 3600, as a number, got true",
        ),
        (
            "timeout_s: 4",
            'timeout_s: "4"',
            'timeout_s: expected seconds above 0 and up to 3600, as a number, got the text "4"',
        ),
        ("timeout_s: 4", "timeout_s: 0", "timeout_s: expected seconds above 0"),
        ("timeout_s: 4", "timeout_s: -1", "timeout_s: expected seconds above 0"),
        ("timeout_s: 4", "timeout_s: 1e3", "timeout_s: expected seconds above 0"),
        ("timeout_s: 4", "timeout_s: [4]", "got a list"),
        ('["numpy"]', "numpy", "forbidden_imports: expected a list, got numpy"),
        ('["numpy"]', '["num py"]', 'forbidden_imports: entry 1: expected a module name, got "num py"'),
        ('["numpy"]', '["numpy", "numpy"]', "entry 2: expected distinct entries"),
        ('["members.py"]', "[]", "expected_files: expected at least one entry, got an empty list"),
        ('["members.py"]', '["conftest.py"]', "expected a file that does not steer the test tool"),
        ('["members.py"]', '["a", "a/b.py"]', "expected a path of its own"),
        (
            "language: python",
            "lanuage: python",
            "lanuage: expected language (the nearest known field), got an unknown field",
        ),
        ("language: python", "colour: red", "colour: expected one of id, language"),
        ("    timeout_s: 4\n", "", "timeout_s: expected a value, got nothing (the field is missing)"),
        ("test_last_members_01.py", "test_last_members_01.js", "test_file: expected a pytest file (.py)"),
        ("language: python", "language: java", "expected an empty list (imports are checked for python only)"),
        ("holdout_policy", "band: 1.5\nholdout_policy", "band: expected a decimal from 0 to 1"),
        ("holdout_policy", "supersedes: 1.0\nholdout_policy", "supersedes: expected another version"),
        ("holdout_policy", "controls: {network: maybe}\nholdout_policy", "controls: network: expected one of off, on"),
        ("id: last-members-01", "id: a/b", "id: expected a portable name"),
        ("id: last-members-01", "memory_mib: 1.5\n    id: last-members-01", "memory_mib: expected a whole number"),
    ],
)
def test_a_wrong_value_is_told_with_what_was_expected_and_what_there_is(old, new, told):
    faults = faults_of(SOURCE.replace(old, new, 1))

    assert any(told in fault for fault in faults), faults


@pytest.mark.parametrize(
    ("items", "told"),
    [("items: []\n", "got an empty list"), ("items: 3\n", "got no list"), ("", "items: expected a value, got nothing")],
)
def test_a_source_needs_items(items, told):
    head = SOURCE.partition("items:\n")[0]

    assert any(told in fault for fault in faults_of(head + items))


def test_two_items_cannot_share_an_id_nor_differ_by_case_alone():
    item = SOURCE.partition("items:\n")[2]
    twin = item.replace("id: last-members-01", "id: Last-Members-01")

    faults = faults_of(SOURCE + item + twin)

    assert len(faults) == 2
    assert "line 15" in faults[0] and "the same id as the item at line 8" in faults[0]
    assert "line 22" in faults[1] and "in another spelling" in faults[1]


def test_all_faults_are_told_in_one_go_in_the_order_of_the_file():
    wrong = SOURCE.replace("copper-lantern-41", "x").replace("timeout_s: 4", "timeout_s: no").replace("python", "perl")

    faults = faults_of(wrong.replace("dataset_id: tail-holdout\n", ""))

    assert [fault.split(": ")[1] for fault in faults] == ["line 1", "line 5", "line 8", "line 11"]


def test_a_byte_order_mark_is_refused():
    (fault,) = faults_of(b"\xef\xbb\xbf" + SOURCE.encode())

    assert "byte order mark" in fault


@pytest.mark.parametrize("data", [b"", b"- 1\n", b"\xff\xfe", b"just text\n", b"a: [1\n", b"--- 1\n--- 2\n"])
def test_bytes_that_are_no_source_are_refused_with_a_reason(data):
    assert faults_of(data)


def test_the_source_cannot_be_called_like_the_record():
    with pytest.raises(InputError, match=r"fixture\.json"):
        parse(SOURCE.encode(), "Fixture.json")


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_ever_break_the_reader(data):
    source, faults = read_fields(data, NAME)

    assert source is None and faults.found


@given(st.integers(0, len(SOURCE) - 1), st.characters(codec="utf-8"))
def test_a_source_with_one_changed_character_is_read_or_refused(place, character):
    source, faults = read_fields((SOURCE[:place] + character + SOURCE[place + 1 :]).encode(), NAME)

    assert source is not None or faults.found
