"""What is wrong with an input file of this suite: one value per fault, with the field's path and what to do.

Checks collect faults and never stop at the first; only `refuse` turns them into an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NoReturn

from assay.errors import InputError
from assay.record.problem import Problem

FaultKind = Literal["shape", "catalogue", "verdict", "contradiction", "duplicate"]

_RULE: dict[FaultKind, str] = {
    "shape": "schema",
    "catalogue": "schema",
    "verdict": "recompute",
    "contradiction": "chain",
    "duplicate": "chain",
}


@dataclass(frozen=True)
class Fault:
    """One fault in one file. `where` is a field path such as `$.findings[2].rule_key`."""

    path: str
    where: str
    kind: FaultKind
    message: str
    todo: str = ""

    def __str__(self) -> str:
        return f"{self.path}: {self.where}: {self.message}"

    def problem(self) -> Problem:
        """The same fault as `verify` reports it, under the promise that it breaks."""
        return Problem(_RULE[self.kind], "broken", self.path, f"{self.where}: {self.message}", todo=self.todo)


def refuse(what: str, faults: Sequence[Fault]) -> NoReturn:
    """Raise InputError that carries every fault, with the first advice as its hint."""
    count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    hint = next((fault.todo for fault in faults if fault.todo), None)
    raise InputError(f"{what}: {count}", faults=[str(fault) for fault in faults], hint=hint)


def shown(value: object) -> str:
    """A value as a message quotes it: short, and never a page of somebody's file."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
