"""What is evaluated, seen through one small interface, and the targets that are commands speaking assay-target/1.

A `CommandTarget` starts a fresh process in a fresh workdir for every turn; a `SessionTarget` keeps one process for
many sessions. Either sees its prompt, the files of the Ask and what its user chose to show; never tests or a ledger.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from assay.contract.jobs import Limits
from assay.contract.steps import Answered, Ask, ObservationStatus, Sample
from assay.engine.command import Command
from assay.engine.events import bytes_to_json
from assay.engine.gathering import remark
from assay.engine.item import Report
from assay.engine.messages import Answer, Error, Hello, request_line
from assay.engine.peer import MOST_OUTPUT, Broken, Peer, Trouble
from assay.engine.solutions import FolderTarget
from assay.engine.warden import SandboxFault, Warden
from assay.errors import Inconclusive, InputError
from assay.record.canonical import Json

__all__ = ["CommandTarget", "FolderTarget", "Greeting", "Preflighting", "SessionTarget", "Target"]

FAREWELL_S = 5.0
REMEMBERED_WORKDIRS = 256
PROMPT_FILE = "prompt.md"

Reply = Answer | Error | Trouble
_STATUS_OF_CODE: Mapping[str, ObservationStatus] = {"refused": "refused", "cancelled": "cancelled", "limit": "limit"}


class Target(Protocol):
    """Whatever answers an Ask. Safe to call from several threads; an answer always comes back, troubles included."""

    def identity(self) -> Mapping[str, Json]:
        """`name`, `revision`, `kind`, `config` (not secret, never executed) and, where it told them, `capabilities`."""

    def ask(self, sample: Sample, ask: Ask, *, limits: Limits) -> Answered:
        """Answer one turn of a sample."""

    def close(self) -> None:
        """Release processes and sandboxes."""


@runtime_checkable
class Greeting(Protocol):
    """A target that can say who it is and what it can do before anything is asked of it."""

    def greet(self, *, limits: Limits) -> None:
        """Hear its hello, which `identity` then tells; raise InputError when there is none."""


@runtime_checkable
class Preflighting(Protocol):
    """A target that knows beforehand what it can answer."""

    def preflight(self, samples: Sequence[Sample]) -> None:
        """Raise InputError naming every sample that it cannot answer."""


@dataclass
class CommandTarget(Command):
    """A command started anew for every turn, in a workdir that begins with the Ask's files.

    The workdir of a later turn of the same sample also holds what the turn before left, so a repair is a repair.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self._left: OrderedDict[str, Mapping[str, bytes]] = OrderedDict()
        self._lock = threading.Lock()

    def identity(self) -> Mapping[str, Json]:
        return self.identity_with(None)

    def ask(self, sample: Sample, ask: Ask, *, limits: Limits) -> Answered:
        """Start, converse, end, gather. Never raises for what the target does."""
        files = {**self._left_by(sample, ask.turn), **ask.files}
        if isinstance(ask.input.get("prompt"), str):
            files.setdefault(PROMPT_FILE, str(ask.input["prompt"]).encode("utf-8", "surrogatepass"))
        try:
            with self.wards.open({}, limits.file_mib) as warden:
                answered = self._converse(warden, sample, ask, limits, files)
        except SandboxFault as fault:
            return Answered(ask.turn, "error", detail=f"sandbox: {fault}", failure_owner="harness")
        self._remember(sample, answered.files)
        return answered

    def close(self) -> None:
        self.wards.close()

    def _converse(
        self, warden: Warden, sample: Sample, ask: Ask, limits: Limits, files: Mapping[str, bytes]
    ) -> Answered:
        peer = self.start(warden, limits, files, gather=True)
        deadline = peer.item.started_at + limits.timeout_ms / 1000
        reply: Reply
        try:
            peer.greet(deadline)
            reply = _send(peer, sample, ask, limits, deadline)
            reply = peer.farewell(min(deadline, time.monotonic() + FAREWELL_S)) or reply
            duration_ms = _since(peer)
            if not peer.item.ended and not isinstance(reply, Trouble):
                peer.item.finish()
        except Broken as broken:
            reply, duration_ms = broken.trouble, _since(peer)
        finally:
            self.end(warden, peer)
        if isinstance(reply, Trouble) and peer.item.killed_for_memory:
            reply = Trouble("memory", f"killed for using more than {limits.memory_mib} MiB", "limit")
        return _answered(ask, reply, peer.item.report, duration_ms)

    def _left_by(self, sample: Sample, turn: int) -> Mapping[str, bytes]:
        with self._lock:
            return self._left.pop(sample.id, {}) if turn > 1 else {}

    def _remember(self, sample: Sample, files: Mapping[str, bytes]) -> None:
        with self._lock:
            self._left[sample.id] = files
            while len(self._left) > REMEMBERED_WORKDIRS:
                self._left.popitem(last=False)


