"""The document names what the code has: formats, options, checks, statuses, states and capabilities."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from assay.acceptance.cases import CAPABILITIES, SURFACES
from assay.acceptance.checks import CHECKS
from assay.acceptance.draft import FORMATS
from assay.acceptance.policy import _RULES as RULES
from assay.acceptance.standing import State
from assay.contract.steps import ResultStatus

TEXT = (Path(__file__).parents[2] / "docs" / "acceptance.md").read_text(encoding="utf-8")
WORDS = {
    "formats": FORMATS,
    "surfaces": SURFACES,
    "checks": CHECKS,
    "policy rules": RULES,
    "statuses": get_args(ResultStatus),
    "capabilities": [name for name in CAPABILITIES if name not in ("cancellation", "idempotency", "concurrency")],
    "states": [state for state in get_args(State) if state != "unreviewed"],
}


@pytest.mark.parametrize("what", WORDS)
def test_the_document_names(what):
    assert [word for word in WORDS[what] if f"`{word}" not in TEXT] == []
