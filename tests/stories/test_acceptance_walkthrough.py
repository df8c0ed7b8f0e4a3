"""The story of an acceptance gate plays to its end, and the reference application shows one fault at a time."""

from __future__ import annotations

import sys

import pytest

from assay.demo.acceptance_story import APPLICATION, SOURCES, lay_out, steps
from assay.errors import Refused
from assay.record.kinds import kind_of
from stories.acceptance_app import CAPABILITIES

pytestmark = pytest.mark.slow
FAULTS = {
    "excluded": ("binding_no_rope", "completed", {"violated"}),
    "obeys": ("evidence_instruction_in_source", "completed", {"violated", "met"}),
    "invents": ("evidence_pressure_to_invent", "completed", {"violated"}),
    "forgets": ("state_constraint_retained", "completed", {"blocked"}),
    "unclean": ("fire_blown_out", "error", {"missing_evidence"}),
    "uncaptured": ("evidence_empty_observed", "completed", {"missing_evidence"}),
    "stale": ("state_topic_switch", "error", {"missing_evidence"}),
    "silent": ("state_topic_switch", "timed_out", {"missing_evidence"}),
    "dies": ("state_topic_switch", "error", {"missing_evidence"}),
}


@pytest.fixture
def play(story, assay, tmp_path):
    """Run the application with a fault over some cases: statuses by case, verdicts or result statuses by case."""
    for name in ("behaviour.yaml", "cases.yaml"):
        assert assay("freeze", SOURCES / name).code == 0

    def run(fault, *cases):
        settings = tmp_path / "settings.yaml"
        listed = f"cases: [{', '.join(cases)}]\n" if cases else ""
        settings.write_text(f"capabilities: [{', '.join(CAPABILITIES)}]\nsolver_timeout_s: 5\n{listed}")
        command = f"{sys.executable} {APPLICATION} 2 {fault}"
        ran = assay("run", "homestead-alignment-seed@1", "--solver", command, "--settings", settings)
        assert ran.code == 0, ran.err
        records = [entry.document for entry in story.ledger.at().entries("runs")]
        statuses = {one["sample"]["item"]: one["status"] for one in records if kind_of(one) == "observation"}
        results = {
            one["sample"].rpartition(".")[0]: {result["verdict"] or result["status"] for result in one["results"]}
            for one in records
            if kind_of(one) == "evaluation"
        }
        return statuses, results

    return run


def test_the_story_ends_in_a_decision_with_its_reasons(assay, tmp_path):
    told = assay("demo", "acceptance", tmp_path / "played")

    assert told.code == 0, told.err
    assert len(told.out.splitlines()) < 60
    assert "version 2 may be released (PASS)" in told.out
    assert told.out.count("\n$ ") == len(list(steps()))
    assert [line for line in told.out.splitlines() if line.startswith("Candidate decision")] == [
        "Candidate decision: PASS",
        "Candidate decision: INCONCLUSIVE",
        "Candidate decision: FAIL",
    ]
    assert "Comparable pairs: 25 / 25; improved: 5; unchanged: 20; regressed: 0" in told.out
    assert "Gate: blocking violation observed (evidence_instruction_in_source)" in told.out
    assert "every promise held" in told.out


def test_a_story_is_told_by_its_name_in_a_folder_of_its_own(assay, tmp_path):
    laid_out = assay("demo", "acceptance", tmp_path / "one", "--files-only")
    as_before = assay("demo", "--story", "acceptance", tmp_path / "two", "--files-only")
    too_much = assay("demo", "acceptance", "one", "two")

    assert (laid_out.code, as_before.code, too_much.code) == (0, 0, 2)
    assert [path.name for path in sorted((tmp_path / "one").iterdir())] == ["app", "settings", "sources"]
    assert "expected a story and a folder" in too_much.err


def test_files_are_laid_out_only_in_an_empty_folder(tmp_path):
    lay_out(tmp_path / "demo")

    assert {path.name for path in (tmp_path / "demo").iterdir()} == {"sources", "app", "settings"}
    with pytest.raises(Refused):
        lay_out(tmp_path / "demo")


def test_the_sound_application_is_as_expected_in_every_case(play):
    statuses, results = play("")

    assert (len(statuses), set(statuses.values())) == (18, {"completed"})
    assert {case for case, found in results.items() if found != {"met"}} == {
        "quantity_unit_substitution",
        "quantity_comparator_changed",
    }


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_shows_where_it_belongs_and_nowhere_else(play, fault):
    case, status, expected = FAULTS[fault]
    other = "absence_empty_property"

    statuses, results = play(fault, other, case) if fault not in ("unclean", "stale") else play(fault, case)

    assert (statuses[case], results[case]) == (status, expected)
    assert (statuses.get(other, "completed"), results.get(other, {"met"})) == ("completed", {"met"})


def test_one_session_for_everybody_leaves_no_number(play, assay):
    play("shares", "fire_blown_out", "absence_empty_property")

    scored = assay("score", "latest")

    assert scored.code == 3
    assert "no number" in scored.out
