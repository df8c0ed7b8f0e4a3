"""Two judgments of one cell wait for a decision; a review that adjudicates selects the one that counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.record.entry import Entry
from assay.weigh.publish import decide
from assay.weigh.score import score, within
from assay.weigh.settle import settled
from weigh.story import RUN, Story, dossier, entry, evaluation, observation, story


def review(of: Entry, name: str, *, role: str = "adjudication", supersedes: tuple[Entry, ...] = (), **changes) -> Entry:
    """A review of an evaluation's only cell."""
    document = {
        "schema": "assay/review/1",
        "id": f"{RUN}/review-{name}/0001-{of.document['sample']}",
        "run": RUN,
        "sample": of.document["sample"],
        "evaluation": of.pin.to_json(),
        "criterion": of.document["results"][0]["criterion"],
        "part": None,
        "reviewer": name,
        "provenance": "human",
        "role": role,
        "verdict": of.document["results"][0]["verdict"],
        "supersedes": [other.pin.to_json() for other in supersedes],
    }
    return entry(document | changes)


@pytest.fixture
def twice() -> tuple[Story, Entry, Entry]:
    """A run with one cell judged twice, differently, and the two judgments: violated, then met."""
    told = story()
    first = next(e for e in told.material.evaluations if e.document["sample"] == "window.47")
    observed = next(o for o in told.material.observations if o.document["sample"]["id"] == "window.47")
    second = evaluation(observed, "met", act="judge-tests-cccccc")
    return told.with_evaluations(second), first, second


def reviewed(told: Story, *reviews: Entry) -> Story:
    return Story(replace(told.material, reviews=reviews))


def test_an_adjudication_selects_the_judgment_that_counts(twice):
    told, first, second = twice

    for chosen, verdict in ((first, "violated"), (second, "met")):
        weighed = score(reviewed(told, review(chosen, "ada-000001")).material)

        (row,) = (row for row in weighed.rows if row.sample.id == "window.47")
        assert (weighed.contested, weighed.complete) == ((), True)
        assert row.evaluation["results"][0]["verdict"] == verdict


def test_a_selected_judgment_can_be_published_and_rests_on_its_review(twice):
    told, _, second = twice
    decided = review(second, "ada-000001")
    told = reviewed(told, decided)

    weighed = score(told.material)

    assert decide(dossier(told)).publishable
    assert decided.pin in weighed.basis
    assert score(within(told.material, weighed.basis)) == weighed


def test_what_settles_nothing_leaves_the_cell_contested(twice):
    told, first, second = twice
    one, other = review(first, "ada-000001"), review(second, "bob-000002")
    head = review(first, "cyd-000003", role="opinion", supersedes=(one,))
    attempts = {
        "an opinion": (review(second, "ada-000001", role="opinion"),),
        "two adjudications": (one, other),
        "an adjudication that an opinion supersedes": (one, head),
        "a decision about another cell": (review(second, "ada-000001", part="turn:2"),),
    }

    for what, reviews in attempts.items():
        weighed = score(reviewed(told, *reviews).material)

        assert [c.sample for c in weighed.contested] == ["window.47"], what
        assert not decide(dossier(reviewed(told, *reviews))).publishable, what


def test_an_adjudication_that_supersedes_the_others_settles_what_they_left_open(twice):
    told, first, second = twice
    one, other = review(first, "ada-000001"), review(second, "bob-000002")

    last = review(second, "cyd-000003", supersedes=(one, other))

    assert score(reviewed(told, one, other, last).material).contested == ()


def test_reviews_of_what_was_judged_once_change_nothing():
    told = story()
    reviews = [review(one, f"ada-{n:06x}", verdict="violated") for n, one in enumerate(told.material.evaluations)]

    assert score(reviewed(told, *reviews).material) == score(told.material)


def test_a_chain_with_two_heads_is_contested_and_the_judgment_still_counts():
    told = story()
    (judged, *_) = told.material.evaluations
    base = review(judged, "ada-000001", role="opinion")
    heads = [
        review(judged, f"b-00000{n}", role="opinion", verdict=verdict, supersedes=(base,))
        for n, verdict in ((2, "met"), (3, "violated"))
    ]
    last = review(judged, "cyd-000004", supersedes=tuple(heads))

    forked, settled_later = (score(reviewed(told, base, *heads, *more).material) for more in ((), (last,)))

    (contested,) = forked.contested
    assert (contested.what, contested.agree, contested.pins) == ("review", False, tuple(sorted(h.pin for h in heads)))
    assert forked.summary == score(told.material).summary
    assert score(within(reviewed(told, base, *heads).material, forked.basis)) == forked
    assert not decide(dossier(reviewed(told, base, *heads))).publishable
    assert (settled_later.contested, settled_later.summary) == ((), forked.summary)


def test_judgments_of_different_cells_stand_side_by_side_and_decisions_go_by_cell():
    told = story()
    observed = observation(told.material.samples[0], "met")

    def judged(act: str, **verdicts: str) -> Entry:
        plain = evaluation(observed, "met", act=act)
        results = [{**plain.document["results"][0], "criterion": c, "verdict": v} for c, v in verdicts.items()]
        return entry({**plain.document, "results": results})

    one, other = judged("judge-tests-00000a", a="met", b="met"), judged("judge-tests-00000b", b="violated", c="met")

    assert settled((one, other), ()) is None
    chosen = settled((one, other), (review(one, "ada-000001", criterion="b"),))
    assert {r["criterion"]: r["verdict"] for r in chosen["results"]} == {"a": "met", "b": "met", "c": "met"}
