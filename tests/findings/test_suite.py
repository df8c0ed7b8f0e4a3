"""The suite behind the contract: load, plan, step, assess, summarize, all over recorded reviews."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction

import pytest

from assay.contract.steps import Answered, Ask, Done, Observed, Sample
from assay.contract.suite import Fixture, Suite
from assay.contract.summary import Row, Summary, Void
from assay.errors import InputError
from assay.findings.suite import FindingsSuite, content_pins, is_gold_path, observed

SUITE: Suite = FindingsSuite()
GOLDS = ("a-found", "b-clean")


@pytest.fixture
def fixture(make, cases):
    files = {
        "catalogue.json": (cases / "catalogue.json").read_bytes(),
        "corpus/failures/a-found.json": make.bytes(make.gold_document(make.finding(), make.finding("CLOCK_IN_TEST"))),
        "corpus/failures/b-clean.json": make.bytes(make.gold_document()),
    }
    record = {"dataset_id": "review-rules", "dataset_version": "1"}
    return Fixture(record, "sha256:0", "corpus/review-rules/1/fixture.json", SUITE.load(record, files))


def row_of(fixture, sample, output, **changes):
    observation = {"status": "completed", "failure_owner": None, "output": output, **changes}
    done = SUITE.assess(fixture, {}, Row(sample, observation), ())
    return Row(sample, observation, asdict(done.product))


def summary_of(fixture, said, runs=("one", "two")):
    samples = SUITE.plan(fixture, {"replicates": list(runs)})
    rows = [row_of(fixture, s, said[s.id]) if s.id in said else Row(s) for s in samples]
    return SUITE.summarize(fixture, {}, rows)


def measures(summary):
    return {measure.name: measure.value for measure in summary.measures}


def test_a_plan_is_every_failure_by_every_recorded_run(fixture):
    samples = SUITE.plan(fixture, {"replicates": ["strict", "terse"]})

    assert [sample.id for sample in samples] == ["a-found.strict", "a-found.terse", "b-clean.strict", "b-clean.terse"]
    assert samples[1] == Sample(2, "a-found.terse", "a-found", {"recorded_run": "terse"})


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({}, "replicates: expected distinct names"),
        ({"replicates": ["a", "a"]}, "replicates: expected distinct names"),
        ({"replicates": ["a.b"]}, "replicates: expected distinct names"),
        ({"replicates": ["a"], "failures": "a-found,zz"}, "failures: no frozen failure 'zz'"),
        ({"replicates": ["a"], "seeds": [1]}, "seeds: no such option"),
    ],
)
def test_options_that_do_not_fit_are_refused(fixture, options, fault):
    with pytest.raises(InputError) as refusal:
        SUITE.plan(fixture, options)

    assert [told for told in refusal.value.faults if told.startswith(fault)]


def test_some_failures_can_be_named_and_come_once_and_in_order(fixture):
    samples = SUITE.plan(fixture, {"replicates": ["one"], "failures": "b-clean, a-found,b-clean"})

    assert [sample.item for sample in samples] == ["a-found", "b-clean"]


def test_a_run_pins_every_gold_file_that_counts(fixture):
    assert [pin.path for pin in content_pins(fixture.content)] == [f"corpus/failures/{name}.json" for name in GOLDS]


def test_all_faults_of_all_gold_files_are_refused_together(make, cases):
    files = {
        "catalogue.json": (cases / "catalogue.json").read_bytes(),
        "corpus/failures/a.json": b"{}",
        "corpus/failures/b.json": make.bytes(make.gold_document(make.finding("NO_RULE"))),
    }

    with pytest.raises(InputError) as refusal:
        SUITE.load({}, files)

    assert {fault.split(":")[0] for fault in refusal.value.faults} == {
        "corpus/failures/a.json",
        "corpus/failures/b.json",
    }


def test_without_a_catalogue_nothing_is_loaded():
    with pytest.raises(InputError, match=r"expected one catalogue\.json"):
        SUITE.load({}, {"corpus/failures/a.json": b"{}"})


def test_a_review_fixture_alone_is_checked_in_all_but_membership(make):
    good = make.bytes(make.gold_document(make.finding("OF_A_LATER_CATALOGUE")))
    bad = make.bytes(make.gold_document(make.finding(), expected_verdict="ALLOW"))

    content = SUITE.load({"format": "findings-review/1"}, {"gold.json": good, "diff.patch": b"+"})

    assert list(content.failures) == ["gold"]
    with pytest.raises(InputError, match="do not hold together"):
        SUITE.load({"format": "findings-review/1"}, {"gold.json": bad})


def test_a_folder_of_sources_holds_no_failures():
    assert SUITE.load({"format": "findings-sources/1"}, {"a-case.md": b"# A case"}).failures == {}


def test_a_live_reviewer_sees_the_case_but_never_its_answers(make, cases):
    folder = "corpus/mailer-review/1"
    files = {
        "catalogue.json": (cases / "catalogue.json").read_bytes(),
        f"{folder}/gold.json": make.bytes(make.gold_document(make.finding())),
        f"{folder}/README.md": b"the answers",
        f"{folder}/findings.yaml": b"basis: the answers",
        f"{folder}/diff.patch": b"+ try",
        f"{folder}/fixture.json": b"{}",
    }
    fixture = Fixture({}, "sha256:0", "x", SUITE.load({}, files))
    (sample,) = SUITE.plan(fixture, {"replicates": ["live"]})

    ask = SUITE.step(fixture, {}, sample, ())

    assert ask == Ask(1, {"failure": "mailer-review@1", "recorded_run": "live"}, {"diff.patch": b"+ try"})


def test_an_answer_becomes_the_observation_unjudged(fixture, make):
    sample = SUITE.plan(fixture, {"replicates": ["one"]})[0]
    answer = Answered(1, "completed", [make.review()], duration_ms=3)

    done = SUITE.step(fixture, {}, sample, (answer,))

    assert done == Done(Observed("completed", None, 3, [make.review()]))


def test_a_recorded_file_is_imported_with_its_bytes_kept(make):
    data = make.bytes([make.review(make.finding(confidence=0.75))])

    imported = observed("recorded/strict/a-found.json", data)

    assert imported.output == [make.review(make.finding())]
    assert imported.files == {"a-found.json": data}


def test_perfect_runs_reproduce_everything_and_a_clean_case_is_perfect(fixture, make):
    full = [make.review(make.finding(), make.finding("CLOCK_IN_TEST"))]

    summary = summary_of(fixture, {"a-found.one": full, "b-clean.one": [make.review()]}, runs=("one",))

    assert isinstance(summary, Summary)
    assert set(measures(summary).values()) == {Fraction(1)}
    assert (summary.counts.planned, summary.counts.met) == (2, 2)
    assert "precision_macro is over 1 records, 1 vacuous left out" in summary.notes


def test_runs_that_miss_and_invent_are_told_apart(fixture, make):
    full = [make.review(make.finding(), make.finding("CLOCK_IN_TEST"))]
    worse = [make.review(make.finding(), make.finding("NAME_MISLEADS", severity="MINOR"))]
    said = {"a-found.one": full, "a-found.two": worse, "b-clean.one": [make.review()], "b-clean.two": [make.review()]}

    summary = summary_of(fixture, said)

    assert measures(summary)["failures_reproduced"] == Fraction(3, 4)
    assert (measures(summary)["precision_micro"], measures(summary)["recall_micro"]) == (Fraction(3, 4),) * 2
    assert (summary.unstable, summary.flips) == (("a-found",), {"a-found": ("met", "violated")})
    headline = summary.measures[0]
    assert (headline.by_replicate, headline.spread) == ((("one", Fraction(1)), ("two", Fraction(1, 2))), Fraction(1, 2))
    assert summary.details["by_rule_key"]["NAME_MISLEADS"]["fp"] == 1


def test_a_failure_is_not_reproduced_by_findings_without_their_verdict(fixture, make):
    graver = [make.review(make.finding(severity="BLOCKER"), make.finding("CLOCK_IN_TEST"))]

    summary = summary_of(fixture, {"a-found.one": graver, "b-clean.one": [make.review()]}, runs=("one",))

    assert measures(summary)["failures_reproduced"] == measures(summary)["verdict_matches"] == Fraction(1, 2)
    assert measures(summary)["f1_micro"] == Fraction(1)


def test_a_missing_review_stays_in_the_denominator(fixture, make):
    full = [make.review(make.finding(), make.finding("CLOCK_IN_TEST"))]

    summary = summary_of(fixture, {"a-found.one": full}, runs=("one",))

    assert measures(summary)["failures_reproduced"] == Fraction(1, 2)
    assert summary.counts.missing == ("b-clean.one",)
    assert "1 of 2 samples hold no counts and are not in precision, recall and f1" in summary.notes


def test_a_run_without_any_judgment_is_void(fixture):
    void = summary_of(fixture, {})

    assert isinstance(void, Void)
    assert void.counts.planned == 4


@pytest.mark.parametrize(
    ("changes", "status", "measures"),
    [
        ({"status": "timed_out", "failure_owner": "model"}, "missing_evidence", {"tp": 0, "fp": 0, "fn": 2}),
        ({"status": "error", "failure_owner": "harness"}, "missing_evidence", {}),
        ({"output": [{"reviewer": "x"}]}, "invalid_result", {"tp": 0, "fp": 0, "fn": 2}),
    ],
)
def test_what_cannot_be_judged_is_a_status_and_giving_up_never_pays(fixture, changes, status, measures):
    sample = SUITE.plan(fixture, {"replicates": ["one"]})[0]

    evaluation = row_of(fixture, sample, [], **changes).evaluation if "output" not in changes else None
    evaluation = evaluation or row_of(fixture, sample, changes["output"]).evaluation

    assert [(result["status"], result["verdict"]) for result in evaluation["results"]] == [(status, None)] * 2
    assert evaluation["measures"] == measures


def test_the_rationale_names_what_is_missed_and_spurious(fixture, make):
    sample = SUITE.plan(fixture, {"replicates": ["one"]})[0]

    evaluation = row_of(fixture, sample, [make.review(make.finding("NAME_MISLEADS"), make.finding())]).evaluation

    found, verdict = evaluation["results"]
    assert found["verdict"] == "partially_met"
    assert found["rationale"] == ("missed: CLOCK_IN_TEST in lib/mailer.py; spurious: NAME_MISLEADS in lib/mailer.py")
    assert (verdict["verdict"], verdict["value"]) == ("met", {"gold": "WARN", "run": "WARN"})


@pytest.mark.parametrize(
    ("path", "holds"),
    [
        ("corpus/failures/a.json", True),
        ("corpus/failures/deep/a.json", False),
        ("corpus/jwt-review/1/gold.json", True),
        ("gold.json", True),
        ("corpus/review-rules/1/catalogue.json", False),
        ("corpus/failures/a.md", False),
    ],
)
def test_gold_files_are_known_by_where_they_lie(path, holds):
    assert holds == is_gold_path(path)
