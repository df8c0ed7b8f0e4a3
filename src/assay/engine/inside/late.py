"""Imports that only some wardens need: pytest, and everything a run of it pulls in."""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from assay.engine.inside.capture import Captured
from assay.engine.inside.channel import Channel


def pytest_runner() -> Callable[..., int]:
    from assay.engine.inside.tests import run_tests

    return run_tests


def warm_up() -> None:
    """Import all that a run of pytest imports late, so that no item pays for it.

    A throw-away child runs one passing and one failing test and names the modules it ended up with; only imports
    happen here, so nothing of that run is inherited.
    """
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        with Captured():
            os.close(reader)
            _rehearse(writer)
        os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8") as lines:
        names = json.loads(lines.read())  # a rehearsal that went wrong ends the warden here, visibly
    os.waitpid(pid, 0)
    for name in names:
        with contextlib.suppress(ImportError, ValueError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()  # a collection in an item need not walk, and so copy, what every item shares


def _rehearse(writer: int) -> None:
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # as in every item; a plug-in may not even be visible here
    run: Callable[..., Any] = pytest_runner()
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    run(os.path.dirname(__file__), ["rehearsal.py"], Channel(null, ""), conftest=False, capture="no")
    kept = [name for name in sys.modules if name not in ("__main__", "rehearsal")]
    os.write(writer, json.dumps(kept).encode())
