"""The walkthrough of the modes suite: one task a domain, four answers each, of which two are right in different ways.

Everything is written by hand; no model is asked and nothing is downloaded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from assay.demo.story import Step, Story
from assay.errors import Refused

_PANTRY = [("oats", 13), ("beans", 9), ("rice", 3), ("lentils", 12), ("apples", 0), ("walnuts", 15)]
_INGREDIENTS = [
    {
        "id": name,
        "available_g": 100,
        "step_g": 50,
        "min_if_used_g": 50,
        "attributes_per_100g": {"protein_g": protein},
        "tags": [],
    }
    for name, protein in _PANTRY
]
TASKS: Mapping[str, tuple[str, Mapping[str, Any], tuple[str, str, str, str]]] = {
    "countdown": (
        "Use each of 2, 5, 8 once to make 15.",
        {"verifier": "countdown", "numbers": [2, 5, 8], "target": 15},
        ("2+5+8", "5+(2+8)", "2*8", "fifteen"),
    ),
    "graph_coloring": (
        "Colour the path 1-2-3-4 with colours 1 to 3; vertex 1 is 1 and vertex 4 is 2.",
        {
            "verifier": "graph_coloring",
            "n": 4,
            "edges": [[1, 2], [2, 3], [3, 4]],
            "partial_colors": [1, None, None, 2],
        },
        ("1212", "1232", "1112", "red, then blue"),
    ),
    "python_factors": (
        "Write a lambda that returns a proper divisor of each of 6, 12, 30, 42.",
        {"verifier": "python_factor_function", "python_version": "factor-v1", "cases": [6, 12, 30, 42]},
        ("lambda n: 2", "lambda n: 3", "lambda n: 5", "return 2"),
    ),
    "mathir": (
        "Solve a*x + b = c for x with the actions A to D.",
        {
            "verifier": "mathir_action_menu",
            "mathir_version": "linear-menu-v1",
            "bindings": {"a": 3, "b": 4, "c": 10},
            "initial_lhs": "add(mul(a,x),b)",
            "initial_rhs": "c",
            "actions": {"A": "sub(b)", "B": "div(a)", "C": "sub(div(b,a))", "D": "add(b)"},
        },
        ("A;B", "B;C", "A", "first A, then B"),
    ),
    "pantry_plan": (
        "Choose exactly two rows for 150 to 200 g with at least 20 g of protein.",
        {
            "verifier": "pantry_plan",
            "pantry_version": "pantry-v1",
            "ingredients": _INGREDIENTS,
            "min_ingredients": 2,
            "max_ingredients": 2,
            "forbidden_tags": [],
            "targets": {"mass_g": {"min": 150, "max": 200}, "protein_g": {"min": 20}},
            "certified_mode_count": 6,
        },
        ("100001", "100100", "001010", "oats and walnuts"),
    ),
}
EXPECTED: Mapping[str, Any] = {"accuracy": "1/2", "pass_at_k": "1", "distinct_at_k": "2", "pcmd": "1"}
RUN = {
    "model": {"id": "handwritten", "revision": "1"},
    "generation": {"source": "written by hand", "draws_per_prompt": 4},
    "prompt_condition": "assay-hints-1",
}


def records() -> Iterator[Mapping[str, Any]]:
    """The saved responses, one record a task."""
    for domain, (problem, answer, responses) in TASKS.items():
        yield {
            "id": "walkthrough",
            "level": 1,
            "domain": domain,
            "problem": problem,
            "answer": answer,
            "responses": list(responses),
        }


def lay_out(folder: Path) -> None:
    """Write responses, run metadata, one reference and the expected scores; refuse a folder that is not empty."""
    if folder.exists() and any(folder.iterdir()):
        raise Refused(f"{folder}: is not empty", hint="assay demo --story modes ANOTHER-FOLDER")
    place = folder / "walkthrough"
    place.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(record) + "\n" for record in records())
    (place / "responses.jsonl").write_text("".join(lines), encoding="utf-8")
    (place / "run.json").write_text(json.dumps(RUN, indent=2) + "\n", encoding="utf-8")
    (place / "countdown.json").write_text(json.dumps(TASKS["countdown"][1]) + "\n", encoding="utf-8")
    (place / "expected.json").write_text(json.dumps({"every cell": EXPECTED}, indent=2) + "\n", encoding="utf-8")


def steps() -> Iterator[Step]:
    """The walkthrough."""
    grade = "--domain countdown --answer @walkthrough/countdown.json"
    yield Step("A ledger is a folder of a Git repository.", "assay init")
    yield Step("One answer against its reference: right, and in which way.", f'assay tasks grade "2+5+8" {grade}')
    yield Step("Another right way is another mode.", f'assay tasks grade "5+(2+8)" {grade}')
    yield Step("A wrong answer is a result, not an error.", f'assay tasks grade "2*8" {grade}', 1)
    yield Step(
        "Five tasks, four saved answers each: checked in full, frozen, recorded, judged.",
        "assay import modebench walkthrough/responses.jsonl --run walkthrough/run.json",
        names_run="walk",
    )
    yield Step(
        "Every domain: accuracy 0.5, pass@4 1, two modes, PCMD 1; one prompt is too few to report a diversity.",
        "assay score {walk}",
    )
    yield Step("Judge again and compare draw by draw.", "assay replay {walk}")
    yield Step("Prove the promises over the whole history.", "assay verify")
    yield Step("And without Assay, with plain Git:", "git log --oneline --no-decorate")


STORY = Story(lay_out, steps, "assay explain {walk}")
