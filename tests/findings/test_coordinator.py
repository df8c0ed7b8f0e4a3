"""The coordinator: merging, the verdict, dual keys, unknown keys; order never matters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assay.findings.coordinator import coordinate, duals_of
from assay.findings.payloads import Payload, Said
from assay.findings.severity import SEVERITIES, verdict_of

SAID = st.builds(
    Said,
    st.sampled_from(["a.py", "b.py"]),
    st.integers(0, 3),
    st.sampled_from(["K1", "K2"]),
    st.sampled_from(SEVERITIES),
)
PAYLOADS = st.lists(
    st.builds(Payload, st.sampled_from(["one", "two"]), st.lists(SAID, max_size=4).map(tuple)), max_size=4
)


@given(PAYLOADS, st.randoms())
def test_the_order_of_reviewers_and_findings_changes_nothing(payloads, chance):
    shuffled = [Payload(one.reviewer, tuple(chance.sample(one.findings, len(one.findings)))) for one in payloads]
    chance.shuffle(shuffled)

    assert coordinate(payloads) == coordinate(shuffled)


@given(PAYLOADS)
def test_the_verdict_follows_from_all_that_was_said_and_nothing_is_lost(payloads):
    everything = [said for payload in payloads for said in payload.findings]

    review = coordinate(payloads)

    assert review.verdict == verdict_of(said.severity for said in everything)
    assert {one.pair for one in review.findings} == {said.pair for said in everything}
    assert len(review.findings) + review.duplicates == len(everything)


def test_of_duplicates_the_gravest_stands_and_of_equal_ones_the_lowest_line():
    payloads = [
        Payload("one", (Said("a.py", 9, "K", "MAJOR"), Said("a.py", 5, "K", "BLOCKER"))),
        Payload("two", (Said("a.py", 3, "K", "BLOCKER"),)),
    ]

    review = coordinate(payloads)

    merged = review.findings[0]
    assert (merged.said.line, merged.said.severity, merged.reviewers, merged.times) == (3, "BLOCKER", ("one", "two"), 3)
    assert (review.duplicates, review.verdict) == (2, "BLOCK")


def test_unknown_keys_are_reported_and_still_count(make):
    review = coordinate([Payload("one", (Said("a.py", 1, "MADE_UP", "MAJOR"),))], catalogue=make.keys)

    assert (review.unknown_keys, review.verdict, len(review.findings)) == (("MADE_UP",), "WARN", 1)


def test_a_dual_key_counts_as_the_first_key(make):
    gold = make.gold(make.finding("UNBOUNDED_READ", dual_flaggable="BRIEF_ITEM_MISSING"))

    scored = make.score(gold, make.review(make.finding("BRIEF_ITEM_MISSING")))

    assert (scored.score.exact, scored.by_dual) == (True, (("lib/mailer.py", "UNBOUNDED_READ"),))


def test_a_dual_key_holds_in_its_own_file_only(make):
    gold = make.gold(make.finding("UNBOUNDED_READ", dual_flaggable="BRIEF_ITEM_MISSING"))

    scored = make.score(gold, make.review(make.finding("BRIEF_ITEM_MISSING", "lib/other.py")))

    assert (scored.score.tally.fp, scored.score.tally.fn) == (1, 1)


def test_a_first_key_of_the_same_file_wins_over_a_dual_one(make):
    gold = make.gold(make.finding("UNBOUNDED_READ", dual_flaggable="SILENT_EXCEPT"), make.finding("SILENT_EXCEPT"))

    scored = make.score(gold, make.review(make.finding("SILENT_EXCEPT")))

    assert scored.score.matched == (("lib/mailer.py", "SILENT_EXCEPT"),)
    assert scored.score.missed == (("lib/mailer.py", "UNBOUNDED_READ"),)


def test_a_dual_key_of_two_findings_stands_for_the_one_that_sorts_first(make):
    findings = (
        make.finding("UNBOUNDED_READ", dual_flaggable="NAME_MISLEADS"),
        make.finding("CLOCK_IN_TEST", dual_flaggable="NAME_MISLEADS"),
    )

    duals = duals_of(make.gold(*findings).findings)

    assert duals_of(make.gold(*reversed(findings)).findings) == duals
    assert duals == {("lib/mailer.py", "NAME_MISLEADS"): ("lib/mailer.py", "CLOCK_IN_TEST")}
