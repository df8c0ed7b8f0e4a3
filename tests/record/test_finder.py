"""A quick look never misses what the slow one would find."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from assay.record.finder import Finder

PATTERN = r"[.e][-+]?[0-9]+,?\n|/home/|sk-"
pieces = st.sampled_from([".5,\n", "e+16\n", "/home/", "sk-", "\n", "\u00e9", "\x00", '"', "1"]) | st.text(max_size=4)


@given(st.lists(pieces, max_size=6).map("".join))
def test_it_finds_what_re_finds(text):
    expected = re.search(PATTERN, text) is not None

    assert Finder(PATTERN).occurs_in(text.encode("utf-8", "replace")) == expected


def test_bytes_that_are_no_text_have_to_be_looked_at():
    assert Finder("never").occurs_in(b"\xff")
