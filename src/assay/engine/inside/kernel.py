"""The few Linux system calls that Python 3.11 does not offer: namespaces, mounts, capabilities, process controls.

Thin: each function is one call and raises OSError with the call's name. Constants from the kernel's public headers
(sched.h, mount.h, prctl.h, capability.h, securebits.h).
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18
MNT_DETACH = 2

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _PR_SET_CHILD_SUBREAPER = 1, 4, 24, 38, 36
_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 22, 2
_CAPABILITY_VERSION_3 = 0x20080522
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}

_libc = ctypes.CDLL(None, use_errno=True)


def unshare(flags: int) -> None:
    _checked("unshare", _libc.unshare(flags))


def mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    name = None if kind is None else kind.encode()
    done = _libc.mount(source.encode(), os.fsencode(target), name, ctypes.c_ulong(flags), options.encode())
    _checked(f"mount {target}", done)


def tmpfs(target: str, *, mib: int, mode: str = "0755", inodes: int = 4096, flags: int = 0) -> None:
    """Mount a fresh memory file system, bounded in bytes and in files."""
    options = f"size={mib}m,mode={mode},nr_inodes={inodes}"
    mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV | flags, options)


def bind_read_only(source: str, target: str) -> None:
    """Make `source` visible at `target`, never writable. Keeps the flags a less privileged user may not lift."""
    mount(source, target, None, MS_BIND | MS_REC)
    read_only(target)


def read_only(target: str) -> None:
    kept = os.statvfs(target).f_flag & (MS_NOSUID | MS_NODEV | MS_NOEXEC)
    mount("none", target, None, MS_REMOUNT | MS_BIND | MS_RDONLY | kept)


def make_mounts_private() -> None:
    mount("none", "/", None, MS_REC | MS_PRIVATE)


def pivot_into(new_root: str) -> None:
    """Make `new_root` the root directory and let go of the old one."""
    os.chdir(new_root)
    number = _PIVOT_ROOT.get(platform.machine())
    if number is None:
        raise OSError(f"pivot_root: unknown machine {platform.machine()}")
    _checked("pivot_root", _libc.syscall(number, b".", b"."))
    _checked("umount2", _libc.umount2(b".", MNT_DETACH))
    os.chdir("/")


def set_no_new_privs() -> None:
    _checked("prctl no_new_privs", _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))


def set_dumpable(dumpable: bool) -> None:
    _checked("prctl dumpable", _libc.prctl(_PR_SET_DUMPABLE, int(dumpable), 0, 0, 0))


def die_with_parent() -> None:
    """SIGKILL this process when the thread that started it ends."""
    _checked("prctl pdeathsig", _libc.prctl(_PR_SET_PDEATHSIG, 9, 0, 0, 0))


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends."""
    _checked("prctl subreaper", _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))


def drop_capabilities() -> None:
    """Empty the bounding set (where allowed) and every other capability set of this process."""
    for capability in range(64):
        if _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break
    header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
    _checked("capset", _libc.capset(header, struct.pack("6I", *[0] * 6)))


def install_filter(program: bytes) -> None:
    """Install a seccomp filter given as packed `sock_filter` instructions; needs no_new_privs."""
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    _checked("prctl seccomp", _libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, header, 0, 0))


def _checked(what: str, returned: int) -> None:
    if returned != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
