"""Receipts of ModeBench are claims: read, checked for shape and range, and compared with a new grading."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from assay.errors import InputError
from assay.modes.grade import grade_prompt
from assay.modes.receipts import disagreements, read_prompts, read_receipt

ANSWER = {"verifier": "countdown", "numbers": [1, 2, 3], "target": 6}
RESPONSES = ["1+2+3", "1*2*3", "1+2", "bad"]
GRADES = grade_prompt("modebench-0.4.0", 1, "countdown", ANSWER, RESPONSES)
ATTEMPTS = [
    {
        "status": g.status,
        "canonical_key": g.key,
        "graded_text": g.graded_text,
        "verified": g.verified,
        "detail": g.detail,
    }
    for g in GRADES
]
RESULT = {"id": "one", "draws": [{"attempts": ATTEMPTS}], "accuracy": 0.5, "pass_at_k": 1.0, "distinct_at_k": 2}
LINE = {"schema": "modebench-prompt-result-v1", "sequence": 0, "level": 1, "domain": "countdown", "k": 4,
        "record_sha256": "0" * 64, "result": RESULT}  # fmt: skip
JOURNAL = json.dumps(LINE).encode() + b"\n"
CELL = {
    "level": 1,
    "domain": "countdown",
    "k": 4,
    "accuracy": 0.5,
    "pass_at_k": 1.0,
    "distinct_at_k": 2.0,
    "pcmd": {"d_mode": 1.0},
}


def receipt(schema="modebench-saved-responses-v4", status="completed", **more):
    document = {
        "schema": schema,
        "evaluation": {"status": status},
        "software": {"modebench_version": "0.4.0", "verifier_contract": "modebench-verifiers-v1"},
        "run": None,
        "cells": [CELL],
        "prompt_results": {"path": "results.jsonl", "sha256": sha256(JOURNAL).hexdigest(), "records": 1},
        **more,
    }
    return json.dumps(document).encode()


def test_a_v4_receipt_brings_its_claims():
    found = read_receipt(receipt())

    assert (found.status, found.software, found.contract) == ("completed", "modebench 0.4.0", "modebench-verifiers-v1")
    assert found.cells == (CELL,)


def test_its_journal_is_verified_and_read():
    (prompt,) = read_prompts(read_receipt(receipt()), JOURNAL)

    assert (prompt.id, prompt.level, prompt.domain, len(prompt.attempts)) == ("one", 1, "countdown", 4)
    assert prompt.attempts[0].key == "countdown:add(3,add(1,2))"


def test_a_v3_receipt_holds_its_prompts_itself():
    inline = receipt("modebench-saved-responses-v3", cells=[{**CELL, "prompt_results": [RESULT]}])

    (prompt,) = read_prompts(read_receipt(inline))

    assert [attempt.status for attempt in prompt.attempts] == ["correct", "correct", "incorrect", "malformed"]


def test_grading_again_finds_no_disagreement_where_there_is_none():
    claimed = read_prompts(read_receipt(receipt()), JOURNAL)

    assert disagreements(claimed, [("one", GRADES)]) == ()


def test_a_changed_claim_is_found():
    text = JOURNAL.replace(b'"incorrect"', b'"malformed"')
    stated = {"path": "r", "sha256": sha256(text).hexdigest(), "records": 1}
    claimed = read_prompts(read_receipt(receipt(prompt_results=stated)), text)

    (found,) = disagreements(claimed, [("one", GRADES)])

    assert (found.id, found.draw, found.claimed.status, found.graded.status) == ("one", 3, "malformed", "incorrect")


@pytest.mark.parametrize(("identity", "grades"), [("two", GRADES), ("one", GRADES[:3])])
def test_other_responses_cannot_be_compared(identity, grades):
    claimed = read_prompts(read_receipt(receipt()), JOURNAL)

    with pytest.raises(InputError, match="not those of the receipt"):
        disagreements(claimed, [(identity, grades)])


@pytest.mark.parametrize(
    ("journal", "reason"),
    [
        (None, "needs its journal"),
        (JOURNAL + b" ", "the journal's sha256 is"),
        (JOURNAL[:-1], "the journal's sha256 is"),
    ],
)
def test_a_missing_or_edited_journal_is_refused(journal, reason):
    with pytest.raises(InputError, match=reason):
        read_prompts(read_receipt(receipt()), journal)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({**LINE, "sequence": 1}, "with sequence 0"),
        ({**LINE, "schema": "x"}, "expected modebench-prompt-result-v1"),
        ({**LINE, "result": {}}, "lacks 'draws'"),
        (
            {**LINE, "result": {**RESULT, "draws": [{"attempts": [{**ATTEMPTS[0], "status": "odd"}]}]}},
            "'odd' is not known",
        ),
    ],
)
def test_a_journal_of_another_shape_is_refused(line, reason):
    data = json.dumps(line).encode() + b"\n"
    stated = {"path": "r", "sha256": sha256(data).hexdigest(), "records": 1}

    with pytest.raises(InputError, match=reason):
        read_prompts(read_receipt(receipt(prompt_results=stated)), data)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"{", "not JSON"),
        (receipt("other"), "its schema must be"),
        (receipt(status="odd"), "evaluation.status must be"),
        (receipt(cells=5), "cells must be a list"),
        (receipt(cells=[{**CELL, "accuracy": 1.5}]), r"cells\[0\].accuracy must lie in \[0, 1\]"),
        (receipt(cells=[{**CELL, "distinct_at_k": 5}]), r"distinct_at_k must lie in \[0, 4\]"),
        (receipt(cells=[{**CELL, "pass_at_k": None}]), "pass_at_k must lie in"),
        (receipt(cells=[{**CELL, "k": 0}]), "k must be an integer"),
        (receipt(cells=[{**CELL, "pcmd": {"d_mode": -1}}]), "pcmd.d_mode must lie in"),
        (receipt(status="failed"), "must be null in a failed evaluation"),
    ],
)
def test_a_receipt_with_impossible_claims_is_refused(data, reason):
    with pytest.raises(InputError, match=reason):
        read_receipt(data)


def test_a_failed_receipt_has_no_numbers():
    nothing = {**CELL, "accuracy": None, "pass_at_k": None, "distinct_at_k": None, "pcmd": {"d_mode": None}}

    assert read_receipt(receipt(status="failed", cells=[nothing])).status == "failed"
