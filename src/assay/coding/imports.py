"""Which modules candidate code reaches, by every spelling that can be read off its syntax tree.

Statements, `__import__`, `importlib`, `pkgutil`, `runpy`, `sys.modules`, constant texts given to `exec`, `eval`,
`compile` and `timeit`, under any alias and with joined constants folded. What only shows when it runs (a computed
name, another program, frames and loaders) is reported as undecided with the reason, never passed over.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.coding.bindings import Resolver, bindings_of
from assay.contract.python_source import parse_module

MAX_TEXT = 256 * 1024
MAX_INNER_TEXTS = 20

# Functions whose argument names a module: position and keyword of that argument.
_BY_NAME: Mapping[str, tuple[int, str]] = {
    "builtins.__import__": (0, "name"),
    "importlib.__import__": (0, "name"),
    "importlib.import_module": (0, "name"),
    "importlib.util.find_spec": (0, "name"),
    "importlib.util.resolve_name": (0, "name"),
    "importlib.find_loader": (0, "name"),
    "pkgutil.resolve_name": (0, "name"),
    "pkgutil.get_loader": (0, "module_or_name"),
    "pkgutil.find_loader": (0, "fullname"),
    "runpy.run_module": (0, "mod_name"),
    **{f"sys.modules.{method}": (0, "key") for method in ("get", "pop", "setdefault", "__getitem__")},
}
# Functions whose arguments are program text.
_BY_TEXT: Mapping[str, tuple[tuple[int, str], ...]] = {
    "builtins.exec": ((0, "source"),),
    "builtins.eval": ((0, "source"),),
    "builtins.compile": ((0, "source"),),
    "timeit.timeit": ((0, "stmt"), (1, "setup")),
    "timeit.repeat": ((0, "stmt"), (1, "setup")),
    "timeit.Timer": ((0, "stmt"), (1, "setup")),
}
# A call of one of these can reach any module in a way that no reading of the file shows.
_OPAQUE = frozenset(
    {"runpy.run_path", "os.system", "os.popen", "pty.spawn", "pickle.load", "pickle.loads", "pickle.Unpickler"}
    | {"gc.get_objects", "gc.get_referrers", "sys._getframe", "inspect.currentframe", "inspect.stack"}
    | {"typing.get_type_hints", "inspect.get_annotations", "inspect.getmodule"}
    | {"types.FunctionType", "types.CodeType", "unittest.mock.patch"}
    | {"code.interact", "code.InteractiveConsole", "code.InteractiveInterpreter"}
    | {"importlib.util.module_from_spec", "importlib.util.spec_from_loader"}
    | {"importlib.util.spec_from_file_location"}
)
_OPAQUE_HOMES = (
    *("subprocess.", "os.exec", "os.spawn", "os.posix_spawn", "asyncio.create_subprocess", "asyncio.subprocess."),
    *("ctypes.", "imp.", "_imp.", "zipimport.", "codeop.", "pydoc.", "doctest.", "modulefinder."),
    *("importlib.machinery.", "importlib.abc.", "_frozen_importlib", "logging.config."),
)
_OPAQUE_MEMBERS = frozenset(
    {"__globals__", "__subclasses__", "f_globals", "f_builtins", "f_locals", "load_module", "exec_module"}
)
# Values that must only be called or taken a member of; handed on, they cannot be followed.
_GUARDED = frozenset({"builtins", "sys", "importlib", "sys.modules", "builtins.exec", "builtins.eval"}) | {
    name for name in _BY_NAME if not name.startswith("sys.modules.")
}
_HOMES_OF_DOORS = frozenset(
    {name.rpartition(".")[0] for name in (*_BY_NAME, *_BY_TEXT, *_OPAQUE)} | {"builtins", "sys", "importlib"}
)
_PROBED_SAFELY = frozenset({"math", "cmath", "operator", "itertools", "string", "time", "datetime"})


@dataclass(frozen=True, order=True)
class Reach:
    """A module that is reached, or (in `undecided`) a place that may reach any; `how` is for people."""

    line: int
    module: str
    how: str


@dataclass(frozen=True)
class Reached:
    """What a file reaches for sure, and where it may reach anything."""

    imports: tuple[Reach, ...] = ()
    undecided: tuple[Reach, ...] = ()


def modules_reached(data: bytes) -> Reached:
    """Read a file of candidate code; what cannot be parsed is undecided as a whole."""
    if len(data) > MAX_TEXT:
        return _undecided(1, f"over {MAX_TEXT} bytes, not read")
    tree, fault = _parse(data)
    if tree is None:
        return _undecided(1, fault)
    trees: list[tuple[ast.AST, int | None]] = [(tree, None)]
    known: set[str] = set()
    while True:
        survey = _Survey(trees)
        fresh = [(text, line) for text, line in survey.texts if text not in known]
        if not fresh:
            return survey.reached()
        if len(known) + len(fresh) > MAX_INNER_TEXTS:
            return _undecided(fresh[0][1], f"more than {MAX_INNER_TEXTS} texts are executed")
        for text, line in fresh:
            known.add(text)
            inner, _ = _parse(text)
            if inner is not None:
                trees.append((inner, line))


def _undecided(line: int, how: str) -> Reached:
    return Reached((), (Reach(line, "", how),))


def _parse(text: str | bytes) -> tuple[ast.Module | None, str]:
    try:
        return parse_module(text.lstrip(" \t") if isinstance(text, str) else text), ""
    except SyntaxError as error:
        return None, f"cannot be parsed as Python: line {error.lineno or 1}, {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return None, f"cannot be parsed as Python: {str(error) or type(error).__name__}"


class _Survey:
    """One look at all trees together; inner trees report the line of the call that executes them."""

    def __init__(self, trees: Sequence[tuple[ast.AST, int | None]]) -> None:
        self.resolver = Resolver(bindings_of([tree for tree, _ in trees]))
        self.imports: set[Reach] = set()
        self.undecided: set[Reach] = set()
        self.texts: list[tuple[str, int]] = []
        for tree, line in trees:
            self._line = line
            self._look_at(tree)

    def reached(self) -> Reached:
        """What was found, in the order of lines."""
        if self.resolver.gave_up:
            self.undecided.add(Reach(1, "", "expressions nested too deep to follow"))
        return Reached(tuple(sorted(self.imports)), tuple(sorted(self.undecided)))

    def _look_at(self, tree: ast.AST) -> None:
        followed = {id(node) for node in _followed(tree)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                self._statement(node)
            elif isinstance(node, ast.Call):
                self._call(node)
            elif isinstance(node, ast.Subscript):
                self._subscript(node)
            if isinstance(node, ast.expr):
                self._member(node)
                if id(node) not in followed:
                    self._handed_on(node)

    def _statement(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                self._reach(node, alias.name, f"import {alias.name}")
        elif not node.level:
            self._reach(node, node.module or "", f"from {node.module} import …")
            for alias in node.names:
                if alias.name != "*":
                    self._reach(node, f"{node.module}.{alias.name}", f"from {node.module} import {alias.name}")
                elif node.module in _HOMES_OF_DOORS:
                    self._doubt(node, f"from {node.module} import * brings names that reach modules")

    def _call(self, node: ast.Call) -> None:
        for function in sorted(self.resolver.dotted(node.func)):
            if function in _BY_NAME:
                self._named(node, function)
            elif function in _BY_TEXT:
                self._executed(node, function)
            elif _is_opaque(function):
                self._doubt(node, f"{function}(…) can reach any module")

    def _named(self, node: ast.Call, function: str) -> None:
        argument = _argument(node, *_BY_NAME[function])
        name = self.resolver.text(argument)
        if name is None:
            self._doubt(node, f"{function}(…) with a computed name")
        elif name.startswith("."):
            package = self.resolver.text(_argument(node, 1, "package"))
            self._reach(node, f"{package}.{name.lstrip('.')}" if package else name, f"{function}({name!r}, …)")
        else:
            self._reach(node, name.split(":")[0], f"{function}({name!r})")

    def _executed(self, node: ast.Call, function: str) -> None:
        for place in _BY_TEXT[function]:
            argument = _argument(node, *place)
            text = self.resolver.text(argument)
            if text is not None:
                self.texts.append((text, self._at(node)))
            elif function != "builtins.compile" and not self._is_read_elsewhere(argument, node.keywords):
                self._doubt(node, f"{function}(…) of a computed text")

    def _is_read_elsewhere(self, node: ast.expr | None, keywords: Sequence[ast.keyword]) -> bool:
        """Whether it is absent, a function written in place, or a direct `compile("constant text", …)`."""
        if node is None:
            return all(keyword.arg for keyword in keywords)
        if isinstance(node, ast.Lambda):
            return True
        if not isinstance(node, ast.Call) or "builtins.compile" not in self.resolver.dotted(node.func):
            return False
        return self.resolver.text(_argument(node, 0, "source")) is not None

    def _subscript(self, node: ast.Subscript) -> None:
        key = self.resolver.text(node.slice)
        if "sys.modules" in self.resolver.dotted(node.value):
            if key is None:
                self._doubt(node, "sys.modules[…] with a computed name")
            else:
                self._reach(node, key, f"sys.modules[{key!r}]")
        elif key is None and self.resolver.is_globals(node.value) and isinstance(node.ctx, ast.Load):
            self._doubt(node, "globals()[…] with a computed name")

    def _member(self, node: ast.expr) -> None:
        if isinstance(node, ast.Name) and node.id in ("__loader__", "__spec__"):
            self._doubt(node, f"{node.id} can reach any module")
        taken = self.resolver.members(node)
        if taken is None:
            return
        owner, name = taken
        owners = self.resolver.dotted(owner)
        if name is None:
            for module in sorted(owners - _PROBED_SAFELY):
                self._doubt(node, f"a computed member of {module}")
        elif name in _OPAQUE_MEMBERS:
            self._doubt(node, f"{name} can reach any module")
        elif owners & _BY_NAME.keys() | owners & _BY_TEXT.keys():
            self._doubt(node, f"{min(owners)}.{name} cannot be followed")
        else:
            for dotted in sorted(self.resolver.dotted(node)):
                self._reach(node, dotted, dotted)
                if dotted.startswith("sys.modules.") and dotted not in _BY_NAME:
                    self._doubt(node, f"{dotted} can reach any loaded module")

    def _handed_on(self, node: ast.expr) -> None:
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            for value in sorted(self.resolver.dotted(node)):
                if value in _GUARDED or _is_opaque(value):
                    self._doubt(node, f"{value} is handed on and cannot be followed")

    def _reach(self, node: ast.AST, module: str, how: str) -> None:
        self.imports.add(Reach(self._at(node), module, how))

    def _doubt(self, node: ast.AST, how: str) -> None:
        self.undecided.add(Reach(self._at(node), "", how))

    def _at(self, node: ast.AST) -> int:
        return self._line or int(getattr(node, "lineno", 1))


def _is_opaque(function: str) -> bool:
    return function in _OPAQUE or function.startswith(_OPAQUE_HOMES)


def _argument(node: ast.Call, position: int, keyword: str) -> ast.expr | None:
    if position < len(node.args):
        return node.args[position]
    return next((given.value for given in node.keywords if given.arg == keyword), None)


def _followed(tree: ast.AST) -> Iterator[ast.AST]:
    """Expressions whose use is seen elsewhere: called, taken a member of, given a name, or asked for membership."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield node.func
            if isinstance(node.func, ast.Name) and node.func.id in ("getattr", "vars", "hasattr"):
                yield from node.args[:1]
        elif isinstance(node, ast.Compare):
            if all(isinstance(operator, ast.In | ast.NotIn | ast.Is | ast.IsNot) for operator in node.ops):
                yield from node.comparators
        elif isinstance(node, ast.Assign):
            if all(isinstance(target, ast.Name) for target in node.targets):
                yield node.value
        elif isinstance(node, ast.Attribute | ast.Subscript | ast.NamedExpr) or (
            isinstance(node, ast.AnnAssign) and node.value and isinstance(node.target, ast.Name)
        ):
            yield node.value  # type: ignore[misc]
