"""Control groups where this process may make them: a bound on memory and processes for a whole item, both versions.

Rlimits hold per process; only a group bounds what many processes use together. Where no group can be made (an
ordinary user, a container) `open_group` returns None and the record says so.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from dataclasses import dataclass
from pathlib import Path

MIB = 1024 * 1024
REMOVE_WITHIN_S = 2.0
_ROOT = Path("/sys/fs/cgroup")
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Group:
    """The folders of one item's group, by controller (the same folder twice in version 2)."""

    folders: dict[str, Path]

    def admit(self, pid: int) -> None:
        """Move a process into the group; its children follow."""
        for folder in set(self.folders.values()):
            (folder / "cgroup.procs").write_text(str(pid), encoding="ascii")

    def killed_for_memory(self) -> bool:
        """Whether the kernel killed a process of the group for want of memory."""
        return any(self._count("memory", name, "oom_kill") > 0 for name in ("memory.events", "memory.oom_control"))

    def refused_a_process(self) -> bool:
        return self._count("pids", "pids.events", "max") > 0

    def remove(self) -> None:
        """Remove the group; its last process may take a moment to leave the kernel's books."""
        deadline = time.monotonic() + REMOVE_WITHIN_S
        for folder in set(self.folders.values()):
            while folder.exists() and time.monotonic() < deadline:
                with contextlib.suppress(OSError):
                    folder.rmdir()
                    break
                time.sleep(0.002)

    def _count(self, controller: str, name: str, key: str) -> int:
        folder = self.folders.get(controller)
        if folder is None or not (folder / name).exists():
            return 0
        fields = dict(line.split() for line in (folder / name).read_text(encoding="ascii").splitlines() if line)
        return int(fields.get(key, "0"))


def sweep() -> None:
    """Remove groups that a killed process of ours left behind; an occupied one stays."""
    for parent in set(_parents().values()):
        for folder in parent.glob("assay-*-*"):
            if not Path("/proc", folder.name.split("-")[1]).exists():
                with contextlib.suppress(OSError):
                    folder.rmdir()


def open_group(*, memory_mib: int, processes: int) -> Group | None:
    """Make a group for one item, or None where that is not allowed. What cannot be bounded is left out."""
    folders: dict[str, Path] = {}
    name = f"assay-{os.getpid()}-{next(_numbers)}"
    for controller, parent in _parents().items():
        folder = parent / name
        with contextlib.suppress(OSError):
            folder.mkdir(exist_ok=True)
            _bound(folder, controller, memory_mib * MIB, processes)
            folders[controller] = folder
    return Group(folders) if folders else None


def _bound(folder: Path, controller: str, memory: int, processes: int) -> None:
    if controller == "pids":
        (folder / "pids.max").write_text(str(processes), encoding="ascii")
        return
    limit = folder / ("memory.max" if (folder / "memory.max").exists() else "memory.limit_in_bytes")
    limit.write_text(str(memory), encoding="ascii")
    for swap, value in (("memory.swap.max", "0"), ("memory.memsw.limit_in_bytes", str(memory))):
        with contextlib.suppress(OSError):  # kernels without swap accounting have no such file
            (folder / swap).write_text(value, encoding="ascii")


def _parents() -> dict[str, Path]:
    """Where groups for `memory` and `pids` may be made: below the group this process is in."""
    found: dict[str, Path] = {}
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            for controller in ("memory", "pids"):
                if controller in controllers.split(","):
                    found[controller] = _ROOT / controller / path.lstrip("/")
                elif not controllers and controller in _delegated(_ROOT / path.lstrip("/")):
                    found.setdefault(controller, _ROOT / path.lstrip("/"))
    return {controller: parent for controller, parent in found.items() if os.access(parent, os.W_OK)}


def _delegated(folder: Path) -> list[str]:
    control = folder / "cgroup.subtree_control"
    return control.read_text(encoding="ascii").split() if control.exists() else []
