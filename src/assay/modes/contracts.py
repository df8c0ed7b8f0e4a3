"""The two verifier contracts, as data: what text is read how, and what each domain accepts.

`modebench-0.4.0` gives the status, key and graded text that ModeBench 0.4.0 gives; `assay-modes-1`, the default,
mends its wrong accepts, wrong rejects and run-voiding inputs. Every difference is a row of `docs/modes.md`. A
contract's judgments never change; a mended rule is a new name. Scores under different contracts are not comparable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.errors import InputError
from assay.modes import countdown, extraction, graph_coloring, tidy
from assay.modes.extraction import Plain, Surface, any_label, fenced, labels, last_box, last_filled_box
from assay.modes.mathir import programs
from assay.modes.pantry_plan import allocation

DEFAULT = "assay-modes-1"
DOMAINS = ("graph_coloring", "countdown", "python_factors", "mathir", "pantry_plan")


@dataclass(frozen=True)
class Contract:
    """A named, frozen set of rules. `mask` is the surface of level-1 pantry; None reads the bare response only."""

    name: str
    max_response_chars: int | None
    surfaces: Mapping[str, Surface]
    mask: Surface | None
    countdown: countdown.Policy
    graph: graph_coloring.Policy
    mathir: programs.Policy
    pantry: allocation.Policy


_BOX_LABELS = labels("answer", "expression", "coloring", "program")

_MODEBENCH_SURFACES = {
    "countdown": Surface(last_box, Plain(160, _BOX_LABELS)),
    "graph_coloring": Surface(last_box, Plain(160, _BOX_LABELS)),
    "python_factors": Surface(
        last_box, Plain(240, labels("answer", "program", "function"), fenced("python")), (extraction.lambda_spelled,)
    ),
    "mathir": Surface(last_box, Plain(200, None, fenced("mathir"), one_line=False)),
    "pantry_plan": Surface(last_box, Plain(512, labels("answer", "plan", "recipe"))),
}

_ANY_LABEL = any_label(
    "answers?", "solutions?", "results?", "expression", "equation", "colou?ring", "vector", "vertices",
    "(?:missing\\s+)?(?:colou?rs?|digits?)", "program", "function", "actions?", "sequence", "plan", "recipe",
    "allocation", "mask", "support",
)  # fmt: skip
_ANY_FENCE = fenced("python3?", "py", "mathir", "text", "txt", "plaintext", "json", "latex", "math")
_TIDY = (tidy.characters, tidy.unwrapped, tidy.latex)


def _lenient(max_chars: int, *more: extraction.Tidy, one_line: bool = True, angle_brackets: bool = False) -> Surface:
    return Surface(
        last_filled_box,
        Plain(max_chars, _ANY_LABEL, _ANY_FENCE, one_line, angle_brackets),
        (*_TIDY, *more),
        label_in_box=True,
        max_boxed=4096,
    )


_ASSAY_SURFACES = {
    "countdown": _lenient(160, tidy.fractions, tidy.products, tidy.without_stop),
    "graph_coloring": _lenient(160, tidy.without_stop),
    "python_factors": _lenient(240, extraction.lambda_spelled, angle_brackets=True),
    "mathir": _lenient(200, tidy.without_period, one_line=False),
    "pantry_plan": _lenient(512, tidy.without_stop),
}

MODEBENCH = Contract(
    name="modebench-0.4.0",
    max_response_chars=131_072,
    surfaces=_MODEBENCH_SURFACES,
    mask=None,
    countdown=countdown.MODEBENCH,
    graph=graph_coloring.MODEBENCH,
    mathir=programs.MODEBENCH,
    pantry=allocation.MODEBENCH,
)
ASSAY = Contract(
    name="assay-modes-1",
    max_response_chars=None,
    surfaces=_ASSAY_SURFACES,
    mask=_lenient(512, tidy.without_stop),
    countdown=countdown.ASSAY,
    graph=graph_coloring.ASSAY,
    mathir=programs.ASSAY,
    pantry=allocation.ASSAY,
)
CONTRACTS: Mapping[str, Contract] = {contract.name: contract for contract in (MODEBENCH, ASSAY)}


def named(name: str) -> Contract:
    """The contract of that name; raise InputError for any other."""
    if name not in CONTRACTS:
        known = ", ".join(CONTRACTS)
        raise InputError(f"no verifier contract is called {name!r}", hint=f"use one of {known}")
    return CONTRACTS[name]
