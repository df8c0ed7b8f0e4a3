"""Digests are over the exact bytes: line endings, byte order marks and spelling count; data has a digest of its own."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.record.digest import (
    digest,
    digest_of,
    digest_of_list,
    is_digest,
    is_lfs_pointer,
    lfs_oid,
    salted_digest,
    usual_cause,
)

PLAIN = b"dataset: demo\ntimeout_s: 8\n"
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize 117\n" % (b"4" * 64)


def test_a_digest_is_what_sha256sum_prints():
    assert digest(PLAIN) == f"sha256:{hashlib.sha256(PLAIN).hexdigest()}"
    assert is_digest(digest(PLAIN)) and not is_digest("sha256:0") and not is_digest(digest(PLAIN) + "\n")


def test_nothing_is_normalised_before_hashing():
    spellings = [PLAIN, PLAIN.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + PLAIN, PLAIN.rstrip(b"\n"), PLAIN + b"\n"]

    assert len({digest(spelling) for spelling in spellings}) == len(spellings)


def test_the_same_data_in_another_spelling_has_the_same_digest_of_data_and_another_of_bytes():
    one = '{"b": [1, 2], "a": "\\u00e9"}'
    two = '{\n  "a": "é",\n  "b": [1,2]\n}\n'

    assert digest_of(json.loads(one)) == digest_of(json.loads(two))
    assert digest(one.encode()) != digest(two.encode())


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(VALUES, max_size=4))
def test_a_list_whose_elements_pass_by_has_the_digest_of_the_whole_list(values):
    assert digest_of_list(iter(values)) == digest_of(values)


def test_an_unfetched_large_file_is_told_from_its_content():
    assert is_lfs_pointer(POINTER)
    assert lfs_oid(POINTER) == f"sha256:{'4' * 64}"
    assert not is_lfs_pointer(b"def test_sum():\n    assert True\n")
    assert not is_lfs_pointer(POINTER + b"x" * 2000)
    assert lfs_oid(POINTER.replace(b"444\n", b"44\n")) is None


def test_a_salt_is_separated_from_what_it_salts():
    assert salted_digest("a", b"b") == digest(b"a\0b")
    assert salted_digest("a\0", b"b") != salted_digest("a", b"b")


@pytest.mark.parametrize(
    ("bend", "cause"),
    [
        (lambda data: data.replace(b"\n", b"\r\n"), "line endings were rewritten to CRLF, as .gitattributes"),
        (lambda data: b"\xef\xbb\xbf" + data, "a byte order mark was added"),
        (lambda data: POINTER, "an unfetched Git LFS pointer"),
        (lambda data: data + b"# more\n", ""),
    ],
)
def test_what_usually_happens_to_a_file_is_named_as_the_cause(bend, cause):
    told = usual_cause(bend(PLAIN), lambda data: digest(data) == digest(PLAIN))

    assert told.startswith(cause) and bool(told) == bool(cause)
