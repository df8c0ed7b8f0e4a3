"""Holdout text is found by canary and by overlapping words; a mention alone is none; the text is never repeated."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.coding.freeze import freeze
from assay.coding.scan import decision, holdout_of, scan_root, scan_text, words_of
from assay.errors import InputError
from assay.record import schema
from assay.record.digest import digest
from coding.dataset import PROMPT, SOURCE, SUITE, TESTS, a_content, read_with

HOLDOUT = holdout_of(a_content(SOURCE))
SENTENCE = "a function last(n, xs) that gives the last n members"


def found(text, holdout=HOLDOUT):
    return [(hit.line, hit.kind, hit.item) for hit in scan_text(holdout, text)]


def test_a_canary_is_found_with_its_line():
    assert found("one\ntwo Copper-Lantern-41 three\n") == [(2, "canary", None)]


def test_a_copied_sentence_is_one_overlap_of_all_its_words():
    (hit,) = scan_text(HOLDOUT, f"In our blog:\n\n> {SENTENCE}, as you know.\n")

    assert (hit.line, hit.kind, hit.item, hit.words) == (3, "overlap", "last-members-01", 11)
    assert hit.text_sha256 == digest(b"a function last n xs that gives the last n members")


def test_spelling_and_layout_do_not_hide_an_overlap():
    hidden = "A  FUNCTION\n**last**(N, \u00adxs)\nthat gives; the\u200b last n members"

    assert found(hidden) == [(1, "overlap", "last-members-01")]


def test_fewer_words_than_asked_for_are_no_overlap():
    assert found("a function last(n, xs) that gives") == []
    assert found("a function last(n, xs) that gives", holdout_of(a_content(SOURCE), words=7)) != []


def test_tests_are_holdout_text_too():
    copied = "assert members.last(2, [5, 6, 7]) == [6, 7]"

    assert found(copied) == [(1, "overlap", "last-members-01")]


def test_import_lines_of_tests_are_everybodys():
    imports = b"import importlib\nimport sys\nfrom pathlib import Path\nimport pytest\nimport members\n"
    frozen = freeze(read_with({"tests/test_last_members_01.py": imports + TESTS}))

    holdout = holdout_of(SUITE.load(frozen.record, frozen.payloads))

    assert found(imports.decode(), holdout) == []


def test_runs_of_the_same_few_words_are_no_text():
    assert found("0 " * 40) == []


def test_an_item_id_alone_is_a_mention():
    assert found("see last-members-01 for more") == [(1, "mention", "last-members-01")]
    assert found("see last-members-011, x-last-members-01 or last-members-01b") == []


def test_mentions_leave_a_scan_clean_and_overlaps_do_not():
    mention = scan_root(HOLDOUT, "docs", [("a.md", b"last-members-01")])
    overlap = scan_root(HOLDOUT, "blog", [("b.md", SENTENCE.encode())])

    assert decision(mention.findings) == "clean"
    assert decision([*mention.findings, *overlap.findings]) == "contaminated"


def test_a_root_counts_what_was_read_and_what_was_not():
    files = [("b.md", b"plain"), ("a.png", b"\x89PNG\0\0"), ("c.txt", "caf\u00e9".encode("latin-1"))]

    scanned = scan_root(HOLDOUT, "docs", files)

    assert (scanned.root["name"], scanned.root["files"], scanned.root["skipped"]) == ("docs", 2, 1)
    assert scan_root(HOLDOUT, "docs", reversed(files)) == scanned


def test_text_in_utf_16_is_read():
    scanned = scan_root(HOLDOUT, "docs", [("a.txt", PROMPT.decode().encode("utf-16"))])

    assert [finding["kind"] for finding in scanned.findings] == ["overlap"]


def test_findings_fit_the_record_and_hold_no_text():
    text = f"copper-lantern-41 {SENTENCE} last-members-01\n".encode()
    scanned = scan_root(HOLDOUT, "docs", [("sub/a.md", text)])
    record = {
        "schema": "assay/scan/1",
        "id": "2026-10-06-scan-tail-holdout-0a1b2c/scan",
        "recorded_at": "2026-10-06T00:00:00Z",
        "fixture": {"path": "corpus/tail-holdout/1.0/fixture.json", "sha256": digest(b"")},
        "method": {"name": "scan/1", "words": 8},
        "roots": [scanned.root],
        "findings": list(scanned.findings),
        "decision": decision(scanned.findings),
    }

    assert schema.faults(record) == ()
    assert {finding["kind"] for finding in scanned.findings} == {"canary", "overlap", "mention"}
    assert "function" not in json.dumps(scanned.findings) and "copper" not in json.dumps(scanned.findings)


def test_two_words_are_too_few_for_an_overlap():
    with pytest.raises(InputError, match="at least 3"):
        holdout_of(a_content(SOURCE), words=2)


@given(st.integers(0, 200), st.lists(st.sampled_from(["so", "we", "went", "home"]), max_size=30))
def test_every_window_of_the_prompt_is_found_wherever_it_stands(start, around):
    words = [word for word, _ in words_of(PROMPT.decode())]
    start %= len(words) - 7
    text = " ".join([*around, *words[start : start + 8], *around])

    assert any(hit.kind == "overlap" and hit.words >= 8 for hit in scan_text(HOLDOUT, text))


@given(st.text(max_size=300))
def test_any_text_can_be_scanned(text):
    lines = text.count("\n") + 1

    assert all(1 <= hit.line <= lines for hit in scan_text(HOLDOUT, text))
