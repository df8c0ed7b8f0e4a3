"""What the names of candidate code may stand for, without running it.

Scopes and the order of statements are ignored on purpose: a name may be anything that the file binds to it anywhere,
so hiding an import behind a second name or in another function changes nothing.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from assay.coding.folding import Names, fold_text

MAX_DEPTH = 60
MAX_NAME = 400

# Builtin names that lead to modules without any import.
DOORS = {
    **{name: f"builtins.{name}" for name in ("__import__", "exec", "eval", "compile", "getattr", "vars")},
    **{name: f"builtins.{name}" for name in ("globals", "locals")},
    "__builtins__": "builtins",
}
# Wherever these are found as members, they are the real thing: `os.sys` is `sys`.
_REEXPORTED = {
    "__import__": "builtins.__import__",
    "import_module": "importlib.import_module",
    "__builtins__": "builtins",
    "builtins": "builtins",
    "sys": "sys",
    "importlib": "importlib",
}
_IMPORT_CALLS = frozenset({"builtins.__import__", "importlib.__import__", "importlib.import_module"})
_KEYED = frozenset({f"sys.modules.{method}" for method in ("get", "pop", "setdefault", "__getitem__")})


@dataclass(frozen=True)
class Bindings:
    """Every binding of a file: imported names by dotted origin, assigned names by expression, constants to fold."""

    imported: dict[str, set[str]]
    assigned: dict[str, list[ast.expr]]
    names: Names


def bindings_of(trees: Sequence[ast.AST]) -> Bindings:
    """Collect what all given trees bind (the file itself and constant texts that it executes)."""
    imported: dict[str, set[str]] = defaultdict(set)
    assigned: dict[str, list[ast.expr]] = defaultdict(list)
    counts: Counter[str] = Counter()
    for tree in trees:
        for node in ast.walk(tree):
            counts.update(_bound_by(node))
            for name, dotted in _imported_by(node):
                imported[name].add(dotted)
            for name, value in _assigned_by(node):
                assigned[name].append(value)
    single = {n: v[0] for n, v in assigned.items() if counts[n] == len(v) == 1 and not _can_change(v[0])}
    return Bindings(imported, assigned, Names(single, frozenset(counts)))


def _bound_by(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target.id


def _imported_by(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            top = alias.name.split(".")[0]
            yield (alias.asname, alias.name) if alias.asname else (top, top)
    elif isinstance(node, ast.ImportFrom) and not node.level:
        yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def _assigned_by(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _paired(target, node.value)
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
        yield from _paired(node.target, node.value)


def _paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
        plain = not any(isinstance(member, ast.Starred) for member in (*target.elts, *value.elts))
        if plain and len(target.elts) == len(value.elts):
            for one, other in zip(target.elts, value.elts, strict=True):
                yield from _paired(one, other)


def _can_change(value: ast.expr) -> bool:
    """Whether the value may be altered in place later, so that its first content proves nothing."""
    return any(
        isinstance(node, ast.List | ast.ListComp) or (isinstance(node, ast.Name) and node.id in ("list", "bytearray"))
        for node in ast.walk(value)
    )


@dataclass
class Resolver:
    """Says which dotted things an expression may be: `j.loads` after `import json as j` is `json.loads`."""

    bindings: Bindings
    gave_up: bool = False
    _names: dict[str, frozenset[str]] = field(default_factory=dict)
    _nodes: dict[int, frozenset[str]] = field(default_factory=dict)
    _depth: int = 0

    def dotted(self, node: ast.expr) -> frozenset[str]:
        """Every dotted name that the expression may stand for; empty when it is nothing that was imported.

        Beyond a depth that honest code does not have, `gave_up` is set: the caller cannot decide then.
        """
        known = self._nodes.get(id(node))
        if known is not None:
            return known
        if self._depth > MAX_DEPTH:
            self.gave_up = True
            return frozenset()
        self._depth += 1
        found = self._dotted(node)
        self._depth -= 1
        self._nodes[id(node)] = found
        return found

    def _dotted(self, node: ast.expr) -> frozenset[str]:
        if isinstance(node, ast.Name):
            door = DOORS.get(node.id)
            return self._bound(node.id) | (frozenset({door}) if door else frozenset())
        if isinstance(node, ast.NamedExpr):
            return self.dotted(node.value)
        if isinstance(node, ast.IfExp):
            return self.dotted(node.body) | self.dotted(node.orelse)
        if isinstance(node, ast.BoolOp):
            return frozenset().union(*(self.dotted(value) for value in node.values))
        return self._member(node) | self._looked_up(node)

    def members(self, node: ast.expr) -> tuple[ast.expr, str | None] | None:
        """Owner and name when the expression takes a member by any spelling; the name is None when computed."""
        if isinstance(node, ast.Attribute):
            return node.value, node.attr
        if isinstance(node, ast.Call) and len(node.args) >= 2 and "builtins.getattr" in self.dotted(node.func):
            return node.args[0], self.text(node.args[1])
        if isinstance(node, ast.Subscript):
            owner = self._namespace_owner(node.value)
            return None if owner is None else (owner, self.text(node.slice))
        return None

    def text(self, node: ast.expr | None) -> str | None:
        """The constant text of an expression, or None."""
        return fold_text(node, self.bindings.names)

    def _bound(self, name: str) -> frozenset[str]:
        if name not in self._names:
            self._names[name] = frozenset()
            found = set(self.bindings.imported.get(name, ()))
            for value in self.bindings.assigned.get(name, ()):
                found |= self.dotted(value)
            self._names[name] = frozenset(found)
        return self._names[name]

    def _member(self, node: ast.expr) -> frozenset[str]:
        taken = self.members(node)
        if taken is None:
            return frozenset()
        owner, name = taken
        if name is None:
            return frozenset()
        owners = self.dotted(owner)
        found = {f"{one}.{name}" for one in owners if len(one) < MAX_NAME}
        if name in _REEXPORTED and (owners or name.startswith("__")):
            found.add(_REEXPORTED[name])
        # A class may have bound the name: `class A: load = importlib.import_module`, then `A.load(…)`.
        return frozenset(found) if owners else frozenset(found) | self._bound(name)

    def _looked_up(self, node: ast.expr) -> frozenset[str]:
        """What a call or a subscript with a constant name gives: `__import__("a.b")`, `sys.modules["a"]`."""
        if isinstance(node, ast.Subscript):
            return self._subscript(node, self.text(node.slice))
        if isinstance(node, ast.Call):
            name = self.text(node.args[0]) if node.args else None
            if name and self.dotted(node.func) & (_IMPORT_CALLS | _KEYED):
                return frozenset({name, name.split(".")[0]})
        return frozenset()

    def _subscript(self, node: ast.Subscript, key: str | None) -> frozenset[str]:
        if key is None:
            return frozenset()
        door = frozenset({DOORS[key]}) if key in DOORS else frozenset()
        if self.is_globals(node.value):
            return self._bound(key) | door
        owners = self.dotted(node.value)
        found = {key} if "sys.modules" in owners else set()
        return frozenset(found) | (door if "builtins" in owners or key == "__import__" else frozenset())

    def is_globals(self, node: ast.expr) -> bool:
        """Whether the expression is a call of `globals`, `locals` or `vars` without an argument."""
        doors = {"builtins.globals", "builtins.locals", "builtins.vars"}
        return isinstance(node, ast.Call) and not node.args and bool(self.dotted(node.func) & doors)

    def _namespace_owner(self, node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.Attribute) and node.attr == "__dict__":
            return node.value
        if isinstance(node, ast.Call) and len(node.args) == 1 and "builtins.vars" in self.dotted(node.func):
            return node.args[0]
        return None
