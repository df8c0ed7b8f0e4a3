"""A score on a terminal: result first, denominators and range beside each number, nothing printed that is not there."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.report import html, junit, markdown, terminal
from assay.report.formats import FORMATS
from assay.report.json_view import as_json
from assay.report.page import Line, Table
from assay.report.views.score import score_view
from assay.weigh.score import score
from weigh.story import SCORER, observation, story

COMMIT = "91d0aa3" + "2" * 33
WORDS = ["met", "violated", "timed_out", "harness", "unjudged", "missing"]
GRIDS = st.integers(1, 6).flatmap(
    lambda seeds: st.lists(st.lists(st.sampled_from(WORDS), min_size=seeds, max_size=seeds), min_size=1, max_size=7)
)
NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")

WHOLE_PAGE = """\
two-repairs 0.3.1 · run 2026-11-30-agent-7f3a21 · at 91d0aa3
 2 items x 3 seeds    value  95 % interval  seeds 11 29 47    range
 functional met       0.833  too few items  1.00  1.00  0.50   0.50
 solver time, s        0.44
 solver time, max, s   0.46
 met of planned 5 / 6 (0.833) · met of judged 5 / 6 (0.833)
 planned 6 · completed 6 · judged 6 · distinct answers 6
 functional met: pass stdev 0.373 (population, over 6 single results)
 unstable: functional met moves by 0.50 over seeds (band 0.10)
 flips: window (met met violated)
 verdicts: 6 compared outside
"""


def shown(told):
    return score_view(score(told.material), commit=COMMIT)


def texts(view):
    """Every text of a view, before any layout."""
    found = [view.headline.text]
    for block in view.blocks:
        found += [block.text] if isinstance(block, Line) else [cell for row in block.rows for cell in row]
        found += [column.title for column in block.columns] if isinstance(block, Table) else []
    return found


def grid(rows):
    cells = {f"item{n}": " ".join(row) for n, row in enumerate(rows)}
    return story(cells, seeds=tuple(range(1, len(rows[0]) + 1)))


def test_the_whole_page():
    assert terminal.render(shown(story())) == WHOLE_PAGE


def test_errors_stay_visible_beside_both_denominators():
    text = terminal.render(
        shown(story({"a": "met met violated", "b": "met timed_out harness", "c": "violated violated violated"}))
    )

    assert "met of planned 3 / 9 (0.333) · met of judged 3 / 8 (0.375)" in text
    assert "statuses: completed 7, error 1, timed_out 1" in text
    assert "harness failures: 1: b.47" in text


def test_from_one_value_no_spread_is_printed():
    view = shown(story({"a": "met"}, seeds=(11,)))

    assert " functional met       1.000  too few items  1.00       none" in terminal.render(view)
    assert "stdev" not in terminal.render(view)
    assert view.data["measures"][0]["range"] is None


def test_equal_seeds_have_a_range_of_zero_with_their_number():
    text = terminal.render(shown(story({"a": "met met met"})))

    assert "1 item x 3 seeds" in text
    assert "1.00  1.00  1.00   0.00" in text


def test_a_run_that_cannot_be_scored_prints_no_number():
    view = shown(story({"a": "harness", "b": "harness"}, seeds=(1,)))

    text, data = terminal.render(view), json.loads(as_json(view))
    assert "no number: nothing was judged, so there is no mean" in text
    assert "0 / 2" not in text and NUMBER.search(text.split("\n", 1)[1]) is None
    assert (data["met"], data["met_of_planned"], data["measures"]) == (None, None, [])


def test_contested_missing_and_withdrawn_are_named():
    told = story({"header": "met met missing"})
    twin = observation(told.material.samples[0], "met", act="capture-cccccc", output="other")

    text = terminal.render(shown(told.with_observations(twin).with_withdrawal(told.material.observations[1])))

    assert "contested (differing results, none counts): 1: header.11 (observation)" in text
    assert "without observation: 3: header.11, header.29, header.47" in text
    assert "withdrawn, not counted: 1:" in text


def test_a_recalled_scorer_is_said():
    assert "the scorer was recalled" in terminal.render(shown(story().with_recall(SCORER["source_sha256"])))


def test_many_seeds_move_under_their_row():
    text = terminal.render(shown(story({"a": " ".join(["met", "violated"] * 10)}, seeds=tuple(range(20)))))

    assert max(map(len, text.split("\n"))) <= 80
    assert "   seeds 0 1 2" in text


def test_cases_tell_met_from_violated_from_no_verdict():
    view = shown(story({"a": "met violated unjudged", "b": "missing timed_out harness"}))

    outcomes = {case.name: case.outcome for case in view.cases}
    assert outcomes == {
        "a.11": "passed",
        "a.29": "failed",
        "a.47": "error",
        "b.11": "error",
        "b.29": "failed",
        "b.47": "error",
    }


@given(GRIDS)
def test_every_line_fits_eighty_columns(rows):
    text = terminal.render(shown(grid(rows)))

    assert max(terminal.cells(line) for line in text.split("\n")) <= 80


@given(GRIDS)
def test_the_formats_agree_on_every_number(rows):
    view = shown(grid(rows))

    told = sorted(NUMBER.findall(" ".join(texts(view))))

    assert sorted(NUMBER.findall(terminal.render(view))) == told
    assert sorted(NUMBER.findall(unescape(markdown.render(view)))) == told
    body = html.render(view).split("<body>")[1]
    assert sorted(NUMBER.findall(unescape(re.sub("<[^>]*>", " ", body)))) == told
    assert {n for n in _numbers(json.loads(as_json(view))) if "." in n} <= set(told)


def _numbers(data):
    """The decimals of the measures and shares in a JSON page; exact fractions and details are further information."""
    found = [data["met_of_planned"], data["met_of_judged"]]
    for measure in data["measures"]:
        found += [measure["value"], measure["range"], measure["stdev_population"]]
        found += [*measure["by_replicate"].values(), *measure["extra"].values()]
        found += [(measure["interval"] or {}).get(end) for end in ("low", "high")]
    return {number for number in found if number is not None}


@given(GRIDS)
def test_the_same_records_give_the_same_bytes_in_any_order(rows):
    told = grid(rows).material
    other = replace(told, observations=told.observations[::-1], evaluations=told.evaluations[::-1])

    for render in FORMATS.values():
        assert render(score_view(score(told), commit=COMMIT)) == render(score_view(score(other), commit=COMMIT))


def test_junit_counts_what_happened():
    text = junit.render(shown(story({"a": "met violated missing"})))

    assert 'tests="3" failures="1" errors="1" skipped="0"' in text


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_no_format_ever_says_nan(name):
    view = shown(story({"a": "harness missing unjudged"}))

    assert not re.search(r"(?i)\bnan\b|\binfinity\b", FORMATS[name](view))
