"""A fixture revision's content, typed: what each item asks, gives and checks."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.coding.changes import mismatches
from assay.coding.source import Item, Source, parse
from assay.coding.value_cases import ValueCase, read_cases
from assay.contract.jobs import Limits
from assay.contract.python_source import parse_module
from assay.errors import Inconclusive, InputError


@dataclass(frozen=True)
class Body:
    """What an item consists of beside its fields. Folders are reduced to the expected files, by their names."""

    prompt: str
    tests: Mapping[str, bytes]
    reference: Mapping[str, bytes] | None
    stub: Mapping[str, bytes] | None
    value_cases: tuple[ValueCase, ...]
    support: Mapping[str, bytes]


@dataclass(frozen=True)
class Content:
    """A loaded coding fixture, items by id in their order. An item whose sealed files were not given has no body."""

    source: Source
    items: Mapping[str, Item]
    bodies: Mapping[str, Body]
    is_sealed: bool

    def body(self, item: str) -> Body:
        """The body of an item; raise Inconclusive when it is sealed and was not given."""
        if item not in self.bodies:
            raise Inconclusive(f"{item}: its files are sealed and not here", hint="name their folder: --sealed-bodies")
        return self.bodies[item]

    def known_tests(self, item: str) -> tuple[str, ...]:
        """The tests that the item's test file visibly defines."""
        return known_tests(next(iter(self.body(item).tests.values())))

    def limits(self, item: str) -> Limits:
        """What a judging job of the item may use."""
        stated = self.items[item]
        return Limits(
            timeout_ms=stated.timeout_ms,
            memory_mib=stated.memory_mib,
            network="on" if self.source.controls.get("network") == "on" else "off",
        )


def load(record: Mapping[str, Any], files: Mapping[str, bytes]) -> Content:
    """Make the content from a fixture record and its files; raise InputError naming every file that is not right.

    Sealed files may be absent as a whole item; what is given is checked against its pin.
    """
    name = record["source"]
    if name not in files:
        raise InputError(f"{record['dataset_id']} {record['dataset_version']}: its source {name} was not given")
    sealed = {entry["path"] for entry in record["files"] if entry.get("sealed")}
    given = {"files": [entry for entry in record["files"] if entry["path"] in files or entry["path"] not in sealed]}
    wrong = mismatches(given, files)
    if wrong:
        raise InputError(f"{wrong[0]} (of {len(wrong)})" if len(wrong) > 1 else wrong[0], faults=wrong)
    source = parse(files[name], name)
    bodies = {item.id: _body(item, files) for item in source.items if all(path in files for path in item.files())}
    return Content(source, {item.id: item for item in source.items}, bodies, bool(sealed))


def known_tests(data: bytes) -> tuple[str, ...]:
    """Names of the tests that a pytest file visibly defines: functions, and methods of classes, sorted.

    A least set, read without running it: each must show up among the outcomes, however the candidate behaves.
    """
    try:
        tree = parse_module(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    names = set(_test_functions(tree))
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and _is_collected(node):
            names |= {f"{node.name}::{name}" for name in _test_functions(node)}
    return tuple(sorted(names))


def _test_functions(node: ast.Module | ast.ClassDef) -> list[str]:
    """Plain test functions bound once; a decorator other than a mark may make something else of them."""
    bound = Counter(getattr(member, "name", "") for member in node.body)
    return [
        member.name
        for member in node.body
        if isinstance(member, ast.FunctionDef)
        and member.name.startswith("test")
        and bound[member.name] == 1
        and all(ast.unparse(decorator).startswith("pytest.mark.") for decorator in member.decorator_list)
    ]


def _is_collected(node: ast.ClassDef) -> bool:
    """Whether pytest surely takes the class: a TestCase, or a plain class named Test… without a constructor."""
    if any(ast.unparse(base).endswith("TestCase") for base in node.bases):
        return True
    return (
        node.name.startswith("Test")
        and not node.bases
        and all(getattr(member, "name", "") != "__init__" for member in node.body)
    )


def _body(item: Item, files: Mapping[str, bytes]) -> Body:
    cases: tuple[ValueCase, ...] = ()
    if item.value_cases is not None:
        cases, faults = read_cases(files[item.value_cases], item.value_cases, item.expected_files)
        if faults:
            raise InputError(faults[0], faults=faults)
    return Body(
        prompt=files[item.prompt_file].decode("utf-8"),
        tests={item.test_file: files[item.test_file]},
        reference=_folder(item.reference, item, files),
        stub=_folder(item.stub, item, files),
        value_cases=cases,
        support={path: files[path] for path in item.support_files},
    )


def _folder(folder: str | None, item: Item, files: Mapping[str, bytes]) -> dict[str, bytes] | None:
    return None if folder is None else {name: files[f"{folder}/{name}"] for name in item.expected_files}
