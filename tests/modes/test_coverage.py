"""How much of a certified support was found, and how many modes so many right draws show."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assay.modes.coverage import certified_modes, coverage, rarefaction_curve
from assay.modes.generate import build, certify
from assay.modes.grade import grade_prompt
from assay.modes.metrics import Draw, Prompt
from assay.modes.splits import TaskRow

EXPRESSIONS = ("{a}+{b}+{c}", "{a}*{b}+{c}", "({a}-{b})*{c}", "{b}-(-{a}*{c})", "-({a}-{b})+{c}", "{a}-{b}/{c}")


def prompts(*draws):
    return [
        Prompt(f"p{n}", 1, "countdown", (tuple(Draw(None if d == "-" else d) for d in group),))
        for n, group in enumerate(draws)
    ]


MIXED = prompts("ab--", "aa--", "----", "abc-", "a---", "abcd", "aab-", "----")


def test_coverage_is_the_mean_share_of_certified_modes_that_were_found():
    found = coverage(MIXED[:3], {"p0": 4, "p1": 1})

    assert found.value == Fraction(3, 4)
    assert [(one.found, one.certified) for one in found.prompts] == [(2, 4), (1, 1)]
    assert found.unknown == 1


def test_a_right_answer_outside_the_enumeration_is_listed_apart():
    keys = ("countdown:add(2,3)", "countdown:add(neg(2),7)")
    found = coverage([Prompt("p", 1, "countdown", (tuple(map(Draw, keys)),))], {"p": 2})

    assert [(one.found, one.outside) for one in found.prompts] == [(1, keys[1:])]
    assert found.value == Fraction(1, 2)


def test_a_certificate_of_fewer_modes_than_were_found_is_none():
    found = coverage(MIXED[3:4], {"p3": 2})

    assert (found.value, found.prompts, found.unknown) == (None, (), 1)


def test_only_a_stated_support_is_certified():
    rows = {
        name: TaskRow(name, 1, "countdown", "", {}, count, digest)
        for name, count, digest in (("a", 3, "00"), ("b", 3, None), ("c", 0, "00"))
    }

    assert certified_modes(rows) == {"a": 3}


@pytest.mark.parametrize("seed", range(3))
def test_what_is_listed_apart_is_what_enumeration_does_not_have(seed):
    """Every spelling of three operands, graded: inside and outside are those of the exhaustive support."""
    for row in build.split(1, "countdown", "outside", 6, seed=seed):
        a, b, c = row.answer["numbers"]
        texts = [form.format(a=x, b=y, c=z) for form in EXPRESSIONS for x, y, z in ((a, b, c), (c, a, b), (b, c, a))]
        draws = tuple(Draw(grade.key) for grade in grade_prompt("modebench-0.4.0", 1, "countdown", row.answer, texts))
        keys = {draw.key for draw in draws if draw.key}

        (found,) = coverage([Prompt(row.id, 1, "countdown", (draws,))], {row.id: row.mode_count}).prompts

        assert set(found.outside) == keys - set(certify.support("countdown", row.answer))


def test_the_curve_states_its_shrinking_population():
    found = rarefaction_curve(MIXED)

    assert [(point.draws, point.prompts) for point in found] == [(1, 6), (2, 5), (3, 3), (4, 1)]
    assert (found[0].value, found[3].value) == (1, 4)


def test_a_long_curve_goes_by_powers_of_two():
    (draws,) = prompts("a" * 40 + "b" * 40)

    found = rarefaction_curve([draws])

    assert [point.draws for point in found] == [1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64]
    assert found[-1].value == 2


def test_without_a_right_answer_there_is_no_curve():
    assert rarefaction_curve(prompts("----")) == ()
