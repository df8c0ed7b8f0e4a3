"""What the Git hooks ask: may this be committed, pushed, received? Local hooks refuse only what is broken.

The staged change is read through the index Git names, never from files on disk; the server judges what lies in the
quarantine before any ref moves, and refuses to lose history: deletions, rewrites and replace refs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from assay.record.problem import Problem, exit_code
from assay.store.environment import Hook
from assay.store.git import Git
from assay.store.history import introduced
from assay.store.staging import staged_tree
from assay.verify.staged import judge_range, judge_tree
from assay.verify.trees import quoted

LEDGERS_SETTING = "assay.ledger"
PROTECT_SETTING = "assay.protect"
_MERGED = re.compile(r"GITHEAD_([0-9a-f]{40}(?:[0-9a-f]{24})?)")
_ZERO = re.compile(r"0+")


@dataclass(frozen=True)
class Answer:
    """Whether it may go on, and the lines to say."""

    accepted: bool
    lines: tuple[str, ...]


YES = Answer(True, ())


class Update(NamedTuple):
    """One ref that somebody wants to move: from an old to a new object; zeros where there is none."""

    ref: str
    old: str
    new: str


def ledgers_of(git: Git) -> tuple[str, ...]:
    """The prefixes of the ledgers of a repository: what `install` noted, else its root."""
    noted = git.run("config", "--get-all", "-z", LEDGERS_SETTING, accept=(0, 1)).decode("utf-8", "surrogateescape")
    prefixes = dict.fromkeys("" if entry in (".", "") else f"{entry.rstrip('/')}/" for entry in noted.split("\0")[:-1])
    return tuple(prefixes) or ("",)


def before_commit(folder: Path, hook: Hook, variables: Mapping[str, str]) -> Answer:
    """May what is staged become a commit on HEAD (and on what is being merged)?"""
    with Git(folder, hook=hook) as git:
        head = git.resolve("HEAD")
        parents = tuple(dict.fromkeys((*((head,) if head else ()), *_merged(git, variables))))
        tree = staged_tree(git)
        found = [(prefix, p) for prefix in ledgers_of(git) for p in judge_tree(git, prefix, tree, parents)]
        broken = [(prefix, problem) for prefix, problem in found if problem.weight == "broken"]
        return Answer(not broken, tuple(line for prefix, p in broken for line in _told(git, prefix, p, head)))


def before_message(folder: Path, variables: Mapping[str, str]) -> Answer:
    """The same question once a merge's parents are known for certain; nothing to ask for an ordinary commit."""
    with Git(folder, hook="commit-msg") as git:
        merging = bool(_merged(git, {}))
    return before_commit(folder, "commit-msg", variables) if merging else YES


def _merged(git: Git, variables: Mapping[str, str]) -> list[str]:
    """The commits that are being merged: `MERGE_HEAD`, or before it is written the names `git merge` exports."""
    file = git.places.git_dir / "MERGE_HEAD"
    heads = file.read_text("ascii", "replace").split() if file.is_file() else []
    heads += [match.group(1) for name in variables if (match := _MERGED.fullmatch(name))]
    return [commit for head in heads if (commit := git.resolve(head))]


def before_push(folder: Path, remote: str, updates: Iterable[Update]) -> Answer:
    """May these refs be pushed? Judged is what the remote does not have yet, as far as we know it."""
    with Git(folder, hook="pre-push") as git:
        tracked = _refs(git, f"refs/remotes/{remote}/")
        judged = [
            line
            for update in updates
            for line in _judged(git, update, tracked, lambda problem: problem.weight == "broken")
        ]
        return Answer(not judged, tuple(judged))


def before_receive(folder: Path, updates: Sequence[Update], *, hook: Hook = "pre-receive") -> Answer:
    """May these refs be moved on a server? Everything must be provable, and nothing may be lost."""
    with Git(folder, hook=hook) as git:
        present = _refs(git, "refs/heads/") + _refs(git, "refs/tags/")
        lines = []
        for update in updates:
            refusal = _lost(git, update)
            lines += refusal or _judged(git, update, present, lambda problem: exit_code((problem,)) != 0)
        return Answer(not lines, tuple(lines))


