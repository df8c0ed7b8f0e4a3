"""A score uses exactly the records that count, names what is missing or contested, and never averages over holes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.contract.summary import Void
from assay.errors import Inconclusive
from assay.record.digest import digest
from assay.weigh.metrics import headline, metrics
from assay.weigh.score import score
from weigh.story import SCORER, entry, evaluation, observation, result, story

OTHER = {**SCORER, "kind": "deterministic", "source_sha256": digest(b"another scorer")}


def again(told, sample, word, **changes):
    """The same planned sample observed once more, in another act."""
    planned = next(s for s in told.material.samples if s.id == sample)
    return observation(planned, word, act="capture-cccccc", **{"recorded_at": "2026-11-30T11:00:00Z", **changes})


def observed(told, sample):
    return next(entry for entry in told.material.observations if entry.document["sample"]["id"] == sample)


def test_the_headline_is_met_over_planned():
    weighed = score(story().material)

    assert weighed.summary.measures[0].value == Fraction(5, 6)
    assert headline(weighed) == "0.833333"


def test_the_basis_is_exactly_the_records_used():
    told = story()

    weighed = score(told.material)

    used = [told.material.run, *told.material.observations, *told.material.evaluations]
    assert set(weighed.basis) == {e.pin for e in used} | {weighed.basis[0]}
    assert weighed.basis[0].path == "corpus/two-repairs/0.3.1/fixture.json"
    assert len(weighed.basis) == 14


def test_the_order_in_which_records_were_read_does_not_matter():
    told = story().material
    shuffled = replace(told, observations=told.observations[::-1], evaluations=told.evaluations[::-1])

    assert metrics(score(shuffled)) == metrics(score(told))
    assert score(shuffled).basis == score(told).basis


def test_two_different_results_for_one_cell_are_contested_and_neither_counts():
    told = story()
    told = told.with_observations(again(told, "window.47", "met", output="another answer"))

    weighed = score(told.material)

    assert [(c.sample, c.what, len(c.pins), c.agree) for c in weighed.contested] == [
        ("window.47", "observation", 2, False)
    ]
    assert not weighed.complete
    assert weighed.missing == ("window.47",)
    assert weighed.summary.counts.judged == 5


def test_the_same_result_recorded_twice_counts_once_and_is_named():
    told = story()
    told = told.with_observations(again(told, "header.11", "met"))

    weighed = score(told.material)

    assert [(c.sample, c.agree) for c in weighed.contested] == [("header.11", True)]
    assert weighed.complete
    assert metrics(weighed) == metrics(score(story().material))


def test_two_judgments_of_one_revision_that_differ_are_contested():
    told = story()
    told = told.with_evaluations(evaluation(observed(told, "window.47"), "met", act="judge-tests-cccccc"))

    weighed = score(told.material)

    assert [(c.sample, c.what) for c in weighed.contested] == [("window.47", "evaluation")]
    assert weighed.unjudged == ("window.47",)


def test_a_retry_that_the_plan_allows_is_no_second_result():
    told = story({"header": "met met harness"}).with_run(retry={"max_attempts": 2, "on": ["error"]})
    second = again(told, "header.47", "met")
    told = told.with_observations(second).with_evaluations(evaluation(second, "met", act="judge-tests-cccccc"))

    weighed = score(told.material)

    assert (weighed.contested, weighed.missing, weighed.unjudged) == ((), (), ())
    assert headline(weighed) == "1.000000"


def test_trying_again_after_a_timeout_that_the_plan_does_not_retry_is_contested():
    told = story({"header": "met met timed_out"})
    told = told.with_observations(again(told, "header.47", "met"))

    assert [c.sample for c in score(told.material).contested] == ["header.47"]


def test_a_late_answer_is_kept_and_never_selected():
    told = story({"header": "met met timed_out"})
    told = told.with_observations(again(told, "header.47", "met", status="late"))

    weighed = score(told.material)

    assert weighed.contested == ()
    assert weighed.summary.counts.by_status == {"completed": 2, "timed_out": 1}


def test_another_revision_of_the_scorer_does_not_mix_in():
    told = story()
    told = told.with_evaluations(
        evaluation(observed(told, "window.47"), "met", act="judge-tests-dddddd", evaluator=OTHER)
    )

    assert headline(score(told.material)) == "0.833333"
    assert headline(score(replace(told.material, scorer=OTHER["source_sha256"]))) == "0.166667"


def test_a_recalled_scorer_gives_way_to_the_one_that_judged_again():
    told = story().with_recall(SCORER["source_sha256"])

    assert score(told.material).recalled == "it called timeouts met"

    better = [evaluation(o, "met", act="judge-tests-dddddd", evaluator=OTHER) for o in told.material.observations]
    weighed = score(told.with_evaluations(*better).material)

    assert (weighed.recalled, headline(weighed)) == (None, "1.000000")


def test_a_withdrawn_record_no_longer_counts():
    told = story()
    weighed = score(told.with_withdrawal(observed(told, "header.29")).material)

    assert weighed.missing == ("header.29",)
    assert [pin.path for pin in weighed.withdrawn] == [observed(told, "header.29").path]
    assert any(pin.path.endswith("withdrawal.json") for pin in weighed.basis)


def test_an_observation_that_nobody_planned_is_named():
    told = story()
    stranger = observation(
        replace(told.material.samples[0], id="header.99", ordinal=99), "met", recorded_at="2026-11-30T09:30:00Z"
    )

    assert score(told.with_observations(stranger).material).unplanned == ("header.99",)


def test_errors_stay_visible_in_the_denominator():
    told = story({"a": "met met violated", "b": "met timed_out harness", "c": "violated violated violated"})

    found = metrics(score(told.material))

    assert (found["planned"], found["met"], found["judged"]) == (9, 3, 8)
    assert (found["met_of_planned"], found["met_of_judged"]) == ("0.333333", "0.375000")
    assert found["by_status"] == {"completed": 7, "error": 1, "timed_out": 1}
    assert found["harness_failures"] == ["b.47"]


def test_a_run_of_errors_alone_has_no_number():
    weighed = score(story({"a": "harness", "b": "harness"}, seeds=(1,)).material)

    assert isinstance(weighed.summary, Void)
    assert headline(weighed) is None
    assert (metrics(weighed)["void"], metrics(weighed)["measures"]) == ("nothing was judged, so there is no mean", [])


def test_one_seed_has_no_spread_and_three_equal_ones_have_zero():
    single = metrics(score(story({"a": "met"}, seeds=(11,)).material))["measures"][0]
    same = metrics(score(story({"a": "met met met"}).material))["measures"][0]

    assert (single["range_over_replicates"], single["stdev_population"]) == (None, None)
    assert (same["range_over_replicates"], same["stdev_population"]) == ("0.000000", "0.000000")


def test_an_unknown_method_is_inconclusive():
    with pytest.raises(Inconclusive, match="unknown method 'score/9'"):
        score(story().material, method="score/9")


def test_a_judgment_without_verdict_leaves_its_sample_unscored():
    told = story({"a": "unjudged unjudged unjudged"})
    judged = [evaluation(o, "met", results=[result("functional", None)]) for o in told.material.observations]

    assert isinstance(score(told.with_evaluations(*judged).material).summary, Void)


@given(
    st.lists(
        st.sampled_from(["met", "violated", "timed_out", "harness", "unjudged", "missing"]), min_size=3, max_size=9
    )
)
def test_every_planned_sample_is_counted_exactly_once(words):
    told = story({f"item{n}": word for n, word in enumerate(words)}, seeds=(11,))

    weighed = score(told.material)

    counts = weighed.summary.counts
    assert counts.planned == len(words)
    assert counts.judged + len(weighed.unjudged) + len(weighed.missing) == counts.planned
    assert counts.met == words.count("met")


def test_an_entry_of_a_shard_is_pinned_by_its_line():
    told = story()
    lines = tuple(
        replace(e, path="runs/x/observations-0001.jsonl", line=n) for n, e in enumerate(told.material.observations, 1)
    )
    judged = [evaluation(line, "met") for line in lines]

    weighed = score(replace(told.material, observations=lines, evaluations=tuple(judged)))

    assert sorted(pin.line for pin in weighed.basis if pin.line) == [1, 2, 3, 4, 5, 6]
    assert entry(judged[0].document).pin in weighed.basis
