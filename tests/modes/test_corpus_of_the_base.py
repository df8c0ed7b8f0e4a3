"""What the conformance corpus expected at the base of a change still stands: no expectation is edited away."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from modes.corpus import DOMAINS

ROOT = Path(__file__).parent.parent.parent
BASE = os.environ.get("ASSAY_BASE_COMMIT", "")


def expectations(text: str) -> dict[str, tuple]:
    """Status and key of every answer of a corpus file, by task and response."""
    return {
        json.dumps([task["level"], task["answer"], case["response"]], sort_keys=True): (case["status"], case.get("key"))
        for task in json.loads(text)
        for case in task["cases"]
    }


@pytest.mark.skipif(not BASE.strip("0"), reason="ASSAY_BASE_COMMIT names no base to compare with")
@pytest.mark.parametrize("domain", DOMAINS)
def test_every_expectation_of_the_base_still_stands(domain):
    path = f"tests/cases/modes/{domain}.json"
    shown = subprocess.run(["git", "show", f"{BASE}:{path}"], cwd=ROOT, capture_output=True, check=False)
    before = expectations(shown.stdout.decode()) if shown.returncode == 0 else {}

    now = expectations((ROOT / path).read_text(encoding="utf-8"))

    assert {name: expected for name, expected in before.items() if now.get(name) != expected} == {}


def test_a_changed_expectation_would_be_seen():
    text = (ROOT / "tests/cases/modes/countdown.json").read_text(encoding="utf-8")

    changed = expectations(text.replace('"status": "correct"', '"status": "incorrect"', 1))

    assert changed != expectations(text)
