"""Where a case comes from: the digest of exactly the named lines."""

from __future__ import annotations

import hashlib

import pytest

from assay.errors import InputError
from assay.findings.provenance import distilled, excerpt, is_relative, still_says

SOURCE = b"one\ntwo\r\nthree\rstill three\nfour"


@pytest.mark.parametrize(
    ("lines", "text"),
    [((1, 1), b"one\n"), ((2, 3), b"two\r\nthree\rstill three\n"), ((4, 4), b"four"), (None, SOURCE)],
)
def test_lines_end_at_line_feeds_only_and_keep_their_bytes(lines, text):
    assert text == excerpt(SOURCE, lines)


def test_the_digest_is_that_of_the_lines_alone():
    origin = distilled("docs/a.md", SOURCE, (2, 2), synthetic=True)

    assert origin.source_sha256 == f"sha256:{hashlib.sha256(b'two' + bytes((13, 10))).hexdigest()}"
    assert still_says(origin, b"changed\n" + SOURCE.partition(b"\n")[2])
    assert not still_says(origin, b"shifted\n" + SOURCE)


@pytest.mark.parametrize("lines", [(0, 1), (3, 2), (4, 5)])
def test_lines_that_are_not_there_are_refused(lines):
    with pytest.raises(InputError, match=r"docs/a\.md: has no lines"):
        distilled("docs/a.md", SOURCE, lines, synthetic=False)


def test_an_empty_source_is_refused():
    with pytest.raises(InputError, match="nothing to distil"):
        distilled("docs/a.md", b"", None, synthetic=False)


@pytest.mark.parametrize("path", ["src/a.py", "a b/c.txt", ".github/x.yml", "..a/b", "a/...", "Ä/ü.py"])
def test_a_relative_path_is_one(path):
    assert is_relative(path)


@pytest.mark.parametrize(
    "path", ["", "/a", "~/a", "C:/a", "a//b", "a/", "./a", "a/../b", "..", "a\\b", "a\nb", 3, None]
)
def test_what_climbs_or_is_absolute_is_not(path):
    assert not is_relative(path)
