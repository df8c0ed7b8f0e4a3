"""No text of others can move the cursor, hide or reorder what a terminal shows, and it stays recognisable."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.report.safe import safe_lines, safe_text

ANY_TEXT = st.text(st.characters(codec=None))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("case-7\x1b[2J\x1b[1;1H", "case-7\\x1b[2J\\x1b[1;1H"),
        ("\x1b]0;owned\x07", "\\x1b]0;owned\\x07"),
        ("case-8\rMET case-8", "case-8\\rMET case-8"),
        ("a\x08\x08b", "a\\x08\\x08b"),
        ("\x9b31m red", "\\x9b31m red"),
        ("ca\u202ese", "ca\\u202ese"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("two\nlines\u2028three", "two\\nlines\\u2028three"),
        ("\ufeffbom \ufffe", "\\ufeffbom \\ufffe"),
        ("lone \udc80", "lone \\udc80"),
        ("tag \U000e0041", "tag \\U000e0041"),
        ("Grüße, 日本語, naïve café", "Grüße, 日本語, naïve café"),
        ("plain-name_1.0 (x)", "plain-name_1.0 (x)"),
    ],
)
def test_dangerous_characters_are_shown_as_escapes(text, expected):
    assert safe_text(text) == expected


def test_lines_stay_lines_but_a_carriage_return_does_not():
    assert safe_lines("one\r\ntwo\rthree\n\tfour") == ("one", "two\\rthree", "    four")


@given(ANY_TEXT)
def test_no_forbidden_code_point_ever_passes(text):
    shown = safe_text(text)

    assert all(unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in shown)
    assert not set(shown) & {"\u2800", "\u3164", "\ufe0f", "\ufffe"}
    shown.encode("utf-8")


@given(ANY_TEXT)
def test_it_changes_nothing_twice(text):
    assert safe_text(safe_text(text)) == safe_text(text)


@given(st.text(st.characters(categories=("L", "N"), max_codepoint=0x2FF)))
def test_letters_and_digits_stay_as_they_are(text):
    assert safe_text(text) == text
