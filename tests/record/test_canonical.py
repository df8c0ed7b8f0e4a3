"""Canonical bytes: one spelling per value, and every other spelling is refused with its reason."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.record import canonical
from assay.record.canonical import NotCanonical
from assay.record.digest import digest, digest_of

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
integers = st.integers(-canonical.MAX_INT, canonical.MAX_INT)
values = st.recursive(
    st.none() | st.booleans() | integers | text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4),
    max_leaves=20,
)
records = st.dictionaries(text, values, max_size=5)


@given(records)
def test_reading_what_was_spelled_gives_the_value_back(record):
    assert record == canonical.decode(canonical.encode(record))
    assert record == canonical.decode_line(canonical.encode_line(record))


@given(records)
def test_the_spelling_is_that_of_the_standard_library(record):
    expected = json.dumps(record, indent=2, sort_keys=True, ensure_ascii=False) + "\n"

    assert expected.encode() == canonical.encode(record)


@given(records)
def test_any_other_spelling_is_refused(record):
    compact = json.dumps(record, separators=(",", ":")).encode()
    if compact + b"\n" == canonical.encode(record):
        return

    with pytest.raises(NotCanonical):
        canonical.decode(compact)


@given(records, st.data())
def test_a_flipped_byte_never_reads_as_the_same_record(record, data):
    spelled = canonical.encode(record)
    at = data.draw(st.integers(0, len(spelled) - 1))
    flipped = spelled[:at] + bytes([spelled[at] ^ data.draw(st.integers(1, 255))]) + spelled[at + 1 :]

    try:
        read = canonical.decode(flipped)
    except NotCanonical:
        return

    assert read != record


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (b'{\n  "a": 1,\n  "a": 2\n}\n', "key 'a' is repeated"),
        (b'{\n  "a": {\n    "n": 9,\n    "n": 90\n  }\n}\n', "key 'n' is repeated"),
        (b'{\n  "pass": 3,\n  "p\\u0061ss": 9\n}\n', "key 'pass' is repeated"),
        (b'{\n  "a": NaN\n}\n', "NaN is not JSON"),
        (b'{\n  "a": -Infinity\n}\n', "-Infinity is not JSON"),
        (b'{\n  "a": 1e999\n}\n', "not a finite number"),
        (b'{\n  "a": 1.0\n}\n', r"\$\.a: records hold no floats"),
        (b'{\n  "a": 0.1\n}\n', r"\$\.a: records hold no floats"),
        (b'{\n  "a": [\n    1,\n    2.5\n  ]\n}\n', r"\$\.a\[1\]: records hold no floats"),
        (b'{\n  "a": 9007199254740993\n}\n', "beyond 2\\^53"),
        (b'{\n  "a": 1' + b"0" * 5000 + b"\n}\n", "beyond 2\\^53 \\(5001 digits"),
        (b'{\n  "a": "\\ud800"\n}\n', "lone surrogate"),
        (b'{\n  "a": "\xff"\n}\n', "not UTF-8 at byte"),
        (b'\xef\xbb\xbf{\n  "a": 1\n}\n', "byte order mark"),
        (b'{\r\n  "a": 1\r\n}\r\n', "not in canonical form, first at line 1"),
        (b'{\n  "b": 1,\n  "a": 2\n}\n', "first at line 2"),
        (b'{\n  "a": 1\n}', "not in canonical form"),
        (b'{\n  "a": "\\u00e9"\n}\n', "not in canonical form"),
        (b"[\n  1\n]\n", "a record is an object"),
        (b"", "not JSON"),
        (b'{"a":' * 100 + b"1" + b"}" * 100, "nested deeper than 64"),
    ],
)
def test_a_bad_record_is_refused_with_its_reason(document, reason):
    with pytest.raises(NotCanonical, match=reason):
        canonical.decode(document)


def test_a_deep_bomb_is_refused_without_recursion():
    with pytest.raises(NotCanonical, match="nested deeper"):
        canonical.decode(b"[" * 5_000_000)


def test_brackets_inside_text_do_not_count_as_nesting():
    record = {"prompt": "[" * 500, "floats in text": ' 1.5, [2.5] : 3e7, "quoted" '}

    assert record == canonical.decode(canonical.encode(record))


@pytest.mark.parametrize("value", [1.0, float("nan"), 2**53, b"bytes", {1: 2}, {"a": {3}}, "\ud800"])
def test_what_is_not_a_record_value_cannot_be_spelled(value):
    with pytest.raises(NotCanonical):
        canonical.encode({"a": value})


def test_the_content_digest_is_one_for_all_spellings_and_the_byte_digest_is_not():
    spellings = [b'{"b":[1,2],"a":{"x":"\\u00e9","y":null}}', '{"a": {"y": null, "x": "é"},\n "b": [1, 2]}'.encode()]

    assert len({digest_of(canonical.parse(spelling)) for spelling in spellings}) == 1
    assert len({digest(spelling) for spelling in spellings}) == 2


def test_brackets_in_text_are_no_nesting_whatever_quotes_stand_beside_them():
    record = {"text": 'he said "' + "[" * 100 + '" \\' + "{" * 100}

    assert canonical.decode(canonical.encode(record)) == record


def spelled_badly(spelled: bytes) -> list[bytes]:
    """Files that are not canonical, made from one that is and has a member `x: 1`."""
    member = b'"x": 1'
    others = [b'"x": 1.5', b'"x": 1e9', b'"x": 1, "x": 1', b'"x" : 1', b'"x": 9007199254740992', b'"x": "\\u0061"']
    deep = b'"x": ' + b"[" * canonical.MAX_DEPTH + b"]" * canonical.MAX_DEPTH
    return [spelled.replace(member, other) for other in (*others, deep)] + [spelled[:-1], b"[]\n", b""]


@given(st.lists(records, max_size=4), records, st.integers(0, 9), st.integers(0, 4))
def test_files_read_at_once_are_those_that_are_canonical_one_by_one(around, record, fault, at):
    files = [canonical.encode(record) for record in around]
    bad = spelled_badly(canonical.encode(record | {"x": 1}))[fault]

    assert around == canonical.decode_all(files)
    assert canonical.decode_all([*files[:at], bad, *files[at:]]) is None
    with pytest.raises(NotCanonical):
        canonical.decode(bad)


def test_nesting_up_to_the_limit_is_read_at_once_and_beyond_it_is_not():
    def nested(levels):
        return canonical.encode({"x": json.loads("[" * levels + "]" * levels)})

    assert canonical.decode_all([nested(canonical.MAX_DEPTH - 2)]) is not None
    assert canonical.decode_all([nested(canonical.MAX_DEPTH)]) is None
    assert canonical.decode(nested(canonical.MAX_DEPTH - 1))
