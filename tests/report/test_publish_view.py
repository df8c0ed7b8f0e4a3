"""A publish decision on a terminal: the decision, then every condition with its evidence and what to type."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from assay.report import markdown, terminal
from assay.report.json_view import as_json
from assay.report.views.publication import publish_view, shortened
from assay.weigh.publish import decide
from weigh.story import dossier, scan, story

COMMIT = "c07b9f2" + "0" * 33
SINGLE = {"generation": {"temperature": None, "collected_from": None}}


def single_seed():
    return decide(dossier(story({"header": "met"}, seeds=(11,)).with_run(**SINGLE)))


def test_a_publishable_score_shows_the_pins_the_siblings_the_anchor_and_the_limits():
    text = terminal.render(publish_view(decide(dossier()), commit=COMMIT))

    assert text.startswith("PUBLISHABLE as evidence, with variance\n  fixture      two-repairs@0.3.1 sha256:")
    for part in (
        "seeds        11 29 47 (3 distinct)",
        "frozen       committed in 4be21c7, before the plan in 91d0aa3",
        "controls     network off, isolation bubblewrap, fresh process, fresh workdir:\n               as the fixture",
        "score        functional met 0.833 · 2 items x 3 seeds · range 0.50",
        "1 other run of this fixture and target: 2026-11-29-agent-c01d77",
        "anchor       local only",
        "Recorded in commit c07b9f2.",
    ):
        assert part in text
    assert max(map(len, text.split("\n"))) <= 80


def test_a_refusal_names_the_row_what_failed_and_what_to_type():
    text = terminal.render(publish_view(single_seed()))

    first, second, third, *_ = text.split("\n")
    assert first == "NOT PUBLISHABLE: better treated as an Exploratory probe"
    assert second.startswith("  seeds        11 (1 distinct; 3 needed)") and second.endswith("--seeds 11,29,47")
    assert third.endswith("assay run … --temperature 0")
    assert "What held:" in text and "fixture      two-repairs" in text


def test_several_rows_are_named_together():
    view = publish_view(decide(dossier(scans=(scan("contaminated"),))))
    assert view.headline.text == "NOT PUBLISHABLE: better treated as a Contaminated run"

    both = publish_view(decide(dossier(story({"header": "met"}, seeds=(11,)), scans=())))
    assert both.headline.text == "NOT PUBLISHABLE: better treated as an Exploratory probe and an Unproven run"


def test_a_number_never_stands_without_denominator_and_range():
    data = json.loads(as_json(publish_view(single_seed())))

    assert data["score"] == "functional met 1.000 · 1 item x 1 seed · range none · 95 % interval: too few items"
    assert data["treat_as"] == ["Exploratory probe"]


def test_markdown_has_the_whole_hash():
    decision = decide(dossier())

    assert decision.dossier.score.fixture.sha256 in markdown.render(publish_view(decision))


def test_junit_cases_are_the_conditions():
    cases = {case.name: case.outcome for case in publish_view(decide(dossier(scans=()))).cases}

    assert cases["holdout"] == "error"
    assert cases["fixture"] == "passed"


@given(st.text(max_size=60))
def test_only_digests_and_commits_are_shortened(text):
    if "sha256:" not in text and not any(len(word) >= 40 for word in text.split()):
        assert shortened(text) == text
