"""A judge: a command that speaks assay-target/1 and is asked for judgments instead of turns.

It is met before it is asked, because who it is decides which evaluator judges. Every judgment is a session of its own,
and a process that was started anew has to be the judge that was met.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from assay.contract.jobs import Limits
from assay.contract.steps import Answered, Ask, Sample
from assay.engine.peer import Broken
from assay.engine.targets import SessionTarget
from assay.engine.warden import SandboxFault
from assay.record.canonical import Json


@dataclass
class JudgeTarget(SessionTarget):
    """One process that judges; asked one thing at a time."""

    def meet(self, limits: Limits) -> str | None:
        """Start it and hear who it is; in words why it cannot be had, None when it can. No judgment is asked."""
        with self._lock:
            try:
                self._peer(limits, time.monotonic() + limits.timeout_ms / 1000)
            except SandboxFault as fault:
                return f"sandbox: {fault}"
            except Broken as broken:
                self._end()
                return str(broken.trouble)
        return None

    def identity_document(self) -> dict[str, Json]:
        """Everything that makes it this judge: other words, code, network or revision make another one."""
        told = self.identity()
        return {name: told[name] for name in ("name", "revision", "kind", "config")}

    def ask(self, sample: Sample, ask: Ask, *, limits: Limits) -> Answered:
        """One judgment in a session of its own. Never raises for what the judge does."""
        apart = replace(ask, turn=1, session=ask.request_id)
        return replace(super().ask(sample, apart, limits=limits), turn=ask.turn)
