"""A story: a real repository that a test tells step by step, with pinned people and a clock that ticks per commit.

Steps use plain `git` as a user would, hooks and all; `ledger` opens the same folder with Assay. Same story, same
commit ids.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from assay.record.schema import builtin, file_of
from assay.store.ledger import Ledger

START = 1_796_000_000
"""2026-11-30 in seconds; every commit of a story is a minute later than the one before."""

SETTINGS = "assay: 1\nid: example-ledger\nsigners: []\n"
ATTRIBUTES = "corpus/** -text\nruns/** -text linguist-generated\n"

QUIET = ("-c", "gc.auto=0", "-c", "advice.detachedHead=false", "-c", "protocol.file.allow=always")


class Story:
    """One repository. `name` of other people: `as_person`; another clone: `clone`; a server: `bare`."""

    def __init__(self, root: Path, monkeypatch) -> None:
        self.root = root
        self.monkeypatch = monkeypatch
        self._ledgers: list[Ledger] = []
        self._minutes = 0

    # Telling

    def git(self, *arguments: str, stdin: str | bytes = "", check: bool = True, **variables: str) -> str:
        """Run plain git in the repository and give its output without the final newline."""
        done = self.attempt(*arguments, stdin=stdin, **variables)
        if check and done.returncode:
            raise AssertionError(f"git {' '.join(arguments)} failed: {os.fsdecode(done.stderr)}")
        return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")

    def attempt(self, *arguments: str, stdin: str | bytes = "", **variables: str) -> subprocess.CompletedProcess[bytes]:
        """Run plain git and give how it ended, whatever that is."""
        given = stdin.encode() if isinstance(stdin, str) else stdin
        command = ["git", *QUIET, *arguments]
        environment = {**os.environ, **variables}
        return subprocess.run(command, cwd=self.root, env=environment, input=given, capture_output=True, check=False)

    def init(self, *options: str) -> Story:
        """Begin an empty repository with a branch main, and settings that never leave a process behind."""
        self.root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *options)
        self.git("config", "gc.autoDetach", "false")
        return self

    def found(self, under: str = "") -> str:
        """Make the repository (or a folder in it) a ledger: settings, attributes and the built-in schemas."""
        files = {"assay.yaml": SETTINGS.encode(), ".gitattributes": ATTRIBUTES.encode()}
        files |= {file_of(name): data for name, data in builtin().items()}
        return self.commit("found the ledger", {under + path: data for path, data in files.items()})

    def write(self, path: str, content: str | bytes) -> Path:
        """Put a file into the worktree without staging it."""
        at = Path(os.fsdecode(os.fsencode(self.root) + b"/" + path.encode("utf-8", "surrogateescape")))
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_bytes(content.encode() if isinstance(content, str) else content)
        return at

    def commit(self, subject: str, files: Mapping[str, str | bytes] | None = None) -> str:
        """Write files, stage everything and commit it with plain git, hooks included; the new commit."""
        for path, content in (files or {}).items():
            self.write(path, content)
        self.git("add", "-A")
        self.tick()
        self.git("commit", "-q", "--allow-empty", "-m", subject)
        return self.head

    def tick(self) -> None:
        """Let a minute pass: the dates of the next commit, whoever makes it."""
        self._minutes += 1
        for who in ("AUTHOR", "COMMITTER"):
            self.monkeypatch.setenv(f"GIT_{who}_DATE", f"{START + 60 * self._minutes} +0000")

    def merge(self, *branches: str, strategy: str = "") -> str:
        """Merge branches into the current one, always with a merge commit."""
        self.tick()
        self.git("merge", "-q", "--no-ff", "--no-edit", *(("-s", strategy) if strategy else ()), *branches)
        return self.head

    def branch(self, name: str, at: str = "HEAD") -> None:
        """Switch to a new branch."""
        self.git("checkout", "-q", "-b", name, at)

    def switch(self, name: str) -> None:
        self.git("checkout", "-q", name)

    # Asking

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    @property
    def status(self) -> str:
        return self.git("status", "--porcelain")

    @property
    def log(self) -> list[str]:
        """The subjects of the branch, the newest first."""
        return self.git("log", "--format=%s").split("\n")

    def show(self, path: str, rev: str = "HEAD") -> bytes:
        return self.attempt("cat-file", "blob", f"{rev}:{path}").stdout

    @property
    def ledger(self) -> Ledger:
        """The ledger of this repository, opened anew."""
        return self.keep(Ledger.open(self.root))

    def keep(self, ledger: Ledger) -> Ledger:
        """Close a ledger when the story ends."""
        self._ledgers.append(ledger)
        return ledger

    def fsck(self) -> str:
        """What `git fsck --full --strict` says beyond dangling objects; empty when all is well."""
        done = self.attempt("fsck", "--full", "--strict", "--no-progress", "--no-dangling")
        return (done.stdout + done.stderr).decode()

    # Other places

    def clone(self, name: str, *options: str) -> Story:
        """A clone of this repository beside it."""
        other = Story(self.root.parent / name, self.monkeypatch)
        self.git("clone", "-q", *options, self.root.as_uri(), str(other.root))
        other.git("config", "gc.autoDetach", "false")
        other._minutes = self._minutes
        return other

    def bare(self, name: str) -> Story:
        """A bare clone beside it, as a server has."""
        return self.clone(name, "--bare")

    def end(self) -> None:
        for ledger in self._ledgers:
            ledger.close()