def _lost(git: Git, update: Update) -> list[str]:
    """Why moving a ref would lose or hide history, whatever it brings."""
    if update.ref.startswith("refs/replace/"):
        return [f"assay: {update.ref} is refused: replace refs make Git show other content than was committed"]
    if not _is_protected(git, update.ref) or _is_zero(update.old):
        return []
    if _is_zero(update.new):
        return [f"assay: {update.ref} may not be deleted: the evidence on it would be lost"]
    if update.ref.startswith("refs/tags/"):
        return [f"assay: {update.ref} may not be moved: others date the ledger by it"]
    old, new = git.resolve(update.old), git.resolve(update.new)
    if old is None or new is None or not git.is_ancestor(old, new):
        return [
            f"assay: {update.ref} may only grow: {update.new[:12]} does not contain {update.old[:12]}",
            "  merge instead of forcing:  git pull --no-rebase && git push",
        ]
    return []


def _is_protected(git: Git, ref: str) -> bool:
    """Refs that may not lose history: `git config --add assay.protect PREFIX`, all branches and tags by default."""
    noted = git.run("config", "--get-all", "-z", PROTECT_SETTING, accept=(0, 1)).decode("utf-8", "replace")
    prefixes = tuple(noted.split("\0")[:-1]) or ("refs/heads/", "refs/tags/")
    return any(ref == prefix or (prefix.endswith("/") and ref.startswith(prefix)) for prefix in prefixes)


def _judged(git: Git, update: Update, seen: Sequence[str], refuses: Callable[[Problem], bool]) -> list[str]:
    """What is wrong with the commits that an update brings, as lines."""
    tip = None if _is_zero(update.new) else git.resolve(update.new)
    if tip is None or update.ref.startswith("refs/notes/"):
        return []
    before = None if _is_zero(update.old) else git.resolve(update.old)
    known = list(dict.fromkeys((*((before,) if before else ()), *seen)))
    lines = []
    for prefix in ledgers_of(git):
        for problem in judge_range(git, prefix, tip, known):
            if refuses(problem):
                lines += _told(git, prefix, problem, known[0] if known else None)
    return lines


def _refs(git: Git, under: str) -> list[str]:
    """The commits that the refs below a prefix lead to, tags peeled, without a process for each."""
    told = git.run("for-each-ref", "--format=%(objecttype) %(objectname) %(*objecttype) %(*objectname)", under)
    words = [line.split(" ") for line in told.decode("ascii").splitlines()]
    return [part[at + 1] for part in words for at in (0, 2) if part[at] == "commit"]


def _is_zero(oid: str) -> bool:
    return _ZERO.fullmatch(oid) is not None


def _told(git: Git, prefix: str, problem: Problem, before: str | None) -> list[str]:
    """A refusal that helps: what is frozen since when, what it would become, what to type."""
    if problem.rule != "append-only" or problem.weight != "broken" or not problem.path:
        where = f"{problem.path}: " if problem.path else ""
        at = f" ({problem.commit[:12]})" if problem.commit else ""
        lines = [f"assay: {problem.rule}: {where}{problem.message}{at}"]
        return [*lines, f"  {problem.todo}"] if problem.todo else lines
    since = introduced(git, before, f"{prefix}{problem.path}") if before else None
    at = f" at {since[:7]}" if since else ""
    in_commit = f" (in {problem.commit[:12]})" if problem.commit else ""
    became = "be removed" if problem.got == "absent" else f"become {problem.got}"
    return [
        f"assay: append-only: {problem.path} is frozen ({problem.expected}{at}){in_commit}",
        f"  it would {became}",
        *(f"  {line}" for line in _instead(problem.path)),
    ]


def _instead(path: str) -> tuple[str, ...]:
    """What to do instead of changing a file."""
    top, _, rest = path.partition("/")
    shown = quoted(path)
    parts = rest.split("/")
    undo = f"to undo:                          git checkout HEAD -- {shown}"
    if top == "corpus" and len(parts) > 2:
        name, version = parts[0], parts[1]
        return (
            "a changed file is a new version:  assay freeze SOURCE",
            f"to look at both:                  assay fixture diff {name} {version} NEW",
            undo,
        )
    if top == "corpus":
        return ("a changed failure is a new file beside it", undo)
    if top == "schemas":
        return ("a changed schema is a new file:   schemas/<kind>-<n + 1>.json", undo)
    if top == "runs":
        return (f"a wrong record stays:             assay withdraw {shown}", undo)
    return ("a ledger keeps its settings file; change it, but do not remove it", undo)
