"""Repetitions reduced within their case: what stands whatever is missing, and what nobody can tell yet."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations, product

import pytest

from assay.acceptance.policy import REDUCTIONS
from assay.weigh.repetitions import disagreeing, reduced
from weigh.sides import VERDICTS, side

OPEN = None
TABLE = {
    # what the repetitions say:                    all        any        majority   mean
    "met": "                                       met        met        met        met",
    "partially_met": "                             partly     partly     partly     partly",
    "violated": "                                  violated   violated   violated   violated",
    "met met": "                                   met        met        met        met",
    "met violated": "                              violated   met        partly     partly",
    "met partially_met": "                         partly     met        partly     partly",
    "partially_met violated": "                    violated   partly     partly     partly",
    "met met violated": "                          violated   met        met        partly",
    "met violated violated": "                     violated   met        violated   partly",
    "met partially_met violated": "                violated   met        partly     partly",
    "timed_out": "                                 open       open       open       open",
    "met timed_out": "                             open       met        open       open",
    "partially_met timed_out": "                   open       open       partly     partly",
    "violated timed_out": "                        violated   open       open       open",
    "met met timed_out": "                         open       met        met        open",
    "met violated timed_out": "                    violated   met        open       partly",
    "met partially_met timed_out": "               open       met        open       partly",
    "violated violated timed_out": "               violated   open       violated   open",
    "partially_met violated timed_out": "          violated   open       open       partly",
    "violated timed_out timed_out": "              violated   open       open       open",
    "met met violated timed_out": "                violated   met        open       partly",
    "met violated partially_met timed_out": "      violated   met        partly     partly",
    "violated violated violated timed_out met": "  violated   met        violated   partly",
}
WORDS = {"partly": "partially_met", "open": OPEN}


def verdict(cells, how):
    (one,) = reduced(side({"A": tuple(cells)}).units, how)
    return one.verdict


@pytest.mark.parametrize("how", REDUCTIONS)
@pytest.mark.parametrize("said", TABLE)
def test_the_table_of_repetitions(said, how):
    expected = TABLE[said].split()[REDUCTIONS.index(how)]

    for cells in set(permutations(said.split())):
        assert verdict(cells, how) == WORDS.get(expected, expected)


@pytest.mark.parametrize("how", REDUCTIONS)
@pytest.mark.parametrize("missing", [1, 2, 3])
def test_a_verdict_stands_exactly_when_no_missing_repetition_could_change_it(missing, how):
    for count in range(4):
        for known in combinations_with_replacement(VERDICTS, count):
            finished = {verdict((*known, *rest), how) for rest in product(VERDICTS, repeat=missing)}

            stands = verdict((*known, *["timed_out"] * missing), how)

            assert stands == (finished.pop() if len(finished) == 1 else OPEN), known


def test_a_label_is_a_draft_as_long_as_one_judged_repetition_is():
    units = side({"A": ("violated", "met", "timed_out")}).units
    drafted = [units[0], *side({"A": "met"}, drafts=("A",), repetition="2").units, units[2]]

    assert [one.label for one in (*reduced(units), *reduced(drafted))] == ["reviewed", "draft"]


def test_an_open_case_keeps_why_it_is_open():
    (one,) = reduced(side({"A": ("met", "timed_out")}).units)

    assert (one.verdict, one.execution, one.repetition) == (OPEN, "timed_out", "*")


def test_disagreeing_cases_are_named_once_and_what_is_missing_disagrees_with_nothing():
    units = side({"A": ("met", "violated"), "B": ("met", "timed_out"), "C": "met"}).units

    assert disagreeing(units) == ("A",)
