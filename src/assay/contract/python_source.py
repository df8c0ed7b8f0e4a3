"""Parse Python source safely from several threads.

Releases of CPython 3.11 and 3.12 keep the depth of a tree that is being built in one place for all threads, and now and
then raise SystemError ("recursion depth mismatch", python/cpython 106905) when two threads build at a time.
"""

from __future__ import annotations

import ast
import threading

_ONE_AT_A_TIME = threading.Lock()


def parse_module(source: str | bytes) -> ast.Module:
    """`ast.parse`, one thread at a time; raises what it raises."""
    with _ONE_AT_A_TIME:
        return ast.parse(source)


def parse_expression(source: str) -> ast.Expression:
    """`ast.parse` of one expression, one thread at a time; raises what it raises."""
    with _ONE_AT_A_TIME:
        return ast.parse(source, mode="eval")
