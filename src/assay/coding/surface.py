"""The static surface check: did the solution stay inside what the item allows?

Two rules. Files: every expected file is there as a file, and nothing steers the test tool; other extra files are named
and never copied into judging. Imports (Python files only): no forbidden module by any spelling. What the check cannot
decide is `undecided` with its reason, never "kept". Its declared limits are listed in docs/coding.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.coding.imports import Reach, modules_reached
from assay.coding.tail import plain_name

Rule = Literal[
    "forbidden_import", "missing_file", "not_a_file", "unexpected_file", "undecided", "ignored_file", "empty_file"
]

# Names that pytest, its plug-ins or the interpreter pick up by themselves, in any folder.
STEERING_FILES = frozenset(
    {
        "conftest.py",
        "pytest.ini",
        ".pytest.ini",
        "pytest.toml",
        ".pytest.toml",
        "tox.ini",
        "setup.cfg",
        "pyproject.toml",
    }
    | {"sitecustomize.py", "usercustomize.py", "pyvenv.cfg"}
)
_STEERING_MODULES = frozenset(
    {"pytest", "_pytest", "py", "pluggy", "iniconfig", "conftest", "sitecustomize", "usercustomize"}
)


@dataclass(frozen=True, order=True)
class Finding:
    """One finding: which rule, in which file, where, and in words."""

    file: str
    line: int
    rule: Rule
    what: str

    def to_json(self) -> dict[str, Any]:
        """The finding as raw outcomes hold it."""
        return {"file": self.file, "line": self.line, "rule": self.rule, "what": self.what}

    @property
    def words(self) -> str:
        """The finding on one line, with its place."""
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.what}"


@dataclass(frozen=True)
class Surface:
    """What the check found. `imports` is `not_applicable` when no expected file is Python."""

    violations: tuple[Finding, ...] = ()
    undecided: tuple[Finding, ...] = ()
    notes: tuple[Finding, ...] = ()
    imports: Literal["checked", "not_applicable"] = "checked"
    missing: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The surface as raw outcomes hold it."""
        return {
            "imports": self.imports,
            "missing": list(self.missing),
            "notes": [finding.to_json() for finding in self.notes],
            "undecided": [finding.to_json() for finding in self.undecided],
            "violations": [finding.to_json() for finding in self.violations],
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Surface:
        """Read what `to_json` wrote."""

        def findings(key: str) -> tuple[Finding, ...]:
            return tuple(Finding(**member) for member in document[key])

        return cls(
            findings("violations"),
            findings("undecided"),
            findings("notes"),
            document["imports"],
            tuple(document["missing"]),
        )


def check(files: Mapping[str, bytes], expected: Sequence[str], forbidden: Sequence[str], *, language: str) -> Surface:
    """Check the files that came back against an item's expected files and forbidden imports."""
    absent = [_absence(name, files) for name in expected if name not in files]
    extras = [_extra(name) for name in sorted(files) if name not in expected]
    empty = [Finding(name, 0, "empty_file", "is empty") for name in expected if files.get(name) == b""]
    sources = [name for name in expected if language == "python" and name.endswith(".py")]
    forbidden_found: list[Finding] = []
    undecided: list[Finding] = []
    for name in [name for name in sources if name in files]:
        reached = modules_reached(files[name])
        forbidden_found += _hits(name, reached.imports, forbidden)
        if forbidden:
            undecided += [Finding(name, reach.line, "undecided", _words(reach.how)) for reach in reached.undecided]
    violations = [*absent, *(e for e in extras if e.rule == "unexpected_file"), *forbidden_found]
    return Surface(
        tuple(sorted(violations)),
        tuple(undecided),
        tuple(sorted([*empty, *(e for e in extras if e.rule == "ignored_file")])),
        "checked" if sources else "not_applicable",
        tuple(finding.file for finding in absent),
    )


def judged_files(files: Mapping[str, bytes], expected: Sequence[str]) -> dict[str, bytes]:
    """The files that go into judging: the expected ones and no other."""
    return {name: files[name] for name in expected if name in files}


def steers_the_tests(path: str) -> bool:
    """Whether a file of this name would be picked up by the test tool or the interpreter unasked."""
    *folders, name = path.split("/")
    top = (folders[0] if folders else name).split(".")[0]
    return name in STEERING_FILES or name.endswith(".pth") or top in _STEERING_MODULES


def _absence(name: str, files: Mapping[str, bytes]) -> Finding:
    if any(path.startswith(f"{name}/") for path in files):
        return Finding(name, 0, "not_a_file", "expected a file, got a folder")
    return Finding(name, 0, "missing_file", "expected file is missing")


def _extra(name: str) -> Finding:
    if steers_the_tests(name):
        return Finding(
            name, 0, "unexpected_file", "unexpected file that would steer the test run (not copied into judging)"
        )
    return Finding(name, 0, "ignored_file", "extra file (not copied into judging)")


def _words(what: str) -> str:
    """What was found, in a length and an alphabet that a record can hold: names come from the candidate."""
    return plain_name(what, 300)


def _hits(name: str, imports: Sequence[Reach], forbidden: Sequence[str]) -> list[Finding]:
    """One finding per line and forbidden module, in the order of the file."""
    found: dict[tuple[int, str], Finding] = {}
    for reach in imports:
        for module in forbidden:
            if reach.module == module or reach.module.startswith(f"{module}."):
                words = _words(f"forbidden import {module}: {reach.how}")
                found.setdefault((reach.line, module), Finding(name, reach.line, "forbidden_import", words))
    return list(found.values())
