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
from assay.stash import FilesIn
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

    def put(self, *plans: Plan) -> tuple[Ticket, ...]:
        """Write plans and force them to the disk; once this returns they will be committed, in this order."""
        # Files of one moment can have one time stamp; among those the names decide.
        name = os.urandom(8).hex()
        tickets = tuple(Ticket(self.folder / f"{name}-{number:04}.plan") for number in range(len(plans)))
        with _writing(self.folder):
            for ticket, plan in zip(tickets, plans, strict=True):
                _write(ticket.file.with_suffix(".draft"), plan)
            for ticket in tickets:
                ticket.file.with_suffix(".draft").rename(ticket.file)
            _sync_folder(self.folder)
        return tickets

    def waiting(self) -> tuple[tuple[Ticket, Plan], ...]:
        """Every waiting plan, the oldest first. Their bytes stay in the spool until they are asked for."""
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


def _write(draft: Path, plan: Plan) -> None:
    with draft.open("xb") as file:
        file.write(_head(plan))
        file.writelines(plan.files.values())
        file.flush()
        os.fsync(file.fileno())


def _head(plan: Plan) -> bytes:
    sizes = [[path, len(data)] for path, data in plan.files.items()]
    facts = {"subject": plan.subject, "body": plan.body, "trailers": plan.trailers, "files": sizes}
    return orjson.dumps(facts, option=orjson.OPT_APPEND_NEWLINE)


def _read(path: Path) -> Plan:
    file = path.open("rb")
    places: dict[str, tuple[int, int]] = {}
    files = FilesIn(file, places)
    try:
        facts = orjson.loads(file.readline())
        at = file.tell()
        for name, size in facts["files"]:
            places[name] = at, size
            at += size
        plan = Plan(facts["subject"], files, facts["body"], tuple((name, value) for name, value in facts["trailers"]))
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        at = -1
    if at != os.fstat(file.fileno()).st_size:
        raise InputError(f"{path}: a spooled plan was damaged from outside", hint=f"look into it, then: rm {path}")
    return plan


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
