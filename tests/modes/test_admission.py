"""Which levels may be called admitted."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assay.errors import InputError
from assay.modes.admission import Population, Rates, level_admission, matched_level, second_level
from assay.modes.contracts import DOMAINS


def rates(pass_1, pass_8):
    return Rates(Fraction(pass_1), Fraction(pass_8))


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


def test_the_published_level_4_is_not_admitted_because_of_mathir():
    records = {domain: matched_level(4, domain, LEVEL_4[domain], REFERENCE[domain]) for domain in DOMAINS}

    found = level_admission(4, records)

    assert not found.admitted
    assert [d.domain for d in found.domains if not d.admitted] == ["mathir"]
    assert [c.evidence for c in records["mathir"].conditions if not c.held] == ["|0.0864258 - 0.0437012| = 0.0427246"]


def test_a_difference_of_exactly_the_tolerance_holds():
    found = matched_level(3, "mathir", rates("0.14", "0.42"), rates("0.10", "0.50"))

    assert found.admitted


def test_a_hair_over_the_tolerance_does_not():
    found = matched_level(5, "mathir", rates("0.1400000001", "0.5"), rates("0.10", "0.5"))

    assert [condition.held for condition in found.conditions] == [False, True]


def test_a_missing_domain_never_admits_a_level():
    records = {d: matched_level(3, d, REFERENCE[d], REFERENCE[d]) for d in DOMAINS if d != "countdown"}

    found = level_admission(3, records)

    assert (found.admitted, found.missing) == (False, ("countdown",))


@pytest.mark.parametrize(
    ("pass_8", "reference", "ids", "supports", "held"),
    [
        ("0.148", "0.430", {"c"}, {2: 64, 5: 64}, [True, True, True, True]),
        ("0.10", "0.430", {"c"}, {2: 32, 5: 32}, [True, True, True, True]),
        ("0.099", "0.430", {"c"}, {2: 64, 5: 64}, [False, True, True, True]),
        ("0.430", "0.430", {"c"}, {2: 64, 5: 64}, [True, False, True, True]),
        ("0.148", "0.430", {"a"}, {2: 65, 5: 63}, [True, True, False, False]),
    ],
)
def test_the_level_2_gates(pass_8, reference, ids, supports, held):
    found = second_level(
        "countdown",
        Fraction(pass_8),
        Fraction(reference),
        Population(ids, supports),
        Population({"a", "b"}, {2: 64, 5: 64}),
    )

    assert held == [condition.held for condition in found.conditions]


def test_matching_tolerances_exist_for_levels_3_to_5_only():
    with pytest.raises(InputError, match="levels 3 to 5"):
        matched_level(2, "mathir", REFERENCE["mathir"], REFERENCE["mathir"])
