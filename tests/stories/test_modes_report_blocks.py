"""Tables in documents come from the ledger at a commit, and an edited number is found and named."""

from __future__ import annotations

import pytest

from assay.demo.modes_story import lay_out


@pytest.fixture
def run(assay, tmp_path):
    lay_out(tmp_path / "demo")
    return assay("import", "modebench", tmp_path / "demo" / "walkthrough" / "responses.jsonl").run


@pytest.fixture
def page(tmp_path):
    """A document with one block, written with the given settings."""

    def write(settings):
        file = tmp_path / "page.md"
        file.write_text(f"# Ours\n\nBefore.\n\n<!-- assay-report {settings} -->\n<!-- /assay-report -->\n\nAfter.  \n")
        return file

    return write


def test_a_block_is_filled_from_a_commit_and_the_rest_is_kept(assay, story, run, page):
    file = page(f"runs={run}")

    done = assay("report", file, "--write")

    text = file.read_text()
    assert done.code == 0, done.err
    assert text.startswith(f"# Ours\n\nBefore.\n\n<!-- assay-report runs={run} commit={story.head} -->\n| run |")
    assert text.endswith("<!-- /assay-report -->\n\nAfter.  \n")
    row = f"| {run} | 1 | countdown | 4 | 0.500 | 1.000 | 2.000 | withheld | 1/1 |"
    assert row in text
    assert "it is not zero" in text
    assert assay("report", file, "--check").code == 0


def test_an_edited_number_is_drift_and_its_cell_is_named(assay, run, page):
    file = page(f"runs={run}")
    assay("report", file, "--write")
    lines = file.read_text().split("\n")
    at = next(n for n, line in enumerate(lines) if "| mathir |" in line)
    lines[at] = lines[at].replace("1.000", "1.001")
    file.write_text("\n".join(lines))

    checked = assay("report", file, "--check", "--format", "json")

    assert checked.code == 1
    assert checked.json["drift"] == [
        {
            "line": at + 1,
            "cell": f"{run}, 1, mathir, 4, pass@k",
            "found": "1.001",
            "expected": "1.000",
        }
    ]


def test_a_row_too_many_and_a_lost_row_are_named(assay, run, page):
    file = page(f"runs={run}")
    assay("report", file, "--write")
    text = file.read_text()
    file.write_text(text.replace("| 1 | countdown |", "| 2 | countdown |"))

    checked = assay("report", file, "--check")

    assert checked.code == 1
    assert f"{run}, 2, countdown, 4: found a row, expected nothing" in checked.out.replace("\n    ", " ")
    assert f"{run}, 1, countdown, 4: found nothing, expected a row" in checked.out.replace("\n    ", " ")


def test_cells_and_sentences_are_named_as_they_are_read(assay, run, page):
    file = page(f"runs={run}")
    assay("report", file, "--write")
    text = file.read_text().replace("graph\\_coloring | 4 | 0.500", "graph\\_coloring | 4 | 0.900")
    file.write_text(text.replace("it is not zero", "it is zero"))

    drift = assay("report", file, "--check", "--format", "json").json["drift"]

    assert [(one["cell"].removeprefix(f"{run}, "), one["found"].rpartition("; ")[2]) for one in drift] == [
        ("1, graph_coloring, 4, accuracy", "0.900"),
        ("sentence", "it is zero"),
        ("sentence", ""),
    ]
    assert drift[-1]["expected"].endswith("it is not zero")


def test_a_file_keeps_its_line_ends(assay, run, page):
    file = page(f"runs={run}")
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))

    assay("report", file, "--write")

    data = file.read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n") > 10
    assert assay("report", file, "--check").code == 0


def test_writing_again_changes_nothing_although_the_history_went_on(assay, story, run, page):
    file = page(f"runs={run}")
    assay("report", file, "--write")
    before = file.read_bytes()
    story.commit("something else", {"notes.txt": "x"})

    again = assay("report", file, "--write")

    assert (again.code, file.read_bytes()) == (0, before)


def test_a_block_that_was_never_filled_or_names_a_foreign_commit_is_drift(assay, story, run, page):
    file = page(f"runs={run}")
    empty = assay("report", file, "--check")
    story.branch("aside")
    story.commit("only here", {"notes.txt": "x"})
    assay("report", file, "--write")
    story.switch("main")

    foreign = assay("report", file, "--check")

    assert (empty.code, foreign.code) == (1, 1)
    assert "--write" in empty.out
    assert "a commit in the history of" in foreign.out.replace("\n    ", " ")


def test_a_coding_run_is_shown_by_measure(assay, frozen, solutions, page):
    run = assay("run", frozen, "--solutions", solutions / "good", "--temperature", "0").run
    file = page(f"runs={run}")

    assay("report", file, "--write")

    assert f"| {run} | two-repairs&#64;1.0.0 |" in file.read_text()
    assert assay("report", file, "--check").code == 0


def test_published_figures_are_shown_once_they_are_recorded_as_claims(assay, page):
    file = page("claims=modebench-0.4.0")
    early = assay("report", file, "--write")
    assay("import", "published", "modebench-0.4.0")

    done = assay("report", file, "--write")

    text = file.read_text()
    assert (early.code, done.code) == (2, 0)
    assert "assay import published" in early.err
    assert "not measured here" in text and "5525bf9e9115" in text
    assert "| base-models | Level 4 | Qwen 7B | 0.398 |" in text
    assert "| qwen-7b | Level 2, Countdown | PCMD | not stated |" in text
    file.write_text(text.replace("| 0.398 |", "| 0.498 |"))
    assert "base-models, Level 4, Qwen 7B" in assay("report", file, "--check").out


def test_one_table_of_a_document_is_shown_as_it_is_printed(assay, page):
    assay("import", "published", "modebench-0.4.0")
    file = page("claims=modebench-0.4.0 table=base-models")

    assay("report", file, "--write")

    text = file.read_text()
    assert "| Level 4 | 0.194 | 0.272 | 0.398 | 0.411 |" in text
    assert "5 stated means follow from the stated cells" in text
    file.write_text(text.replace("| 0.398 |", "| 0.498 |"))
    drift = assay("report", file, "--check", "--format", "json").json["drift"]
    assert [(one["cell"], one["found"], one["expected"]) for one in drift] == [("Level 4, Qwen 7B", "0.498", "0.398")]


def test_a_table_that_the_document_does_not_have_is_refused(assay, page):
    assay("import", "published", "modebench-0.4.0")

    refused = assay("report", page("claims=modebench-0.4.0 table=results"), "--write")

    assert refused.code == 2
    assert "there is no such table" in refused.err and "base-models" in refused.err


@pytest.mark.parametrize("settings", ["runs=x claims=y", "rows=3", "published=other", "claims=other", "runs=x table=y"])
def test_a_block_that_asks_for_nothing_known_is_refused(assay, page, settings):
    assert assay("report", page(settings), "--write").code == 2


def test_marks_that_do_not_pair_are_refused_by_line(assay, tmp_path):
    file = tmp_path / "page.md"
    file.write_text("<!-- assay-report runs=a -->\n<!-- assay-report runs=b -->\n")

    refused = assay("report", file, "--check")

    assert refused.code == 2
    assert "line 2: a block begins inside" in refused.err and "line 1: the block never ends" in refused.err
