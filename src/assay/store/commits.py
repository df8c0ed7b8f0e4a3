"""What a commit object says: tree, parents, who and when. Read from its verified bytes, never from a formatted log."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

_PERSON = re.compile(rb"(.*?) ?<([^<>\n]*)>(?: (-?\d{1,19}) ([+-]\d{4}))?")


@dataclass(frozen=True)
class Person:
    """Who, and the instant in RFC 3339 UTC (empty when the commit states none that can be read)."""

    name: str
    email: str
    at: str

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>"


@dataclass(frozen=True)
class Commit:
    oid: str
    tree: str
    parents: tuple[str, ...]
    author: Person
    committer: Person
    message: str
    signed: bool

    @property
    def subject(self) -> str:
        return self.message.strip("\n").split("\n\n")[0].replace("\n", " ").strip()

    def trailers(self, name: str) -> tuple[str, ...]:
        """The values of a trailer in the last paragraph of the message."""
        last = self.message.strip().split("\n\n")[-1]
        lines = (line.partition(": ") for line in last.split("\n"))
        return tuple(value for key, colon, value in lines if colon and key.lower() == name.lower())


def parse_commit(oid: str, data: bytes) -> Commit:
    """Take a commit object apart (gitformat: header lines, blank line, message); ValueError when it is none."""
    header, _, message = data.partition(b"\n\n")
    fields: dict[bytes, list[bytes]] = {}
    for line in header.split(b"\n"):
        key, _, value = line.partition(b" ")
        fields.setdefault(key, []).append(value)
    try:
        return Commit(
            oid,
            fields[b"tree"][0].decode("ascii"),
            tuple(parent.decode("ascii") for parent in fields.get(b"parent", ())),
            _person(fields[b"author"][0]),
            _person(fields[b"committer"][0]),
            message.decode(_encoding(fields), "replace"),
            b"gpgsig" in fields or b"gpgsig-sha256" in fields,
        )
    except KeyError as error:
        raise ValueError(f"commit {oid} has no {error.args[0].decode()} line") from None


# Author and committer are mostly one person at one instant.
@lru_cache(maxsize=64)
def _person(line: bytes) -> Person:
    match = _PERSON.match(line)
    if not match:
        return Person(line.decode("utf-8", "replace"), "", "")
    name, email, seconds = match.group(1), match.group(2), match.group(3)
    return Person(name.decode("utf-8", "replace"), email.decode("utf-8", "replace"), _instant(seconds))


def _instant(seconds: bytes | None) -> str:
    try:
        return datetime.fromtimestamp(int(seconds or b""), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return ""


def _encoding(fields: dict[bytes, list[bytes]]) -> str:
    """The message's encoding when Python knows it as a text encoding, else UTF-8."""
    named = fields.get(b"encoding", [b"utf-8"])[0].decode("ascii", "replace")
    return named if named.lower() in ("utf-8", "iso-8859-1", "latin1", "iso-8859-15", "windows-1252") else "utf-8"
