"""A decision in every layout: what people and applications wrote stays text."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from assay.report.formats import FORMATS
from assay.report.views.comparison import gate_view
from weigh.sides import decided, side

HOSTILE = "<script>alert(1)</script> | [x](http://evil) \x1b[31m @all ]]> &amp; \u202e`rm`"


@pytest.fixture
def view():
    table = {f"{HOSTILE} 1": "violated", f"{HOSTILE} 2": "met", f"{HOSTILE} 3": "timed_out"}
    decision, _ = decided(side(dict.fromkeys(table, "met")), side(table))
    return gate_view(decision, lists_pairs=True)


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_hostile_names_are_shown_and_never_come_alive(view, form):
    text = FORMATS[form](view)

    assert "\x1b" not in text and "\u202e" not in text
    assert form in ("text", "json") or "<script" not in text
    assert form != "markdown" or not (" [x](" in text or " @all" in text or "http:" in text)


def test_junit_stays_well_formed_and_has_the_verdicts_of_the_candidate(view):
    root = ElementTree.fromstring(FORMATS["junit"](view))

    found = [[part.tag for part in one] for one in root.iter("testcase") if one.get("classname") != "release policy"]
    assert found == [["failure"], [], ["error"]]


def test_what_stayed_violated_fails_as_a_test_though_nothing_regressed():
    decision, _ = decided(side({"A": "violated"}), side({"A": "violated"}))

    (case, *_) = gate_view(decision).cases

    assert (case.outcome, case.message) == ("failed", "unchanged: violated -> violated")
