"""Which levels may be called admitted."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from assay.errors import InputError
from assay.modes.admission import Measured, Rates, admit


def rates(pass_1, pass_8):
    return Measured(Rates(Fraction(pass_1), Fraction(pass_8)))


REFERENCE = {
    "graph_coloring": rates("0.2078", "0.5625"),
    "countdown": rates("0.0127", "0.0859"),
    "python_factors": rates("0.2109", "0.7695"),
    "mathir": rates("0.0437012", "0.2402"),
    "pantry_plan": rates("0.0586", "0.2598"),
}
LEVEL_4 = {
    "graph_coloring": rates("0.2102", "0.5352"),
    "countdown": rates("0.0205", "0.0879"),
    "python_factors": rates("0.2236", "0.7715"),
    "mathir": rates("0.0864258", "0.2090"),
    "pantry_plan": rates("0.0872", "0.1953"),
}


def decided(level, new, old):
    """The decision about one domain alone."""
    return next(d for d in admit(level, {"mathir": new}, {"mathir": old}).domains if d.domain == "mathir")


def test_the_published_level_4_is_not_admitted_because_of_mathir():
    found = admit(4, LEVEL_4, REFERENCE)

    assert found.decision == "not_admitted"
    assert [d.domain for d in found.domains if d.decision != "admitted"] == ["mathir"]
    failed = [c.evidence for d in found.domains for c in d.conditions if not c.held]
    assert failed == ["|0.0864258 - 0.0437012| = 0.0427246"]


def test_a_difference_of_exactly_the_tolerance_holds():
    assert decided(3, rates("0.14", "0.42"), rates("0.10", "0.50")).decision == "admitted"


def test_a_hair_over_the_tolerance_does_not():
    found = decided(5, rates("0.1400000001", "0.5"), rates("0.10", "0.5"))

    assert [condition.held for condition in found.conditions] == [False, True]


@pytest.mark.parametrize("lacking", ["candidate", "reference"])
def test_a_domain_that_was_not_measured_never_admits_a_level(lacking):
    sides = {"candidate": dict(REFERENCE), "reference": dict(REFERENCE)}
    del sides[lacking]["countdown"]

    found = admit(3, sides["candidate"], sides["reference"])

    assert found.decision == "not_assessed"
    assert {d.domain for d in found.domains if d.decision == "not_assessed"} == {"countdown"}


def test_one_failed_domain_decides_although_another_was_not_measured():
    found = admit(4, {d: LEVEL_4[d] for d in ("mathir", "countdown")}, REFERENCE)

    assert found.decision == "not_admitted"


@pytest.mark.parametrize(
    ("pass_8", "reference", "tasks", "supports", "held"),
    [
        ("0.148", "0.430", {"c"}, {2: 64, 5: 64}, [True, True, True, True]),
        ("0.10", "0.430", {"c"}, {2: 32, 5: 32}, [True, True, True, True]),
        ("0.90", "0.91", {"c"}, {2: 32, 5: 32}, [True, True, True, True]),
        ("0.099", "0.430", {"c"}, {2: 64, 5: 64}, [False, True, True, True]),
        ("0.901", "0.95", {"c"}, {2: 64, 5: 64}, [False, True, True, True]),
        ("0.430", "0.430", {"c"}, {2: 64, 5: 64}, [True, False, True, True]),
        ("0.148", "0.430", {"a"}, {2: 65, 5: 63}, [True, True, False, False]),
        ("0.148", "0.430", {"c"}, None, [True, True, None, True]),
    ],
)
def test_the_level_2_gates(pass_8, reference, tasks, supports, held):
    new = replace(rates("0.1", pass_8), tasks=frozenset(tasks), supports=supports)
    old = replace(rates("0.1", reference), tasks=frozenset({"a", "b"}), supports={2: 64, 5: 64})

    found = decided(2, new, old)

    assert held == [condition.held for condition in found.conditions]
    assert found.decision == ("admitted" if all(held) else "not_admitted" if False in held else "not_assessed")


@pytest.mark.parametrize(
    ("level", "change", "reason"),
    [
        (3, {"contract": "modebench-0.4.0"}, "are not comparable"),
        (2, {"target": ("another model", None)}, "is no pair"),
        (4, {"fault": "the run gives no number", "rates": None}, "the run gives no number"),
    ],
)
def test_what_cannot_be_held_against_each_other_is_not_assessed(level, change, reason):
    side = replace(rates("0.2", "0.5"), contract="assay-modes-1", target=("a model", "1"), supports={2: 1})

    found = decided(level, replace(side, **change), replace(side, tasks=frozenset({"t"})))

    assert found.decision == "not_assessed"
    assert any(reason in told for told in found.reasons)


def test_another_model_is_what_levels_3_to_5_are_for():
    new, old = (replace(rates("0.2", "0.5"), target=(name, None)) for name in ("large", "small"))

    assert decided(3, new, old).decision == "admitted"


@pytest.mark.parametrize("level", [1, 6])
def test_other_levels_have_no_gates(level):
    with pytest.raises(InputError, match="levels 2 to 5"):
        admit(level, REFERENCE, REFERENCE)
