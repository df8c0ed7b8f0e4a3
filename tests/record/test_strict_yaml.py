"""Strict YAML: what a person sees is what is read, and everything else is refused with its line."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.record import strict_yaml
from assay.record.strict_yaml import Fields, load, plain

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefg", "bcdefgh", strict=True)
)

REFUSED = {
    "repeated key": ("a: 1\nb: 2\na: 3\n", 3, "key 'a' is repeated (first at line 1)"),
    "repeated nested key": ("s:\n  - t: 1\n    t: 2\n", 3, "key 't' is repeated"),
    "key repeated in quotes": ('a: 1\n"a": 2\n', 2, "key 'a' is repeated"),
    "anchor": ("a: &x 1\n", 1, "anchor &x"),
    "alias bomb": (BOMB, 1, "anchor &a"),
    "tag": ("a: 1\nb: !!python/object:os.system x\n", 2, "tag tag:yaml.org,2002:python/object"),
    "merge key": ("<<: {a: 1}\n", 1, "merge key <<"),
    "second document": ("a: 1\n---\na: 2\n", 2, "a second document begins"),
    "directive": ("%YAML 1.1\n---\na: 1\n", 1, "% directive"),
    "collection as key": ("[1, 2]: x\n", 1, "a key must be text"),
    "too deep": ("[" * 33, 1, "nested deeper than 32 levels"),
    "broken syntax": ("a: [1\n", 2, "not YAML"),
    "control character": ("a: 1\nb: \x01\n", 2, "U+0001"),
    "NUL": ("a\0: 1\n", 1, "U+0000"),
    "byte order mark": ("\ufeffa: 1\n", 1, "byte order mark"),
}


@pytest.mark.parametrize(("text", "line", "message"), REFUSED.values(), ids=REFUSED)
def test_what_could_mean_something_else_is_refused_with_its_line(text, line, message):
    faults = load(text.encode(), "f.yaml").faults

    assert any(fault.line == line and message in fault.message for fault in faults), faults


def test_bytes_that_are_not_utf8_are_refused_with_their_line():
    assert [strict_yaml.Fault(2, "not UTF-8 at byte 8")] == list(load(b"a: 1\nb: \xff\n", "f").faults)


def test_a_file_over_the_limit_is_not_even_parsed():
    assert "too large" in load(b"#" * (strict_yaml.MAX_BYTES + 1), "f").faults[0].message


def test_every_fault_is_named_at_once():
    with pytest.raises(InputError) as caught:
        load(b"a: 1\na: 2\nb: *x\n", "f.yaml").checked()

    assert [fault.split(":")[1] for fault in caught.value.faults] == [" line 2", " line 3"]


PLAIN = {
    "2026-09-03": "2026-09-03",
    "2026-09-03 10:00:00+02:00": "2026-09-03 10:00:00+02:00",
    "0.10": "0.10",
    "1e3": "1e3",
    "010": "010",
    "0x1f": "0x1f",
    "-12": -12,
    "'12'": "12",
    "yes": "yes",
    "no": "no",
    "true": True,
    "'true'": "true",
    "null": None,
    "~": None,
    "": None,
    '""': "",
    "9" * 400: "9" * 400,
}


@pytest.mark.parametrize("spelling", PLAIN, ids=lambda s: s[:25] or "empty")
def test_unquoted_integers_booleans_and_null_are_resolved_and_nothing_else(spelling):
    value = plain(load(f"key: {spelling}\n".encode(), "f").root)["key"]

    assert (PLAIN[spelling], type(PLAIN[spelling])) == (value, type(value))


def test_exact_text_and_quoting_are_kept_for_the_caller():
    root = load(b"v: 0.10\nw: '0.10'\nblock: |\n  one\n  two\n", "f").checked()

    assert isinstance(root, Fields)
    assert [(node.text, node.quoted) for node in root.members.values()] == [
        ("0.10", False),
        ("0.10", True),
        ("one\ntwo\n", True),
    ]


def test_a_line_is_found_by_the_way_to_a_value():
    document = load(b"a: 1\nsamples:\n  - id: x\n  - id: y\n    timeout: 3\n", "f")

    assert [
        document.line_of("a"),
        document.line_of("samples"),
        document.line_of("samples", 1, "timeout"),
        document.line_of("samples", 1, "missing"),
    ] == [1, 2, 5, 4]


def test_an_empty_file_has_no_root_and_no_fault():
    assert (load(b"", "f").root, load(b"# nothing\n", "f").faults) == (None, ())
