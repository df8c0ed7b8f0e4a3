"""Two counts that must stay honest: prose against gold, and the census of tests in three groups."""

from __future__ import annotations

import shutil

import pytest

from stories.findings_ledger import CASES, FAILURES, freeze_all

GROUPS = """findings:
  census:
    behaviour: [tests/**/test_*.py]
    documentation_pins: [mark:documentation]
    gold_evaluations: [corpus/**, assay.yaml]
"""


def test_a_table_that_agrees_with_gold_passes(assay):
    freeze_all(assay)

    done = assay("fixture", "drift", "jwt-review@1")

    assert done.code == 0
    assert "agrees with gold (5 rows" in done.out


def test_every_difference_is_reported_and_gold_wins(assay, tmp_path):
    folder = shutil.copytree(CASES / "jwt-review", tmp_path / "jwt")
    text = (folder / "README.md").read_text()
    text = text.replace("| 28 |", "| 29 |").replace("| MINOR |", "| MAJOR |").replace("**BLOCK**", "**WARN**")
    (folder / "README.md").write_text("\n".join(line for line in text.split("\n") if "LOGS_SECRETS" not in line))
    assay("freeze", CASES / "review-rules")
    assay("freeze", folder)

    done = assay("fixture", "drift", "jwt-review@1", "--format", "json")

    assert done.code == 1
    told = [(one["kind"], one["field"], one["gold"], one["prose"]) for one in done.json["differences"]]
    assert told == [
        ("not in the table", None, None, None),
        ("differs", "line", "28", "29"),
        ("differs", "severity", "MINOR", "MAJOR"),
        ("differs", "expected_verdict", "BLOCK", "WARN"),
    ]


def test_a_fixture_without_gold_has_nothing_to_drift_from(assay):
    freeze_all(assay)

    done = assay("fixture", "drift", "review-rules@1")

    assert done.code == 2
    assert "name a review fixture" in done.err


def test_a_prose_file_that_is_not_there_is_named_with_those_that_are(assay):
    freeze_all(assay)

    done = assay("fixture", "drift", "jwt-review@1", "--prose", "notes.md")

    assert done.code == 2
    assert "README.md" in done.err and "brief.md" in done.err


@pytest.fixture
def tested(assay, story):
    """A ledger with two test files and five frozen failures, and a census that is described."""
    freeze_all(assay)
    settings = story.show("assay.yaml").decode()
    story.commit(
        "add tests",
        {
            "assay.yaml": settings + GROUPS,
            "tests/test_app.py": "def test_one(): ...\ndef test_two(): ...\n",
            "docs/test_words.py": "import pytest\npytestmark = pytest.mark.documentation\ndef test_words(): ...\n",
        },
    )
    return assay


def test_the_census_counts_three_groups_that_add_up(tested):
    done = tested("failure", "census", "--format", "json")

    assert done.code == 0
    gold = len(FAILURES) + 1
    assert done.json["tests"] == {"behaviour": 2, "documentation pins": 1, "gold evaluations": gold}
    assert done.json["total"] == 3 + gold


def test_a_file_in_two_groups_fails_the_census(tested, story):
    marked = "import pytest\npytestmark = pytest.mark.documentation\ndef test_words(): ...\n"
    story.commit("move it", {"tests/test_words.py": marked})

    done = tested("failure", "census")

    assert done.code == 1
    assert "tests/test_words.py: belongs to 2 groups (behaviour, documentation pins)" in " ".join(done.out.split())


def test_a_file_in_no_group_fails_the_census(tested, story):
    story.commit("a stray", {"extra/test_stray.py": "def test_x(): ...\n"})

    done = tested("failure", "census")

    assert done.code == 1
    assert "extra/test_stray.py: belongs to no group (1 tests)" in " ".join(done.out.split())


def test_a_sum_that_is_off_fails_the_census(tested, tmp_path):
    tests = ["tests/test_app.py::test_one[a]", "tests/test_app.py::test_one[b]", "corpus/failures/a.json::gold"]
    listing = "\n".join([*tests, "", "4 tests collected in 0.01s", ""])
    (tmp_path / "collected.txt").write_text(listing)

    done = tested("failure", "census", tmp_path / "collected.txt")

    assert done.code == 1
    assert "the sum is off: 2 behaviour + 0 documentation pins + 1 gold evaluations = 3, collected 4" in " ".join(
        done.out.split()
    )


def test_a_listing_of_pytest_that_adds_up_holds(tested, tmp_path):
    listing = "tests/test_app.py: 5\ndocs/test_words.py: 1\nassay.yaml: 3\n\n9 tests collected in 0.02s\n"
    (tmp_path / "collected.txt").write_text(listing)

    done = tested("failure", "census", tmp_path / "collected.txt", "--format", "json")

    assert done.code == 0
    assert done.json["tests"] == {"behaviour": 5, "documentation pins": 1, "gold evaluations": 3}


def test_without_a_description_the_census_says_what_to_write(assay, story):
    done = assay("failure", "census")

    assert done.code == 2
    assert "documentation_pins" in done.err
