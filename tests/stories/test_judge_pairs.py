"""A judge is asked which of two answers is better: in both orders, within the budget, beside the verdicts."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from assay.engine.isolation import probe
from assay.flows.pairs import judge_pairs
from assay.flows.preferences import preferences
from assay.flows.runs import run_record
from assay.flows.work import Bench
from stories import reference_judge
from stories.acceptance_app import BAD, GOOD, App
from stories.judged_app import FEW, Killed, WordJudge, command, freeze_open, records, run_judged

pytestmark = pytest.mark.slow
PAIRS = 4
"""Two cases with two required criteria each."""


@dataclass
class PairJudge(WordJudge):
    """Prefers by words alone; `biased` always prefers what it is shown first."""

    biased: bool = False

    def ask(self, sample, ask, *, limits):
        answered = super().ask(sample, replace(ask, input={**ask.input, **_alone(ask.input)}), limits=limits)
        if answered.status != "completed" or self.reply is not None:
            return answered
        return replace(answered, output=reference_judge.preferred(ask.input, self.biased))


def _alone(shown):
    return shown["first"] if shown["kind"] == "preference" else {}


@pytest.fixture
def two(story, assay, tmp_path):
    """Two runs of the open cases: the candidate answers one case badly."""
    freeze_open(assay, tmp_path)
    return [run_judged(story, None, app=App(answers)) for answers in (GOOD, BAD)]


def put(story, two, judge, **more):
    story.tick()
    bench = replace(Bench(probe), judge=judge.met())
    return judge_pairs(story.ledger, run_record(story.ledger.at(), two[1]), two[0], bench, **more)


def said(story, two):
    (found,) = preferences(story.ledger, *two)
    return {name: getattr(found, name) for name in ("candidate", "baseline", "neither", "disagreed", "open")}


def test_both_orders_are_put_and_what_they_agree_on_is_recorded(story, assay, two):
    judge = PairJudge()

    assert put(story, two, judge)

    assert len(judge.asked) == 2 * PAIRS
    assert said(story, two) == {"candidate": 0, "baseline": 2, "neither": 2, "disagreed": 0, "open": 0}
    one = next(one for one in records(story, "preference") if one["preferred"] == "baseline")
    assert [order["first"] for order in one["orders"]] == ["baseline", "candidate"]
    assert {span["side"] for order in one["orders"] for span in order["spans"]} == {"baseline", "candidate"}
    assert {call["request_id"] for call in records(story, "judge_call")} == set(judge.asked)
    assert assay("verify").code == 0
    minimal = Path(__file__).parent.parent / "independent" / "verify_min.py"
    assert subprocess.run([sys.executable, minimal], cwd=story.root, check=False).returncode == 0


def test_a_judge_that_prefers_what_comes_first_prefers_nothing_and_that_is_said(story, two):
    put(story, two, PairJudge(biased=True))

    assert said(story, two) == {"candidate": 0, "baseline": 0, "neither": 4, "disagreed": 4, "open": 0}
    assert {one["agree"] for one in records(story, "preference")} == {False}


def test_nothing_is_put_twice(story, two):
    judge = PairJudge()
    put(story, two, judge)
    before = story.head

    assert put(story, two, judge) is None
    assert (story.head, len(judge.asked)) == (before, 2 * PAIRS)


def test_what_the_budget_holds_back_is_put_after_a_revision(story, two):
    judge = PairJudge()
    put(story, two, judge, declared={"judge_calls": 3, "cost_micros": None})
    assert len(judge.asked) == 3
    assert said(story, two)["open"] == 3
    assert put(story, two, judge) is None

    put(story, two, judge, more_judge_calls=10)

    assert len(judge.asked) == 2 * PAIRS
    assert said(story, two) == {"candidate": 0, "baseline": 2, "neither": 2, "disagreed": 0, "open": 0}


def test_a_pair_whose_judge_was_lost_is_open_and_never_put_again(story, two):
    dying, judge = PairJudge(dies=True), PairJudge()
    with pytest.raises(Killed):
        put(story, two, dying)

    put(story, two, judge)

    assert len(judge.asked) == 2 * PAIRS - 1
    assert said(story, two)["open"] == 1
    assert put(story, two, judge) is None


@pytest.mark.parametrize(
    "reply",
    [
        {"better": "candidate", "rationale": "so", "spans": []},
        {"better": "first", "rationale": "so", "spans": []},
        {"better": ["first"], "rationale": 3, "spans": {}},
        {"better": "first", "rationale": "so", "spans": [{"side": "third", "artifact": "answer", "quote": "x"}]},
        "first",
    ],
)
def test_a_reply_that_cannot_be_used_is_no_preference(story, two, reply):
    put(story, two, PairJudge(reply=reply))

    assert {one["status"] for one in records(story, "preference")} == {"invalid_result"}
    assert said(story, two)["open"] == PAIRS


def test_compare_shows_preferences_beside_the_pairs_and_decides_as_before(story, assay, two):
    before = assay("compare", *two)
    put(story, two, PairJudge())

    after = assay("compare", *two)

    assert (after.code, after.out.startswith(before.out.rstrip("\n"))) == (before.code, True)
    told = " ".join(after.out.split())
    assert "Preferred by word-judge 1, drafts: candidate 0, baseline 2, neither 2; no preference: 0 of 4" in told
    assert assay("compare", *two, "--format", "json").json["preferences"][0]["baseline"] == 2
    assert assay("compare", *two).out == after.out


def test_the_command_line_puts_pairs_to_a_command(story, assay, two):
    story.tick()

    judged = assay("evaluate", two[1], "--against", two[0], "--judge", command())

    assert judged.code == 0, judged.err
    assert "preferred: candidate 0, baseline 2, neither 2; open 0" in judged.err
    assert len(records(story, "preference")) == PAIRS
    refused = assay("evaluate", two[1], "--against", two[0])
    assert refused.code == 2
    assert "a preference takes a judge" in refused.err


def test_only_equal_cases_that_both_completed_are_put(story, tmp_path, two):
    late = run_judged(story, None, app=App(GOOD, times_out=(FEW[0],)))
    judge = PairJudge()

    put(story, [two[0], late], judge)

    assert len(judge.asked) == PAIRS
    assert {one["candidate"]["sample"] for one in records(story, "preference")} == {f"{FEW[1]}.1"}
