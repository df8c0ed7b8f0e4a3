"""A small dataset of this room's tests: one item about the last n members of a list, and ways to bend it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from assay.coding.bodies import Bodies, read_source
from assay.coding.content import Content
from assay.coding.freeze import freeze
from assay.coding.suite import CodingSuite
from assay.contract.jobs import JobOutcome
from assay.contract.steps import Answered, Executed, Sample
from assay.contract.suite import Fixture
from assay.contract.summary import Row
from assay.record.canonical import encode
from assay.record.digest import digest
from support.trees import MappingTree

NAME = "v1.yaml"
SOURCE = """\
schema: coding-eval/v1
dataset_id: tail-holdout
dataset_version: "1.0"
frozen_at: "2026-10-05"
holdout_policy: never-in-prompts
canary: copper-lantern-41
items:
  - id: last-members-01
    language: python
    prompt_file: prompts/last-members-01.md
    test_file: tests/test_last_members_01.py
    timeout_s: 4
    forbidden_imports: ["numpy"]
    expected_files: ["members.py"]
"""
EXTENDED = f"""\
{SOURCE}\
    reference: reference/last-members-01
    stub: stub/last-members-01
    value_cases: values/last-members-01.json
"""
TESTS = b"""\
import members


def test_some():
    assert members.last(2, [5, 6, 7]) == [6, 7]


def test_none():
    assert members.last(0, [5]) == []
"""
TEST_IDS = ("tests/test_last_members_01.py::test_none", "tests/test_last_members_01.py::test_some")
GOOD = b"def last(n, xs):\n    return xs[-n:] if n else []\n"
BAD = b"def last(n, xs):\n    return xs[-n:]\n"
CASES: list[dict[str, Any]] = [
    {"id": "v1", "module": "members", "function": "last", "args": [1, [True, 2]], "expected": [2]},
    {"id": "v2", "module": "members", "function": "last", "args": [1, []], "expected": []},
]
PROMPT = b"Write members.py with a function last(n, xs) that gives the last n members of xs.\n"
FILES: Mapping[str, bytes] = {
    "prompts/last-members-01.md": PROMPT,
    "tests/test_last_members_01.py": TESTS,
    "reference/last-members-01/members.py": GOOD,
    "stub/last-members-01/members.py": BAD,
    "values/last-members-01.json": json.dumps(CASES).encode(),
}
SUITE = CodingSuite()


def read(source: str | bytes = SOURCE, name: str = NAME) -> Bodies:
    """Read a source over the usual files."""
    data = source.encode() if isinstance(source, str) else source
    return read_source(data, name, MappingTree(FILES))


def read_with(changes: Mapping[str, bytes | None], source: str = EXTENDED) -> Bodies:
    """Read a source over files that differ from the usual ones; None takes a file away."""
    files = {path: data for path, data in {**FILES, **changes}.items() if data is not None}
    return read_source(source.encode(), NAME, MappingTree(files))


def a_fixture(source: str = EXTENDED) -> Fixture:
    frozen = freeze(read(source))
    record = frozen.record
    path = f"corpus/{record['dataset_id']}/{record['dataset_version']}/fixture.json"
    return Fixture(record, digest(encode(record)), path, SUITE.load(record, frozen.payloads))


def a_content(source: str = EXTENDED) -> Content:
    content: Content = a_fixture(source).content
    return content


def a_run(seeds: tuple[int, ...] = (11,), **options: Any) -> dict[str, Any]:
    return {"options": options, "replicate": {"name": "seed", "values": list(seeds)}}


SAMPLE = Sample(1, "last-members-01.11", "last-members-01", {"seed": 11})


def an_observation(status: str = "completed", owner: str | None = None, **changes: Any) -> dict[str, Any]:
    return {"status": status, "failure_owner": owner, "events": [], "artifacts": [], **changes}


def a_row(files: Mapping[str, bytes] | None = None, **observed: Any) -> Row:
    return Row(SAMPLE, an_observation(**observed), None, {"members.py": GOOD} if files is None else files)


def answered(files: Mapping[str, bytes] | None = None, turn: int = 1, **changes: Any) -> Answered:
    given: dict[str, Any] = {"status": "completed", "files": {"members.py": GOOD} if files is None else files}
    return Answered(turn, **{**given, **changes})


def ran(*outcomes: str, status: str = "finished", kind: str = "tests", **changes: Any) -> Executed:
    """An executed test job with the outcomes of its two tests, passed unless given."""
    found = dict(zip(TEST_IDS, outcomes or ("passed", "passed"), strict=False))
    return Executed(kind, JobOutcome(status, 120, tests=found if status == "finished" else {}, **changes))


def called(*values: Any, status: str = "finished", **changes: Any) -> Executed:
    """An executed value job; the right values unless given."""
    given = values or ([2], [])
    outcomes = {f"v{number}": {"value": value} for number, value in enumerate(given, 1)}
    return Executed("values", JobOutcome(status, 30, values=outcomes, **changes))


STUB_FAILS = ran("failed", "passed", kind="control_tests")
