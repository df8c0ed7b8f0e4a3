"""Deliberate faults in the verifiers: the conformance corpus must notice each of them."""

from __future__ import annotations

import re

import pytest

from assay.modes import arithmetic, contracts, countdown, extraction, factors, graph_coloring, tidy
from assay.modes.grade import grade
from assay.modes.mathir import language, programs
from assay.modes.mathir.quotient import Quotient
from assay.modes.outcome import Judgment
from assay.modes.pantry_plan import allocation, projection
from assay.modes.pantry_plan import reference as pantry
from modes.corpus import ASSAY, PEER, cases


def mismatches(domain, contract):
    return [case.name for case in cases(domain) if case.expected[contract] != outcome(case, contract)]


def outcome(case, contract):
    """Status and key; a faulty verifier may also break down."""
    try:
        found = grade(contract, case.level, case.domain, case.answer, case.response)
    except (ArithmeticError, ValueError, TypeError) as error:
        return type(error).__name__, None
    return found.status, found.key


def first_line(text):
    return factors.ast.parse(text.split("\n")[0], mode="eval") if text.startswith("lambda") else None


def minimal(reference, rows, policy):
    return [row.minimum for row in rows]


def first_box(response, box=extraction.last_box):
    at = response.find("\\boxed{")
    return box(response[: response.find("}", at) + 1]) if at >= 0 else extraction.NO_BOX


def unsorted_join(code, left, right):
    return f"{countdown._NAMES[code]}({left},{right})"


def descending(lines, row, position, totals, original=projection._open):
    return iter(list(original(lines, row, position, totals))[::-1])


def any_minimum(entry, name, low, high, original=pantry._integer):
    return 1 if name == "min_if_used_g" else original(entry, name, low, high)


FAULTS = [
    ("countdown", ASSAY, arithmetic._COMPUTE, "-", lambda a, b: (b[0] * a[1] - a[0] * b[1], a[1] * b[1])),
    ("countdown", ASSAY, arithmetic._COMPUTE, "/", lambda a, b: (a[0] * b[1] // (a[1] * b[0] or 1), 1)),
    ("countdown", ASSAY, arithmetic._BINARY, "-", 2),
    ("countdown", ASSAY, countdown, "_joined", unsorted_join),
    ("countdown", ASSAY, countdown, "sign_folded_key", countdown.commutative_key),
    ("countdown", PEER, countdown, "commutative_key", countdown.sign_folded_key),
    ("countdown", ASSAY, countdown, "_SPELLINGS", ()),
    ("countdown", ASSAY, tidy, "_PLAIN_CHARACTERS", {}),
    ("countdown", PEER, countdown, "incorrect", countdown.malformed),
    ("graph_coloring", ASSAY, graph_coloring, "_SEPARATORS", re.compile(r"[^0-9]+")),
    ("graph_coloring", ASSAY, graph_coloring, "_VECTOR", re.compile(r"[1-4]+")),
    ("graph_coloring", ASSAY, graph_coloring, "filled", lambda reference, digits: digits.ljust(reference.n, "1")),
    ("graph_coloring", PEER, graph_coloring, "_DIGIT", re.compile(r"[0-9]")),
    ("python_factors", ASSAY, factors, "MAX_NODES", 1000),
    ("python_factors", ASSAY, factors, "MAX_CONSTANT", 10**9),
    ("python_factors", ASSAY, factors, "_parsed", first_line),
    ("python_factors", ASSAY, factors, "_takes_n", lambda args: True),
    ("python_factors", ASSAY, factors._EVALUATORS, factors.ast.Compare, lambda node, n: 1 - factors._compare(node, n)),
    ("python_factors", ASSAY, factors, "_number", lambda value: value if isinstance(value, int) else 1),
    ("mathir", ASSAY, programs, "_is_solved", lambda reference, sides: True),
    ("mathir", ASSAY, programs, "_key", lambda reference, path: f"mathir:{reference.version}:{path[-1]}"),
    ("mathir", ASSAY, programs, "_check_denominators", lambda tree, bindings: None),
    ("mathir", ASSAY, programs, "_value", lambda tree, bindings, value=programs._value: value(tree, bindings) or 1),
    ("mathir", ASSAY, programs, "_state", lambda sides: f"eq({id(sides)},0)"),
    ("mathir", ASSAY, programs._OPERATIONS, "sub", Quotient.plus),
    ("mathir", ASSAY, language, "MAX_DEPTH", 60),
    ("mathir", PEER, language, "blanks_deleted", lambda text: text),
    ("pantry_plan", ASSAY, projection, "first_allocation", minimal),
    ("pantry_plan", ASSAY, allocation, "infeasible", lambda reference, grams, policy: None),
    ("pantry_plan", ASSAY, allocation, "MAX_GRAMS", 10),
    ("pantry_plan", ASSAY, pantry, "_integer", any_minimum),
    ("pantry_plan", PEER, allocation, "judge", lambda *_: Judgment("correct", "pantry_plan:pantry-v1:x")),
    ("countdown", PEER, extraction, "last_box", first_box),
]


@pytest.mark.parametrize(("domain", "contract", "place", "name", "fault"), FAULTS)
def test_a_faulty_verifier_is_detected(monkeypatch, domain, contract, place, name, fault):
    assert mismatches(domain, contract) == []

    if isinstance(place, dict):
        monkeypatch.setitem(place, name, fault)
    else:
        monkeypatch.setattr(place, name, fault)
    _rebind(monkeypatch, name, fault)

    assert mismatches(domain, contract) != []


def _rebind(monkeypatch, name, fault):
    """Where a contract holds the function itself, put the fault into the contract."""
    held = {
        "last_box": ("surfaces", {d: _with_box(s, fault) for d, s in contracts.MODEBENCH.surfaces.items()}),
        "blanks_deleted": ("mathir", programs.Policy(powers=False, blanks=fault, zero_denominators=True)),
    }
    if name in held:
        field, value = held[name]
        monkeypatch.setitem(contracts.CONTRACTS, PEER, _replaced(contracts.MODEBENCH, field, value))


def _with_box(surface, boxes):
    return _replaced(surface, "boxes", boxes)


def _replaced(data, field, value):
    return type(data)(**{**{name: getattr(data, name) for name in data.__dataclass_fields__}, field: value})


def test_descending_amounts_would_change_the_projected_text(monkeypatch):
    case = next(c for c in cases("pantry_plan") if c.level == 1 and c.expected[ASSAY][0] == "correct")
    ascending = grade(ASSAY, 1, case.domain, case.answer, case.response).graded_text

    monkeypatch.setattr(projection, "_open", descending)

    assert grade(ASSAY, 1, case.domain, case.answer, case.response).graded_text != ascending
