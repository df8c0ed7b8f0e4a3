"""Which modules are reached: one case per spelling, in tests/cases/coding/imports.txt."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.coding.surface import check

CASES = Path(__file__).parent.parent / "cases" / "coding" / "imports.txt"


def cases():
    blocks = re.split(r"(?m)^=== ", CASES.read_text(encoding="utf-8"))[1:]
    for block in blocks:
        head, _, body = block.partition("\n")
        expected, _, name = head.partition(" ")
        yield pytest.param(expected, body.encode(), id=f"{expected}: {name}")


def outcome(body: bytes) -> str:
    surface = check({"window.py": body}, ["window.py"], ["json"], language="python")
    if any("json" in violation.what for violation in surface.violations):
        return "forbidden"
    return "undecided" if surface.undecided else "kept"


@pytest.mark.parametrize(("expected", "body"), list(cases()))
def test_every_spelling_is_forbidden_undecided_or_kept(expected, body):
    assert outcome(body) == expected
