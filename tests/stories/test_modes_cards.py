"""Looking into a fixture: its card and its items are told, its answers only on request."""

from __future__ import annotations

import pytest


@pytest.fixture
def tasks(assay, tmp_path):
    made = ("tasks", "generate", tmp_path / "made", "--level", "1", "--domain", "countdown", "--rows", "2")
    assert assay(*made).code == 0
    assert assay("freeze", tmp_path / "made" / "modes.yaml").code == 0
    return "modes-tasks@1.0.0"


def test_a_card_tells_the_splits_and_what_is_not_known(assay, tasks):
    told = assay("fixture", "card", tasks, "--format", "json").json

    assert told["items"] == 4
    assert [(part["part"], part["rows"]) for part in told["parts"]] == [
        ("level1_countdown/train", 2),
        ("level1_countdown/eval", 2),
    ]
    assert told["provenance"]["limitations"] == ["admission of the levels is not assessed"]
    assert "expression tree" in assay("fixture", "card", tasks).out


def test_an_item_is_shown_as_it_is_asked_and_its_answers_only_on_request(assay, tasks):
    item = ("fixture", "inspect", tasks, "--item", "level1_countdown/eval/1")

    hidden = assay(*item, "--format", "json")
    shown = assay(*item, "--answers", "--format", "json").json

    assert [message["role"] for message in hidden.json["asked"]["messages"]] == ["system", "user"]
    assert "verifier" not in hidden.out and "mode_count" not in hidden.out
    assert shown["asked"] == hidden.json["asked"]
    assert shown["answers"]["reference"]["verifier"] == "countdown"
    assert "verifier" not in assay(*item).out


def test_an_unknown_item_is_refused_and_another_is_named(assay, tasks):
    refused = assay("fixture", "inspect", tasks, "--item", "level1_countdown/eval/9")

    assert refused.code == 2
    assert "no item level1_countdown/eval/9" in refused.err


def test_other_suites_have_a_card_and_name_an_items_files(assay, frozen):
    told = assay("fixture", "card", frozen)
    item = assay("fixture", "inspect", frozen, "--item", "keep-last-page-02")

    assert (told.code, item.code) == (0, 0)
    assert "coding" in told.out
    assert "keep-last-page-02" in item.out and " bytes" in item.out
