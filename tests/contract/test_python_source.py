"""Parsing Python source is safe from several threads at a time."""

from __future__ import annotations

import ast
import gc
from concurrent.futures import ThreadPoolExecutor

import pytest

from assay.contract.python_source import parse_expression, parse_module

SOURCE = "\n".join(f"def f{n}(x):\n    return [x + {n} for x in range(x) if (x, {{1: [2]}})]" for n in range(400))


def test_many_threads_may_parse_at_once():
    thresholds = gc.get_threshold()
    gc.set_threshold(5)
    try:
        with ThreadPoolExecutor(8) as threads:
            trees = list(threads.map(parse_module, [SOURCE] * 48))
    finally:
        gc.set_threshold(*thresholds)

    assert {400} == {len(tree.body) for tree in trees}


def test_an_expression_is_an_expression():
    assert isinstance(parse_expression("1 + n").body, ast.BinOp)

    with pytest.raises(SyntaxError):
        parse_expression("n = 1")
