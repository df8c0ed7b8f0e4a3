"""Comparing reads what is recorded: nobody is asked again, the same bytes come out, and files are left whole."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import pytest

from stories.release import BEHAVIOUR, MET, VIOLATED, cases, freeze, policy, tried

pytestmark = pytest.mark.slow
FORMS = ("text", "json", "junit", "markdown", "html")
TOUCHED = """
import sys
from assay.cli.main import invoke
code = invoke(sys.argv[1:])
ran = sorted(name for name in sys.modules if name.startswith(("assay.engine", "assay.journal")))
sys.exit(code if not ran else f"it can run things: {ran}")
"""


@pytest.fixture
def runs(story, assay, tmp_path):
    """A baseline, and a candidate that improves one case, spoils another and does not finish the third."""
    freeze(assay, tmp_path, behaviour=BEHAVIOUR, cases=cases(), policy=policy())
    before = tried(assay, tmp_path, a=VIOLATED, b=MET, c=VIOLATED)
    return before, tried(assay, tmp_path, "2", a=MET, b=VIOLATED, c="timed_out")


def test_v10_comparing_slicing_and_exporting_again_gives_the_same_bytes_and_touches_nobody(story, runs, tmp_path):
    """The application is gone and nothing that could start one is even loaded."""
    for file in (tmp_path / "told").iterdir():
        file.unlink()
    before = story.head, story.status

    for form in FORMS:
        for by in ((), ("--by", "tag")):
            command = (sys.executable, "-c", TOUCHED, "compare", *runs, "--policy", "release", "--format", form, *by)
            first, second = (
                subprocess.run(command, cwd=story.root, capture_output=True, text=True, check=False) for _ in range(2)
            )
            assert first.stdout == second.stdout
            assert (first.returncode, first.stderr) == (1, "")

    assert (story.head, story.status) == before


def test_a_slice_adds_lines_and_changes_no_decision(assay, runs):
    plain, by_tag = (assay("compare", *runs, "--policy", "release", *more) for more in ((), ("--by", "tag")))

    assert by_tag.code == plain.code
    assert by_tag.out.removeprefix(plain.out).splitlines() == [
        "Tag dry: 1 / 2 scored, 0 met, 1 blocking violations",
        "Tag wet: 1 / 1 scored, 1 met, 0 blocking violations",
    ]


def test_every_layout_is_left_as_a_file_from_one_decision(assay, runs, tmp_path):
    files = [tmp_path / f"gate.{ending}" for ending in ("xml", "md", "html", "json", "txt")]

    ended = assay("compare", *runs, "--policy", "release", *(part for file in files for part in ("--out", file)))

    assert (ended.code, ended.err) == (1, "")
    junit, markdown, html, told, text = (file.read_text() for file in files)
    tests = {one.get("name"): [part.tag for part in one] for one in ElementTree.fromstring(junit).iter("testcase")}
    assert text == ended.out
    assert {name: tests[name] for name in "abc"} == {"a": [], "b": ["failure"], "c": ["error"]}
    assert tests["blocking violations"] == ["failure"] and tests["coverage"] == ["error"]
    assert "**Candidate decision: FAIL**" in markdown and "| b | respect" in markdown
    assert "<td" in html and '"decision": "FAIL"' in told
    assert [one.name for one in tmp_path.glob(".*")] == []


def test_a_file_that_is_there_is_replaced_only_when_told_and_then_nothing_is_half_done(assay, runs, tmp_path):
    there, fresh = tmp_path / "gate.xml", tmp_path / "gate.md"
    there.write_text("mine")

    refused = assay("compare", *runs, "--out", fresh, "--out", there)
    nowhere = assay("compare", *runs, "--out", tmp_path / "nowhere" / "gate.md")
    odd = assay("compare", *runs, "--out", tmp_path / "gate.pdf")

    assert (refused.code, nowhere.code, odd.code) == (2, 2, 2)
    assert (there.read_text(), fresh.exists(), refused.out) == ("mine", False, "")
    assert "--force replaces it" in refused.err
    assert assay("compare", *runs, "--out", fresh, "--out", there, "--force").code == 1
    assert there.read_text().startswith("<?xml")


def test_a_gate_flips_as_often_as_the_repetitions_of_a_run_and_its_policy_let_it(assay, runs, tmp_path):
    """A case that is met in two of three repetitions: the worst of three flips often, the best hardly ever."""
    freeze(assay, tmp_path, best=policy("repetitions: any", "best"))
    repeated = tried(assay, tmp_path, "3", repetitions=3, a=[MET, MET, VIOLATED], b=MET, c=MET)

    worst, best, single = (
        assay("compare", run, "--aa", "--policy", name, "--format", "json").json["flips"]
        for run, name in ((repeated, "release"), (repeated, "best"), (runs[0], "release"))
    )

    assert 0 < float(best) < 0.2 < float(worst) < 0.6
    assert single is None
