"""The publish rule: everything named, one field missing named exactly, unknown is not clean, and it recomputes."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import pytest

from assay.contract.demands import Demands
from assay.errors import Inconclusive
from assay.record import canonical, schema
from assay.record.digest import digest
from assay.weigh.conditions import HistoryFacts
from assay.weigh.publish import decide, publication, recompute
from weigh.story import (
    CONTROLS,
    ENVIRONMENT,
    RUN,
    SCORER,
    dossier,
    evaluation,
    observation,
    scan,
    story,
    withdrawal,
)

IDENTITY = f"{RUN}/publish-c07b9f/publication"
READ_AT = "a" * 40
SEEDLESS = {"name": "seed", "values": []}


def failing(decision):
    return {condition.rule: condition.held for condition in decision.conditions if condition.held is not True}


def with_scorer(commit, source=SCORER["source_sha256"]):
    """A run whose every judgment names this scorer."""
    told = story()
    scorer = {**SCORER, "commit": commit, "source_sha256": source}
    judged = tuple(
        evaluation(o, "met", evaluator={**scorer, "kind": "deterministic"}) for o in told.material.observations
    )
    told = replace(told, material=replace(told.material, evaluations=judged))
    return told.with_run(scorer=scorer)


def without_fixture_pin(told):
    """A run that names its fixture but pins nothing."""
    weighed = dossier(told).score
    run = {**weighed.run, "fixtures": [{"role": "dataset", "name": "two-repairs@0.3.1", "pin": {}}]}
    return replace(dossier(told), score=replace(weighed, run=run))


def test_a_complete_run_is_publishable_with_every_condition_shown():
    decision = decide(dossier())

    assert decision.publishable
    assert (decision.decision, decision.treat_as) == ("publishable", ())
    assert all(condition.evidence for condition in decision.conditions)


@pytest.mark.parametrize(
    ("broken", "rule", "row"),
    [
        (lambda: without_fixture_pin(story()), "fixture", "Demo note"),
        (lambda: dossier(with_scorer(None)), "scorer", "Internal number"),
        (lambda: dossier(with_scorer("")), "scorer", "Internal number"),
        (
            lambda: dossier(story().with_run(replicate=SEEDLESS)),
            "replicates",
            "Exploratory probe",
        ),
        (lambda: dossier(story().with_run(environment=None)), "environment", "Internal number"),
        (
            lambda: dossier(story().with_run(environment={**ENVIRONMENT, "sha256": None})),
            "environment",
            "Internal number",
        ),
        (
            lambda: dossier(story().with_run(environment={**ENVIRONMENT, "python": "3.12.1"})),
            "environment",
            "Internal number",
        ),
        (
            lambda: dossier(story().with_run(generation={"temperature": None, "collected_from": None})),
            "temperature",
            "Exploratory probe",
        ),
        (lambda: dossier(scans=(scan("contaminated"),)), "holdout", "Contaminated run"),
        (lambda: dossier(story().with_recall(SCORER["source_sha256"])), "recall", "Internal number"),
    ],
)
def test_one_missing_field_is_named_and_nothing_else(broken, rule, row):
    decision = decide(broken())

    assert failing(decision) == {rule: False}
    assert decision.treat_as == (row,)


@pytest.mark.parametrize(
    ("values", "distinct"),
    [([11, 11, 11], 1), ([11, 29, 29], 2), (["11", 11, "11.0"], 1), ([11, 29], 2), (["11 ", 11, "1.1e1"], 1)],
)
def test_three_spellings_of_one_seed_are_one_seed(values, distinct):
    decision = decide(dossier(story().with_run(replicate={"name": "seed", "values": values})))

    assert failing(decision) == {"replicates": False}
    shown = next(condition.evidence for condition in decision.conditions if condition.rule == "replicates")
    assert f"{distinct} distinct; 3 needed" in shown


def test_no_scan_is_unknown_and_not_clean():
    decision = decide(dossier(scans=()))

    assert failing(decision) == {"holdout": None}
    assert decision.treat_as == ("Unproven run",)


def test_a_mention_is_no_contamination_and_a_scan_of_another_revision_is_no_scan():
    mention = {"kind": "mention", "item": "window", "root": "docs", "path": "a.md", "line": 1, "words": 0}
    elsewhere = scan(fixture={"path": "corpus/other/1/fixture.json", "sha256": digest(b"other")})

    assert decide(dossier(scans=(scan(findings=[mention]),))).publishable
    assert failing(decide(dossier(scans=(elsewhere,)))) == {"holdout": None}


def test_a_contaminated_scan_is_not_cured_by_a_clean_one_unless_it_is_withdrawn():
    guilty = scan("contaminated", id="2026-11-29-scan-two-repairs-bbbbbb/scan")
    scans = (guilty, scan())

    assert failing(decide(dossier(scans=scans))) == {"holdout": False}
    assert decide(dossier(scans=scans, withdrawals=(withdrawal(guilty),))).publishable


@pytest.mark.parametrize(
    ("change", "held"),
    [
        ({"network": {"solver": "on", "judge": "off"}}, False),
        ({"network": {"solver": "off", "judge": "on"}}, False),
        ({"network": {"solver": "unknown", "judge": "off"}}, None),
        ({"isolation": "none"}, False),
        ({"isolation": "unknown"}, None),
        ({"fresh_process": False}, False),
        ({"fresh_workdir": None}, None),
    ],
)
def test_a_control_that_the_fixture_demands_makes_it_an_uncontrolled_run(change, held):
    decision = decide(dossier(story().with_run(controls={**CONTROLS, **change})))

    assert failing(decision) == {"controls": held}
    assert decision.treat_as == ("Uncontrolled run",)


def test_an_open_network_is_no_fault_where_the_fixture_allows_it():
    told = story().with_run(controls={**CONTROLS, "network": {"solver": "on", "judge": "off"}})

    assert decide(dossier(told, demands=Demands(solver_network_off=False))).publishable


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"frozen_before_run": None}, {"frozen-before-run": None}),
        ({"frozen_before_run": False}, {"frozen-before-run": False}),
        ({"planned_before_observed": None}, {"planned-before-observed": None}),
        ({"planned_before_observed": False}, {"planned-before-observed": False}),
    ],
)
def test_what_history_does_not_show_is_unproven(facts, expected):
    whole = dossier()
    decision = decide(replace(whole, history=replace(whole.history, **facts)))

    assert failing(decision) == expected
    assert decision.treat_as == ("Unproven run",)


@pytest.mark.parametrize(
    ("frozen_at", "planned_at", "held"),
    [
        ("2026-09-03T23:30:00-02:00", "2026-09-04T01:00:00Z", False),
        ("2026-09-03T23:30:00-02:00", "2026-09-04T02:00:00Z", True),
        ("2026-09-03 23:30:00-02:00", "2026-09-04T01:00:00Z", False),
        ("2026-09-03T23:30:00", "2026-09-04T02:00:00Z", False),
        ("2026-09-03 23:30:00", "2026-09-04T02:00:00Z", False),
        ("2026-09-03", "2026-09-02T23:00:00Z", True),
        ("2026-09-03", "2026-09-02T09:00:00Z", False),
        (None, "2026-09-02T09:00:00Z", True),
        ("in spring", "2026-09-02T09:00:00Z", True),
    ],
)
def test_instants_decide_who_was_first_and_not_their_spelling(frozen_at, planned_at, held):
    told = story().with_run(recorded_at=planned_at)
    record = {**told.material.fixture.record, "frozen_at": frozen_at}
    told = replace(told, material=replace(told.material, fixture=replace(told.material.fixture, record=record)))

    found = {c.rule: c.held for c in decide(dossier(told)).conditions}

    assert found["frozen-before-run"] is held


def test_a_harness_failure_blocks_publishing():
    decision = decide(dossier(story({"a": "met met violated", "b": "met timed_out harness", "c": "met met met"})))

    assert failing(decision) == {"samples": False, "harness": False}
    assert decision.treat_as == ("Incomplete run",)


@pytest.mark.parametrize("word", ["missing", "unjudged"])
def test_a_hole_makes_it_an_incomplete_run_and_is_named(word):
    decision = decide(dossier(story({"header": f"met met {word}"})))

    evidence = next(condition.evidence for condition in decision.conditions if condition.rule == "samples")
    assert failing(decision) == {"samples": False}
    assert "header.47" in evidence


def test_a_run_without_any_result_is_not_publishable():
    decision = decide(dossier(story({"header": "missing missing missing"})))

    assert "samples" in failing(decision)


def test_contested_cells_are_named_and_block_publishing():
    told = story()
    second = observation(told.material.samples[0], "met", act="capture-cccccc", output="other")

    decision = decide(dossier(told.with_observations(second)))

    assert failing(decision) == {"samples": False, "contested": False}
    evidence = next(condition.evidence for condition in decision.conditions if condition.rule == "contested")
    assert "header.11 (2 observations, differing)" in evidence


def test_even_the_same_result_twice_waits_for_somebody_to_withdraw_one():
    told = story()
    twin = observation(told.material.samples[0], "met", act="capture-cccccc")
    told = told.with_observations(twin)

    assert failing(decide(dossier(told))) == {"contested": False}
    assert decide(dossier(told.with_withdrawal(twin))).publishable


def test_a_withdrawn_plan_is_an_internal_number():
    told = story()

    decision = decide(dossier(told.with_withdrawal(told.material.run)))

    assert failing(decision) == {"withdrawn": False}
    assert decision.treat_as == ("Internal number",)


def test_imported_responses_can_be_publishable_and_are_marked_user_declared():
    decision = decide(dossier(story().with_run(origin="imported")))

    marked = {condition.rule for condition in decision.conditions if "user-declared" in condition.evidence}
    assert decision.publishable
    assert marked == {"temperature", "controls", "frozen-before-run"}


def test_responses_collected_before_the_freeze_are_not_after_it():
    generation = {"temperature": "0", "collected_from": "2026-08-01", "collected_until": "2026-08-02"}

    decision = decide(dossier(story().with_run(origin="imported", generation=generation)))

    assert failing(decision) == {"frozen-before-run": False}


def test_all_reasons_are_given_and_the_rows_keep_the_order_of_the_table():
    told = story({"header": "met"}, seeds=(11,)).with_run(controls={**CONTROLS, "isolation": "none"})

    decision = decide(dossier(told, scans=(scan("contaminated"),), history=HistoryFacts()))

    assert decision.treat_as == ("Contaminated run", "Uncontrolled run", "Exploratory probe", "Unproven run")


def test_the_publication_is_a_valid_record():
    document = publication(decide(dossier()), identity=IDENTITY, read_at=READ_AT)

    assert schema.faults(document) == ()
    assert canonical.decode(canonical.encode(document)) == document
    assert document["metrics"]["met_of_planned"] == "0.833333"


def recomputed(document, whole, told):
    return recompute(document, told.material, scans=whole.scans, demands=whole.demands)


def test_a_publication_recomputes_from_its_basis():
    told = story()
    whole = dossier(told)

    document = publication(decide(whole), identity=IDENTITY, read_at=READ_AT)

    assert recomputed(document, whole, told) == ()


@pytest.mark.parametrize(
    ("path", "lie", "member"),
    [
        (("metrics", "met"), 6, "met"),
        (("metrics", "met_of_planned"), "1.000000", "met_of_planned"),
        (("metrics", "invented"), "1", "invented"),
        (("decision",), "not_publishable", "decision"),
        (("treat_as",), ["Demo note"], "treat_as"),
        (("conditions", 3, "held"), False, "condition replicates"),
    ],
)
def test_a_stated_number_that_differs_is_named(path, lie, member):
    told = story()
    whole = dossier(told)
    document = publication(decide(whole), identity=IDENTITY, read_at=READ_AT)
    *parents, last = path
    reduce(lambda inside, key: inside[key], parents, document)[last] = lie

    assert [difference.member for difference in recomputed(document, whole, told)] == [member]


def test_a_basis_with_a_record_too_many_is_named():
    told = story()
    whole = dossier(told)
    document = publication(decide(whole), identity=IDENTITY, read_at=READ_AT)
    document["basis"].append({"path": "runs/2026-11/x/run.json", "sha256": digest(b"x")})

    assert [difference.member for difference in recomputed(document, whole, told)] == ["basis"]


def test_a_basis_with_a_record_too_few_does_not_give_the_stated_number():
    told = story()
    whole = dossier(told)
    document = publication(decide(whole), identity=IDENTITY, read_at=READ_AT)
    document["basis"] = [pin for pin in document["basis"] if "0006-window.47" not in pin["path"]]

    members = {difference.member for difference in recomputed(document, whole, told)}
    assert {"observed", "condition samples", "decision"} <= members


def test_history_is_re_reported_and_never_a_fault_of_recomputation():
    told = story()
    whole = replace(dossier(told), history=HistoryFacts(frozen_before_run=True, planned_before_observed=None))
    document = publication(decide(whole), identity=IDENTITY, read_at=READ_AT)

    assert recomputed(document, whole, told) == ()
    assert document["decision"] == "not_publishable"


def test_what_was_recorded_later_changes_nothing_in_a_publication():
    told = story()
    whole = dossier(told)
    document = publication(decide(whole), identity=IDENTITY, read_at=READ_AT)
    later = told.with_recall(SCORER["source_sha256"]).with_withdrawal(told.material.observations[0])
    later = later.with_observations(observation(told.material.samples[0], "met", act="capture-cccccc", output="other"))
    scans = (*whole.scans, scan("contaminated", id="2026-12-02-scan-two-repairs-cccccc/scan"))

    assert recompute(document, later.material, scans=scans) == ()


def test_a_recall_that_decided_who_judged_is_part_of_the_basis():
    other = {**SCORER, "kind": "deterministic", "source_sha256": digest(b"better scorer")}
    told = story().with_recall(SCORER["source_sha256"])
    told = told.with_evaluations(
        *(evaluation(o, "met", act="judge-tests-dddddd", evaluator=other) for o in told.material.observations)
    )
    whole = dossier(told)

    document = publication(decide(whole), identity=IDENTITY, read_at=READ_AT)

    assert any(pin["path"].endswith("recall.json") for pin in document["basis"])
    assert recomputed(document, whole, told) == ()
    assert document["metrics"]["met_of_planned"] == "1.000000"


@pytest.mark.parametrize("changed", [{"score_method": "score/2"}, {"method": "publish/2"}])
def test_an_unknown_method_is_not_provable(changed):
    told = story()
    document = publication(decide(dossier(told)), identity=IDENTITY, read_at=READ_AT)

    with pytest.raises(Inconclusive, match="unknown method"):
        recompute({**document, **changed}, told.material)
