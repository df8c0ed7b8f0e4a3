"""The warm parent: waits on its control socket, forks one item per message, reaps. It never runs candidate code.

Each message carries the descriptors of one item (socket to the supervisor, results, stdin, stdout, stderr). When the
supervisor is gone the control socket ends, and so does the warden, and with it everything below.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import socket
import sys
from typing import NoReturn

from assay.engine.inside import kernel
from assay.engine.inside.candidate import Streams
from assay.engine.inside.item import start_item
from assay.engine.inside.late import warm_up
from assay.engine.inside.processes import children_of

FDS_PER_ITEM = 5
REAP_MS = 500


def main() -> None:
    """Become the warden that the one argument (JSON) describes: `fd`, `code`, `uid`, `warm`, `namespaced`."""
    settings = json.loads(sys.argv[1])
    control = socket.socket(fileno=settings["fd"])
    control.set_inheritable(False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if settings["uid"] is None:
        if os.getuid() != 0:
            kernel.drop_capabilities()
    else:
        os.setgroups([])
        os.setresgid(settings["uid"], settings["uid"], settings["uid"])
        os.setresuid(settings["uid"], settings["uid"], settings["uid"])
    kernel.set_no_new_privs()
    kernel.adopt_orphans()
    if settings["warm"]:
        warm_up()
    sys.path[:] = [folder for folder in sys.path if folder != settings["code"]]
    base_bytes = _address_space()
    kernel.set_dumpable(False)
    socket.send_fds(control, [b"R"], [os.pidfd_open(os.getpid())])
    _serve(control, base_bytes, orphans_are_strays=not settings["namespaced"])


def _serve(control: socket.socket, base_bytes: int, *, orphans_are_strays: bool) -> None:
    items: set[int] = set()
    poll = select.poll()
    poll.register(control, select.POLLIN)
    while True:
        ready = poll.poll(REAP_MS)
        items -= _reaped()
        if orphans_are_strays:
            _kill_strays(items)
        if not ready:
            continue
        message, fds, _, _ = socket.recv_fds(control, 1, FDS_PER_ITEM)
        if not message:
            _stop(items, orphans_are_strays=orphans_are_strays)
        items.add(_fork_item(control, fds, base_bytes))


def _fork_item(control: socket.socket, fds: list[int], base_bytes: int) -> int:
    pid = os.fork()
    if pid == 0:
        control.close()
        kernel.die_with_parent()
        start_item(socket.socket(fileno=fds[0]), Streams(*fds[1:]), base_bytes)
    for fd in fds:
        os.close(fd)
    return pid


def _reaped() -> set[int]:
    ended = set()
    with contextlib.suppress(ChildProcessError):
        while (pid := os.waitpid(-1, os.WNOHANG)[0]) != 0:
            ended.add(pid)
    return ended


def _kill_strays(items: set[int]) -> None:
    """Without namespaces, what outlives its item becomes our child: kill whatever is not an item."""
    for pid in set(children_of(os.getpid())) - items:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _stop(items: set[int], *, orphans_are_strays: bool) -> NoReturn:
    """End, leaving nobody behind: as process 1 of a namespace the kernel sees to that."""
    while orphans_are_strays and (left := children_of(os.getpid())):
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        items -= _reaped()
    os._exit(0)


def _address_space() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


if __name__ == "__main__":
    main()
