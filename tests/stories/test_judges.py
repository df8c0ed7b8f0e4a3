"""A judge decides what no check decides: asked once, its reply kept before it is read, within the budget."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.engine.isolation import probe
from assay.errors import Busy
from assay.flows.alone import alone
from assay.flows.evaluate import evaluate
from assay.flows.judges import evaluator_of
from assay.flows.runs import run_record
from assay.flows.work import Bench
from assay.record.digest import digest_of
from stories.acceptance_app import BAD, GOOD, SOURCES, App
from stories.judged_app import (
    FEW,
    Killed,
    WordJudge,
    evaluate_again,
    freeze_open,
    records,
    results,
    run_judged,
)

pytestmark = pytest.mark.slow
MET = ("scored", "met")


@pytest.fixture
def ledger(story, assay, tmp_path):
    """A ledger with behaviours and the open cases frozen."""
    freeze_open(assay, tmp_path)
    return story


def test_a_judge_decides_what_no_check_decides_and_its_verdicts_are_drafts(ledger, assay):
    judge = WordJudge()

    run_judged(ledger, judge, app=App(BAD))

    assert results(ledger) == [
        ("absence_empty_property.1", *MET),
        ("fire_blown_out.1", "scored", "violated"),
    ]
    assert len(judge.asked) == len(set(judge.asked)) == 2
    labels = [one["label"] for e in records(ledger, "evaluation") for one in e["results"] if one["spans"]]
    assert set(labels) == {"draft"}
    assert {e["verdict_basis"] for e in records(ledger, "evaluation")} == {"judged"}
    assert assay("verify").code == 0


def test_the_evaluator_is_scorer_and_judge_together_and_the_records_show_both(ledger):
    judge = WordJudge()
    run_judged(ledger, judge)

    (evaluator,) = {e["evaluator"]["source_sha256"] for e in records(ledger, "evaluation")}
    first, second = records(ledger, "judge_call")

    assert evaluator == evaluator_of(judge.met())["source_sha256"] == first["evaluator"]["sha256"]
    assert first["judge"]["identity"]["sha256"] == digest_of(judge.identity_document())
    assert {first["request_id"], second["request_id"]} == set(judge.asked)
    assert (first["status"], first["reserved"]["judge_calls"], first["cost_micros"]) == ("completed", 1, None)
    assert ledger.ledger.at().exists(first["reply"]["path"])


def test_judging_again_asks_nobody_and_records_nothing(ledger):
    judge = WordJudge()
    run_judged(ledger, judge)
    before = ledger.head

    assert evaluate_again(ledger, judge) is None
    assert (ledger.head, len(judge.asked)) == (before, 2)


def test_a_budget_holds_back_what_it_does_not_cover_and_the_rest_goes_on(ledger):
    judge = WordJudge()

    run_judged(ledger, judge, budget={"judge_calls": 1})

    assert len(judge.asked) == 1
    assert sorted(status for _, status, _ in results(ledger)) == ["scored", "skipped_budget"]
    assert sorted(status for _, status, _ in results(ledger, "task_match")) == ["scored", "scored"]
    assert evaluate_again(ledger, judge) is None
    assert len(judge.asked) == 1


def test_a_recorded_revision_lets_the_rest_be_judged_and_nothing_twice(ledger, assay):
    judge = WordJudge()
    run = run_judged(ledger, judge, budget={"judge_calls": 1})

    assert evaluate_again(ledger, judge, more_judge_calls=5)

    assert len(judge.asked) == 2
    (revision,) = records(ledger, "budget_revision")
    assert revision["budget"] == {"target_calls": None, "judge_calls": 6, "cost_micros": None}
    assert sorted(status for _, status, _ in results(ledger)) == ["scored", "scored", "skipped_budget"]
    assert len(records(ledger, "evaluation")) == 3
    assert assay("replay", run).code == 0
    scored = assay("score", run, "--format", "json")
    assert scored.code == 0, scored.out
    verified = assay("verify")
    assert (verified.code, "contested" in verified.out) == (0, False)


def test_a_budget_may_be_declared_when_a_run_without_one_is_judged(ledger):
    judge = WordJudge()
    run_judged(ledger, None)
    assert {status for _, status, _ in results(ledger)} == {"blocked"}

    stated = {"target_calls": None, "judge_calls": 1, "cost_micros": None}
    assert evaluate_again(ledger, judge, declared=stated)

    assert len(judge.asked) == 1
    assert records(ledger, "budget_revision")[0]["budget"] == stated
    assert evaluate_again(ledger, judge, declared=stated) is None


def test_two_evaluators_and_a_resume_make_one_call_where_one_is_left(ledger):
    first, second = WordJudge("1"), WordJudge("2")
    run_judged(ledger, first, budget={"judge_calls": 1})

    evaluate_again(ledger, second)
    evaluate_again(ledger, first)

    assert (len(first.asked), len(second.asked)) == (1, 0)


def test_while_one_process_judges_a_run_another_is_told_to_wait(ledger):
    judge = WordJudge()
    run = run_judged(ledger, None)
    lock = ledger.ledger.state / "journal" / run / "judge.lock"

    with alone(lock, "judges it"), pytest.raises(Busy):
        evaluate_again(ledger, judge)

    assert judge.asked == []
    assert evaluate_again(ledger, judge)


def test_a_judge_that_was_asked_when_the_process_died_is_never_asked_again(ledger, assay):
    dying, judge = WordJudge(dies=True), WordJudge()
    with pytest.raises(Killed):
        run_judged(ledger, dying, budget={"judge_calls": 2})

    evaluate_again(ledger, judge)

    assert (len(dying.asked), len(judge.asked)) == (1, 1)
    lost = [one for one in records(ledger, "judge_call") if one["status"] == "unknown_outcome"]
    assert [one["request_id"] for one in lost] == dying.asked
    assert sorted(status for _, status, _ in results(ledger)) == ["error", "scored"]
    assert evaluate_again(ledger, judge) is None
    assert assay("verify").code == 0


def test_a_lost_call_stays_charged_for_every_other_evaluator(ledger):
    dying, other = WordJudge(dies=True), WordJudge("2")
    with pytest.raises(Killed):
        run_judged(ledger, dying, budget={"judge_calls": 1})

    evaluate_again(ledger, other)

    assert other.asked == []
    assert {status for _, status, _ in results(ledger)} == {"skipped_budget"}
    assert [one["status"] for one in records(ledger, "judge_call")] == ["unknown_outcome"]


def test_a_kept_reply_is_read_after_a_kill_without_asking(ledger, monkeypatch):
    judge = WordJudge()
    with monkeypatch.context() as patch:
        patch.setattr("assay.acceptance.assess.read_reply", _dies)
        with pytest.raises(Killed):
            run_judged(ledger, judge)
    assert len(judge.asked) == 1

    evaluate_again(ledger, judge)

    assert len(judge.asked) == 2
    assert [status for _, status, _ in results(ledger)] == ["scored", "scored"]
    assert [one["status"] for one in records(ledger, "judge_call")] == ["completed", "completed"]


def _dies(*_):
    raise Killed


def test_an_act_that_was_committed_before_the_kill_is_not_committed_again(ledger, monkeypatch):
    judge = WordJudge()
    with monkeypatch.context() as patch:
        patch.setattr("assay.flows.judge_calls.Book.discard", _dies)
        with pytest.raises(Killed):
            run_judged(ledger, judge, budget={"judge_calls": 2})
    before = ledger.head

    assert evaluate_again(ledger, judge) is None

    assert (ledger.head, len(judge.asked)) == (before, 2)


def test_a_repetition_is_judged_anew_and_a_repeated_question_is_not(ledger, monkeypatch):
    judge = WordJudge()
    run_judged(ledger, judge, repetitions=(1, 2))
    assert len(judge.asked) == 4

    monkeypatch.setattr("assay.flows.identity.source_digest", lambda package: f"sha256:{'7' * 64}")
    assert evaluate_again(ledger, judge)

    assert len(judge.asked) == 4
    calls = records(ledger, "judge_call")
    assert [one["reserved"]["judge_calls"] for one in calls if one["cached"]] == [0, 0, 0, 0]
    assert len({one["evaluator"]["sha256"] for one in calls}) == 2
    assert [status for _, status, _ in results(ledger)] == ["scored"] * 8


def test_another_revision_of_a_judge_is_another_evaluator(ledger):
    first, second = WordJudge("1"), WordJudge("2")
    run_judged(ledger, first)

    evaluate_again(ledger, second)

    assert len(second.asked) == 2
    assert len({e["evaluator"]["source_sha256"] for e in records(ledger, "evaluation")}) == 2


def test_what_a_judge_says_it_cost_is_charged_and_an_unknown_cost_keeps_its_bound(ledger):
    cheap = WordJudge(cost=10)
    run_judged(ledger, cheap, budget={"cost_micros": 100}, bound=60)
    assert len(cheap.asked) == 2
    assert [one["cost_micros"] for one in records(ledger, "judge_call")] == [10, 10]

    silent = WordJudge("2")
    evaluate_again(ledger, silent, bound=60)

    assert len(silent.asked) == 1
    assert sorted(status for _, status, _ in results(ledger))[:2] == ["scored", "scored"]


def test_a_call_that_cost_more_than_its_bound_ends_the_spending(ledger):
    dear = WordJudge(cost=70)

    run_judged(ledger, dear, budget={"cost_micros": 1000}, bound=60)

    assert len(dear.asked) == 1
    (held,) = [one for e in records(ledger, "evaluation") for one in e["results"] if one["status"] == "skipped_budget"]
    assert "cost more than its declared bound" in held["rationale"]


def test_a_failed_call_is_put_once_more_only_after_its_judgment_was_withdrawn(ledger, assay, monkeypatch):
    late, judge = WordJudge(status="timed_out"), WordJudge()
    run_judged(ledger, late)
    assert {status for _, status, _ in results(ledger)} == {"error"}
    assert evaluate_again(ledger, judge) is None

    snapshot = ledger.ledger.at()
    (path,) = [
        e.path for e in snapshot.entries("runs") if e.document.get("sample") == f"{FEW[0]}.1" and "raw" in e.document
    ]
    ledger.tick()
    assert assay("withdraw", path, "--reason", "the judge was down").code == 0
    evaluate_again(ledger, judge)

    assert len(judge.asked) == 1
    assert sorted(status for _, status, _ in results(ledger)) == ["error", "error", "scored"]
    assert evaluate_again(ledger, judge) is None
    with monkeypatch.context() as patch:
        patch.setattr("assay.flows.identity.source_digest", lambda package: f"sha256:{'7' * 64}")
        assert evaluate_again(ledger, judge)
    assert len(judge.asked) == 1
    assert assay("verify").code == 0


def test_a_judge_alone_can_fail_a_gate_and_never_turns_one_green(ledger, assay):
    judge = WordJudge()
    good, same, bad = (run_judged(ledger, judge, app=app) for app in (App(GOOD), App(GOOD), App(BAD)))

    passed, failed = assay("compare", good, same), assay("compare", good, bad)

    assert (passed.code, "draft" in passed.out) == (3, True)
    assert failed.code == 1
    assert len(judge.asked) == 6


def test_a_policy_that_ignores_drafts_does_not_ignore_those_of_a_judge(ledger, assay, tmp_path):
    policy = (SOURCES / "policy.yaml").read_text()
    assert "draft_labels: ignore" in policy
    (tmp_path / "policy.yaml").write_text(policy)
    assert assay("freeze", tmp_path / "policy.yaml").code == 0
    judge = WordJudge()
    one, two = (run_judged(ledger, judge) for _ in range(2))

    compared = assay("compare", one, two, "--policy", "homestead-release-gate")

    assert compared.code == 3
    assert "2 verdicts are a judge's, whom nobody reviewed or qualified" in compared.out


def test_people_label_what_was_held_back_where_it_was_judged_and_the_judge_is_qualified_by_it(ledger, assay):
    judge = WordJudge()
    run = run_judged(ledger, judge, budget={"judge_calls": 1})
    evaluate_again(ledger, judge, more_judge_calls=5)

    listed = assay("review", "list", run)
    assert "skipped" not in listed.out
    for criterion in ("useful_next_step", "task_match"):
        ledger.tick()
        added = assay("review", "add", run, f"{FEW[1]}.1", criterion, "met", "--why", "it does")
        assert added.code == 0, added.err
    qualified = assay("qualify", run, "--format", "json")

    assert qualified.code == 0, qualified.err
    (evaluator,) = {e["evaluator"]["source_sha256"] for e in records(ledger, "evaluation")}
    assert records(ledger, "qualification")[0]["evaluator"]["source_sha256"] == evaluator


def test_of_two_evaluators_the_judge_that_counts_is_qualified(ledger, assay):
    judge = WordJudge()
    run = run_judged(ledger, None)
    evaluate_again(ledger, judge)
    ledger.tick()
    assert assay("review", "add", run, f"{FEW[1]}.1", "useful_next_step", "met", "--why", "it does").code == 0

    qualified = assay("qualify", run)

    assert (qualified.code, "word-judge" in qualified.out) == (0, True)


def test_runs_by_two_revisions_of_a_judge_are_compared_once_one_of_them_judged_both(ledger, assay):
    first, second = WordJudge("1"), WordJudge("2")
    one, two = (run_judged(ledger, judge) for judge in (first, second))

    apart = assay("compare", one, two)
    ledger.tick()
    bench = replace(Bench(probe), judge=second.met())
    evaluate(ledger.ledger, run_record(ledger.ledger.at(), one), bench)
    together = assay("compare", one, two)

    assert (apart.code, "scorer differs" in apart.out) == (3, True)
    assert "Comparable pairs: 0 / 4" in apart.out
    assert "scorer differs" not in together.out
    assert "Comparable pairs: 4 / 4" in together.out
    ledger.tick()
    assert assay("compare", one, two, "--record").code == 3
    assert assay("verify", "--recompute").code == 0
