"""Who is whose child, read from /proc. For places where no process namespace does the counting."""

from __future__ import annotations

import os


def children_of(parent: int) -> list[int]:
    """The ids of a process's living and unreaped children."""
    return [pid for pid, ppid, _ in _processes() if ppid == parent]


def count_of(uid: int) -> int:
    """How many processes a user has, as far as /proc shows them."""
    return sum(owner == uid for _, _, owner in _processes())


def _processes() -> list[tuple[int, int, int]]:
    """(pid, parent's pid, real uid) of every visible process."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdecimal():
            continue
        try:
            with open(f"/proc/{name}/status", encoding="utf-8", errors="replace") as file:
                fields = dict(line.split(":", 1) for line in file if ":" in line)
        except OSError:
            continue  # it ended while we looked
        found.append((int(name), int(fields["PPid"]), int(fields["Uid"].split()[0])))
    return found
