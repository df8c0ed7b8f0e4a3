"""One HTTP request and its response, on a connection that nothing else uses, within a deadline and a size.

The exchange happens in a thread of its own, so that a slow name server, a trickling peer and Ctrl-C are all noticed.
No redirect is followed, no proxy asked, nothing sent twice.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import re
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import SplitResult, urlsplit

from assay.engine.halting import LOOK_EVERY_S, heed
from assay.errors import InputError

MOST_BYTES = 8 << 20
_PART = 65536
_PATH = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:@%/-]*", re.ASCII)

Trouble = Literal["not_reached", "cut_off", "too_late", "too_large"]


class Failed(Exception):
    """No response came of it: what kind of trouble, and words for people."""

    def __init__(self, trouble: Trouble, detail: str) -> None:
        super().__init__(detail)
        self.trouble = trouble


@dataclass(frozen=True)
class Response:
    """What came back; names of headers in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Endpoint:
    """Where requests go: scheme, host and port, and the path that all of them begin with."""

    secure: bool
    host: str
    port: int
    path: str

    @classmethod
    def of(cls, url: str) -> Endpoint:
        """Read `http[s]://host[:port][/path]`; raise InputError for anything more, a password above all."""
        try:
            parts = urlsplit(url)
        except ValueError:
            raise InputError("an address that cannot be read", hint="expected https://HOST[:PORT]/PATH") from None
        fault = _fault(parts)
        if fault is not None:
            raise InputError(f"{_plain(parts)}: {fault}", hint="expected https://HOST[:PORT]/PATH, such as …/v1")
        port = parts.port or (443 if parts.scheme == "https" else 80)
        return cls(parts.scheme == "https", str(parts.hostname), port, parts.path.rstrip("/"))

    @property
    def is_private(self) -> bool:
        """Whether nobody on the way can read what is sent: encrypted, or never leaving this machine."""
        if self.secure or self.host == "localhost":
            return True
        with contextlib.suppress(ValueError):
            return ipaddress.ip_address(self.host).is_loopback
        return False

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.secure else 'http'}://{host}:{self.port}{self.path}"


def post(endpoint: Endpoint, path: str, headers: Mapping[str, str], body: bytes, *, timeout_ms: int) -> Response:
    """Send one POST request and read its response; raise Failed when none was had in time."""
    deadline = time.monotonic() + timeout_ms / 1000
    exchange = _Exchange(endpoint, f"{endpoint.path}{path}", {**headers, "Connection": "close"}, body, deadline)
    exchange.start()
    try:
        while exchange.is_alive() and (left := deadline - time.monotonic()) > 0:
            heed()
            exchange.join(min(left, LOOK_EVERY_S))
        return exchange.outcome()
    finally:
        exchange.abandon()


class _Exchange(threading.Thread):
    """The request under way. What it comes to is read by `outcome`; whoever stops waiting abandons it."""

    def __init__(self, endpoint: Endpoint, path: str, headers: Mapping[str, str], body: bytes, deadline: float) -> None:
        super().__init__(name="assay-exchange", daemon=True)
        kind = http.client.HTTPSConnection if endpoint.secure else http.client.HTTPConnection
        self._connection = kind(endpoint.host, endpoint.port, timeout=max(deadline - time.monotonic(), 0.01))
        self._request = path, body, dict(headers)
        self._found: Response | Failed | None = None

    def run(self) -> None:
        try:
            self._connection.connect()
        except (OSError, ValueError) as error:
            self._found = Failed("not_reached", _words(error))
            return
        try:
            self._found = self._converse()
        except Failed as failed:
            self._found = failed
        except (OSError, ValueError, http.client.HTTPException) as error:
            self._found = Failed("too_late" if isinstance(error, TimeoutError) else "cut_off", _words(error))
        finally:
            self._connection.close()

    def outcome(self) -> Response:
        """The response; Failed when there is none, or none yet."""
        if self._found is None:
            raise Failed("too_late", "no answer within the time limit")
        if isinstance(self._found, Failed):
            raise self._found
        return self._found

    def abandon(self) -> None:
        """Close the connection under a thread that still waits for it."""
        sock = self._connection.sock
        if self.is_alive() and sock is not None:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def _converse(self) -> Response:
        path, body, headers = self._request
        self._connection.request("POST", path, body, headers)
        response = self._connection.getresponse()
        read = bytearray()
        while part := response.read(_PART):
            read += part
            if len(read) > MOST_BYTES:
                raise Failed("too_large", f"more than {MOST_BYTES} bytes")
        if response.length:
            raise Failed("cut_off", f"{response.length} bytes of the answer are missing")
        return Response(response.status, {key.lower(): value for key, value in response.getheaders()}, bytes(read))


def _fault(parts: SplitResult) -> str | None:
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "is no address of a server"
    if parts.username is not None or parts.password is not None:
        return "a name or a password has no place in an address, which is recorded"
    if parts.query or parts.fragment:
        return "a query has no place in an address, which is recorded"
    try:
        _ = parts.port
    except ValueError:
        return "has no port between 1 and 65535"
    return None if _PATH.fullmatch(parts.path) else "has a path that no request line can hold"


def _plain(parts: SplitResult) -> str:
    """The address without anything that may be secret."""
    return f"{parts.scheme}://{parts.hostname}{parts.path}" if parts.hostname else parts.scheme or parts.path


def _words(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not accepted: {error.verify_message}"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error) or type(error).__name__
