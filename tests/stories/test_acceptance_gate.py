"""Two versions of an application: run, reviewed, compared under a frozen policy; qualified, promoted."""

from __future__ import annotations

import csv
import io

import pytest

from assay.errors import InputError
from assay.flows.compare import recompute_comparison
from assay.flows.qualify import recompute_qualification
from assay.record.kinds import kind_of
from stories.acceptance_app import BAD, GOOD, App, freeze, run

pytestmark = pytest.mark.slow


@pytest.fixture
def gate(assay):
    """A ledger with behaviours, cases and the policy frozen."""
    freeze(assay, "behaviour.yaml", "cases.yaml", "policy.yaml")
    return assay


@pytest.fixture
def runs(story, gate):
    """A baseline that misbehaves in one case and a candidate that does not."""
    return run(story, App(BAD)), run(story, App(GOOD, revision="2"))


def lines(ended):
    return ended.out.splitlines()


def test_an_improved_application_passes_with_every_number_beside_its_denominator(gate, runs):
    baseline, candidate = runs

    compared = gate("compare", baseline, candidate, "--policy", "homestead-release-gate")

    assert (compared.code, compared.err) == (0, "")
    assert lines(compared)[:3] == [
        "Candidate decision: PASS",
        "Execution: 3 / 3 completed",
        "Required criterion coverage: 4 / 4 (100%)",
    ]
    assert "Comparable pairs: 4 / 4; improved: 1; unchanged: 3; regressed: 0" in compared.out


def test_the_other_way_round_fails_with_the_violation_by_name(gate, runs):
    baseline, candidate = runs

    compared = gate("compare", candidate, baseline, "--policy", "homestead-release-gate")

    assert compared.code == 1
    assert "Gate: blocking violation observed (fire_blown_out)" in compared.out


def test_a_timeout_is_inconclusive_and_the_missing_pair_is_named(story, gate):
    baseline = run(story, App(GOOD))
    candidate = run(story, App(GOOD, revision="2", times_out=("fire_blown_out",)))

    compared = gate("compare", baseline, candidate, "--policy", "homestead-release-gate")

    assert compared.code == 3
    assert "Execution: 2 / 3 completed; 1 timed out" in compared.out
    assert "Missing pair: fire_blown_out" in compared.out
    assert lines(compared)[-1] == "Gate: full required coverage not satisfied"


def test_drafts_alone_never_turn_the_strict_gate_green(gate, runs):
    compared = gate("compare", *runs)

    assert compared.code == 3
    assert "4 verdicts are drafts that nobody reviewed" in compared.out


def test_a_policy_written_after_the_plan_decides_nothing(story, gate, runs, tmp_path):
    later = tmp_path / "later.yaml"
    later.write_text((story.root / "corpus/homestead-release-gate/1/policy.yaml").read_text().replace('"1"', '"2"', 1))
    assert gate("freeze", later).code == 0

    compared = gate("compare", *runs, "--policy", "homestead-release-gate@2")

    assert compared.code == 3
    assert lines(compared)[-1] == "Gate: the policy was not committed before the candidate was planned"


def test_comparing_slicing_and_exporting_again_ask_nobody_and_give_the_same_bytes(story, gate):
    apps = App(BAD), App(GOOD, revision="2")
    baseline, candidate = (run(story, app) for app in apps)
    asked = [len(app.asked) for app in apps]

    for form in ("text", "json", "junit", "markdown", "html"):
        first, second = (gate("compare", baseline, candidate, "--format", form) for _ in range(2))
        assert first.out == second.out

    assert [len(app.asked) for app in apps] == asked == [4, 4]
    assert story.status == ""


def test_labels_come_in_chains_and_an_earlier_decision_stays_what_it_was(story, gate, runs):
    baseline, candidate = runs
    before = story.head

    story.tick()
    added = gate(
        *("review", "add", candidate, "fire_blown_out.1", "task_match", "violated"),
        *("--why", "it does not say which wood", "--quote", "answer:Lay the wood"),
    )

    assert added.code == 0, added.err
    now = gate("compare", baseline, candidate, "--policy", "homestead-release-gate")
    then = gate("compare", baseline, candidate, "--policy", "homestead-release-gate", "--at", before)
    assert (now.code, then.code) == (1, 0)
    assert gate("verify").code == 0


def test_a_label_in_the_name_of_somebody_else_never_turns_a_gate_green(story, gate, runs):
    story.tick()
    added = gate("review", "add", runs[1], "fire_blown_out.1", "task_match", "met", "--why", "read it")
    assert added.code == 0, added.err
    (path,) = [path for path in story.ledger.at().paths("runs") if "/review-" in path]
    forged = story.show(path).decode().replace("Ada Example", "Bo Example").replace("/review-", "/review-x-")

    story.commit("a label of Bo, by Ada", {path.replace("/review-", "/review-x-"): forged})
    compared = gate("compare", *runs, "--policy", "homestead-release-gate")

    assert compared.code == 3
    assert "1 labels are not by the author of their commit (Bo Example" in compared.out


def test_a_quote_that_is_not_there_is_refused_and_nothing_is_recorded(story, gate, runs):
    before = story.head

    refused = gate(
        *("review", "add", runs[1], "fire_blown_out.1", "task_match", "met", "--why", "good"),
        *("--quote", "answer:Use paracord"),
    )

    assert refused.code == 2
    assert "'Use paracord' is not in answer" in refused.err
    assert story.head == before


def filled(text, verdict, why):
    rows = list(csv.reader(io.StringIO(text, newline="")))
    for cells in rows[1:]:
        cells[rows[0].index("verdict")] = verdict
        cells[rows[0].index("rationale")] = why
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


