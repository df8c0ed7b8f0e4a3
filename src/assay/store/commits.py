"""What a commit object says: tree, parents, who and when. Read from its verified bytes, never from a formatted log."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

_PARENT = re.compile(rb"\nparent ([^\n]*)(?=\n)")
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
    """Tree and parents, and the header and message as they are spelled; the rest is read when it is asked for."""

    oid: str
    tree: str
    parents: tuple[str, ...]
    header: bytes
    body: bytes

    @property
    def author(self) -> Person:
        return _person(_said(self.header, b"author"))

    @property
    def committer(self) -> Person:
        return _person(_said(self.header, b"committer"))

    @property
    def message(self) -> str:
        return self.body.decode(_encoding(_said(self.header, b"encoding")), "replace")

    @property
    def signed(self) -> bool:
        return b"\ngpgsig" in self.header

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
    lines, _, body = data.partition(b"\n\n")
    header = b"\n" + lines + b"\n"
    for key in (b"tree", b"author", b"committer"):
        if b"\n%b " % key not in header:
            raise ValueError(f"commit {oid} has no {key.decode()} line")
    parents = tuple([parent.decode("ascii") for parent in _PARENT.findall(header)])
    return Commit(oid, _said(header, b"tree").decode("ascii"), parents, header, body)


def author_and_day(header: bytes) -> str:
    """Who wrote a commit, and the day on which it was committed."""
    return f"{_person(_said(header, b'author'))}, {_person(_said(header, b'committer')).at[:10]}"


def _said(header: bytes, key: bytes) -> bytes:
    """The value of the first line with a key; empty when there is none."""
    return header.partition(b"\n%b " % key)[2].partition(b"\n")[0]


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


def _encoding(stated: bytes) -> str:
    """The message's encoding when Python knows it as a text encoding, else UTF-8."""
    named = stated.decode("ascii", "replace")
    return named if named.lower() in ("utf-8", "iso-8859-1", "latin1", "iso-8859-15", "windows-1252") else "utf-8"
