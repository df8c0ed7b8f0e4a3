"""Which refs hold a commit: what somebody else may have seen of it."""

from __future__ import annotations

from assay.store.git import Git


def containing(git: Git, commit: str, under: str) -> tuple[str, ...]:
    """The short names of the refs below a prefix (`refs/remotes/`) whose history contains the commit, sorted."""
    found = git.run("for-each-ref", f"--contains={commit}", "--format=%(refname:strip=2)", under)
    return tuple(sorted(found.decode("utf-8", "surrogateescape").split("\n")[:-1]))
