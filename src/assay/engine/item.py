"""One item seen from outside: start it, look at it, let it go, listen, and end it for certain.

The caller pumps events; nothing here judges what the candidate said. `Item.close` returns only when no process of the
item is alive: in namespaces that is the moment the kernel reports the end of the item's process 1.
"""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import signal
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from assay.engine.cgroups import Group, open_group
from assay.engine.inside import wire
from assay.engine.warden import SandboxFault, Warden

START_WITHIN_S = 30.0
END_WITHIN_S = 10.0
CHUNK = 1 << 16

Sink = Callable[[bytes], None]


@dataclass
class Report:
    """What the item's init said at the end. `status` is the candidate's exit code, negative for a signal."""

    status: int
    cpu_ms: int
    files: dict[str, bytes] = field(default_factory=dict)
    skipped: Sequence[Mapping[str, Any]] = ()
    over: str | None = None


class Item:
    """A started item. `sinks` get what arrives: `results`, `stdout`, `stderr` (absent: joined to stdout)."""

    def __init__(
        self, warden: Warden, head: Mapping[str, Any], blobs: Sequence[bytes], sinks: Mapping[str, Sink], *, stdin: bool
    ) -> None:
        self._warden = warden
        self._selector = selectors.DefaultSelector()
        self._open: set[int] = set()
        self._pidfd: int | None = None
        self._group: Group | None = None
        self.stdin: int | None = None
        self.report: Report | None = None
        self.lost = False
        self.fault: str | None = None
        self.killed_for_memory = False
        self.refused_a_process = False
        self.network = "on"
        self._sock = self._start(head, blobs, sinks, stdin=stdin)
        self._selector.register(self._sock, selectors.EVENT_READ, None)
        self.started_at = time.monotonic()

    def pump(self, timeout_s: float) -> None:
        """Wait at most so long and pass on what has arrived. Without a report yet, `ended` is false."""
        for key, _ in self._selector.select(max(0.0, timeout_s)):
            if key.data is None:
                self._hear_init()
            else:
                self._pass_on(key.fd, key.data)

    @property
    def ended(self) -> bool:
        return self.report is not None or self.lost or self.fault is not None

    def kill(self) -> None:
        """End every process of the item now. In namespaces: kill its process 1 and wait for it."""
        if self._warden.shell.nested:
            self._kill_init()
            self.lost = self.report is None
            return
        self.finish()
        if not self.ended:
            self._kill_init()
            self.lost = True

    def close(self) -> None:
        """Make sure nothing lives, take what is still in the pipes, release everything."""
        if self._pidfd is not None:
            if not self.ended:
                self.kill()
            if not select.select([self._pidfd], [], [], END_WITHIN_S)[0]:
                self._kill_init()
            os.close(self._pidfd)
            self._pidfd = None
        self.drain()
        if self._group is not None:
            self.killed_for_memory = self._group.killed_for_memory()
            self.refused_a_process = self._group.refused_a_process()
            self._group.remove()
            self._group = None
        self._selector.close()
        self._sock.close()
        for fd in list(self._open):
            self._close_fd(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def finish(self) -> None:
        """Have the init end the candidate and everything it started, gather, and report. For items that gather."""
        with contextlib.suppress(OSError):
            wire.send(self._sock, {"kill": True})
        deadline = time.monotonic() + END_WITHIN_S
        while not self.ended and time.monotonic() < deadline:
            self.pump(deadline - time.monotonic())

    def drain(self) -> None:
        """Pass on what is in the pipes now, without waiting."""
        for key in list(self._selector.get_map().values()):
            if key.data is not None:
                self._drain(key.fd, key.data)

    def close_stdin(self) -> None:
        if self.stdin is not None:
            self._close_fd(self.stdin)
            self.stdin = None

    def _start(
        self, head: Mapping[str, Any], blobs: Sequence[bytes], sinks: Mapping[str, Sink], *, stdin: bool
    ) -> socket.socket:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        given: list[int] = [theirs.fileno()]
        try:
            given.append(self._reader(sinks["results"]))
            given.append(self._writer() if stdin else self._null())
            given.append(self._reader(sinks["stdout"]))
            given.append(self._reader(sinks["stderr"]) if "stderr" in sinks else given[-1])
            self._warden.start_item(given)
            for fd in set(given[1:]):
                self._close_fd(fd)
            theirs.close()
            wire.send(ours, dict(head), blobs)
            self._await_init(ours, head)
        except (OSError, SandboxFault) as error:
            self._sock = ours
            theirs.close()
            self.fault = str(error)
            self.close()
            raise SandboxFault(str(error)) from None
        return ours

    def _await_init(self, sock: socket.socket, head: Mapping[str, Any]) -> None:
        sock.settimeout(START_WITHIN_S)
        message, fds, _, _ = socket.recv_fds(sock, 1, 1)
        if message != b"P":
            frame = wire.receive(sock, message) if message else None
            raise SandboxFault(frame[0]["fault"] if frame else "the item ended before it began")
        sock.settimeout(None)
        self._pidfd = fds[0]
        pid = _pid_of(self._pidfd)
        self.network = _network_of(pid, wanted=head["network"], namespaces=self._warden.shell.flavour != "none")
        limits = head["limits"]
        # Two more processes than the candidate may have: the item's init, and the moment of its own fork.
        self._group = open_group(memory_mib=limits["memory_mib"], processes=limits["processes"] + 2)
        if self._group is not None:
            self._group.admit(pid)
        wire.send(sock, {"go": True})

    def _hear_init(self) -> None:
        frame = wire.receive(self._sock)
        self._selector.unregister(self._sock)
        if frame is None:
            self.lost = True
            return
        head, blobs = frame
        if "fault" in head:
            self.fault = head["fault"]
            return
        files = dict(zip(head.get("files", []), blobs, strict=True))
        ended = head["ended"]
        self.report = Report(ended["status"], ended["cpu_ms"], files, head.get("skipped", ()), head.get("over"))

    def _pass_on(self, fd: int, sink: Sink) -> bool:
        data = os.read(fd, CHUNK)
        if data:
            sink(data)
            return True
        self._selector.unregister(fd)
        self._close_fd(fd)
        return False

    def _drain(self, fd: int, sink: Sink) -> None:
        """Take what is in the pipe; nobody who could write more is alive, or what they write no longer counts."""
        os.set_blocking(fd, False)
        with contextlib.suppress(BlockingIOError):
            while self._pass_on(fd, sink):
                continue

    def _kill_init(self) -> None:
        if self._pidfd is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            select.select([self._pidfd], [], [], END_WITHIN_S)

    def _reader(self, sink: Sink) -> int:
        reader, writer = os.pipe()
        self._open |= {reader, writer}
        self._selector.register(reader, selectors.EVENT_READ, sink)
        return writer

    def _writer(self) -> int:
        reader, self.stdin = os.pipe()
        self._open |= {reader, self.stdin}
        return reader

    def _null(self) -> int:
        fd = os.open(os.devnull, os.O_RDONLY)
        self._open.add(fd)
        return fd

    def _close_fd(self, fd: int) -> None:
        if fd in self._open:
            self._open.remove(fd)
            os.close(fd)


def _pid_of(pidfd: int) -> int:
    """The process id behind a pidfd, as numbered in this process's own namespace."""
    with open(f"/proc/self/fdinfo/{pidfd}", encoding="ascii") as file:
        fields = dict(line.split(":", 1) for line in file)
    return int(fields["Pid"])


def _network_of(pid: int, *, wanted: str, namespaces: bool) -> str:
    """Compare the item's network namespace with our own, from outside, before anything of the candidate runs."""
    if wanted == "on":
        return "on"
    try:
        apart = os.readlink(f"/proc/{pid}/ns/net") != os.readlink("/proc/self/ns/net")
    except OSError:
        return "off (not shown)" if namespaces else "on (not isolated)"
    if not apart and namespaces:
        raise SandboxFault("the item shares our network although it should be off")
    return "off (shown)" if apart else "on (not isolated)"
