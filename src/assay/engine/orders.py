"""Perform what a suite orders in the sandbox, and perform equal controls once.

An order whose kind begins with `control` looks at the fixture alone (does a known-bad stub fail?), so its outcome is
the same for every sample of the item while this process lasts.
"""

from __future__ import annotations

import hashlib
import pickle
import threading
from concurrent.futures import Future

from assay.contract.jobs import JobOutcome
from assay.contract.steps import Execute, Executed
from assay.engine.runner import Runner


class Orders:
    """Executes on one runner; safe to call from several threads."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._lock = threading.Lock()
        self._controls: dict[str, Future[JobOutcome]] = {}

    def __call__(self, order: Execute) -> Executed:
        if order.kind.startswith("control"):
            return Executed(order.kind, self._once(order))
        return Executed(order.kind, self._runner.run(order.job))

    def _once(self, order: Execute) -> JobOutcome:
        key = f"{order.kind} {hashlib.sha256(pickle.dumps(order.job)).hexdigest()}"
        with self._lock:
            first = key not in self._controls
            outcome = self._controls.setdefault(key, Future())
        if first:
            self._perform(order, outcome, key)
        return outcome.result()

    def _perform(self, order: Execute, outcome: Future[JobOutcome], key: str) -> None:
        """Run it for everybody who waits; when that fails (an interrupt), nobody keeps waiting or remembers it."""
        try:
            outcome.set_result(self._runner.run(order.job))
        finally:
            if not outcome.done():
                outcome.cancel()
                with self._lock:
                    del self._controls[key]
