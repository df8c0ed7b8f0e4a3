"""A README's table against gold, which wins: every difference is reported, and only differences."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.findings.drift import drift

HEADER = "| # | File | Line | Rule | Severity | Owner |\n|---|:---|---:|---|---|---|\n"
ROW = "| 1 | `lib/mailer.py` | 7 | `SILENT_EXCEPT` | **MAJOR** | correctness |\n"


def told(markdown, gold):
    return [str(difference) for difference in drift(markdown, gold).differences]


def test_a_table_that_agrees_has_no_difference(make):
    found = drift(f"# Seeded\n\n{HEADER}{ROW}\nExpected verdict: **WARN**\n", make.gold(make.finding()))

    assert (found.differences, found.rows) == ((), 1)
    assert found.columns == ("file", "line", "owner_reviewer", "rule_key", "severity")


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("| 7 |", "| 8 |", "line 3: (lib/mailer.py, SILENT_EXCEPT) line: gold says 7, the text says 8"),
        ("MAJOR", "MINOR", "line 3: (lib/mailer.py, SILENT_EXCEPT) severity: gold says MAJOR, the text says MINOR"),
        (
            "| correctness",
            "| conformance",
            "line 3: (lib/mailer.py, SILENT_EXCEPT) owner_reviewer: gold says correctness, the text says conformance",
        ),
        ("| 7 |", "| about 7 |", "line 3: (lib/mailer.py, SILENT_EXCEPT) line: unreadable (about 7)"),
    ],
)
def test_a_cell_that_differs_is_named_with_both_sides(make, old, new, difference):
    assert told(HEADER + ROW.replace(old, new), make.gold(make.finding())) == [difference]


def test_rows_too_many_and_too_few_are_told(make):
    gold = make.gold(make.finding("CLOCK_IN_TEST", severity="MINOR"))

    assert told(HEADER + ROW, gold) == [
        "(lib/mailer.py, CLOCK_IN_TEST): not in the table",
        "line 3: (lib/mailer.py, SILENT_EXCEPT): not in the gold file",
    ]


def test_a_row_given_twice_is_told(make):
    assert told(HEADER + ROW + ROW, make.gold(make.finding())) == ["line 4: (lib/mailer.py, SILENT_EXCEPT): repeated"]


def test_the_verdict_in_the_prose_is_compared_too(make):
    text = f"The expected verdict is `BLOCK`.\n\nExpected verdict: BLOCK\n\n{HEADER}{ROW}"

    assert told(text, make.gold(make.finding())) == ["line 3: expected_verdict: gold says WARN, the text says BLOCK"]


def test_file_and_line_may_share_a_column_and_a_dash_means_the_whole_file(make):
    shared = "| Location | Rule key |\n|---|---|\n| lib/mailer.py:7 | SILENT_EXCEPT |\n"
    dashed = HEADER + ROW.replace("| 7 |", "| - |")

    assert told(shared, make.gold(make.finding())) == []
    assert told(dashed, make.gold(make.finding(line=0))) == []


def test_a_rule_at_two_lines_is_compared_line_by_line(make):
    gold = make.gold(make.finding(line=7), make.finding(line=40))

    assert told(HEADER + ROW + ROW.replace("| 7 |", "| 40 |"), gold) == []


def test_tables_in_fences_and_tables_of_other_things_are_not_read(make):
    fenced = f"```\n{HEADER}{ROW}```\n"
    other = "| Reviewer | Time |\n|---|---|\n| one | 3 s |\n"

    with pytest.raises(InputError, match="no table of findings"):
        drift(fenced + other, make.gold(make.finding()))


def test_an_escaped_bar_belongs_to_the_cell(make):
    row = ROW.replace("lib/mailer.py", "lib/a\\|b.py")

    assert told(HEADER + row, make.gold(make.finding(file="lib/a|b.py"))) == []
