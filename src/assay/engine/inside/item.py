"""One job from start to end: its namespaces, its folders, its candidate process, and the report.

The process here is the item's init (process 1 of its own namespace where there is one). It is trusted and holds the
socket to the supervisor; the candidate is its child, gets neither that socket nor any other descriptor, and is forked
only after the supervisor has looked at the item from outside, bounded it, and said go.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import socket
import tempfile
import time
from dataclasses import dataclass
from typing import Any

from assay.engine.inside import kernel, wire
from assay.engine.inside.candidate import Streams, become_candidate
from assay.engine.inside.folders import gather, write_files
from assay.engine.inside.processes import children_of

ORPHAN_POLL_MS = 200
GRACE_S = 5.0
PRIVATE = kernel.CLONE_NEWUSER | kernel.CLONE_NEWPID | kernel.CLONE_NEWNS | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS


@dataclass(frozen=True)
class Place:
    """Where the item lives, and what to remove afterwards."""

    job: str
    fixture: str
    temporary: str
    remove: str | None = None


def start_item(sock: socket.socket, streams: Streams, base_bytes: int) -> None:
    """Run the item that the socket describes. Called in a fresh fork of the warden; never returns."""
    frame = wire.receive(sock)
    if frame is None:
        os._exit(0)
    head, blobs = frame
    head["base_bytes"] = base_bytes
    try:
        if head["namespaces"]:
            _enter_namespaces(network=head["network"] == "on")
            if os.fork() != 0:
                os._exit(0)  # only children live in the new process namespace; the warden reaps the init
        _run(sock, streams, head, blobs)
    except OSError as error:
        wire.send(sock, {"fault": str(error)})
    os._exit(0)


def _enter_namespaces(*, network: bool) -> None:
    uid, gid = os.getuid(), os.getgid()
    kernel.set_dumpable(True)  # otherwise the files below belong to root
    kernel.unshare(PRIVATE | (0 if network else kernel.CLONE_NEWNET))
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _run(sock: socket.socket, streams: Streams, head: dict[str, Any], blobs: list[bytes]) -> None:
    kernel.adopt_orphans()
    place = _own_folders(head) if head["namespaces"] else _bare_folders(head)
    try:
        _fill(place, head, blobs)
        socket.send_fds(sock, [b"P"], [os.pidfd_open(os.getpid())])
        started = wire.receive(sock)
        if started is None or not started[0].get("go"):
            return
        candidate = _fork_candidate(sock, streams, head, place)
        streams.close()
        status, killed, cpu_ms = _wait(sock, candidate)
        _report(sock, head, place, {"status": status, "killed": killed, "cpu_ms": cpu_ms})
    finally:
        if place.remove:
            shutil.rmtree(place.remove, ignore_errors=True)


def _own_folders(head: dict[str, Any]) -> Place:
    """Fresh memory file systems over the places that are writable, an empty one over /proc."""
    mib = head["limits"]["file_mib"]
    kernel.make_mounts_private()
    kept = {folder: os.open(folder, os.O_PATH) for folder in head["keep"]}
    kernel.tmpfs("/job", mib=mib)
    kernel.tmpfs("/tmp", mib=mib, mode="1777")
    kernel.tmpfs("/dev/shm", mib=mib, mode="1777")
    kernel.tmpfs("/fixture", mib=mib)
    for folder, fd in kept.items():
        os.makedirs(folder, mode=0o755, exist_ok=True)
        kernel.mount(f"/proc/self/fd/{fd}", folder, None, kernel.MS_BIND | kernel.MS_REC)
        os.close(fd)
    kernel.tmpfs("/proc", mib=1, flags=kernel.MS_RDONLY)
    return Place("/job", "/fixture", "/tmp")


def _bare_folders(head: dict[str, Any]) -> Place:
    """Folders where nothing can be mounted: those the outer sandbox gave, else a private temporary one."""
    if head["folders"] == "given":
        return Place("/job", "/fixture", "/tmp")
    base = tempfile.mkdtemp(prefix="assay-item-")
    place = Place(f"{base}/job", f"{base}/fixture", f"{base}/tmp", remove=base)
    os.chmod(base, 0o755)
    for folder in (place.job, place.fixture, place.temporary):
        os.mkdir(folder, 0o755)
    if head["uid"] is not None:
        os.chown(place.job, head["uid"], head["uid"])
        os.chown(place.temporary, head["uid"], head["uid"])
    return place


def _fill(place: Place, head: dict[str, Any], blobs: list[bytes]) -> None:
    write_files(place.fixture, {path: blobs[i] for path, i in head["fixture"].items()}, mode=0o444)
    write_files(place.job, {path: blobs[i] for path, i in head["files"].items()})
    if head["namespaces"]:
        for path in head["shared"]:
            _show_in_job(place, path)
        kernel.read_only(place.fixture)
    else:
        write_files(place.job, {path: blobs[i] for path, i in head["shared"].items()}, mode=0o444)
    if head["uid"] is not None and place.remove:
        for folder, names, files in os.walk(place.job):
            for name in (*names, *files):
                os.lchown(os.path.join(folder, name), head["uid"], head["uid"])


def _show_in_job(place: Place, path: str) -> None:
    """Show a support file at the same relative path in the workdir, read-only and not to be replaced."""
    target = f"{place.job}/{path}"
    write_files(place.job, {path: b""})
    kernel.bind_read_only(f"{place.fixture}/{path}", target)


def _fork_candidate(sock: socket.socket, streams: Streams, head: dict[str, Any], place: Place) -> int:
    pid = os.fork()
    if pid == 0:
        sock.close()
        become_candidate(head, streams, (place.job, place.fixture, place.temporary))
    return pid


def _wait(sock: socket.socket, candidate: int) -> tuple[int, bool, int]:
    """Wait for the candidate or for an order to kill it; then nothing that it started is left alive."""
    handle = os.pidfd_open(candidate)
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    poll.register(sock, select.POLLIN)
    killed = False
    while handle not in (ready := [fd for fd, _ in poll.poll(ORPHAN_POLL_MS)]):
        if ready:
            killed = True
            poll.unregister(sock)
            os.kill(candidate, signal.SIGKILL)
        _reap_orphans(candidate)
    _, status, usage = os.wait4(candidate, 0)
    _kill_the_rest()
    return os.waitstatus_to_exitcode(status), killed, round((usage.ru_utime + usage.ru_stime) * 1000)


def _reap_orphans(candidate: int) -> None:
    """Collect finished adopted children, but leave the candidate's own end to be asked for."""
    while (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)) and ended.si_pid != candidate:
        os.waitpid(ended.si_pid, 0)


def _kill_the_rest() -> None:
    """Kill everything the candidate left; as process 1 in one stroke, else adopted orphans, round after round."""
    deadline = time.monotonic() + GRACE_S
    with contextlib.suppress(ChildProcessError):
        while time.monotonic() < deadline:
            for pid in [-1] if os.getpid() == 1 else children_of(os.getpid()):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            os.waitpid(-1, 0)


def _report(sock: socket.socket, head: dict[str, Any], place: Place, ended: dict[str, Any]) -> None:
    if head["gather"] is None:
        wire.send(sock, {"ended": ended})
        return
    left = gather(place.job, most_files=head["gather"]["files"], most_bytes=head["gather"]["bytes"])
    names = {"files": list(left.files), "skipped": left.skipped, "over": left.over}
    wire.send(sock, {"ended": ended, **names}, list(left.files.values()))
