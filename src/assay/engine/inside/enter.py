"""Build a sandbox root without bubblewrap, enter it as process 1, and become the given program.

Needs root, or a kernel that lets everybody make user namespaces. The steps are those of pivot_root(2): a memory file
system as the new root, read-only binds, a /proc of the new process namespace, then let go of the old root.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, NoReturn

from assay.engine.inside import kernel

DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
APART = kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS


def main() -> None:
    """Enter the sandbox that the one argument (JSON) describes and execute its `argv`; wait for it outside."""
    plan = json.loads(sys.argv[1])
    _unshare(network=plan["network"])
    pid = os.fork()
    if pid == 0:
        kernel.die_with_parent()
        _become(plan)
    os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 0xFF)


def _unshare(*, network: bool) -> None:
    uid, gid = os.getuid(), os.getgid()
    flags = APART | (0 if network else kernel.CLONE_NEWNET)
    if uid == 0:
        kernel.unshare(flags)
        return
    kernel.unshare(flags | kernel.CLONE_NEWUSER)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _become(plan: dict[str, Any]) -> NoReturn:
    root = plan["root"]
    kernel.make_mounts_private()
    kernel.tmpfs(root, mib=16)
    for folder in (*plan["folders"], "/proc", "/dev"):
        os.makedirs(root + folder, mode=0o755, exist_ok=True)
    _make_devices(root)
    if plan["job_mib"] is not None:
        # Before the binds, because Python itself may live below /tmp.
        for folder in ("/job", "/tmp", "/dev/shm"):
            kernel.tmpfs(root + folder, mib=plan["job_mib"], mode="1777")
    for source, place in plan["binds"]:
        _show(source, root + place)
    for target, place in plan["links"]:
        os.symlink(target, root + place)
    kernel.mount("proc", f"{root}/proc", "proc", kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC)
    kernel.pivot_into(root)
    kernel.read_only("/dev")
    kernel.read_only("/")
    kernel.set_no_new_privs()
    os.execve(plan["argv"][0], plan["argv"], plan["env"])


def _show(source: str, place: str) -> None:
    if os.path.isdir(source):
        os.makedirs(place, mode=0o755, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(place), mode=0o755, exist_ok=True)
        os.close(os.open(place, os.O_CREAT | os.O_WRONLY, 0o644))
    kernel.bind_read_only(source, place)


def _make_devices(root: str) -> None:
    kernel.tmpfs(f"{root}/dev", mib=1)
    for name in DEVICES:
        if os.path.exists(f"/dev/{name}"):
            os.close(os.open(f"{root}/dev/{name}", os.O_CREAT | os.O_WRONLY, 0o666))
            kernel.mount(f"/dev/{name}", f"{root}/dev/{name}", None, kernel.MS_BIND)
    os.mkdir(f"{root}/dev/shm", 0o755)
    for name, target in (("fd", "/proc/self/fd"), ("stdin", "/proc/self/fd/0"), ("stdout", "/proc/self/fd/1")):
        os.symlink(target, f"{root}/dev/{name}")
