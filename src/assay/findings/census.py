"""The census of tests: behaviour, documentation pins and gold evaluations, counted apart so that the total is honest.

A scored run is no coverage of behaviour and a pinned sentence is neither. Every test file belongs to exactly one group;
the three counts must add up to the number of tests that were collected.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

Group = Literal["behaviour", "documentation pins", "gold evaluations"]
GROUPS: tuple[Group, ...] = ("behaviour", "documentation pins", "gold evaluations")


_PIECES = re.compile(r"(\*\*/|\*\*|\*|\?|\[!?[^]/]+\])")
_WILD = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


@dataclass(frozen=True)
class TestFile:
    """One test file: how many tests it holds and which markers stand on the whole file."""

    __test__ = False

    tests: int
    markers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Belongs:
    """What puts a file into a group: a glob of its path, or a marker on the file.

    In a glob `**` crosses folders, `[ab]` is one of these characters and `[!ab]` any other.
    """

    globs: tuple[str, ...] = ()
    markers: frozenset[str] = frozenset()

    def claims(self, path: str, file: TestFile) -> bool:
        return bool(file.markers & self.markers) or any(_pattern(glob).fullmatch(path) for glob in self.globs)


@dataclass(frozen=True)
class Census:
    """The counts by group, the files behind them, and every fault; it holds only without faults."""

    tests: Mapping[Group, int]
    files: Mapping[Group, tuple[str, ...]]
    faults: tuple[str, ...]

    @property
    def total(self) -> int:
        return sum(self.tests.values())

    @property
    def holds(self) -> bool:
        return not self.faults


def take_census(
    files: Mapping[str, TestFile], groups: Mapping[Group, Belongs], *, collected: int | None = None
) -> Census:
    """Count tests by group. A file in two groups or in none, or a sum other than `collected`, is a fault."""
    members: dict[Group, list[str]] = {group: [] for group in GROUPS}
    faults: list[str] = []
    for path in sorted(files):
        claimed = [group for group in GROUPS if group in groups and groups[group].claims(path, files[path])]
        if len(claimed) == 1:
            members[claimed[0]].append(path)
        elif claimed:
            faults.append(f"{path}: belongs to {len(claimed)} groups ({', '.join(claimed)})")
        else:
            faults.append(f"{path}: belongs to no group ({files[path].tests} tests)")
    counts = {group: sum(files[path].tests for path in members[group]) for group in GROUPS}
    if collected is not None and sum(counts.values()) != collected:
        spelled = " + ".join(f"{counts[group]} {group}" for group in GROUPS)
        faults.append(f"the sum is off: {spelled} = {sum(counts.values())}, collected {collected}")
    return Census(counts, {group: tuple(members[group]) for group in GROUPS}, tuple(faults))


def count_tests(source: str) -> TestFile:
    """Count the test functions of a Python file (parametrised ones once) and read its file-wide `pytestmark`."""
    tree = ast.parse(source)
    return TestFile(sum(1 for _ in _tests(tree.body)), frozenset(_markers(tree.body)))


def _tests(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            yield node
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield from _tests(node.body)


def _markers(body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.Assign) and any(getattr(name, "id", "") == "pytestmark" for name in node.targets):
            for inner in ast.walk(node.value):
                if isinstance(inner, ast.Attribute) and getattr(inner.value, "attr", "") == "mark":
                    yield inner.attr


@cache
def _pattern(glob: str) -> re.Pattern[str]:
    return re.compile("".join(_piece(part) for part in _PIECES.split(glob)))


def _piece(part: str) -> str:
    if part.startswith("[") and part.endswith("]"):
        listed = part[1:-1]
        return f"[^/{re.escape(listed[1:])}]" if listed.startswith("!") else f"[{re.escape(listed)}]"
    return _WILD.get(part) or re.escape(part)
