"""A process dies while an application is asked: nothing is sent again on a guess, and the other cases go on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from assay.engine.isolation import probe
from assay.flows.run import resume
from assay.flows.runs import run_record
from assay.flows.work import Bench
from assay.record.kinds import kind_of
from stories.acceptance_app import CAPABILITIES, GOOD, App, freeze, run

pytestmark = pytest.mark.slow
ONE, TWO, LAST = "fire_blown_out", "state_topic_switch", "absence_empty_property"


class Killed(BaseException):
    """The process ends here."""


@dataclass
class Dying(App):
    """An application under whose question the asking process dies."""

    dies_at: tuple[str, int] = ("", 0)

    def ask(self, sample, ask, *, limits):
        answered = super().ask(sample, ask, limits=limits)
        if (sample.item, ask.turn) == self.dies_at:
            raise Killed
        return answered


@pytest.fixture
def die(story, assay):
    """Die at a turn of a case and resume: what was asked before and after, and the observations."""
    freeze(assay, "behaviour.yaml", "cases.yaml")

    def play(case, turn, *more):
        before, after = Dying(GOOD, dies_at=(case, turn)), App(GOOD)
        with pytest.raises(Killed):
            run(story, before, cases=(case, LAST), capabilities=(*CAPABILITIES, *more))
        story.tick()
        same = replace(probe(), name="none", uid=None)
        resume(story.ledger, run_record(story.ledger.at(), "latest"), after, Bench(lambda: same))
        records = [entry.document for entry in story.ledger.at().entries("runs")]
        found = {one["sample"]["item"]: one for one in records if kind_of(one) == "observation"}
        return before.asked, after.asked, found

    return play


def numbers(asked):
    return [request_id.rpartition("/")[2] for request_id in asked]


def test_a_question_that_nobody_heard_the_answer_of_is_never_asked_again(die, assay):
    before, after, found = die(ONE, 1)

    assert set(before) & set(after) == set()
    assert {case: one["status"] for case, one in found.items()} == {ONE: "unknown_outcome", LAST: "completed"}
    assert f"{found[ONE]['attempt']}.1" in before
    assert assay("score", "latest").code in (0, 3)


def test_an_application_that_deduplicates_is_asked_the_same_again(die):
    before, after, found = die(ONE, 1, "idempotency")

    assert set(before) & set(after) == {f"{found[ONE]['attempt']}.1"}
    assert found[ONE]["status"] == "completed"


def test_a_conversation_begins_anew_under_new_names(die):
    before, after, found = die(TWO, 2)

    ordinal = found[TWO]["sample"]["ordinal"]
    assert [name for name in numbers(before) if name.startswith(f"{ordinal}.")] == [f"{ordinal}.1.1", f"{ordinal}.1.2"]
    assert [name for name in numbers(after) if name.startswith(f"{ordinal}.")] == [f"{ordinal}.2.1", f"{ordinal}.2.2"]
    assert found[TWO]["status"] == "completed"
