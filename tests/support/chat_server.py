"""A chat endpoint on loopback that answers by rule, misbehaves on request, and logs each dispatch before it answers.

The log is a file of its own, written by the answering side: it outlives whoever asked.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

MODEL = "reference-chat-2026-11"


def completion(text: Any, **more: Any) -> dict[str, Any]:
    """A well-formed answer with one choice."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": MODEL,
        "system_fingerprint": "fp_2f1",
        "choices": [choice],
        "usage": {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12},
        **more,
    }


@dataclass(frozen=True)
class Asked:
    """One dispatch as it arrived."""

    request_id: str
    messages: tuple[tuple[str, str], ...]
    authorization: str | None
    body: dict[str, Any]

    @property
    def text(self) -> str:
        return self.messages[-1][1]


@dataclass
class Reply:
    """What is sent back: a document, or raw bytes; `drip` sends a byte at a time for ever, `hang_up` nothing."""

    document: Any = None
    status: int = 200
    raw: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    claimed_length: int | None = None
    wait_s: float = 0
    drip: bool = False
    hang_up: bool = False


Rule = Callable[[Asked], Reply]


class ChatServer:
    """Serves in threads of this process until `close`. `asked` is the log, also kept in the file."""

    def __init__(self, rule: Rule, log: Path) -> None:
        self.rule, self.log = rule, log
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def asked(self) -> list[Asked]:
        with self._lock:
            lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        return [Asked(**{**one, "messages": tuple(map(tuple, one["messages"]))}) for one in map(json.loads, lines)]

    @property
    def request_ids(self) -> list[str]:
        return [one.request_id for one in self.asked]

    def note(self, asked: Asked) -> None:
        with self._lock, self.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asked.__dict__) + "\n")

    def pause(self, seconds: float) -> bool:
        """Wait, or stop waiting when the server closes; whether to go on."""
        return not self._closing.wait(seconds)

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler_of(server: ChatServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            messages = tuple((one["role"], one["content"]) for one in body["messages"])
            asked = Asked(self.headers["X-Request-Id"], messages, self.headers["Authorization"], body)
            server.note(asked)
            reply = server.rule(asked)
            if server.pause(reply.wait_s) and not reply.hang_up:
                self._send(reply)
            if reply.hang_up:
                self.connection.shutdown(socket.SHUT_RDWR)

        def _send(self, reply: Reply) -> None:
            data = reply.raw if reply.raw is not None else json.dumps(reply.document).encode()
            try:
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(reply.claimed_length or len(data)))
                self.end_headers()
                if reply.drip:
                    while server.pause(0.02):
                        self.wfile.write(b" ")
                self.wfile.write(data)
            except OSError:
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            return

    return Handler
