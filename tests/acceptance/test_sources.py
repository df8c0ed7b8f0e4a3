"""Sources: nine commitments, eighteen cases in six families, observed failures, policies; every fault in one go."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from acceptance.making import SUITE, content, source
from assay.acceptance.behaviour import behaviour_of
from assay.acceptance.cases import read_cases
from assay.acceptance.content import load_content
from assay.acceptance.draft import is_acceptance_source, read_draft
from assay.acceptance.failures import read_failures
from assay.acceptance.fields import read_source
from assay.acceptance.policy import read_policy
from assay.errors import InputError
from assay.record import schema, strict_yaml
from assay.record.digest import digest
from assay.record.pins import Pin

NAMES = ["behaviour.yaml", "cases.yaml", "failures.yaml", "policy.yaml"]


def changed(name, old, new):
    data = source(name)
    assert old.encode() in data
    return data.replace(old.encode(), new.encode(), 1)


def faults(read, data, name="x.yaml"):
    with pytest.raises(InputError) as caught:
        read(data, name)
    return "\n".join(caught.value.faults)


def test_the_specification_has_nine_commitments_with_severity_and_three_anchors_each():
    behaviour = behaviour_of(read_source(source("behaviour.yaml"), "behaviour.yaml"))

    assert len(behaviour.commitments) == 9
    assert Counter(one.severity for one in behaviour.commitments.values()) == {
        "blocking": 5,
        "graded": 2,
        "blocking_when_applicable": 2,
    }
    assert all(set(one.anchors) == {"met", "partially_met", "violated"} for one in behaviour.commitments.values())


def test_eighteen_cases_lie_in_six_families_on_three_surfaces():
    cases = read_cases(source("cases.yaml"), "cases.yaml")

    assert [len(family.cases) for family in cases.families] == [3] * 6
    assert Counter(case.surface for case in cases.cases) == {"app_e2e": 12, "controlled_app": 3, "evaluator_only": 3}


@pytest.mark.parametrize("name", NAMES)
def test_every_source_freezes_to_a_valid_fixture_record_that_follows_from_its_bytes(name):
    draft = read_draft(source(name), name)

    record, payloads = draft.freeze(superseded=None, secret=None)

    assert schema.faults(record) == ()
    assert record["files"] == [{"path": name, "sha256": digest(source(name)), "bytes": len(source(name))}]
    assert payloads == {name: source(name)}
    assert is_acceptance_source(source(name), name)


@pytest.mark.parametrize("name", NAMES)
def test_a_source_in_json_is_known_however_it_is_laid_out(name):
    document = json.loads(json.dumps(strict_yaml.plain(strict_yaml.load(source(name), name).checked()), default=str))

    for indent, sort in ((None, False), (None, True), (2, True)):
        data = json.dumps(document, indent=indent, sort_keys=sort).encode()
        assert is_acceptance_source(data, "source.json")
        assert read_draft(data, "source.json").items == read_draft(source(name), name).items


def test_a_source_that_supersedes_needs_exactly_that_revision():
    draft = read_draft(changed("policy.yaml", "status: draft", 'supersedes: "0"\nstatus: draft'), "policy.yaml")
    older = Pin("corpus/homestead-release-gate/0/fixture.json", digest(b"older"))

    assert draft.freeze(superseded=older, secret=None)[0]["supersedes"] == older.to_json()
    with pytest.raises(InputError, match="supersedes: expected version 0, got no revision"):
        draft.freeze(superseded=None, secret=None)


def test_another_schema_is_named_with_the_ones_there_are():
    with pytest.raises(InputError, match=r"expected a schema of acceptance-behaviour/1.*\(got coding-eval/v1\)"):
        read_draft(b"schema: coding-eval/v1\n", "x.yaml")


def test_all_faults_of_a_source_are_told_at_once_with_their_lines():
    data = changed("cases.yaml", "surface: app_e2e", "surface: somewhere").replace(
        b"selection: >-", b"selektion: >-", 1
    )

    told = faults(read_cases, data)

    assert "families[1].cases[1].surface: expected one of app_e2e" in told
    assert "selektion: unknown field (did you mean selection?)" in told
    assert "expected selection, got nothing (the field is missing)" in told


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("id: wet_fire_materials", "id: binding_materials", "is there twice; a family is never split"),
        ("id: fire_everything_wet", "id: binding_no_rope", "case 'binding_no_rope' is in binding_materials and in"),
        ("origin: [q40]", "origin: [q31]", "no such fault"),
        ("said: no rope\n", "said: no string\n", "turn 1 does not say 'no string'"),
        ("commitment: useful_next_step", "commitment: hazard_in_step", "is no commitment of family binding_materials"),
        ("            expected: met\n", "", "says which verdict is expected"),
        ('        answer: "Water freezes at 0 C [1]."\n', "", "has a fixed answer and evidence"),
        ("evidence: {capture: complete, excerpts: []}", "needs: [session]", "where it is held constant"),
    ],
)
def test_what_does_not_hold_together_in_a_case_is_refused(old, new, told):
    data = changed("cases.yaml", old, new)

    if told == "no such fault":
        assert read_cases(data, "x.yaml")
    else:
        assert told in faults(read_cases, data)


def test_one_origin_never_lies_in_two_splits():
    data = changed("cases.yaml", "    split: seed\n    origin: [q40]", "    split: holdout\n    origin: [q31]")

    assert "both derive from 'q31': one split only" in faults(read_cases, data)


def test_cases_are_refused_with_a_specification_that_they_do_not_name():
    other = changed("behaviour.yaml", 'dataset_version: "1"', 'dataset_version: "2"')

    with pytest.raises(InputError, match="the cases speak of homestead-reference-behaviour@1, but"):
        content(behaviour=other)


def test_two_sources_of_cases_in_one_run_are_refused():
    with pytest.raises(InputError, match="expected at most one source of cases, got 2"):
        load_content({"a.yaml": source("cases.yaml"), "b.yaml": source("cases.yaml")})


def test_a_frozen_source_that_cannot_be_read_is_refused_and_other_files_beside_it_may_be_anything():
    record = {"format": "acceptance-cases/1", "source": "cases.yaml"}

    assert SUITE.load(record, {"cases.yaml": source("cases.yaml"), "notes.yaml": b"a: [\n"}).cases
    with pytest.raises(InputError):
        SUITE.load(record, {"cases.yaml": source("cases.yaml") + b"a: [\n"})


def test_a_source_of_another_suite_is_left_to_it():
    assert not is_acceptance_source(b"schema: coding-eval/v1\n# acceptance-cases/1\n", "x.yaml")
    assert is_acceptance_source(b'{"dataset_id": "x",\n  "schema": "acceptance-cases/1"\n}', "x.json")


def test_a_severity_that_does_not_fit_its_applicability_is_refused():
    data = changed("behaviour.yaml", "severity: blocking_when_applicable", "severity: blocking")

    assert "does not go with applies reviewed_hazard" in faults(
        lambda text, name: behaviour_of(read_source(text, name)), data
    )


def test_a_requirement_is_a_sentence_or_a_demand_that_gates_wait_for():
    def read(data, name="behaviour.yaml"):
        return behaviour_of(read_source(data, name))

    behaviour = read(source("behaviour.yaml"))

    (demand,) = behaviour.reviews_first
    assert (demand.reviewer, demand.commitments, demand.minimum) == ("domain_reviewer", ("hazard_in_step",), 1)
    assert len(behaviour.review_requirements) == 2
    two = read(changed("behaviour.yaml", "[hazard_in_step]", "[hazard_in_step]\n    minimum: 2"))
    assert two.reviews_first[0].minimum == 2
    odd = changed("behaviour.yaml", "commitments: [hazard_in_step]", "commitments: [kindness]")
    assert "there is no commitment 'kindness'" in faults(read, odd)


def test_a_policy_says_who_counts_as_what_and_cannot_demand_somebody_it_does_not_name():
    rules = (
        "reviews: {reviewers: {owner: [Ada <ada@x.org>]}, demands: [{reviewer: owner}, {minimum: 2}], signed: true}\n"
    )

    reviews = read_policy(source("policy.yaml") + rules.encode(), "policy.yaml").policy.reviews

    assert (reviews.signed, [str(one) for one in reviews.demands]) == (True, ["1 owner", "2 reviewers"])
    assert reviews.satisfies(reviews.demands[0], ["Ada Lovelace <ADA@x.org>"])
    odd = rules.replace("{reviewer: owner}", "{reviewer: chief}").replace("Ada <ada@x.org>", "Ada")
    told = faults(read_policy, source("policy.yaml") + odd.encode())
    assert "reviewers name nobody as chief" in told and "expected a person as" in told


def test_observed_failures_keep_what_is_unknown_unknown():
    failures = read_failures(source("failures.yaml"), "failures.yaml")

    assert [one.id for one in failures.failures] == ["q31", "q40"]
    assert failures.origin["generation_commit"] == "unknown"
    assert failures.origin["head_is_generation_commit"] is False
    assert failures.origin["capture_completeness"] == "not_declared_by_legacy_adapter"
    assert {(one.id, label.commitment, label.status) for one in failures.failures for label in one.labels} == {
        ("q31", "respect_constraints", "draft"),
        ("q31", "useful_next_step", "draft"),
        ("q40", "task_match", "draft"),
    }


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("sha256: sha256:abab4614...ca9e", "sha256: abab", "expected sha256:<64 hex>"),
        ("head_is_generation_commit: false", "head_is_generation_commit: true", "is not the inspected head"),
        ("        verdict: violated\n", "        verdict: violated\n        status: reviewed\n", "is a draft"),
        ("id: q40", "id: q31", "two failures have one id"),
    ],
)
def test_a_failure_cannot_claim_more_than_is_known(old, new, told):
    assert told in faults(read_failures, changed("failures.yaml", old, new))
