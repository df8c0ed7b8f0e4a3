"""A seccomp filter for judged code: no namespaces, mounts, tracing, no signal to everybody, no rare kernel interfaces.

It narrows what a candidate can reach in the kernel; it is not what keeps files and network away (namespaces do that).
Numbers are those of the kernel's public syscall tables. On other machines there is no filter and the record says so.
"""

from __future__ import annotations

import errno
import platform
import struct

from assay.engine.inside import kernel

# unshare setns mount umount2 pivot_root ptrace process_vm_readv process_vm_writev add_key request_key keyctl bpf
# perf_event_open userfaultfd io_uring_setup open_tree move_mount fsopen fsconfig fsmount fspick
_DENIED = {
    "x86_64": (272, 308, 165, 166, 155, 101, 310, 311, 248, 249, 250, 321, 298, 323, 425, 428, 429, 430, 431, 432, 433),
    "aarch64": (97, 268, 40, 39, 41, 117, 270, 271, 217, 218, 219, 280, 241, 282, 425, 428, 429, 430, 431, 432, 433),
}
_CLONE = {"x86_64": 56, "aarch64": 220}
_KILL_CALL = {"x86_64": 62, "aarch64": 129}
_CLONE3 = 435
_EVERYBODY = 0xFFFFFFFF  # the low half of -1: kill(-1) without a process namespace would end the user's whole session
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x40000000
_NEW_NAMESPACES = 0x7E020000  # every CLONE_NEW* flag of clone(2)

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000


def program() -> bytes | None:
    """The filter for this machine as packed `sock_filter` instructions, or None where none is known."""
    machine = platform.machine()
    if machine not in _DENIED:
        return None
    denied = _DENIED[machine]
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUAL, 1, 0, _ARCHITECTURE[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
        *_refuse((_AT_LEAST, _X32_BIT), errno.EPERM),
        # Without clone3, whose flags lie behind a pointer, the C library falls back to clone.
        *_refuse((_EQUAL, _CLONE3), errno.ENOSYS),
        *(step for number in denied for step in _refuse((_EQUAL, number), errno.EPERM)),
        (_EQUAL, 0, 4, _KILL_CALL[machine]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT_AT),
        *_refuse((_EQUAL, _EVERYBODY), errno.EPERM),
        (_RETURN, 0, 0, _ALLOW),
        (_EQUAL, 0, 3, _CLONE[machine]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT_AT),
        *_refuse((_ANY_BIT, _NEW_NAMESPACES), errno.EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def install() -> None:
    """Install the filter in this process, for ever; a machine without one is left as it is."""
    packed = program()
    if packed is not None:
        kernel.install_filter(packed)


def _refuse(test: tuple[int, int], number: int) -> list[tuple[int, int, int, int]]:
    return [(test[0], 0, 1, test[1]), (_RETURN, 0, 0, _REFUSE | number)]
