"""The outside end of a warden: start it, hand it items, end it and wait until nothing below it is left."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from assay.engine.layout import layout
from assay.engine.outer import Shell, command

START_WITHIN_S = 60.0
STOP_WITHIN_S = 10.0


class SandboxFault(Exception):
    """The sandbox itself did not work. Never the candidate's doing; the message says what was tried."""


class Warden:
    """A running warden. Use as a context manager, or call `close`; both are safe to repeat."""

    def __init__(self, shell: Shell, *, warm: bool, reads: Sequence[tuple[str, str]] = ()) -> None:
        self.shell = shell
        self._lock = threading.Lock()
        self._root = tempfile.mkdtemp(prefix="assay-root-") if shell.flavour == "namespaces" else ""
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed by _release)
        self._control, inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._pidfd: int | None = None
        settings = {
            "fd": inner.fileno(),
            "uid": shell.uid if shell.flavour != "none" else None,
            "warm": warm,
            "namespaced": shell.nested,
        }
        argv, environment = command(shell, layout(network=shell.network, reads=reads), settings, self._root)
        try:
            self._process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                env=environment,
                pass_fds=[inner.fileno()],
                start_new_session=True,
            )
        except OSError as error:
            self._release()
            raise SandboxFault(f"{argv[0]} could not be started: {error.strerror}") from None
        finally:
            inner.close()
        self._await_ready()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def start_item(self, fds: list[int]) -> None:
        """Hand over one item: its socket, results, stdin, stdout and stderr. Safe to call from any thread."""
        try:
            with self._lock:
                socket.send_fds(self._control, [b"I"], fds)
        except OSError as error:
            raise SandboxFault(f"the warden is gone: {error.strerror}; {self._said()}") from None

    def close(self) -> None:
        """End the warden and wait for it and everything below it."""
        self._control.close()
        with contextlib.suppress(ProcessLookupError):
            if not self._gone_within(STOP_WITHIN_S):
                self._kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_WITHIN_S)
        self._release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _await_ready(self) -> None:
        self._control.settimeout(START_WITHIN_S)
        try:
            message, fds, _, _ = socket.recv_fds(self._control, 1, 1)
        except OSError:
            message, fds = b"", []
        if message != b"R" or len(fds) != 1:
            self._kill()
            self._process.wait()
            said = self._said()
            self.close()
            raise SandboxFault(f"{self.shell.flavour}: {said}")
        self._pidfd = fds[0]
        self._control.settimeout(None)

    def _gone_within(self, seconds: float) -> bool:
        if self._pidfd is None:
            return self._process.poll() is not None
        return bool(select.select([self._pidfd], [], [], seconds)[0])

    def _kill(self) -> None:
        if self._pidfd is not None:
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        else:
            self._process.kill()

    def _said(self) -> str:
        """The last line that the sandbox or the warden wrote, for the message."""
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:300] if lines else "it ended without a word"

    def _release(self) -> None:
        if self._pidfd is not None:
            os.close(self._pidfd)
            self._pidfd = None
        self._control.close()
        self._log.close()
        if self._root:
            with contextlib.suppress(OSError):
                os.rmdir(self._root)
