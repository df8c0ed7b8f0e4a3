"""What an item can and cannot do, as seen from inside: the raw material of the isolation probe."""

from __future__ import annotations

import errno
import os
import socket
from typing import Any

WRITE_PLACES = ("/", "/usr", "/etc", "/dev", "/fixture", "/proc")
CONNECT_S = 2.0


def facts(canary: dict[str, Any]) -> dict[str, Any]:
    """User ids, interfaces, and what became of each attempt to reach out or to write where nothing may be written."""
    return {
        "uids": list(os.getresuid()),
        "gids": list(os.getresgid()),
        "pid": os.getpid(),
        "interfaces": [name for _, name in socket.if_nameindex()],
        "canary_tcp": _attempt_tcp(canary["port"]),
        "canary_abstract": _attempt_abstract(canary["abstract"]),
        "writable": [place for place in WRITE_PLACES if _can_write(place)],
        "readable": [path for path in canary["hidden"] if _can_read(path)],
    }


def _attempt_tcp(port: int) -> str:
    try:
        socket.create_connection(("127.0.0.1", port), CONNECT_S).close()
    except OSError as error:
        return _name(error)
    return "connected"


def _attempt_abstract(name: str) -> str:
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        sock.connect(f"\0{name}")
    except OSError as error:
        return _name(error)
    finally:
        sock.close()
    return "connected"


def _can_write(folder: str) -> bool:
    path = os.path.join(folder, ".assay-probe")
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except OSError:
        return False
    os.unlink(path)
    return True


def _can_read(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            file.read(1)
    except OSError:
        return False
    return True


def _name(error: OSError) -> str:
    return errno.errorcode.get(error.errno or 0, type(error).__name__)
