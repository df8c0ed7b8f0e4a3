"""What a case needs of a target, and the preflight that refuses before anything is dispatched.

Nothing degrades: a case of two turns is never asked as one, and evidence is never injected into a target that has no
place for it. A capability that a target does not declare is one that it does not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.acceptance.cases import CAPABILITIES, Case
from assay.errors import InputError


@dataclass(frozen=True)
class Unsupported:
    """A case that cannot be asked of a target, and what the target lacks."""

    case: str
    missing: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.case}: the target does not support {', '.join(self.missing)}"


def needs_of(case: Case) -> tuple[str, ...]:
    """What a case needs, from its surface and turns and what it says itself; nothing, when no target is touched."""
    if case.surface == "evaluator_only":
        return ()
    needed = {"reset", "request_identity", *case.needs}
    if len(case.turns) > 1:
        needed.add("session")
    if case.surface == "controlled_app":
        needed |= {"injection", "evidence_capture"}
    return tuple(name for name in CAPABILITIES if name in needed)


def declared(run: Mapping[str, Any]) -> tuple[str, ...]:
    """The capabilities that the run's plan recorded for its target: among its options, or in its configuration."""
    listed = run["options"].get("capabilities") or run["target"]["config"].get("capabilities")
    if isinstance(listed, str):
        listed = [name.strip() for name in listed.split(",")]
    if isinstance(listed, Mapping):
        return tuple(name for name in CAPABILITIES if listed.get(name) is True)
    return tuple(name for name in CAPABILITIES if name in listed) if isinstance(listed, list | tuple) else ()


def unsupported(case: Case, capabilities: Iterable[str]) -> Unsupported | None:
    """What the target lacks for a case; None when it can be asked."""
    missing = tuple(name for name in needs_of(case) if name not in set(capabilities))
    return Unsupported(case.id, missing) if missing else None


def denied(capabilities: Iterable[str], offered: Iterable[str] | None) -> str | None:
    """What is declared of a target that says itself that it cannot do it, in words that name both; None when nothing.

    `offered` is what the target said; None where it cannot be heard beforehand.
    """
    said = None if offered is None else set(offered)
    wrong = [] if said is None else [name for name in capabilities if name not in said]
    if said is None or not wrong:
        return None
    told = ", ".join(name for name in CAPABILITIES if name in said) or "nothing"
    return f"capabilities: the settings declare {', '.join(wrong)}, and the target itself offers {told}"


def preflight(
    cases: Sequence[Case], capabilities: Iterable[str], *, workers: int = 1, offered: Iterable[str] | None = None
) -> None:
    """Raise InputError naming every case that the target cannot be asked, before anything is dispatched."""
    able = set(capabilities)
    faults = [str(found) for case in cases if (found := unsupported(case, able)) is not None]
    asked = any(case.surface != "evaluator_only" for case in cases)
    if (contradiction := denied(capabilities, offered)) is not None:
        faults.insert(0, contradiction)
    if asked and workers > 1 and "concurrency" not in able:
        faults.append(f"{workers} workers: the target does not support concurrency")
    if faults:
        raise InputError(
            f"the target cannot be asked {len(faults)} of these",
            faults=faults,
            hint="plan what it can be asked (`cases`, `surfaces` in the settings file), or give it what is missing",
        )
