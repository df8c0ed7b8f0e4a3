"""Second judges, one per domain, that share no code with the verifiers: search, exact recomputation, SymPy, `eval`.

Each takes a task's reference and a response of the conformance corpus and says (status, fingerprint); equal modes
have equal fingerprints. They know the plain spellings of the corpus only.
"""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from itertools import product

import sympy

from assay.modes.mathir import late

BOX = re.compile(r"\\?(?:boxed|fbox)\s*\{")
LABEL = re.compile(r"(?i)^(?:the final )?(?:answer|plan|function|colors)(?: is)?\s*:\s*")


def content(response: str) -> str | None:
    """The final answer of a corpus response, spelled plainly; None when a box never closes."""
    text = response.strip()
    boxes = list(BOX.finditer(text))
    for box in reversed(boxes):
        end = closing(text, box.end())
        if end is not None and text[box.end() : end].strip():
            text = text[box.end() : end]
            break
    else:
        if boxes:
            return None
    if text.startswith("```"):
        text = text.strip("`").strip().removeprefix("python").strip()
    text = LABEL.sub("", text.strip()).strip(" $")
    for old, new in (("\\times", "*"), ("\\div", "/"), ("\u2212", "-"), ("\\_", "_"), ("\\%", "%")):
        text = text.replace(old, new)
    while "frac" in text:
        text = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))", text)
    wrapped = re.fullmatch(r"\\text\{(.*)\}", text)
    text = wrapped[1] if wrapped else text
    text = "".join(chr(ord(c) - 0xFEE0) if 0xFF01 <= ord(c) <= 0xFF5E else c for c in text)
    return text.removesuffix(".").strip()


def closing(text: str, start: int) -> int | None:
    depth = 1
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if not depth:
            return at
    return None


def countdown(answer, response):
    """Python's own parser, exact fractions, and a tree of sets for commutativity."""
    text = content(response)
    if not text:
        return "malformed", None
    parts = [part.strip() for part in text.split("=")]
    try:
        trees = [ast.parse(part, mode="eval").body for part in parts]
        values = [fraction_of(tree) for tree in trees]
    except (SyntaxError, TypeError):
        return "malformed", None
    used = [sorted(n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)) for tree in trees]
    if any(value != answer["target"] for value in values) or sorted(answer["numbers"]) not in used:
        return "incorrect", None
    return "correct", shape(trees[used.index(sorted(answer["numbers"]))])