def test_a_spreadsheet_goes_out_and_comes_back_once(story, gate, runs, tmp_path):
    file = tmp_path / "labels.csv"
    assert gate("review", "export", runs[1], file).code == 0
    assert gate("review", "export", runs[1], file).code == 2
    file.write_text(filled(file.read_text(), "met", "as it should be"), newline="")

    story.tick()
    first = gate("review", "import", runs[1], file)
    again = gate("review", "import", runs[1], file)

    assert first.out.startswith("4 labels recorded in commit"), first.err
    assert again.out == "nothing new: every label stands already\n"
    listed = gate("review", "list", runs[1], "--format", "json").json
    assert listed["states"] == {"opinion": 4}
    assert gate("compare", *runs).code == 0


def test_an_evaluator_is_qualified_against_labels_and_the_record_verifies(story, gate, runs):
    for case, verdict in (("fire_blown_out.1", "met"), ("absence_empty_property.1", "violated")):
        story.tick()
        assert gate("review", "add", runs[1], case, "task_match", verdict, "--why", "looked at it").code == 0

    story.tick()
    found = gate("qualify", runs[1], "--format", "json")

    assert found.code == 0, found.err
    whole = found.json["groups"][0]
    assert (whole["labelled"], whole["agreement"]["count"], whole["false_pass"]["count"]) == (2, 1, 1)
    assert gate("verify").code == 0


def test_a_settled_case_becomes_the_next_version_of_its_source(story, gate, runs, tmp_path):
    story.tick()
    settled = gate(
        *("review", "add", runs[0], "fire_blown_out.1", "task_match", "violated"),
        *("--why", "goes on blowing", "--role", "adjudication"),
    )
    assert settled.code == 0, settled.err
    file = tmp_path / "cases.json"

    promoted = gate("promote", runs[0], "fire_blown_out.1", file, "--version", "2", "--as", "fire_keeps_blowing")
    story.tick()
    frozen = gate("freeze", file)

    assert (promoted.code, frozen.code) == (0, 0), promoted.err + frozen.err
    assert "19 items" in story.log[0]


def test_a_comparison_is_recorded_where_the_candidate_lies_and_verifies(story, gate, runs):
    story.tick()
    compared = gate("compare", *runs, "--policy", "homestead-release-gate", "--record")

    assert compared.code == 0, compared.err
    assert story.log[0].startswith("compare: pass, 1 improved, 3 unchanged, 0 regressed")
    assert gate("verify").code == 0


def test_a_recorded_decision_follows_from_its_basis_whatever_was_said_later(story, gate, runs):
    def label(verdict, *more):
        story.tick()
        added = gate("review", "add", runs[1], "fire_blown_out.1", "task_match", verdict, "--why", "read it", *more)
        assert added.code == 0, added.err

    label("met")
    story.tick()
    assert gate("qualify", runs[1]).code == 0
    story.tick()
    assert gate("compare", *runs, "--policy", "homestead-release-gate", "--record").code == 0
    label("violated")

    snapshot = story.ledger.at()
    found = {kind_of(entry.document): entry.document for entry in snapshot.entries("runs")}
    comparison, qualification = found["comparison"], found["qualification"]
    assert recompute_comparison(snapshot, comparison) == ()
    assert recompute_qualification(snapshot, qualification) == ()
    assert recompute_comparison(snapshot, {**comparison, "decision": "fail"}) == ("decision",)
    assert recompute_qualification(snapshot, {**qualification, "groups": []}) == ("groups",)


def test_two_surfaces_are_told_apart_and_the_application_is_not_averaged_with_the_evaluator(story, gate):
    cases = ("fire_blown_out", "quantity_unit_substitution")
    baseline, candidate = (run(story, App(answers), cases=cases) for answers in (GOOD, BAD))

    compared = gate("compare", baseline, candidate)

    assert compared.code == 1
    assert lines(compared)[-2:] == [
        "Surface app e2e: 1 / 1 scored, 0 met, 1 blocking violations",
        "Surface evaluator only: 1 / 1 scored, 1 met, 0 blocking violations",
    ]


def test_what_a_target_cannot_do_is_refused_before_anything_is_committed(story, gate):
    app, before = App(GOOD), story.head

    with pytest.raises(InputError) as caught:
        run(story, app, capabilities=("reset", "request_identity"))

    assert caught.value.faults == ("state_topic_switch: the target does not support session",)
    assert (app.asked, story.head) == ([], before)


def test_a_run_against_itself_tells_how_often_the_gate_flips(story, gate):
    repeated = run(story, App(GOOD), repetitions=(1, 2, 3))

    steady = gate("compare", repeated, "--aa", "--policy", "homestead-release-gate")
    single = gate("compare", run(story, App(GOOD)), "--aa")

    assert lines(steady)[0] == "A/A: two decisions on identical inputs differ with a chance of 0.000"
    assert "one repetition" in single.out


def test_a_score_shows_the_surfaces_apart(gate, runs):
    scored = gate("score", runs[1])

    assert scored.code == 0, scored.err
    assert "app e2e: as expected" in scored.out


def test_an_unknown_name_in_a_policy_is_a_wrong_input(story, gate, runs, tmp_path):
    wrong = tmp_path / "wrong.yaml"
    text = (story.root / "corpus/homestead-release-gate/1/policy.yaml").read_text()
    wrong.write_text(text.replace('"1"', '"3"', 1) + "min_verdict: {kindness: met}\n")
    assert gate("freeze", wrong).code == 0

    refused = gate("compare", *runs, "--policy", "homestead-release-gate@3")

    assert refused.code == 2
    assert "there is no criterion 'kindness'" in refused.err
