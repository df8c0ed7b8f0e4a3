"""Receipts of ModeBench: their numbers enter as claims with their source, and what they stand for is graded again."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from assay.modes import jsonl
from assay.modes.grade import grade_prompt

TASK = {"verifier": "countdown", "numbers": [1, 2, 3], "target": 6}
RECORDS = [
    {"id": "one", "level": 1, "domain": "countdown", "answer": TASK, "responses": ["1+2+3", "1*2*3", "1+2", "bad"]},
    {"id": "two", "level": 1, "domain": "countdown", "answer": TASK, "responses": ["3*2*1", "x", "y", "z"]},
]
RUN = {"model": {"id": "m", "revision": "r"}, "generation": {"n": 4}, "prompt_condition": "registered_hints_v1"}
CELL = {"level": 1, "domain": "countdown", "k": 4, "accuracy": 0.375, "pass_at_k": 1.0, "distinct_at_k": 1.5,
        "pcmd": {"d_mode": 1.0, "defined_prompts": 1}}  # fmt: skip


def result(record):
    grades = grade_prompt("modebench-0.4.0", 1, "countdown", TASK, record["responses"])
    attempts = [{"status": g.status, "canonical_key": g.key, "graded_text": g.graded_text} for g in grades]
    return {"id": record["id"], "draws": [{"attempts": attempts}]}


@pytest.fixture
def receipt(tmp_path):
    """Write a receipt, its journal and the saved responses; `change` may falsify the journal's results first."""

    def write(schema="v4", change=lambda results: None):
        results = [result(record) for record in RECORDS]
        change(results)
        (tmp_path / "responses.jsonl").write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
        lines = [
            {"schema": "modebench-prompt-result-v1", "sequence": n, "level": 1, "domain": "countdown", "k": 4,
             "record_sha256": sha256(jsonl.canonical(RECORDS[n])).hexdigest(), "result": found}
            for n, found in enumerate(results)
        ]  # fmt: skip
        journal = b"".join(jsonl.canonical(line) + b"\n" for line in lines)
        (tmp_path / "results.jsonl").write_bytes(journal)
        document = {
            "schema": f"modebench-saved-responses-{schema}",
            "evaluation": {"status": "completed"},
            "software": {"modebench_version": "0.4.0", "verifier_contract": "modebench-verifiers-v1"},
            "run": RUN,
            "cells": [CELL if schema == "v4" else {**CELL, "prompt_results": results}],
        }
        if schema == "v4":
            document["prompt_results"] = {"path": "results.jsonl", "sha256": sha256(journal).hexdigest(), "records": 2}
        (tmp_path / "report.json").write_text(json.dumps(document))
        return tmp_path / "report.json", "--responses", tmp_path / "responses.jsonl"

    return write


def claims(story, run):
    return [
        json.loads(path.read_text()) for path in sorted((story.root / "runs").glob(f"*/{run}/import-claims-*/*.json"))
    ]


@pytest.mark.parametrize("schema", ["v3", "v4"])
def test_a_receipt_enters_as_claims_and_its_responses_are_graded_again(assay, story, receipt, schema):
    done = assay("import", "receipt", *receipt(schema))

    assert done.code == 0, done.err
    assert "all 8 draws judged as claimed" in done.out
    stated, one, two = claims(story, done.run)
    assert stated["tool"] == {"name": "modebench", "version": "0.4.0"}
    assert {"subject": "level 1 countdown k=4", "metric": "accuracy", "value": "0.375"} in stated["statements"]
    assert story.show(stated["source"]["pin"]["path"]) == (story.root.parent / "report.json").read_bytes()
    assert {s["subject"] for s in one["statements"]} == {"level1_countdown/one.1"}
    assert [s["value"] for s in two["statements"]] == ["correct", "countdown:mul(1,mul(2,3))", *["malformed"] * 3]
    assert assay("score", done.run, "--format", "json").json["measures"][0]["exact"] == "1"
    assert assay("verify").code == 0


def test_a_draw_that_is_judged_differently_is_named(assay, receipt):
    def falsify(results):
        results[0]["draws"][0]["attempts"][3] |= {"status": "correct", "canonical_key": "countdown:6"}

    done = assay("import", "receipt", *receipt(change=falsify))

    assert done.code == 1
    assert "1 of 8 draws judged differently" in done.out
    assert "one" in done.out and "correct countdown:6" in done.out and "malformed" in done.out


def test_a_fixture_brings_the_references_for_the_responses_that_the_receipt_carries(assay, story, receipt):
    file, *responses = receipt()
    assay("import", "modebench", responses[1])
    fixture = next((story.root / "corpus").iterdir()).name

    done = assay("import", "receipt", file, "--fixture", fixture)

    assert done.code == 0, done.err
    assert "all 8 draws judged as claimed" in done.out


def test_a_receipt_of_other_responses_is_refused_with_every_difference(assay, story, receipt, tmp_path):
    file, option, responses = receipt()
    other = {**RECORDS[0], "responses": ["1+2+3", "1*2*3", "1+2", "other"]}
    responses.write_text(json.dumps(other) + "\n")
    before = story.head

    refused = assay("import", "receipt", file, option, responses)

    assert refused.code == 2
    assert "one: the receipt was made of another record" in refused.err
    assert "two: only in the receipt" in refused.err
    assert story.head == before


def test_a_receipt_alone_or_with_an_edited_journal_is_refused(assay, receipt, tmp_path):
    file, *responses = receipt()

    alone = assay("import", "receipt", file)
    (tmp_path / "results.jsonl").write_text("{}\n")
    edited = assay("import", "receipt", file, *responses)

    assert (alone.code, edited.code) == (2, 2)
    assert "holds no references" in alone.err
    assert "the journal's sha256 is" in edited.err
