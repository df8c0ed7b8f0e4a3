"""Begin a branch for one contribution: from HEAD, switched to, undone again when nothing could be recorded on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from assay.errors import AssayError, Busy, Refused
from assay.store.git import Git


@contextmanager
def branch_begun(git: Git, name: str) -> Iterator[None]:
    """Be on the new branch `name`, which begins at HEAD; where the block fails, nothing of it remains.

    Refused when the branch exists or when tracked files have changes, which would seem to belong to it. Untracked files
    are left alone: switching at the same commit touches no file.
    """
    _refuse_changes(git, name)
    if git.resolve(f"refs/heads/{name}") is not None:
        raise Refused(
            f"branch {name} exists already", hint=f"git switch {name}, then the same command with --here; or --name"
        )
    before = git.branch()
    at = git.run("rev-parse", "HEAD").decode("ascii").strip()
    git.run("switch", "--quiet", "--no-track", "--create", name)
    try:
        yield
    except Busy:
        # What was to be recorded waits for this branch and is committed by the next command on it.
        raise
    except AssayError:
        if git.resolve("HEAD") == at:
            back = ("--quiet", "--detach", at) if before is None else ("--quiet", before.removeprefix("refs/heads/"))
            git.run("switch", *back)
            git.run("branch", "--quiet", "-D", "--", name)
        raise


def _refuse_changes(git: Git, name: str) -> None:
    listed = git.run("status", "--porcelain", "-z", "--untracked-files=no").decode("utf-8", "surrogateescape")
    changed = [entry[3:] for entry in listed.split("\0") if entry[2:3] == " "]
    if changed:
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        raise Refused(
            f"branch {name} is not begun: {', '.join(changed[:3])}{more} changed and not committed",
            hint="commit or stash them first, or give --here to commit on the branch you are on",
        )
