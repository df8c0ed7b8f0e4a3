"""What a document publishes enters as a claim: with its digest, once, never as a measurement."""

from __future__ import annotations

import json

import pytest

from assay.record.digest import digest
from verify.telling import broken

PAPER = "# Results\n\nOur model solves 0.25 of the graphs and 0.50 of the words, 0.375 on average.\n"


@pytest.fixture
def paper(tmp_path):
    file = tmp_path / "paper.md"
    file.write_text(PAPER)
    return file


@pytest.fixture
def figures(tmp_path, paper):
    """A file of claims about the paper; its mean may be changed."""

    def write(mean="0.375"):
        means = [{"column": "mean", "of": [{"table": "cells", "row": "*", "column": "pass"}]}]
        document = {
            "format": "assay-claims-1",
            "name": "a-paper",
            "source": {"title": "A paper", "version": "2", "sha256": digest(paper.read_bytes()), "place": None},
            "limitations": ["one seed"],
            "tables": [
                {"table": "cells", "keys": 1, "columns": ["d", "pass"], "rows": [["Graph", "0.25"], ["Words", "0.50"]]},
                {"table": "means", "keys": 1, "columns": ["d", "mean"], "means": means, "rows": [["all", mean]]},
            ],
        }
        file = tmp_path / "claims.json"
        file.write_text(json.dumps(document))
        return file

    return write


def test_figures_become_one_record_that_both_verifiers_know(assay, story, figures, paper):
    done = assay("import", "published", figures(), "--document", paper, "--format", "json")

    claim = done.json["claim"]
    assert done.code == 0, done.err
    assert claim["source"]["sha256"] == digest(PAPER.encode())
    assert [one["value"] for one in claim["statements"]] == ["0.25", "0.50", "0.375"]
    assert json.loads(assay("show", claim["id"]).out) == claim
    assert "claim: 3 figures of a-paper" in assay("log", "--kind", "claim").out
    assert broken(story) == set()


def test_typed_again_nothing_is_recorded_twice(assay, story, figures):
    assay("import", "published", figures())
    before = story.head

    again = assay("import", "published", figures())

    assert (again.code, story.head) == (0, before)
    assert "is recorded already" in again.out


def test_other_figures_under_the_name_are_refused_until_the_first_are_withdrawn(assay, figures):
    first = assay("import", "published", figures(), "--format", "json").json["claim"]["id"]

    refused = assay("import", "published", figures("0.38"))
    withdrawn = assay("withdraw", f"runs/{first[:7]}/{first}.json", "--reason", "read wrongly")

    assert (refused.code, withdrawn.code) == (1, 0)
    assert "withdraw" in refused.err
    assert assay("import", "published", figures("0.38")).code == 0


def test_a_mean_that_does_not_follow_is_recorded_as_stated_and_named(assay, figures, tmp_path):
    told = assay("import", "published", figures("0.39"))
    page = tmp_path / "page.md"
    page.write_text("<!-- assay-report claims=a-paper -->\n<!-- /assay-report -->\n")

    assay("report", page, "--write")

    assert told.code == 0
    assert "means, all, mean: 0.39 is stated, its cells give 0.3750" in told.out
    assert "does not follow from its own cells: means, all, mean: 0.39 is stated" in page.read_text()
    assert assay("report", page, "--check").code == 0


def test_the_document_must_be_the_stated_one_and_hold_every_figure(assay, story, figures, paper):
    wrong_figure = assay("import", "published", figures("0.376"), "--document", paper)
    file = figures()
    paper.write_text(PAPER + "An erratum.\n")

    wrong_document = assay("import", "published", file, "--document", paper)

    assert (wrong_figure.code, wrong_document.code) == (2, 2)
    assert "means, all, mean: 0.376 is not in the document" in wrong_figure.err
    assert "is another document" in wrong_document.err
    assert len(story.log) == 1


def test_a_dry_run_writes_nothing(assay, story, figures):
    before = story.head

    done = assay("import", "published", figures(), "--dry-run")

    assert (done.code, story.head) == (0, before)
    assert "could be recorded" in done.out


def test_an_unknown_file_names_what_comes_with_the_tool(assay):
    refused = assay("import", "published", "modebench")

    assert refused.code == 2
    assert "modebench-0.4.0" in refused.err


def test_a_claim_that_lies_in_a_run_is_named_by_both_verifiers(assay, story, figures):
    claim = assay("import", "published", figures(), "--format", "json").json["claim"]
    story.git("config", "core.hooksPath", "/nowhere")
    claim["id"] = "2026-11-30-a-run-0000aa/import-0000bb/claim"
    path = f"runs/2026-11/{claim['id']}.json"

    commit = story.commit("a claim in a run", {path: json.dumps(claim, indent=2, sort_keys=True) + "\n"})

    assert broken(story) == {("name", path, commit)}
