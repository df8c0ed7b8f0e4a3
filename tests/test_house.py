"""The house rules of this code base, kept by measurement: storeys, sizes, cycles, one caller of git."""

from __future__ import annotations

import ast
import re
import statistics
from functools import cache
from pathlib import Path

import pytest

SRC = Path(__file__).parent.parent / "src" / "assay"
STOREYS = [
    {"errors", "clock", "stats"},
    {"record", "contract", "journal", "stash"},
    {"store", "engine"},
    {"coding", "modes", "findings", "acceptance", "importers"},
    {"weigh", "suites"},
    {"report", "verify"},
    {"flows"},
    {"demo"},
    {"cli", "api", "pytest_plugin"},
]
FLOOR = {room: floor for floor, rooms in enumerate(STOREYS) for room in rooms}
MAY_TOUCH_STORE = {"store", "verify", "flows", "api", "cli"}
ROOMLESS = {"__init__.py", "__main__.py"}
# Neighbours that are parts of one idea: the contract speaks of records, the journal of errors only.
MAY_LOOK_ACROSS = {("contract", "record")}
DATA = {"demo/dataset"}

MODULES = sorted(p for p in SRC.rglob("*.py") if not any(str(p.relative_to(SRC)).startswith(d) for d in DATA))


def room_of(path: Path) -> str:
    return path.relative_to(SRC).parts[0].removesuffix(".py")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(path: Path) -> set[str]:
    """Every `assay.…` module that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("assay.")}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "assay":
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def functions() -> list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    return [
        (f"{path.relative_to(SRC)}:{node.name}", node)
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


@pytest.mark.parametrize("path", [p for p in MODULES if p.name not in ROOMLESS or p.parent != SRC], ids=str)
def test_imports_go_downstairs(path):
    room = room_of(path)
    for other in {name.split(".")[1] for name in imports_of(path)} - {room, "__version__"}:
        assert FLOOR[other] < FLOOR[room] or (room, other) in MAY_LOOK_ACROSS, f"{room} may not import {other}"
        assert other != "store" or room in MAY_TOUCH_STORE, f"{room} must be given records, not a store"


def test_no_import_cycles():
    modules = {
        ".".join(("assay", *p.relative_to(SRC).with_suffix("").parts)).removesuffix(".__init__"): p for p in MODULES
    }

    def target(name: str) -> str:
        while name and name not in modules:
            name = name.rpartition(".")[0]
        return name

    edges = {name: {target(i) for i in imports_of(path)} - {name, "assay", ""} for name, path in modules.items()}
    while edges:
        leaves = {name for name, targets in edges.items() if not targets & edges.keys()}
        assert leaves, f"import cycle among {sorted(edges)}"
        edges = {name: targets for name, targets in edges.items() if name not in leaves}


def test_no_imports_inside_functions_except_late_ones():
    """Heavy and optional libraries are imported late, in files named `late.py` and nowhere else."""
    culprits = [
        f"{where}: line {node.lineno}"
        for where, function in functions()
        if not where.split(":")[0].endswith("late.py")
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert culprits == []


def test_sizes_keep_their_maxima():
    lines = {str(p.relative_to(SRC)): p.read_text(encoding="utf-8").count("\n") for p in MODULES}
    assert [name for name, count in lines.items() if count > 500] == []
    assert statistics.median(lines.values()) <= 120
    assert sorted(lines.values())[int(0.95 * (len(lines) - 1))] <= 350


def test_functions_are_short_and_narrow():
    spans = {where: (node.end_lineno or 0) - node.lineno + 1 for where, node in functions()}
    widths = {where: len(node.args.posonlyargs + node.args.args + node.args.kwonlyargs) for where, node in functions()}
    assert [where for where, span in spans.items() if span > 80] == []
    assert sorted(spans.values())[int(0.95 * (len(spans) - 1))] <= 40
    most = {where: 10 if where.startswith("cli/") else 7 if "self" in where else 6 for where in widths}
    assert [where for where, width in widths.items() if width > most[where]] == []


def test_one_broad_except_in_the_whole_package():
    broad = [
        f"{path.relative_to(SRC)}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException"))
    ]
    assert len(broad) <= 1 and all(where.startswith("cli/main.py") for where in broad), broad


def test_only_the_store_runs_git():
    callers = {
        str(path.relative_to(SRC))
        for path in MODULES
        if re.search(r"subprocess", path.read_text(encoding="utf-8"))
        and re.search(r"""["']git["']""", path.read_text(encoding="utf-8"))
    }
    assert callers <= {"store/git.py"}


def test_only_the_clock_reads_the_clock():
    readers = {
        str(path.relative_to(SRC))
        for path in MODULES
        if re.search(r"datetime\.now|time\.time\(|utcnow|date\.today", path.read_text(encoding="utf-8"))
    }
    assert readers <= {"clock.py"}


def test_nothing_is_left_undone():
    marks = [
        f"{path.relative_to(SRC)}:{number}"
        for path in MODULES
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if re.search(r"\b(TODO|FIXME|XXX|NotImplementedError)\b", line)
    ]
    assert marks == []
