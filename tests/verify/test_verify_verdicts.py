"""How many verdicts are recomputed, replayed and asserted, and what rests on a scorer that was recalled."""

from __future__ import annotations

import json

import pytest

from assay.cli.main import invoke
from assay.record.canonical import encode
from assay.record.kinds import path_of
from assay.verify.check import Options, check
from assay.verify.checkpoint import Checkpoints
from verify import making
from verify.telling import recorded, verified

NONE = {"recomputed": 0, "replayed": 0, "asserted": 0}
PIN = making.pin(making.JUDGED, making.EVALUATION)
OTHER = "sha256:" + "1" * 64


def judged_by(kind: str = "deterministic", basis: str = "computed", number: int = 12, **changes) -> making.Files:
    """Another evaluation of the one observation."""
    evaluator = making.judge(f"judge-{number}") | {"kind": kind}
    act = f"judge-other-{number:06x}"
    return making.evaluation(making.RUN, making.OBSERVED, act, evaluator=evaluator, verdict_basis=basis, **changes)


def recall(source: str = making.ZERO, number: int = 1) -> making.Files:
    document = {"schema": "assay/recall/1", "id": f"{making.session('recall', number)}/recall"}
    told = {"recorded_at": making.WHEN, "reason": "read the seconds as minutes", "fixed_in": None}
    scorer = {"name": "tests", "source_sha256": source}
    record = document | told | {"scorer": scorer}
    return {path_of(record): encode(record)}


def noted(report) -> set[tuple[str, str]]:
    """Path and commit of the notes on recalls."""
    assert {p.weight for p in report.problems if p.rule == "recall"} <= {"note"}
    return {(p.path, p.commit) for p in report.problems if p.rule == "recall"}


@pytest.mark.parametrize(
    ("kind", "basis", "counted"),
    [
        ("deterministic", "computed", "recomputed"),
        ("deterministic", "values_compared_outside", "replayed"),
        ("deterministic", "tests_inside", "replayed"),
        ("deterministic", "asserted", "asserted"),
        ("judge", "judged", "asserted"),
        ("human", "human", "asserted"),
        ("judge", "computed", "asserted"),
    ],
)
def test_a_verdict_is_counted_by_what_it_rests_on(story, kind, basis, counted):
    commits = recorded(story)
    story.commit("judge", judged_by(kind, basis))

    report = verified(story, base=commits["judged"])

    assert report.verdicts == NONE | {counted: 1}


def test_what_has_no_verdict_is_not_counted_and_a_review_is_asserted(story):
    commits = recorded(story)
    result = json.loads(making.JUDGED[making.EVALUATION])["results"][0]
    story.commit("judge", judged_by(results=[result | {"status": "error", "verdict": None}]))
    story.commit("review", making.review(making.RUN, "review-ada-00000d", PIN))

    assert verified(story, base=commits["judged"]).verdicts == NONE | {"asserted": 1}
    assert verified(story).verdicts == NONE | {"replayed": 1, "asserted": 1}


def test_the_counts_are_printed_and_the_same_when_proven_before(story, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("CI", raising=False)
    recorded(story)
    capsys.readouterr()

    invoke(["-C", str(story.root), "verify"])
    assert "verdicts: 0 asserted, 0 recomputed, 1 replayed" in capsys.readouterr().out
    story.commit("judge", judged_by())
    invoke(["-C", str(story.root), "verify", "--format", "json"])

    assert json.loads(capsys.readouterr().out)["verdicts"] == NONE | {"replayed": 1, "recomputed": 1}


def test_what_rests_on_a_recalled_scorer_is_noted_once_a_run(story):
    commits = recorded(story)
    story.commit("judge again", judged_by("human", "human"))
    basis = [making.pin(making.PLAN, making.PLANNED), PIN]
    (published,) = files = making.publication(making.RUN, "publish-00000e", basis)
    said_in = story.commit("publish", files)
    story.commit("recall", recall())

    report = verified(story)

    assert noted(report) == {(making.PLANNED, commits["judged"]), (published, said_in)}
    messages = {p.path: p.message for p in report.problems if p.rule == "recall"}
    assert "has 2 evaluations by tests" in messages[making.PLANNED]
    assert "rests on 1 evaluation by tests" in messages[published]
    assert all("read the seconds as minutes" in message for message in messages.values())
    assert report.exit_code == 0


def test_a_recall_of_another_scorer_or_of_what_was_withdrawn_notes_nothing(story):
    recorded(story)
    story.commit("recall another", recall(OTHER))
    assert noted(verified(story)) == set()

    story.commit("recall", recall(number=2))
    assert noted(verified(story)) != set()
    story.commit("withdraw", making.withdrawal(PIN))

    assert noted(verified(story)) == set()


def test_a_recall_concerns_what_was_proven_before_and_what_comes_later(story, tmp_path):
    kept = Checkpoints(tmp_path / "state", tmp_path / "key")

    def again():
        with story.ledger as ledger:
            return noted(check(ledger, Options(), kept))

    commits = recorded(story)
    assert again() == set()
    story.commit("recall", recall())
    assert again() == again() == {(making.PLANNED, commits["judged"])}
    (published,) = files = making.publication(
        making.RUN, "publish-00000e", [making.pin(making.PLAN, making.PLANNED), PIN]
    )
    said_in = story.commit("publish", files)

    assert again() == {(making.PLANNED, commits["judged"]), (published, said_in)}
