"""Compare two judgments of the same samples, as when stored solutions are judged again: where do they disagree?

Durations and tails differ from run to run and are not looked at; statuses, verdicts, codes and test outcomes are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assay.contract.steps import Judged


@dataclass(frozen=True)
class Verdict:
    """What one judgment says by one criterion; `absent` when it says nothing."""

    status: str
    verdict: str | None
    value: str | None

    @property
    def words(self) -> str:
        """The verdict, or the status without one, with its code."""
        told = self.verdict or self.status
        return f"{told} ({self.value})" if self.value else told


@dataclass(frozen=True)
class Compared:
    """One criterion of one sample in two judgments, with the tests and values whose outcomes differ."""

    sample: str
    criterion: str
    old: Verdict
    new: Verdict
    differing: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether status and verdict are the same; a different reason for the same verdict still agrees."""
        return (self.old.status, self.old.verdict) == (self.new.status, self.new.verdict)


ABSENT = Verdict("absent", None, None)


def compare(old: Mapping[str, Any], new: Judged) -> tuple[Compared, ...]:
    """Compare a recorded evaluation of a sample with a new judgment of it, criterion by criterion."""
    return _compare(old["sample"], old, {"results": [asdict(result) for result in new.results], "raw": new.raw})


def compare_all(old: Mapping[str, Mapping[str, Any]], new: Mapping[str, Mapping[str, Any]]) -> tuple[Compared, ...]:
    """Compare evaluation records by sample id; a sample that only one side has is `absent` on the other."""
    nothing: Mapping[str, Any] = {"results": [], "raw": None}
    samples = sorted(old.keys() | new.keys())
    return tuple(
        row for sample in samples for row in _compare(sample, old.get(sample, nothing), new.get(sample, nothing))
    )


def _compare(sample: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[Compared, ...]:
    before, after = _verdicts(old["results"]), _verdicts(new["results"])
    differing = {"functional": tuple(_differing(old["raw"] or {}, new["raw"] or {}))}
    return tuple(
        Compared(sample, name, before.get(name, ABSENT), after.get(name, ABSENT), differing.get(name, ()))
        for name in sorted(before.keys() | after.keys())
    )


def _verdicts(results: Sequence[Mapping[str, Any]]) -> dict[str, Verdict]:
    return {result["criterion"]: Verdict(result["status"], result["verdict"], result["value"]) for result in results}


def _differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Ids of tests and value cases that ended otherwise."""
    before, after = _outcomes(old), _outcomes(new)
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def _outcomes(raw: Mapping[str, Any]) -> dict[str, object]:
    tests, values = raw.get("tests") or {}, raw.get("values") or {}
    cases = {f"value {name}": case["agrees"] for name, case in values.get("cases", {}).items()}
    return {**tests.get("outcomes", {}), **cases}
