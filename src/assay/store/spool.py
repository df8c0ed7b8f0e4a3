"""The spool: plans that wait to be committed, safe on the disk before anybody tries, and the lock of who commits them.

A plan lies in a file of its own, written whole or not at all. Whoever holds the lock commits every waiting plan of
its branch and leaves word of the outcome for the others; so many writers need few commits of the index, and a writer
that is killed loses nothing. Spool files are not evidence and are deleted only after the branch has moved.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import orjson

from assay.errors import InputError
from assay.store.plan import Plan

FORGOTTEN_AFTER_S = 24 * 3600
"""How long word of an outcome is kept for a writer that never asks for it (measured by the file system's own clock)."""


@dataclass(frozen=True)
class Outcome:
    """What became of a plan: a commit, or the reasons why it was refused."""

    commit: str = ""
    refused: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ticket:
    """A plan in the spool."""

    file: Path

    @property
    def word(self) -> Path:
        """Where the outcome is left for the writer."""
        return self.file.with_suffix(".outcome")

    @property
    def put_aside(self) -> Path:
        """Where a refused plan of somebody else is kept until its writer has heard of it."""
        return self.file.with_suffix(".refused")


class Spool:
    """The waiting plans of one branch and one ledger in it."""

    def __init__(self, state: Path, ref: str, prefix: str) -> None:
        queue = hashlib.sha256(f"{ref}\0{prefix}".encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self.state = state
        self.folder = state / "spool" / queue
        with _writing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)

    def put(self, plan: Plan) -> Ticket:
        """Write a plan and force it to the disk; once this returns it will be committed by somebody."""
        ticket = Ticket(self.folder / f"{os.urandom(8).hex()}.plan")
        draft = ticket.file.with_suffix(".draft")
        with _writing(self.folder):
            with draft.open("xb") as file:
                file.write(_head(plan))
                file.writelines(plan.files.values())
                file.flush()
                os.fsync(file.fileno())
            draft.rename(ticket.file)
            _sync_folder(self.folder)
        return ticket

    def waiting(self) -> tuple[tuple[Ticket, Plan], ...]:
        """Every waiting plan, the oldest first."""
        files = sorted(self.folder.glob("*.plan"), key=lambda file: (file.stat().st_mtime_ns, file.name))
        return tuple((Ticket(file), _read(file)) for file in files)

    def take_back(self, ticket: Ticket) -> None:
        """Remove one's own plan without having committed it."""
        ticket.file.unlink(missing_ok=True)

    def settle(self, ticket: Ticket, outcome: Outcome, *, own: bool) -> None:
        """Take a plan out of the spool; leave word for its writer if that is somebody else."""
        if own:
            ticket.file.unlink()
            return
        draft = ticket.file.with_suffix(".word")
        draft.write_bytes(orjson.dumps({"commit": outcome.commit, "refused": outcome.refused}))
        draft.rename(ticket.word)
        if outcome.refused:
            ticket.file.rename(ticket.put_aside)
        else:
            ticket.file.unlink()

    def heard(self, ticket: Ticket) -> Outcome | None:
        """What somebody else made of a plan, once; None while it is still waiting."""
        if not ticket.word.exists():
            return None
        word = orjson.loads(ticket.word.read_bytes())
        ticket.put_aside.unlink(missing_ok=True)
        ticket.word.unlink()
        return Outcome(word["commit"], tuple(word["refused"]))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the right to commit plans of this repository; waits for whoever holds it. Ends with the process."""
        with (self.state / "lock").open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            os.utime(file.fileno())
            self._forget_old_words(os.fstat(file.fileno()).st_mtime)
            yield

    def _forget_old_words(self, now: float) -> None:
        for word in self.folder.glob("*.outcome"):
            with suppress(FileNotFoundError):
                if now - word.stat().st_mtime > FORGOTTEN_AFTER_S:
                    word.unlink()


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{folder}: cannot be written ({error.strerror}); nothing was recorded",
            hint="make room, or make the repository's own folder writable for you",
        ) from error


def _head(plan: Plan) -> bytes:
    sizes = [[path, len(data)] for path, data in plan.files.items()]
    facts = {"subject": plan.subject, "body": plan.body, "trailers": plan.trailers, "files": sizes}
    return orjson.dumps(facts, option=orjson.OPT_APPEND_NEWLINE)


def _read(file: Path) -> Plan:
    head, _, rest = file.read_bytes().partition(b"\n")
    try:
        facts = orjson.loads(head)
        files, at = {}, 0
        for path, size in facts["files"]:
            files[path] = rest[at : at + size]
            at += size
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        at = -1
    if at != len(rest):
        raise InputError(f"{file}: a spooled plan was damaged from outside", hint=f"look into it, then: rm {file}")
    return Plan(facts["subject"], files, facts["body"], tuple((name, value) for name, value in facts["trailers"]))


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
