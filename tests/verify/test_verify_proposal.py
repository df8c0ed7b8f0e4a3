"""The tool's own commits pass the same rules as everybody's, before the branch moves."""

from __future__ import annotations

import pytest

from assay.errors import Refused
from assay.store.ledger import Plan
from assay.verify.proposal import approve
from verify import making
from verify.telling import recorded, verified


def test_an_honest_plan_is_committed(story):
    recorded(story)
    more = making.evaluation(making.RUN, making.OBSERVED, act="judge-other-00000c", evaluator=making.judge("other"))

    story.ledger.append(Plan("judge again", more), approve=approve)

    assert verified(story).problems == ()


@pytest.mark.parametrize(
    ("files", "rule"),
    [
        ({"runs/2026-11/notes.txt": b"x"}, "name"),
        ({making.PLANNED.replace("000001", "000002"): making.PLAN[making.PLANNED]}, "name"),
        (
            making.evaluation(
                making.RUN, making.observation(making.RUN, making.sample(), act="capture-00000d"), act="judge-x-00000e"
            ),
            "pin",
        ),
        (making.evaluation(making.RUN, making.OBSERVED, act="judge-x-00000e", verdict="maybe"), "schema"),
        (making.observation(making.RUN, making.sample(9, 99), act="capture-00000f"), "chain"),
        ({"corpus/demo/0.1.0/beside.txt": b"x"}, "frozen"),
        ({"corpus/Demo/x": b"x"}, "name"),
    ],
)
def test_a_plan_that_breaks_a_promise_is_refused(story, files, rule):
    recorded(story)
    before = story.head

    said = []

    with pytest.raises(Refused):
        story.ledger.append(Plan("record", files), approve=lambda proposal: said.extend(approve(proposal)) or said)

    assert rule in {problem.rule for problem in said}
    assert story.head == before