def fraction_of(tree):
    """The exact value, None after a division by zero; raise TypeError outside the grammar."""
    if isinstance(tree, ast.Constant) and type(tree.value) is int:
        return Fraction(tree.value)
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub | ast.UAdd):
        value = fraction_of(tree.operand)
        return value if value is None or isinstance(tree.op, ast.UAdd) else -value
    if not isinstance(tree, ast.BinOp) or not isinstance(tree.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
        raise TypeError
    left, right = fraction_of(tree.left), fraction_of(tree.right)
    if left is None or right is None or (isinstance(tree.op, ast.Div) and right == 0):
        return None
    return (
        {ast.Add: left + right, ast.Sub: left - right, ast.Mult: left * right}.get(type(tree.op))
        if not isinstance(tree.op, ast.Div)
        else left / right
    )


def shape(tree):
    """The tree up to commutativity and signs: a sum keeps its signed terms, so `a-(-b)` and `a+b` are one."""
    sign, unsigned = signed(tree)
    return unsigned if sign > 0 else ("minus", unsigned)


def signed(tree):
    """(sign, unsigned shape). A difference is a sum with one negative term, written with its positive term first."""
    if isinstance(tree, ast.Constant):
        return 1, tree.value
    if isinstance(tree, ast.UnaryOp):
        sign, inner = signed(tree.operand)
        return (-sign if isinstance(tree.op, ast.USub) else sign), inner
    (left, a), (right, b) = signed(tree.left), signed(tree.right)
    if isinstance(tree.op, ast.Mult | ast.Div):
        parts = sorted((a, b), key=repr) if isinstance(tree.op, ast.Mult) else [a, b]
        return left * right, (type(tree.op).__name__, *parts)
    right = -right if isinstance(tree.op, ast.Sub) else right
    if left == right:
        return left, ("sum", *sorted((a, b), key=repr))
    return 1, ("difference", a, b) if left > 0 else ("difference", b, a)


def graph_coloring(answer, response):
    """All proper completions by trying all colourings."""
    text = content(response)
    n, partial = answer["n"], answer.get("partial_colors") or [None] * answer["n"]
    hidden = [v for v in range(n) if partial[v] is None] if "partial_colors" in answer else range(n)
    if not text:
        return "malformed", None
    pairs = dict(re.findall(r"(\d+)\W*:\s*(\d)", text)) if "," in text else {}
    if pairs:
        colours = [pairs.get(str(v + 1), str(partial[v])) for v in range(n)]
        if len(pairs) not in (n, len(hidden)):
            return "malformed", None
    else:
        digits = re.findall(r"\d", text)
        if re.search(r"[A-Za-z]", text) or len(digits) not in (n, len(hidden)):
            return "malformed", None
        rest = iter(digits)
        colours = digits if len(digits) == n else [str(c) if c else next(rest) for c in partial]
    if not set(colours) <= set("123"):
        return "malformed", None
    proper = {
        c
        for c in product("123", repeat=n)
        if all(c[a - 1] != c[b - 1] for a, b in answer["edges"])
        and all(p is None or str(p) == x for p, x in zip(partial, c, strict=True))
    }
    return ("correct", tuple(colours)) if tuple(colours) in proper else ("incorrect", None)


FACTOR_NODES = frozenset(
    """Expression Lambda arguments arg IfExp BoolOp And Or Compare Eq NotEq Lt LtE Gt GtE BinOp Add Sub Mult
    FloorDiv Mod UnaryOp UAdd USub Not Name Load Constant""".split()  # noqa: SIM905 (a list of names reads better as words)
)


def python_factors(answer, response):
    """Python itself runs the admitted function, without builtins."""
    text = content(response) or ""
    text = text.replace("\\lambda", "lambda")
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        return "malformed", None
    nodes = list(ast.walk(tree))
    constants = [n.value for n in nodes if isinstance(n, ast.Constant)]
    if (
        not isinstance(tree.body, ast.Lambda)
        or ast.unparse(tree.body.args) != "n"
        or not {type(n).__name__ for n in nodes} <= FACTOR_NODES
        or any(type(c) is not int or c > 10_000 for c in constants)
        or len(nodes) > 64
    ):
        return "malformed", None
    function = eval(compile(tree, "<corpus>", "eval"), {"__builtins__": {}})
    outputs = []
    for case in answer["cases"]:
        try:
            output = function(case)
        except (TypeError, ZeroDivisionError):
            return "incorrect", None
        if type(output) is not int or output not in [d for d in range(2, case) if case % d == 0]:
            return "incorrect", None
        outputs.append(output)
    return "correct", tuple(outputs)


def mathir(answer, response):
    """SymPy performs the commands; states are compared as rational functions."""
    text = re.sub(r"\s*([;(),])\s*", r"\1", content(response) or "").removesuffix(";")
    pieces = text.split(";")
    if answer["verifier"] == "mathir_action_menu":
        if not set(pieces) <= answer["actions"].keys() or len(pieces) > answer.get("max_steps", 4):
            return "malformed", None
        pieces = [answer["actions"][piece] for piece in pieces]
    commands = [read_command(piece, answer["bindings"]) for piece in pieces]
    if None in commands or len(commands) > answer.get("max_steps", 4):
        return "malformed", None
    sides = [sympy.cancel(late.expression(answer[name])) for name in ("initial_lhs", "initial_rhs")]
    values = {sympy.Symbol(name): sympy.Rational(value) for name, value in answer["bindings"].items()}
    x = sympy.Symbol("x")
    (solution,) = sympy.solve((sides[0] - sides[1]).subs(values), x)
    seen = [tuple(sides)]
    for operator, argument in commands:
        if has_bad_denominator(argument, values) or (
            operator in ("mul", "div") and "x" in re.findall(r"\w+", argument)
        ):
            return "incorrect", None
        operand = late.expression(argument)
        if operator in ("mul", "div") and operand.subs(values) == 0:
            return "incorrect", None
        sides = [late.applied(operator, side, operand) for side in sides]
        if any(all(map(late.are_equal, sides, old)) for old in seen):
            return "incorrect", None
        seen.append(tuple(sides))
    other = sides[1] if sides[0] == x else sides[0] if sides[1] == x else None
    if other is None or other.has(x) or other.subs(values) != solution:
        return "incorrect", None
    return "correct", tuple(tuple(map(str, map(sympy.expand, map(sympy.factor, state)))) for state in seen[1:])


def read_command(piece, bindings):
    found = re.fullmatch(r"(add|sub|mul|div)\((.*)\)", piece)
    if not found or not is_expression(found[2], {*bindings, "x"}):
        return None
    depth, deepest = 0, 0
    for sign in found[2]:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        deepest = max(deepest, depth)
    return found.groups() if deepest <= 6 else None


def is_expression(text, symbols):
    """Reduce innermost calls to a symbol until one symbol is left."""
    inner = re.compile(r"\b(?:(?:add|sub|mul|div)\((\w),(\w)\)|neg\((\w)\))")
    while inner.search(text):
        if not all({*filter(None, found.groups())} <= {*symbols, "_"} for found in inner.finditer(text)):
            return False
        text = inner.sub("_", text)
    return text in {*symbols, "_"}


def has_bad_denominator(argument, values):
    for start in (found.end() for found in re.finditer(r"div\(", argument)):
        depth, at = 0, start
        while depth or argument[at] != ",":
            depth += {"(": 1, ")": -1}.get(argument[at], 0)
            at += 1
        end = at + 1
        while depth or argument[end] != ")":
            depth += {"(": 1, ")": -1}.get(argument[end], 0)
            end += 1
        below = argument[at + 1 : end]
        if "x" in re.findall(r"\w+", below) or late.expression(below).subs(values) == 0:
            return True
    return False


def pantry_plan(answer, response, level):
    """Fractions, and every point of the grids for a mask."""
    text = content(response)
    rows = {row["id"]: row for row in answer["ingredients"]}
    if level == 1:
        if text is None or not re.fullmatch("[01]{6}", text):
            return "malformed", None
        chosen = sorted(name for bit, name in zip(text, rows, strict=True) if bit == "1")
        if not answer["min_ingredients"] <= len(chosen) <= answer["max_ingredients"]:
            return "incorrect", None
        grids = [range(rows[i]["min_if_used_g"], rows[i]["available_g"] + 1, rows[i]["step_g"]) for i in chosen]
        if any(is_feasible(answer, dict(zip(chosen, grams, strict=True))) for grams in product(*grids)):
            return "correct", frozenset(chosen)
        return "incorrect", None
    pieces = re.split("[;,]", (text or "").strip("{}").removesuffix(";"))
    pairs = [re.fullmatch(r"([a-z_]+)\s*[=:]\s*(\d+)(?:\s*g)?", piece.strip()) for piece in pieces]
    if None in pairs or len({pair[1] for pair in pairs}) != len(pairs) or any(int(pair[2]) == 0 for pair in pairs):
        return "malformed", None
    grams = {pair[1]: int(pair[2]) for pair in pairs}
    return ("correct", frozenset(grams)) if is_feasible(answer, grams) else ("incorrect", None)


def is_feasible(answer, grams):
    rows = {row["id"]: row for row in answer["ingredients"]}
    if not grams.keys() <= rows.keys() or not answer["min_ingredients"] <= len(grams) <= answer["max_ingredients"]:
        return False
    for name, amount in grams.items():
        row = rows[name]
        if set(row["tags"]) & set(answer["forbidden_tags"]):
            return False
        if amount not in range(row["min_if_used_g"], row["available_g"] + 1) or amount % row["step_g"]:
            return False
    for attribute, ends in answer["targets"].items():
        figures = {i: 100 if attribute == "mass_g" else rows[i]["attributes_per_100g"][attribute] for i in grams}
        total = sum(Fraction(figures[i]) * amount / 100 for i, amount in grams.items())
        if not Fraction(ends.get("min", 0)) <= total <= Fraction(ends.get("max", 10**9)):
            return False
    return True
