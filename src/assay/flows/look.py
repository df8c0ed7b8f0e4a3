"""Look at what was recorded: commits by what they brought, and committed bytes by whatever names them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assay.errors import InputError
from assay.record.names import RUN_ID, run_folder
from assay.store.commits import Commit, parse_commit
from assay.store.ledger import Ledger
from assay.store.snapshot import Snapshot


@dataclass(frozen=True)
class Recorded:
    """A commit that brought records, as it says of itself. Trailers are a convenience, never evidence."""

    commit: str
    at: str
    author: str
    email: str
    subject: str
    run: str
    kind: str
    count: str
    decision: str
    signed: bool


def recorded(ledger: Ledger, rev: str, *, run: str | None, kind: str | None, limit: int) -> tuple[Recorded, ...]:
    """The commits that touched the ledger's folders, newest first, optionally of one run or one kind of record."""
    snapshot = ledger.at(rev)
    if run and not snapshot.paths(_folder(run)):
        raise InputError(f"{run}: nothing is recorded under {_folder(run)}", hint="assay log")
    folders = [_folder(run)] if run else ["corpus", "runs", "schemas"]
    found: list[Recorded] = []
    for commit in _commits(ledger, snapshot, folders, None if kind else limit):
        entry = _as_recorded(commit)
        if kind in (None, entry.kind):
            found.append(entry)
        if len(found) == limit:
            break
    return tuple(found)


def committed_bytes(ledger: Ledger, rev: str, name: str) -> bytes:
    """The bytes that a path, a record id, a run id or PATH:LINE names at a commit; raise InputError when none fits."""
    snapshot = ledger.at(rev)
    path, line = _path_and_line(snapshot, name)
    data = snapshot.read(path)
    if line is None:
        return data
    lines = data.split(b"\n")[:-1]
    if not 1 <= line <= len(lines):
        raise InputError(f"{path}: has {len(lines)} lines (got line {line})")
    return lines[line - 1] + b"\n"


def _path_and_line(snapshot: Snapshot, name: str) -> tuple[str, int | None]:
    for path in (name, f"runs/{name[:7]}/{name}.json", f"runs/{name[:7]}/{name}/run.json"):
        if snapshot.is_file(path):
            return path, None
    path, colon, digits = name.rpartition(":")
    if colon and digits.isascii() and digits.isdigit() and snapshot.is_file(path):
        return path, int(digits)
    raise InputError(
        f"{name}: no such record at {snapshot.commit[:7]}",
        hint="a path from the ledger's root, a record id or a run id",
    )


def _folder(run: str) -> str:
    return run_folder(run) if RUN_ID.fullmatch(run) else run.rstrip("/")


def _commits(ledger: Ledger, snapshot: Snapshot, folders: list[str], limit: int | None) -> Iterator[Commit]:
    paths = [f"{snapshot.prefix}{folder}" for folder in folders]
    most = () if limit is None else (f"--max-count={limit}",)
    for oid in ledger.git.run("rev-list", *most, snapshot.commit, "--", *paths).decode("ascii").split():
        yield parse_commit(oid, ledger.git.objects.read(oid).data)


def _as_recorded(commit: Commit) -> Recorded:
    def trailer(name: str) -> str:
        return ", ".join(commit.trailers(name))

    return Recorded(
        commit=commit.oid,
        at=commit.committer.at,
        author=commit.author.name,
        email=commit.author.email,
        subject=commit.subject,
        run=trailer("Assay-Run"),
        kind=trailer("Assay-Kind"),
        count=trailer("Assay-Count"),
        decision=trailer("Assay-Decision"),
        signed=commit.signed,
    )
