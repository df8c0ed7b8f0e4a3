"""Forty saved conversations come in: answers kept, gaps named, scores as claims, and the ledger still verifies."""

from __future__ import annotations

import json

import pytest

from assay.record.kinds import kind_of
from stories.acceptance_app import freeze

pytestmark = pytest.mark.slow


@pytest.fixture
def saved(tmp_path):
    """A file of forty conversations; the last one has scores and a proposed label."""
    file = tmp_path / "old.jsonl"
    lines = []
    for number in range(1, 41):
        more = {"scores": {"faithful": 0.5}, "labels": {"task_match": "violated"}} if number == 40 else {}
        lines += [
            {"session_id": f"q{number}", "role": "user", "text": f"Question {number}?"},
            {"session_id": f"q{number}", "role": "assistant", "text": f"Answer {number}.", "excerpts": ["x"], **more},
        ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def bring(assay, file, *more):
    return assay("import", "transcripts", file, "--behaviour", "homestead-reference-behaviour", "--as", "legacy", *more)


def test_forty_conversations_are_imported_with_everything_unknown_named(story, assay, saved):
    freeze(assay, "behaviour.yaml")

    brought = bring(assay, saved, "--tool", "old harness")

    assert brought.code == 0, brought.err
    assert "not saved: completeness of the capture (40)" in brought.out
    assert "cannot run: uncertainty: what was retrieved is not known" in brought.out
    records = [entry.document for entry in story.ledger.at().entries("runs")]
    observations = [one for one in records if kind_of(one) == "observation"]
    (claim,) = [one for one in records if kind_of(one) == "claim"]
    assert len(observations) == 40
    assert observations[0]["output"] == {"answers": ["Answer 1."]}
    assert {one["evidence"]["capture"] for one in observations} == {"unknown"}
    assert claim["statements"] == [{"subject": "q40", "metric": "faithful", "value": "0.5"}]
    assert assay("verify").code == 0


def test_nothing_imported_is_met_and_people_can_review_it(assay, saved):
    freeze(assay, "behaviour.yaml")
    bring(assay, saved)

    added = assay("review", "add", "latest", "q40.1", "task_match", "violated", "--why", "another subject")

    listed = assay("review", "list", "latest", "--format", "json").json
    assert added.code == 0, added.err
    assert listed["states"] == {"opinion": 1, "unreviewed": 39}
    assert {one["judged"] for one in listed["results"]} == {"blocked"}


def test_other_conversations_under_a_frozen_version_are_refused(story, assay, saved):
    freeze(assay, "behaviour.yaml")
    bring(assay, saved)
    saved.write_text(saved.read_text().replace("Question 7?", "Question seven?"))

    again = bring(assay, saved)

    assert again.code == 1
    assert "legacy@1 is frozen with other conversations" in again.err


def test_a_label_for_an_unknown_commitment_is_named_and_nothing_is_written(story, assay, saved):
    freeze(assay, "behaviour.yaml")
    before = story.head
    saved.write_text(saved.read_text().replace("task_match", "kindness"))

    refused = bring(assay, saved)

    assert (refused.code, story.head) == (2, before)
    assert "homestead-reference-behaviour@1 has no commitment 'kindness'" in refused.err


def test_a_line_that_cannot_be_read_is_named_and_nothing_is_written(story, assay, saved):
    freeze(assay, "behaviour.yaml")
    before = story.head
    saved.write_text(saved.read_text()[:-5])

    broken = bring(assay, saved)

    assert (broken.code, story.head) == (2, before)
    assert "old.jsonl: line 80: not JSON" in broken.err
