"""Judging in a pool of processes: the same with any number of workers, and a failure is never a wrong answer."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count

import pytest

from assay.engine.isolation import probe
from assay.engine.pool import containment
from assay.errors import Interrupted
from assay.flows import responses_in
from assay.flows.unjudged import unjudged
from assay.flows.work import ActMemory, Bench
from assay.modes.grade import grade_job
from assay.modes.suite import ModesSuite

TASK = {"verifier": "countdown", "numbers": [3, 6, 9], "target": 18}
FAILING = f"{__name__.rpartition('.')[0] or 'stories'}.test_modes_pooled:failing_grader"
BROKEN = {"loop": "timeout", "memory": "resource_limit", "raise": "worker_failure"}


def failing_grader(job):
    """The grader, except for responses that name a way to fail."""
    for response in job[4]:
        match response:
            case "loop":
                while True:
                    pass
            case "memory":
                bytearray(1 << 40)
            case "raise":
                raise ValueError("broken")
    return grade_job(job)


def lines(*answers):
    """A file of saved responses: one prompt for each list of answers."""
    records = [
        {"id": str(n), "level": 1, "domain": "countdown", "answer": TASK, "responses": list(listed)}
        for n, listed in enumerate(answers)
    ]
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.fixture
def saved(tmp_path):
    def write(*answers):
        file = tmp_path / "saved.jsonl"
        file.write_text(lines(*answers))
        return file

    return write


@pytest.fixture
def bench():
    """A bench whose clock and names are always the same, so that bytes can be compared."""

    def lay_out(workers):
        names = count(1)
        return Bench(
            isolate=probe,
            workers=workers,
            clock=lambda: "2026-11-30T12:00:00Z",
            nonce=lambda: f"{next(names):06x}",
        )

    return lay_out


def bring_in(ledger, file, bench):
    request = responses_in.ResponsesRequest()
    _, found = responses_in.check_responses(ledger, file, request)
    return responses_in.import_responses(ledger, found, request, bench)


def written(ledger, commit):
    """What a commit's run holds, by path."""
    snapshot = ledger.at(commit)
    return {path: snapshot.read(path) for path in snapshot.paths("runs/")}


@pytest.mark.parametrize("what", BROKEN)
def test_a_grader_that_fails_voids_the_run_and_blames_one_draw(assay, story, saved, monkeypatch, what):
    monkeypatch.setattr(ModesSuite, "pool_function", FAILING)

    done = assay("import", "modebench", saved(["3+6+9", what, "no"], ["3+(6+9)"]))

    assert done.code == 3
    assert f"level1_countdown/0.1 part 2: {BROKEN[what]}" in done.err
    assert [(one.sample, one.part) for one in unjudged(story.ledger, done.run)] == [("level1_countdown/0.1", "2")]
    scored = assay("score", done.run, "--format", "json")
    assert (scored.code, scored.json["measures"]) == (3, [])
    assert "1 draws could not be scored" in scored.json["void"]
    assert assay("evaluate", done.run).code == 3
    assert assay("verify").code == 0


def test_an_evaluation_says_what_really_contained_it_and_claims_no_sandbox(assay, story, saved):
    assay("import", "modebench", saved(["3+6+9"]))

    (evaluation,) = (json.loads(path.read_bytes()) for path in story.root.glob("runs/*/*/judge-*/*.json"))
    assert evaluation["isolation"] == containment()
    assert (containment()["name"], containment()["memory_mib"]) == ("none", 512)


def test_one_worker_and_three_give_the_same_bytes(story, saved, bench):
    file = saved(*(["3+6+9", "no", f"{n}"] for n in range(100)))
    start = story.head
    ledger = story.ledger
    bring_in(ledger, file, bench(1))
    serial = written(ledger, "HEAD")
    story.git("reset", "-q", "--hard", start)
    story.tick()

    bring_in(ledger, file, bench(3))

    assert serial == written(ledger, "HEAD")


def test_an_interrupted_import_is_continued_to_the_same_bytes(story, saved, bench, monkeypatch):
    file = saved(*(["3+6+9", "no", f"{n}"] for n in range(100)))
    start = story.head
    ledger = story.ledger
    bring_in(ledger, file, bench(1))
    undisturbed = written(ledger, "HEAD")
    story.git("reset", "-q", "--hard", start)
    whole = ActMemory.append
    kept = count()

    def stopped(self, entry):
        if next(kept) == 37:
            raise KeyboardInterrupt
        whole(self, entry)

    monkeypatch.setattr(ActMemory, "append", stopped)
    with pytest.raises(Interrupted):
        bring_in(ledger, file, bench(2))
    monkeypatch.setattr(ActMemory, "append", whole)
    bring_in(ledger, file, replace(bench(1), nonce=lambda: "ffffff"))

    assert undisturbed == written(ledger, "HEAD")


def test_replaying_compares_every_draw(assay, saved):
    run = assay("import", "modebench", saved(["3+6+9", "no"], ["18"])).run

    replayed = assay("replay", run, "--format", "json")

    assert replayed.code == 0
    assert [row["recorded"] for row in replayed.json["rows"]] == [
        "met countdown:add(9,add(3,6))",
        "violated",
        "violated",
    ]
