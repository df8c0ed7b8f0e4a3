"""The only caller of `git`: a dozen verbs on plumbing, always run under the same circumstances (`environment.py`).

It deliberately knows no ledger and no record. Names are text with surrogate escapes, so any byte Git can store is
kept; every list is NUL-separated; every object that is read is hashed again (`reader.py`).
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import IO, NamedTuple

from assay.errors import AssayError, InputError, NotALedger, Refused
from assay.store.environment import OFFLINE, OPTIONS, Hook, environment, networked
from assay.store.failure import explained, not_installed
from assay.store.objects import RawTreeEntry, object_id, parse_tree
from assay.store.reader import ObjectReader, stop
from assay.store.values import Places, TreeEntry, Worktree, as_name, as_path

__all__ = ["Git", "Places", "TreeEntry", "Worktree", "as_name", "as_path"]

MANY_OBJECTS = 100
_OF_THEIR_OWN_GROUP = frozenset(("update-ref",))
"""What holds a lock of Git outlives a signal to our whole process group by the moment it needs."""
NOWHERE = {"sha1": "0" * 40, "sha256": "0" * 64}


class _Done(NamedTuple):
    code: int
    output: bytes
    errors: bytes


class Git:
    """One repository. Keep it while you read: it owns the process that reads objects. Use `close` or `with`."""

    def __init__(self, folder: Path, *, hook: Hook | None = None) -> None:
        self.folder = Path(folder).absolute()
        self._variables = environment(os.environ, hook)
        if not self.folder.is_dir():
            raise InputError(f"{self.folder}: no such folder")

    @classmethod
    def around(cls, folder: Path) -> Git | None:
        """The repository a folder lies in, or None."""
        git = cls(folder)
        try:
            git.places  # noqa: B018 - asking is the test
        except NotALedger:
            return None
        return git

    @classmethod
    def create(cls, folder: Path, *, object_format: str = "sha1") -> Git:
        """A new repository in a folder, with an unborn branch `main`."""
        folder.mkdir(parents=True, exist_ok=True)
        git = cls(folder)
        git.run("init", "--quiet", "--initial-branch=main", f"--object-format={object_format}")
        return git

    # Running

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        index: Path | None = None,
        accept: Sequence[int] = (0,),
        variables: Mapping[str, str] | None = None,
    ) -> bytes:
        """Run one verb to its end and give its output; raise the fitting error on any exit code not accepted."""
        done = self._call(arguments, stdin=stdin, variables=self._with_index(index) if index else variables)
        if done.code not in accept:
            raise self._explained(arguments, done.errors)
        return done.output

    def stream(self, *arguments: str, stdin: IO[bytes] | None = None) -> Iterator[list[bytes]]:
        """The NUL-separated items of a verb's output, as many at a time as have come; leave early at any time."""
        with tempfile.TemporaryFile() as errors:
            process = self._popen(arguments, stdin=stdin or subprocess.DEVNULL, stderr=errors)
            try:
                yield from _split(process.stdout)
                if process.wait() != 0:
                    errors.seek(0)
                    raise self._explained(arguments, errors.read())
            finally:
                stop(process)

    def feed(self, *arguments: str, pieces: Iterable[bytes]) -> None:
        """Run a verb that reads a long input, given piece by piece."""
        process = self._popen(arguments)
        try:
            with suppress(BrokenPipeError):
                if process.stdin:
                    process.stdin.writelines(pieces)
            _, errors = process.communicate()
            if process.returncode != 0:
                raise self._explained(arguments, errors)
        finally:
            stop(process)

    # Where things are

    @cached_property
    def places(self) -> Places:
        """Where the repository keeps things; NotALedger outside of one."""
        asked = ("--absolute-git-dir", "--git-common-dir", "--show-object-format", "--is-shallow-repository")
        answers = os.fsdecode(self.run("rev-parse", *asked, "--is-bare-repository", "--is-inside-work-tree"))
        if answers.count("\n") != 6:
            raise InputError(f"{self.folder}: the path of the repository has a line break in it", hint="move it")
        git_dir, common, object_format, shallow, bare, inside = answers.splitlines()
        top = None
        if bare == "false" and inside == "true":
            top = Path(os.fsdecode(self.run("rev-parse", "--show-toplevel")).removesuffix("\n"))
        return Places(Path(git_dir), (self.folder / common).resolve(), top, object_format, shallow == "true")

    @property
    def worktree(self) -> Path:
        """The top of the working tree; InputError in a bare repository."""
        if self.places.worktree is None:
            raise InputError(f"{self.folder}: a bare repository has no working tree", hint="work in a clone of it")
        return self.places.worktree

    @property
    def object_format(self) -> str:
        return self.places.object_format

    @cached_property
    def empty_tree(self) -> str:
        return object_id("tree", b"", self.object_format)

    def setting(self, name: str) -> str | None:
        """A setting of the user or the repository, or None. Settings that every call overrules cannot be asked."""
        return os.fsdecode(self.run("config", "--get", "-z", name, accept=(0, 1))).removesuffix("\0") or None

    @cached_property
    def signs(self) -> bool:
        """Whether the user signs commits."""
        asked = ("config", "--type=bool", "--get", "commit.gpgSign")
        return self.run(*asked, accept=(0, 1)).strip() == b"true"

    def hooks_folder(self) -> Path:
        """Where Git looks for hooks: `core.hooksPath`, or `hooks` in the common directory."""
        done = self._call(("rev-parse", "--git-path", "hooks"), options=())
        if done.code:
            raise self._explained(("rev-parse",), done.errors)
        return self.folder / os.fsdecode(done.output).removesuffix("\n")

    def worktrees(self) -> tuple[Worktree, ...]:
        """Every working tree of the repository that is there; the main one first."""
        found = []
        for block in os.fsdecode(self.run("worktree", "list", "--porcelain", "-z")).split("\0\0"):
            facts = dict(line.partition(" ")[::2] for line in block.split("\0") if line)
            if facts and "bare" not in facts and Path(facts["worktree"]).is_dir():
                found.append(Worktree(Path(facts["worktree"]), facts.get("branch")))
        return tuple(found)

    # Commits and refs

    def resolve(self, revision: str) -> str | None:
        """The commit a revision names, or None when there is none (or the spelling is no revision)."""
        self.places  # noqa: B018 - a repository that cannot be read is an error, not an unknown revision
        output = self.run(
            "rev-parse", "-q", "--verify", "--end-of-options", f"{revision}^{{commit}}", accept=(0, 1, 128)
        )
        return output.decode("ascii").strip() or None

    def branch(self) -> str | None:
        """The full name of the branch HEAD is on (it may have no commit yet), or None when HEAD is detached."""
        head = (self.places.git_dir / "HEAD").read_bytes()
        if head.startswith(b"ref: refs/heads/") and b".invalid" not in head:
            return as_path(head[5:].rstrip(b"\n"))
        # Detached, or refs are kept elsewhere than in files.
        return as_path(self.run("symbolic-ref", "-q", "HEAD", accept=(0, 1)).rstrip(b"\n")) or None

    def tip(self, ref: str) -> str | None:
        """The commit a branch (by its full name) is at right now, or None when it has none yet."""
        return self.objects.named(ref)

    def is_ancestor(self, older: str, newer: str) -> bool:
        """Whether `newer` can be reached from `older` (a commit is its own ancestor)."""
        done = self._call(("merge-base", "--is-ancestor", older, newer))
        if done.code not in (0, 1):
            raise self._explained(("merge-base",), done.errors)
        return done.code == 0

    def commit_tree(self, tree: str, parents: Sequence[str], message: str, *, sign: bool) -> str:
        """Write a commit in the user's name; signed with the user's key when `sign` is set."""
        origin = [part for parent in parents for part in ("-p", parent)]
        signing = ["-S"] if sign else ["--no-gpg-sign"]
        output = self.run("commit-tree", *signing, *origin, tree, stdin=message.encode("utf-8"))
        return output.decode("ascii").strip()

    def move_ref(self, ref: str, new: str, old: str | None, *, reason: str) -> bool:
        """Move a ref from `old` (None: it must not exist) to `new`; False when it is no longer at `old`."""
        before = old or NOWHERE[self.object_format]
        done = self._call(("update-ref", "-m", reason, ref, new, before))
        if done.code == 0:
            return True
        if self.resolve(ref) != old:
            return False
        raise self._explained(("update-ref",), done.errors)

    def tag(self, name: str, commit: str, message: str) -> None:
        """Put an annotated tag on a commit; Refused when the tag exists."""
        self.refuse_tag(name)
        self.run("tag", "--annotate", "--cleanup=verbatim", "-F", "-", "--", name, commit, stdin=as_name(message))

    def refuse_tag(self, name: str) -> None:
        """Raise InputError for a name that no tag can have, Refused for one that is taken."""
        if name.startswith("-") or self._call(("check-ref-format", f"refs/tags/{name}")).code:
            raise InputError(f"{name!r}: no tag can have this name", hint="letters, digits, dots and dashes: score-1")
        if self.resolve(f"refs/tags/{name}") is not None:
            raise Refused(
                f"tag {name} exists and is never moved", hint="choose another name, or git tag -d it yourself"
            )

    def commit_paths(self, paths: Sequence[str], subject: str) -> str:
        """Commit exactly these worktree files (from the repository's root), whatever else is staged; the new commit.

        No hook is run.
        """
        top = str(self.worktree)
        self.run("-C", top, "add", "--", *paths)
        self.run("-C", top, "commit", "--quiet", "--only", "-F", "-", "--", *paths, stdin=as_name(subject))
        return self.run("rev-parse", "HEAD").decode("ascii").strip()

    def ignored(self, paths: Sequence[str]) -> Mapping[str, str]:
        """Which of some worktree paths (from the root) Git ignores, each with the rule as `file:line:pattern`."""
        given = b"".join(as_name(path) + b"\0" for path in paths)
        asked = ("check-ignore", "--no-index", "--verbose", "-z", "--stdin")
        # This verb knows no pathspec magic and refuses to start where literal pathspecs are asked for.
        plain = {**self._variables, "GIT_LITERAL_PATHSPECS": "0"}
        process = self._popen(("-C", str(self.worktree), *asked), plain)
        answer, errors = process.communicate(given)
        if process.returncode not in (0, 1):
            raise explained("check-ignore", errors, self.folder)
        parts = [as_path(part) for part in answer.split(b"\0")[:-1]]
        rules = zip(parts[0::4], parts[1::4], parts[2::4], parts[3::4], strict=True)
        return {path: f"{file}:{line}:{rule}" for file, line, rule, path in rules if not rule.startswith("!")}

    # Trees, blobs, index

    @cached_property
    def objects(self) -> ObjectReader:
        """The reader of objects; every one is hashed again."""
        return ObjectReader(self._cat_file, self.object_format, self._present_objects)

    def _cat_file(self, requests: IO[bytes] | None) -> subprocess.Popen[bytes]:
        arguments = ("cat-file", "--batch") if requests is None else ("cat-file", "--batch", "--buffer")
        return self._popen(arguments, stdin=requests or subprocess.PIPE, stderr=subprocess.DEVNULL)

    def _present_objects(self) -> frozenset[str] | None:
        """The objects that are here, in a partial clone; None in a complete one."""
        if not self.run("config", "--get-regexp", r"^(remote\..*\.promisor|extensions\.partialclone)$", accept=(0, 1)):
            return None
        listed = self.run("cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname)")
        return frozenset(listed.decode("ascii").split())

    def list_tree(self, tree_ish: str, under: str = "") -> Iterator[TreeEntry]:
        """Every file of a commit or tree at or below a path, in Git's order."""
        where = ("--", under) if under else ()
        for items in self.stream("ls-tree", "-r", "-z", "--full-tree", tree_ish, *where):
            for item in items:
                facts, _, path = item.partition(b"\t")
                mode, _, oid = facts.decode("ascii").split(" ")
                yield TreeEntry(mode, oid, as_path(path))

    def exists(self, tree_ish: str, path: str) -> bool:
        """Whether a commit or tree has anything at a path."""
        return bool(self.run("ls-tree", "-z", "--full-tree", tree_ish, "--", path))

    def add_objects(self, pack: Iterable[bytes], count: int) -> None:
        """Store a pack stream: as a pack, or as loose objects when they are few (Git's own limit is 100)."""
        few = ("-c", "core.fsyncMethod=batch", "unpack-objects", "-q")
        self.feed(*(few if count < MANY_OBJECTS else ("index-pack", "--stdin")), pieces=pack)

    def raw_tree(self, oid: str) -> tuple[RawTreeEntry, ...]:
        """The entries of one tree object exactly as stored; ValueError when the object is not a tree."""
        found = self.objects.read(oid)
        if found.type != "tree":
            raise ValueError(f"object {oid} is a {found.type}, not a tree")
        return parse_tree(found.data, self.object_format)

    def close(self) -> None:
        """End the processes that are kept for reading."""
        if "objects" in self.__dict__:
            self.objects.close()

    def __enter__(self) -> Git:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def fetch(self, *arguments: str) -> None:
        """Fetch from a remote: the one verb that uses the network, for options by which the user asks for it."""
        done = self._call(("fetch", "--quiet", *arguments), variables=networked(self._variables), options=OPTIONS)
        if done.code:
            raise self._explained(("fetch",), done.errors)

    def _call(
        self,
        arguments: Sequence[str],
        *,
        stdin: bytes = b"",
        variables: Mapping[str, str] | None = None,
        options: Sequence[str] = OPTIONS + OFFLINE,
    ) -> _Done:
        process = self._popen(arguments, variables, options=options)
        try:
            output, errors = process.communicate(stdin)
            return _Done(process.returncode, output, errors)
        finally:
            stop(process)

    def _explained(self, arguments: Sequence[str], errors: bytes) -> AssayError:
        """The error for a failed call. Options may stand before its verb."""
        rest = list(arguments)
        while rest[0] in ("-c", "-C", "--work-tree"):
            del rest[:2]
        return explained(rest[0], errors, self.folder)

    def _popen(
        self,
        arguments: Sequence[str],
        variables: Mapping[str, str] | None = None,
        *,
        stdin: IO[bytes] | int = subprocess.PIPE,
        stderr: IO[bytes] | int = subprocess.PIPE,
        options: Sequence[str] = OPTIONS + OFFLINE,
    ) -> subprocess.Popen[bytes]:
        command = [as_name(part) for part in ("git", *options, *arguments)]
        try:
            return subprocess.Popen(
                command,
                cwd=self.folder,
                env=self._variables if variables is None else variables,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=stderr,
                process_group=0 if arguments[0] in _OF_THEIR_OWN_GROUP else None,
            )
        except FileNotFoundError:
            raise not_installed("git") from None

    def _with_index(self, index: Path) -> Mapping[str, str]:
        return {**self._variables, "GIT_INDEX_FILE": str(index)}


def _split(output: IO[bytes] | None) -> Iterator[list[bytes]]:
    """The items of a NUL-separated stream, read in large pieces."""
    rest = b""
    while output and (piece := output.read1(1 << 18)):  # type: ignore[attr-defined]
        items = (rest + piece).split(b"\0")
        rest = items.pop()
        yield items
    if rest:
        yield [rest]