@dataclass
class SessionTarget(Command):
    """One process for many sessions and turns, as applications are. Asks are served one at a time.

    Files of an Ask travel in the request (`input.files`), and none come back. After any trouble the process is ended
    and the next Ask starts a new one, so one bad answer cannot poison the next session.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self._lock = threading.Lock()
        self._hello: Hello | None = None
        self._running: tuple[Warden, Peer] | None = None
        self._open = ExitStack()

    def identity(self) -> Mapping[str, Json]:
        """What the target said in its last hello, where the user did not say it."""
        return self.identity_with(self._hello)

    def greet(self, *, limits: Limits) -> None:
        """Start the process and hear its hello."""
        with self._lock:
            try:
                self._peer(limits, time.monotonic() + limits.timeout_ms / 1000)
            except SandboxFault as fault:
                raise Inconclusive(f"the sandbox failed: {fault}", hint="assay doctor") from None
            except Broken as broken:
                self._end()
                hint = "it has to speak assay-target/1 (docs/target-protocol.md)"
                raise InputError(f"--solver {' '.join(self.argv)}: {broken.trouble}", hint=hint) from None

    def ask(self, sample: Sample, ask: Ask, *, limits: Limits) -> Answered:
        """One turn of the sample's session. Never raises for what the target does."""
        with self._lock:
            started = time.monotonic()
            deadline = started + limits.timeout_ms / 1000
            reply: Reply
            try:
                reply = _send(self._peer(limits, deadline), sample, _with_files(ask), limits, deadline)
            except SandboxFault as fault:
                return Answered(ask.turn, "error", detail=f"sandbox: {fault}", failure_owner="harness")
            except Broken as broken:
                self._end()
                reply = broken.trouble
            return _answered(ask, reply, None, round((time.monotonic() - started) * 1000))

    def close(self) -> None:
        with self._lock:
            if self._running is not None:
                self._running[1].farewell(time.monotonic() + FAREWELL_S)
            self._end()
            self.wards.close()

    def _peer(self, limits: Limits, deadline: float) -> Peer:
        if self._running is not None and self._running[1].item.ended:
            self._end()
        if self._running is None:
            warden = self._open.enter_context(self.wards.open({}, limits.file_mib))
            self._running = (warden, self.start(warden, limits, {}, gather=False))
            self._meet(self._running[1].greet(deadline))
        return self._running[1]

    def _meet(self, hello: Hello) -> None:
        """A process that was started anew must be the target that was met first."""
        if self._hello is not None and hello != self._hello:
            raise Broken(Trouble("another_target", "its hello is not the one that it gave first"))
        self._hello = hello

    def _end(self) -> None:
        if self._running is not None:
            self.end(*self._running)
            self._running = None
        self._open.close()


def _send(peer: Peer, sample: Sample, ask: Ask, limits: Limits, deadline: float) -> Answer | Error:
    request_id = ask.request_id or f"{sample.id}.{ask.turn}.{secrets.token_hex(8)}"
    bounds = {"timeout_ms": limits.timeout_ms, "output_bytes": MOST_OUTPUT}
    return peer.request(
        request_id, request_line(request_id, ask.session or sample.id, ask.turn, ask.input, bounds), deadline
    )


def _with_files(ask: Ask) -> Ask:
    if not ask.files:
        return ask
    return replace(ask, input={**ask.input, "files": {path: bytes_to_json(data) for path, data in ask.files.items()}})


def _answered(ask: Ask, reply: Reply, report: Report | None, duration_ms: int) -> Answered:
    """What the conversation amounts to. Files count only when the target answered in order."""
    answered = Answered(ask.turn, "error", duration_ms=duration_ms, failure_owner="model")
    if isinstance(reply, Trouble):
        return replace(answered, status=reply.status, detail=str(reply)[:4000], failure_owner=reply.owner)
    if isinstance(reply, Error):
        status = _STATUS_OF_CODE.get(reply.code, "error")
        return replace(answered, status=status, detail=f"{reply.code}: {reply.message}")
    if report is not None and report.over is not None:
        return replace(answered, status="limit", detail=f"left {report.over}")
    return replace(
        answered,
        status="completed",
        failure_owner=None,
        output=reply.output,
        files=report.files if report else {},
        usage=reply.usage,
        detail=remark(report.skipped) if report else None,
        evidence=reply.evidence,
        request_id=reply.request_id,
        session=reply.session,
        device=reply.device,
    )


def _since(peer: Peer) -> int:
    return round((time.monotonic() - peer.item.started_at) * 1000)
