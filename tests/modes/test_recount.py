"""Certificates are counted again by another way before they are frozen, and a wrong one is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.modes.contracts import DOMAINS
from assay.modes.generate import build, certify, recount
from assay.modes.splits import FrozenSplit, support_sha256


def split_of(*rows):
    return FrozenSplit("split", rows, "0" * 64)


@pytest.mark.parametrize("domain", [domain for domain in DOMAINS if domain != "mathir"])
@pytest.mark.parametrize("level", range(1, 6))
def test_both_methods_find_the_same_modes(level, domain):
    rows = build.split(level, domain, "recount", 3, seed=level)

    assert [recount.recount(row) for row in rows] == [certify.support(row.domain, row.answer) for row in rows]
    assert recount.recount_faults(split_of(*rows)) == ()


@pytest.mark.parametrize("level", [1, 5])
def test_all_programs_over_a_menu_and_sympy_agree_with_the_certificate(level):
    (row,) = build.split(level, "mathir", "recount", 1)

    assert recount.recount(row) == certify.support("mathir", row.answer)
    assert recount.recount_faults(split_of(row)) == ()


@pytest.mark.parametrize("domain", ["countdown", "graph_coloring", "python_factors", "pantry_plan"])
def test_a_wrong_number_of_modes_and_a_wrong_support_are_named(domain):
    (row,) = build.split(2, domain, "recount", 1)
    others = support_sha256([f"{key}x" for key in certify.support(domain, row.answer)])

    found = recount.recount_faults(split_of(replace(row, mode_count=row.mode_count + 1)))
    other = recount.recount_faults(split_of(replace(row, support_sha256=others)))

    assert found == (f"{row.id}: states {row.mode_count + 1} modes, a second method finds {row.mode_count}",)
    assert [fault.partition(" than ")[0] for fault in other] == [
        f"{row.id}: states another support of {row.mode_count} modes"
    ]


def test_a_support_that_nobody_can_enumerate_is_no_certificate():
    (row,) = build.split(1, "countdown", "recount", 1)
    open_row = replace(row, answer={**row.answer, "numbers": [1, 2, 3, 4, 5, 6]})

    assert "cannot be enumerated" in recount.recount_faults(split_of(open_row))[0]


def test_rows_without_a_certificate_are_left_alone():
    (row,) = build.split(1, "countdown", "recount", 1)

    assert recount.recount_faults(split_of(replace(row, mode_count=99, support_sha256=None))) == ()


def test_of_recipes_every_sixteenth_row_is_counted_from_the_first_on():
    rows = build.split(1, "pantry_plan", "recount", 17)
    wrong = [replace(row, mode_count=row.mode_count + 1) for row in rows]

    found = recount.recount_faults(split_of(*wrong))

    assert [fault.partition(":")[0] for fault in found] == [rows[0].id, rows[16].id]
