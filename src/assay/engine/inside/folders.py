"""Write an item's files, and gather what it left: regular files only, nothing followed, bounded in count and bytes."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


def write_files(root: str, files: Mapping[str, bytes], *, mode: int = 0o644) -> None:
    """Write files under `root`. Paths were checked outside; a clash of file and folder raises OSError."""
    for path, data in files.items():
        target = os.path.join(root, path)
        os.makedirs(os.path.dirname(target), mode=0o755, exist_ok=True)
        with open(target, "xb") as file:
            file.write(data)
        os.chmod(target, mode)


DEEPEST = 40


@dataclass
class Gathered:
    """Files by relative path, and what was left behind with the reason."""

    files: dict[str, bytes] = field(default_factory=dict)
    skipped: list[dict[str, Any]] = field(default_factory=list)
    over: str | None = None


def gather(root: str, *, most_files: int, most_bytes: int) -> Gathered:
    """Read the regular files under `root`, in sorted order; stops, and says so, where a bound is passed."""
    found = Gathered()
    taken = 0
    for path, why in _entries(root, ""):
        if why is not None:
            found.skipped.append({"path": path, "why": why})
            if len(found.skipped) > most_files:
                found.over = f"more than {most_files} entries that are no regular files"
                return found
            continue
        if len(found.files) == most_files:
            found.over = f"more than {most_files} files"
            return found
        try:
            data = _read(os.path.join(root, path), most_bytes - taken)
        except OSError:
            found.skipped.append({"path": path, "why": "a file that cannot be read"})
            continue
        if data is None:
            found.over = f"more than {most_bytes} bytes of files"
            return found
        taken += len(data)
        found.files[path] = data
    return found


def _entries(root: str, folder: str) -> Iterator[tuple[str, str | None]]:
    """Relative paths below a folder, each with None for a regular file or why it does not count."""
    try:
        names = sorted(os.listdir(os.path.join(root, folder)))
    except OSError:
        yield folder, "a folder that cannot be read"
        return
    if folder.count("/") >= DEEPEST:
        yield folder, "a folder too deep"
        return
    for name in names:
        path = f"{folder}/{name}" if folder else name
        mode = os.lstat(os.path.join(root, path)).st_mode
        if not _is_text(path):
            yield path.encode("utf-8", "backslashreplace").decode(), "a name that is not UTF-8"
        elif stat.S_ISDIR(mode):
            yield from _entries(root, path)
        else:
            yield path, None if stat.S_ISREG(mode) else _what(mode)


def _read(path: str, room: int) -> bytes | None:
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(fd, "rb") as file:
        if os.fstat(fd).st_size > room:
            return None
        data = file.read(room + 1)
    return data if len(data) <= room else None


def _is_text(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _what(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    return "a pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"
