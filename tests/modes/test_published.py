"""Published figures: every stated mean follows from its own cells, and one that does not is found."""

from __future__ import annotations

from dataclasses import replace

from assay.modes.contracts import DOMAINS
from assay.modes.published import deviations, published


def test_the_stated_means_agree_with_their_cells_within_rounding():
    assert deviations() == ()


def test_every_cell_of_the_tables_is_there():
    figures = published()

    cells = {(f.subject, f.metric) for f in figures if f.table == "Qwen2.5-7B by domain"}
    assert len(cells) == 5 * len(DOMAINS) * 4
    assert len([f for f in figures if f.table == "training by domain"]) == 3 * len(DOMAINS) * 4 * 3
    assert {f.value for f in figures if (f.table, f.subject) == ("base models", "level 1, Qwen2.5-7B")} == {"0.532"}


def test_a_mean_that_its_cells_do_not_give_is_reported():
    figures = [
        replace(f, value="0.535") if (f.table, f.subject) == ("base models", "level 1, Qwen2.5-7B") else f
        for f in published()
    ]

    (found,) = deviations(figures)

    assert str(found) == "level 1, Qwen2.5-7B, pass@8: 0.535 is stated, its cells give 0.5326"
