"""What follows from labels: an evaluator is qualified, a settled case is run again, a score is published."""

from __future__ import annotations

import json

import pytest

from assay.flows import identity
from stories.release import BEHAVIOUR, MET, VIOLATED, cases, freeze, policy, tried

pytestmark = pytest.mark.slow
ALL_MET = {"a": MET, "b": MET, "c": MET}
TRUSTING = "qualification: {agreement_at_least: 0.9, false_pass_at_most: 0, minimum: 3}"
PROMOTED = "a_settled"


@pytest.fixture
def label(story, assay):
    def add(run, sample, verdict, role="opinion"):
        story.tick()
        added = assay("review", "add", run, sample, "respect_constraints", verdict, "--why", "read it", "--role", role)
        assert added.code == 0, added.err

    return add


def last_line(assay, *arguments):
    ended = assay(*arguments)
    return ended.code, ended.out.splitlines()[-1]


def test_a_gate_demands_a_qualification_and_only_that_very_evaluator_revision_has_it(
    story, assay, label, tmp_path, monkeypatch
):
    drafts = cases(drafts=("a", "b", "c"))
    freeze(assay, tmp_path, behaviour=BEHAVIOUR, cases=drafts, policy=policy(TRUSTING))
    before = tried(assay, tmp_path, a=VIOLATED, b=MET, c=VIOLATED)
    after = tried(assay, tmp_path, "2", **ALL_MET)
    compared = ("compare", before, after, "--policy", "release")
    revision = identity.scorer()["source_sha256"]
    assert assay(*compared).code == 3
    assert f"no qualification of the evaluator {revision}" in " ".join(assay(*compared).out.split())

    for sample, verdict in (("a.1", "violated"), ("b.1", "met"), ("c.1", "violated")):
        label(before, sample, verdict, "adjudication")
    story.tick()
    assert assay("qualify", before, "--adjudicated").code == 0
    assert last_line(assay, *compared) == (0, "Gate: all required gates satisfied")

    monkeypatch.setattr(identity, "source_digest", lambda package: f"sha256:{'7' * 64}")
    other = [tried(assay, tmp_path, number, **ALL_MET) for number in ("3", "4")]
    ended = assay("compare", *other, "--policy", "release")
    assert ended.code == 3
    assert f"no qualification of the evaluator sha256:{'7' * 64}" in " ".join(ended.out.split())


def test_an_evaluator_that_passes_what_people_call_violated_opens_no_gate(story, assay, label, tmp_path):
    freeze(assay, tmp_path, behaviour=BEHAVIOUR, cases=cases(drafts=("a", "b", "c")), policy=policy(TRUSTING))
    before, after = (tried(assay, tmp_path, number, **ALL_MET) for number in ("1", "2"))
    for sample, verdict in (("a.1", "violated"), ("b.1", "met"), ("c.1", "met")):
        label(before, sample, verdict)
    story.tick()
    assert assay("qualify", before).code == 0

    ended = assay("compare", before, after, "--policy", "release")

    assert ended.code == 3
    assert "Gate: the evaluator agrees with 0.667 of the labels (at least 0.900 wanted)" in ended.out


def test_a_later_qualification_replaces_an_earlier_one(story, assay, label, tmp_path):
    freeze(assay, tmp_path, behaviour=BEHAVIOUR, cases=cases(drafts=("a", "b", "c")), policy=policy(TRUSTING))
    before, after = tried(assay, tmp_path, **{**ALL_MET, "a": VIOLATED}), tried(assay, tmp_path, "2", **ALL_MET)
    for sample, verdict in (("a.1", "met"), ("b.1", "met"), ("c.1", "met")):
        label(before, sample, verdict)
    codes = []
    for verdict in ("met", "violated", "partially_met"):
        label(before, "a.1", verdict, "adjudication")
        story.tick()
        assert assay("qualify", before).code == 0
        codes.append(assay("compare", before, after, "--policy", "release").code)

    assert codes == [3, 0, 3]


@pytest.fixture
def promoted(story, assay, label, tmp_path):
    """A ledger in which a person settled a case of a first run, and its next version in a file, not yet frozen."""
    freeze(assay, tmp_path, behaviour=BEHAVIOUR, cases=cases(), policy=policy())
    first = tried(assay, tmp_path, **{**ALL_MET, "a": VIOLATED})
    label(first, "a.1", "violated", "adjudication")
    file = tmp_path / "cases-2.json"
    ended = assay("promote", first, "a.1", file, "--version", "2", "--as", PROMOTED)
    assert ended.code == 0, ended.err
    return first, file


def test_a_promoted_case_is_run_later_in_its_family_with_its_lineage(story, assay, promoted, tmp_path):
    first, file = promoted
    story.tick()
    assert assay("freeze", file).code == 0

    later = tried(assay, tmp_path, "2", fixture="trials@2", **ALL_MET, **{PROMOTED: MET})

    (family,) = (one for one in json.loads(file.read_text())["families"] if one["id"] == "family_a")
    case = next(one for one in family["cases"] if one["id"] == PROMOTED)
    assert (family["split"], case["turns"], case["lineage"]["run"]) == ("seed", ["Case a?"], first)
    assert "A person judged the answer" in case["expectations"][0]["says"]
    listed = {
        one["sample"]: one["judged"] for one in assay("review", "list", later, "--format", "json").json["results"]
    }
    assert listed[f"{PROMOTED}.1"] == "met"
    compared = assay("compare", first, later, "--policy", "release")
    assert compared.code == 3
    assert f"Gate: cases on one side only ({PROMOTED} only in the candidate)" in compared.out
    assert "Comparable pairs: 3 / 4; improved: 1; unchanged: 2; regressed: 0" in compared.out


def test_a_later_version_cannot_move_a_family_or_what_derives_from_it_to_another_split(story, assay, promoted):
    _, file = promoted
    source = json.loads(file.read_text())
    (family,) = (one for one in source["families"] if one["id"] == "family_a")
    alone = {**family, "id": "fresh", "split": "test", "cases": [family["cases"].pop()]}
    told = []
    for families in ([{**family, "split": "test"}, *source["families"][1:]], [*source["families"], alone]):
        file.write_text(json.dumps({**source, "families": families}))
        told.append(assay("freeze", file))

    assert [one.code for one in told] == [2, 2]
    assert "family family_a is in split test, but family family_a lies in split seed of trials@1" in told[0].err
    assert f"case {PROMOTED} is in split test, but case a lies in split seed of trials@1" in told[1].err


def test_a_score_is_published_and_is_not_once_two_clones_disagree_about_a_label(
    story, assay, label, released, tmp_path
):
    freeze(assay, tmp_path, behaviour=BEHAVIOUR, cases=cases())
    run = tried(assay, tmp_path, repetitions=3, **ALL_MET)
    story.tick()
    published = assay("publish", run)

    for verdict in ("violated", "met"):
        story.branch(verdict, "main")
        label(run, "a.1", verdict, "adjudication")
    story.switch("main")
    story.merge("met")
    story.merge("violated")
    again = assay("publish", run)

    assert (published.code, again.code) == (0, 1), published.out
    assert "1 contested: a.1 (2 reviews, differing)" in " ".join(again.out.split())
    assert assay("verify", "--recompute").code == 0
