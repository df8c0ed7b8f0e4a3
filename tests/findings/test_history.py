"""Scores over commits: what moved, which commit lost which finding, and what is not the agent's doing."""

from __future__ import annotations

from assay.contract.steps import Sample
from assay.contract.summary import Row
from assay.findings.history import Place, Point, lost_in, movements, point_of
from assay.findings.score import Tally, score_pairs

A, B, C = ("a.py", "K1"), ("a.py", "K2"), ("b.py", "K1")


def point(commit, run, gold, cell="case", **verdicts):
    return Point(commit, {cell: score_pairs(set(run), set(gold))}, verdicts)


def place(pair, cell="case"):
    return Place(cell, *pair)


def test_the_first_point_moves_nothing():
    only = movements([point("c1", [A], [A, B])])[0]

    assert (only.before, only.after, only.moved) == (None, Tally(1, 0, 1), False)


def test_a_commit_that_loses_and_gains_findings_is_named():
    steps = movements([point("c1", [A], [A, B]), point("c2", [B], [A, B]), point("c3", [B], [A, B])])

    assert (steps[1].lost, steps[1].gained) == ((place(A),), (place(B),))
    assert [step.moved for step in steps] == [False, True, False]


def test_noise_that_comes_and_goes_is_told():
    steps = movements([point("c1", [A, C], [A]), point("c2", [A, B], [A])])

    assert (steps[1].spurious_new, steps[1].spurious_gone) == ((place(B),), (place(C),))
    assert (steps[1].before.precision, steps[1].after.precision) == (steps[0].after.precision,) * 2


def test_a_finding_that_gold_no_longer_expects_is_withdrawn_and_not_lost():
    step = movements([point("c1", [A], [A, B]), point("c2", [], [B])])[1]

    assert (step.lost, step.withdrawn) == ((), (place(A),))


def test_new_and_removed_failures_are_told_apart_from_losses():
    step = movements([point("c1", [A], [A], cell="old"), point("c2", [], [A], cell="new")])[1]

    assert (step.cells_added, step.cells_removed) == (("new",), ("old",))
    assert step.lost == ()


def test_verdicts_that_turn_are_told():
    points = [point("c1", [A], [A], case=True), point("c2", [A], [A], case=False), point("c3", [A], [A], case=True)]

    steps = movements(points)

    assert [step.verdicts_lost for step in steps[1:]] == [("case",), ()]
    assert [step.verdicts_gained for step in steps[1:]] == [(), ("case",)]


def test_what_is_missing_now_is_blamed_on_the_commit_that_last_lost_it():
    points = [
        point("c1", [A, B], [A, B, C]),
        point("c2", [B], [A, B, C]),
        point("c3", [A, B], [A, B, C]),
        point("c4", [B], [A, B, C]),
        point("c5", [B], [A, B, C]),
    ]

    assert lost_in(points) == {place(A): "c4"}
    assert lost_in([]) == {}


def test_a_point_is_read_from_the_evaluations_that_count(make):
    def entry(pair):
        return {"file": pair[0], "rule_key": pair[1], "severity": "MAJOR", "owner": "correctness"}

    raw = {"matched": [entry(A)], "missed": [entry(B)], "spurious": [], "verdict": {"run": "WARN", "gold": "BLOCK"}}
    judged = Row(Sample(1, "case.one", "case", {}), {}, {"raw": raw})
    lost = Row(Sample(2, "case.two", "case", {}), None)

    assert point_of("c1", [judged, lost]) == Point("c1", {"case.one": score_pairs({A}, {A, B})}, {"case.one": False})
