"""How two runs differ: counted pairs, and paired statistics only where there are pairs to compute them from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from assay.stats.bootstrap import Bootstrap
from assay.stats.centre import mean
from assay.stats.interval import LEVEL, Interval
from assay.stats.paired import by_cluster, cluster_bootstrap, differences, permutation_test, sign_test
from assay.weigh.pair import OUTCOMES, Outcome, Pair, PinDifference, pairs_of
from assay.weigh.unit import Unit

METHOD = "compare/1"
BOOTSTRAP = Bootstrap(draws=1000, seed=0)


@dataclass(frozen=True)
class Delta:
    """The difference over comparable pairs. Every number is None where no pair or no difference exists."""

    counts: Mapping[Outcome, int]
    mean_difference: Fraction | None
    """The mean of candidate met minus baseline met over comparable pairs."""
    sign_p: Fraction | None
    permutation_p: Fraction | None
    interval: Interval
    clusters: int

    @property
    def comparable(self) -> int:
        return self.counts["improved"] + self.counts["unchanged"] + self.counts["regressed"]

    @property
    def planned(self) -> int:
        return sum(self.counts.values())


@dataclass(frozen=True)
class Comparison:
    """Two sides: which pins differ, the pairs with their outcomes, and the difference."""

    method: str
    pins: tuple[PinDifference, ...]
    pairs: tuple[Pair, ...]
    delta: Delta

    @property
    def blocked_by(self) -> tuple[PinDifference, ...]:
        """The pins that forbid comparing; empty when the runs are comparable."""
        return tuple(difference for difference in self.pins if difference.blocks)


def compared(
    baseline: Sequence[Unit],
    candidate: Sequence[Unit],
    *,
    pins: Sequence[PinDifference] = (),
    measure: Callable[[Sequence[Pair]], Delta] | None = None,
) -> Comparison:
    """Pair two sides whose repetitions are reduced. With a blocking pin no pair is comparable, and none has a delta."""
    pairs = pairs_of(baseline, candidate)
    blocking = [pin for pin in pins if pin.blocks]
    if blocking:
        reason = "; ".join(f"{pin.pin} is {pin.baseline} and {pin.candidate}" for pin in blocking)
        pairs = tuple(replace(pair, outcome="not comparable", reason=reason) for pair in pairs)
    return Comparison(METHOD, tuple(pins), pairs, (measure or delta)(pairs))


def counted(pairs: Sequence[Pair]) -> Delta:
    """The counts alone, for deciding again and again where no rule asks for an interval."""
    found = Counter(pair.outcome for pair in pairs)
    left_out = Interval(None, None, LEVEL, 0, "none", "left out")
    return Delta({outcome: found[outcome] for outcome in OUTCOMES}, None, None, None, left_out, 0)


def delta(pairs: Sequence[Pair]) -> Delta:
    """Count and measure pairs; cases of one cluster are resampled and flipped together."""
    found = Counter(pair.outcome for pair in pairs)
    counts = {outcome: found[outcome] for outcome in OUTCOMES}
    both = [(p.case, p.baseline, p.candidate) for p in pairs if p.outcome in ("improved", "unchanged", "regressed")]
    sides = [(case, old, new) for case, old, new in both if old is not None and new is not None]
    gains = differences([(int(old.verdict == "met"), int(new.verdict == "met")) for _, old, new in sides])
    clusters = by_cluster(gains, [old.cluster or case for case, old, _ in sides])
    return Delta(
        counts=counts,
        mean_difference=mean(gains),
        sign_p=sign_test(counts["improved"], counts["regressed"]),
        permutation_p=permutation_test(clusters),
        interval=cluster_bootstrap(clusters, plan=BOOTSTRAP),
        clusters=len(clusters),
    )
