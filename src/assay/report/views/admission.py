"""Whether a level is admitted, domain by domain and gate by gate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from assay.report.page import Column, Line, Table, Tone, View


class Gate(Protocol):
    """One gate with the numbers that decide it."""

    @property
    def rule(self) -> str:
        """What is asked."""

    @property
    def held(self) -> bool:
        """Whether it held."""

    @property
    def evidence(self) -> str:
        """The numbers."""


class Domain(Protocol):
    """One domain of a level."""

    @property
    def domain(self) -> str:
        """Its name."""

    @property
    def conditions(self) -> Sequence[Gate]:
        """Its gates."""

    @property
    def admitted(self) -> bool:
        """Whether every gate held."""


class Level(Protocol):
    """A whole level."""

    @property
    def level(self) -> int:
        """1 to 5."""

    @property
    def domains(self) -> Sequence[Domain]:
        """The domains that were measured."""

    @property
    def missing(self) -> Sequence[str]:
        """Those that were not."""

    @property
    def admitted(self) -> bool:
        """Whether all five domains are admitted."""


def admission_view(found: Level) -> View:
    """The decision, then every gate with its numbers; what failed stands first."""
    failed = [domain.domain for domain in found.domains if not domain.admitted]
    word, tone = _decision(found, failed)
    rows = [
        (domain.domain, gate.rule, gate.evidence, "held" if gate.held else "FAILED")
        for domain in sorted(found.domains, key=lambda domain: domain.admitted)
        for gate in domain.conditions
    ]
    columns = (Column("domain"), Column("gate"), Column("numbers"), Column(""))
    notes = [Line(f"not measured: {', '.join(found.missing)}", "unsure")] if found.missing else []
    notes.append(Line("The decision is not recorded: no kind of record exists for it.", "faint"))
    data = {
        "level": found.level,
        "decision": word,
        "failed": failed,
        "missing": list(found.missing),
        "gates": [
            dict(zip(("domain", "gate", "numbers", "held"), (*row[:3], row[3] == "held"), strict=True)) for row in rows
        ],
    }
    return View("admission", Line(f"level {found.level}: {word}", tone), (Table(columns, tuple(rows)), *notes), data)


def _decision(found: Level, failed: Sequence[str]) -> tuple[str, Tone]:
    if found.admitted:
        return "admitted", "good"
    return ("not admitted", "bad") if failed else ("undecided, domains are missing", "unsure")
