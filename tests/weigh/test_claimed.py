"""Published figures: read as printed, and a stated mean that its own cells do not give is found."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from assay import modes
from assay.errors import InputError
from assay.weigh.claimed import deviations, missing_in, read_claims

BUILT_IN = Path(modes.__file__).parent / "published" / "modebench-0.4.0.json"
SOURCE = {"title": "A paper", "version": None, "sha256": f"sha256:{'0' * 64}", "place": None}
CELLS = {
    "table": "cells",
    "keys": 2,
    "unit": "share",
    "units": {"n": "prompts"},
    "columns": ["Level", "Domain", "pass", "n"],
    "rows": [["1", "Graph", "0.25", "98/128"], ["1", "Words", "0.50", "12"], ["2", "Graph", "\u2014", "0"]],
}
MEANS = {
    "table": "means",
    "keys": 1,
    "unit": "share",
    "columns": ["Level", "mean"],
    "means": [{"column": "mean", "of": [{"table": "cells", "row": "{Level}, *", "column": "pass"}]}],
    "rows": [["1", "0.375"], ["2", "0.3"]],
}


def read(*tables, **changes):
    document = {"format": "assay-claims-1", "name": "a-paper", "source": SOURCE, "limitations": [], "tables": tables}
    return read_claims(json.dumps({**document, **changes}).encode(), "figures.json")


def faults(*tables, **changes):
    with pytest.raises(InputError) as refused:
        read(*tables, **changes)
    return " ".join(refused.value.faults)


def test_values_stay_as_printed_and_know_how_far_they_were_rounded():
    found = [(s["row"], s["column"], s["value"], s["unit"], s["rounding"]) for s in read(CELLS)["statements"]]

    assert found == [
        ("Level 1, Graph", "pass", "0.25", "share", "0.005"),
        ("Level 1, Graph", "n", "98/128", "prompts", None),
        ("Level 1, Words", "pass", "0.50", "share", "0.005"),
        ("Level 1, Words", "n", "12", "prompts", None),
        ("Level 2, Graph", "pass", None, "share", None),
        ("Level 2, Graph", "n", "0", "prompts", None),
    ]


def test_a_stated_mean_names_the_figures_it_is_of():
    stated = read(CELLS, MEANS)["statements"]

    (first, second) = (statement["mean_of"] for statement in stated if statement["table"] == "means")

    assert [part["row"] for part in first] == ["Level 1, Graph", "Level 1, Words"]
    assert [part["row"] for part in second] == ["Level 2, Graph"]


@pytest.mark.parametrize(
    ("stated", "odd"), [("0.375", False), ("0.380", False), ("0.381", True), ("0.37", False), ("0.4", False)]
)
def test_a_mean_may_differ_by_the_rounding_of_both_sides_and_no_more(stated, odd):
    found = deviations(read(CELLS, {**MEANS, "rows": [["1", stated]]})["statements"])

    assert [(one.stated, one.recomputed) for one in found] == ([(stated, Fraction(3, 8))] if odd else [])


def test_a_mean_over_a_figure_that_is_not_stated_cannot_be_taken_again():
    assert deviations(read(CELLS, {**MEANS, "rows": [["2", "0.9"]]})["statements"]) == ()


def test_every_fault_of_a_file_is_named():
    wrong = {**CELLS, "rows": [["1", "Graph", "0.25"]], "units": {"m": "x"}, "columns": ["Level", "Level", "a", "b"]}

    told = faults(wrong, {**MEANS, "keys": 2})

    assert "cells: row 1: 3 cells, but 4 columns" in told
    assert "there is no column 'm'" in told and "has the name of another" in told
    assert "leaves no figure" in told


@pytest.mark.parametrize(
    ("tables", "changes", "told"),
    [
        ([CELLS], {"format": "other"}, "$.format"),
        ([CELLS], {"name": "No Slug"}, "$.name"),
        ([CELLS], {"surprise": 1}, "surprise"),
        ([{**CELLS, "rows": [["1", "Graph", 0.25, "1"]]}], {}, "$.tables[0].rows[0][2]"),
        ([CELLS, CELLS], {}, "is stated 2 times"),
        ([MEANS], {}, "which fits nothing"),
    ],
)
def test_what_is_no_file_of_claims_is_refused(tables, changes, told):
    assert told in faults(*tables, **changes)


def test_text_that_is_no_json_is_refused():
    with pytest.raises(InputError, match="not JSON"):
        read_claims(b"table,row", "figures.csv")


def test_a_figure_that_does_not_stand_in_its_document_is_named():
    statements = read(CELLS)["statements"]

    assert missing_in(statements, "Graph 0.25 98/128, Words 0.5 12, 0") == (
        "cells, Level 1, Words, pass: 0.50 is not in the document",
    )


def test_the_published_means_of_modebench_agree_with_their_cells_within_rounding():
    statements = read_claims(BUILT_IN.read_bytes(), BUILT_IN.name)["statements"]

    assert len([statement for statement in statements if statement["mean_of"]]) == 5 + 2 * 12
    assert deviations(statements) == ()


def test_a_published_mean_that_its_cells_do_not_give_is_reported():
    changed = BUILT_IN.read_bytes().replace(b'["1", "0.387", "0.436", "0.532"', b'["1", "0.387", "0.436", "0.535"')

    (found,) = deviations(read_claims(changed, BUILT_IN.name)["statements"])

    assert str(found) == "base-models, Level 1, Qwen 7B: 0.535 is stated, its cells give 0.5326"
