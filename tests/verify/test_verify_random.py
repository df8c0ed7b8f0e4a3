"""Random histories: every tampering is named where it was done, nothing honest is, and both verifiers agree."""

from __future__ import annotations

import pytest

from assay.verify.check import Options, check
from verify.histories import Honest, Tamperer
from verify.telling import SAID_BY_BOTH, findings, second_opinion

SEEDS = range(1, 26)
MANY_SEEDS = range(100, 600)


def unnamed(story, seed: int, count: int) -> tuple[list[str], set]:
    """Tamper with a random history; what was not named, and on what the verifiers differ."""
    honest = Honest(seed)
    tamperer = Tamperer(seed, honest, honest.tell(60))
    tip = tamperer.tamper(count)
    assert len(tamperer.deeds) > 0.8 * count
    commits = honest.stream.write(story)
    report = check(story.ledger, Options(tip=commits[tip.mark]))
    named = {(p.commit, p.path) for p in report.problems if p.weight == "broken"}
    missed = [
        f"seed {seed}: {deed.what} of {deed.paths} in {commits[deed.mark]}"
        for deed in tamperer.deeds
        if not any((commits[deed.mark], path) in named for path in deed.paths)
    ]
    return missed, findings(report) ^ second_opinion(story, tip=commits[tip.mark])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_random_tampering_is_named(story, seed):
    missed, differing = unnamed(story, seed, 200)

    assert missed == []
    assert differing == set()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 30))
def test_thousands_of_random_tamperings_are_named(story, seed):
    missed, differing = unnamed(story, seed, 300)

    assert missed == []
    assert differing == set()


def broken_in(story, seeds) -> list:
    """What is broken, or seen differently by the second opinion, in honest histories."""
    told = [Honest(seed) for seed in seeds]
    found = []
    for honest in told:
        tip = honest.tell(12 + honest.random.randrange(20))
        commits = honest.stream.write(story)
        report = check(story.ledger, Options(tip=commits[tip.mark]))
        own = findings(report)
        found += [finding for finding in own if finding[0] in ("broken", "not provable")]
        found += sorted(own ^ second_opinion(story, tip=commits[tip.mark]))
        assert {finding[0] for finding in own} <= set(SAID_BY_BOTH)
    return found


def test_honest_histories_raise_nothing_broken(story):
    assert broken_in(story, SEEDS) == []


@pytest.mark.long
@pytest.mark.parametrize("block", range(10))
def test_hundreds_of_honest_histories_raise_nothing_broken(story, block):
    assert broken_in(story, MANY_SEEDS[block * 50 : block * 50 + 50]) == []


@pytest.mark.long
@pytest.mark.parametrize("block", range(10))
def test_both_verifiers_agree_on_hundreds_of_small_tampered_histories(story, block):
    differing = {}
    for seed in range(1000 + block * 50, 1050 + block * 50):
        honest = Honest(seed)
        tamperer = Tamperer(seed, honest, honest.tell(10))
        tip = tamperer.tamper(4)
        commits = honest.stream.write(story)
        found = findings(check(story.ledger, Options(tip=commits[tip.mark])))
        if odd := found ^ second_opinion(story, tip=commits[tip.mark]):
            differing[seed] = odd

    assert differing == {}
