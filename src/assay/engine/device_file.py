"""Who holds a device of this machine: a small file that every process and clone here can read, and locks that die.

The record says what was granted and until when; a lock that its holder keeps open says whether the holder still lives.
A process that is killed loses the lock at once, whatever its record says. Rules of leases are none of this file's.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

FOLDER = "/var/tmp/assay-devices"
_FLAGS = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW
_FOR_ALL = 0o666


def shared_folder() -> Path:
    """Where the files of this machine's devices lie: `ASSAY_DEVICES`, or one place for all users."""
    return Path(os.environ.get("ASSAY_DEVICES") or FOLDER)


class DeviceFile:
    """The record of one device, read and changed only inside `with file.locked()`."""

    def __init__(self, folder: Path, device: str) -> None:
        if not folder.exists():
            folder.mkdir(parents=True)
            folder.chmod(0o1777)
        stem = re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-")[:40]
        self._path = folder / f"{stem}-{sha256(device.encode()).hexdigest()[:12]}"
        self._held: dict[str, int] = {}

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else reads or changes the record meanwhile."""
        held = _open(self._path.with_suffix(".lock"))
        try:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield
        finally:
            os.close(held)

    def read(self) -> Mapping[str, Any] | None:
        """The record; None where there is none, or where its writer was killed while writing."""
        path = self._path.with_suffix(".json")
        if not path.exists():
            return None
        with open(_open(path), "rb") as file:
            data = file.read()
        try:
            found = json.loads(data)
        except ValueError:
            return None
        return found if isinstance(found, dict) else None

    def write(self, record: Mapping[str, Any]) -> None:
        """Replace the record in place: a file of another user can be written here, but not renamed over."""
        with open(_open(self._path.with_suffix(".json")), "r+b") as file:
            file.truncate()
            file.write(json.dumps(dict(record), sort_keys=True).encode("ascii") + b"\n")

    def hold(self, nonce: str) -> None:
        """Show that the holder with this nonce lives, until `let_go` or death."""
        held = _open(self._alive(nonce))
        fcntl.flock(held, fcntl.LOCK_EX)
        self._held[nonce] = held

    def let_go(self, nonce: str) -> None:
        """Stop showing it."""
        held = self._held.pop(nonce, None)
        if held is not None:
            with contextlib.suppress(OSError):
                self._alive(nonce).unlink()
            os.close(held)

    def lives(self, nonce: str) -> bool:
        """Whether the holder with this nonce is still there. What a dead one left behind is removed."""
        path = self._alive(nonce)
        if not path.exists():
            return False
        held = _open(path)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(held)
        with contextlib.suppress(OSError):
            path.unlink()
        return False

    def _alive(self, nonce: str) -> Path:
        return self._path.with_name(f"{self._path.name}.{re.sub(r'[^0-9a-z]', '', nonce)}.alive")


def _open(path: Path) -> int:
    """Open a file that every user may open, and make it where it is missing; never through a link."""
    with contextlib.suppress(FileNotFoundError):
        return os.open(path, _FLAGS)
    try:
        made = os.open(path, _FLAGS | os.O_CREAT | os.O_EXCL, _FOR_ALL)
    except FileExistsError:
        return os.open(path, _FLAGS)
    os.fchmod(made, _FOR_ALL)
    return made
