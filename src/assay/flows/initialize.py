"""Make a folder a ledger: settings, schemas, attributes, hooks, a CI job, in a commit that touches nothing else."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import assay
from assay.errors import AssayError, InputError, Refused
from assay.flows.hooks import install
from assay.record import schema
from assay.record.names import slug
from assay.store.checkout import under_way
from assay.store.git import Git

_FILES = Path(__file__).parent / "files"
_OWN = ("assay.yaml", "corpus", "runs", "schemas")
_ATTRIBUTES = ".gitattributes"
_WORKFLOW = ".github/workflows/assay.yml"
_MARK = b"# Evidence is kept byte for byte"


@dataclass(frozen=True)
class Initialized:
    """What `init` made."""

    root: Path
    commit: str
    schemas: int
    hooks: str
    """What became of the hooks, in words."""
    hooks_fault: str
    """Why they are not where Git looks, and what to do; empty when they are."""
    workflow: str | None


def initialize(folder: Path) -> Initialized:
    """Make `folder` a ledger; create it, and a repository around it, where there is none.

    Raise Refused where a name that a ledger needs is taken or ignored, InputError where it is a ledger already. What
    was made until then is removed again, so that the same command can be given once the reason is mended.
    """
    with ExitStack() as undo:
        undo.enter_context(_folder_made(folder))
        git = undo.enter_context(_repository_around(folder))
        root = folder.resolve()
        prefix = root.relative_to(git.worktree.resolve()).as_posix()
        _refuse_taken_names(git, root)
        _refuse_unready(git, root)
        files = _files(git, root, prefix)
        undo.enter_context(_written(git, files))
        commit = git.commit_paths(sorted(files), f"init: ledger {slug(root.name)}, {len(schema.builtin())} schemas")
    hooks, fault = _install_hooks(root)
    workflow = _WORKFLOW if _WORKFLOW in files else None
    return Initialized(root, commit, len(schema.builtin()), hooks, fault, workflow)


@contextmanager
def _folder_made(folder: Path) -> Iterator[None]:
    """The folder is there; where the block fails, the folders that were made for it are gone again."""
    made = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InputError(f"{folder}: is a file, not a folder", hint="assay init FOLDER") from None
    try:
        yield
    except (AssayError, OSError):
        _remove_empty(made)
        raise


@contextmanager
def _repository_around(folder: Path) -> Iterator[Git]:
    """The repository around a folder, or a new one, which is gone again where the block fails."""
    with Git(folder) as anywhere:
        anywhere.run("var", "GIT_AUTHOR_IDENT")
        anywhere.run("var", "GIT_COMMITTER_IDENT")
    found = Git.around(folder)
    git = found or Git.create(folder)
    try:
        with git:
            yield git
    except (AssayError, OSError):
        if found is None:
            _remove_tree(folder / ".git")
        raise


@contextmanager
def _written(git: Git, files: Mapping[str, bytes]) -> Iterator[None]:
    """The files are in the worktree; where the block fails, they and their entries in the index are as before."""
    top = git.worktree
    before = {path: (top / path).read_bytes() if (top / path).is_file() else None for path in files}
    parents = {folder for path in files for folder in (top / path).parents}
    made = sorted((folder for folder in parents if not folder.exists()), key=lambda folder: -len(folder.parts))
    try:
        for path, data in files.items():
            (top / path).parent.mkdir(parents=True, exist_ok=True)
            (top / path).write_bytes(data)
        yield
    except (AssayError, OSError):
        for path, earlier in before.items():
            with suppress(OSError):
                (top / path).unlink(missing_ok=True) if earlier is None else (top / path).write_bytes(earlier)
        _remove_empty(made)
        with suppress(AssayError):
            _forget(git, [path for path, earlier in before.items() if earlier is None])
            _refresh(git, [path for path, earlier in before.items() if earlier is not None])
        raise


def _forget(git: Git, paths: Sequence[str]) -> None:
    git.run("-C", str(git.worktree), "rm", "--cached", "--quiet", "--ignore-unmatch", "--", *paths)


def _refresh(git: Git, paths: Sequence[str]) -> None:
    """Stage files as they are on the disk: they were committed just so before."""
    if paths:
        git.run("-C", str(git.worktree), "add", "--", *paths)


def _remove_empty(folders: Sequence[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def _remove_tree(folder: Path) -> None:
    """Remove what was just made, files first; what cannot be removed stays."""
    for place in sorted(folder.rglob("*"), key=lambda place: -len(place.parts)):
        with suppress(OSError):
            place.rmdir() if place.is_dir() and not place.is_symlink() else place.unlink()
    _remove_empty([folder])


def _install_hooks(root: Path) -> tuple[str, str]:
    try:
        installed = install(root)
    except Refused as refusal:
        return "hooks not installed", f"{refusal.message}; {refusal.hint}"
    kept = f", yours run first: {', '.join(installed.chained)}" if installed.chained else ""
    return f"hooks installed{kept}", ""


def _refuse_taken_names(git: Git, root: Path) -> None:
    if (root / "assay.yaml").is_file():
        raise InputError(f"{root}: is a ledger already", hint="assay doctor")
    inside = {name: _inside(git, root / name) for name in _OWN}
    taken = sorted(entry.name for entry in root.iterdir() if entry.name.casefold() in _OWN)
    tracked = [name for name in _OWN if name not in taken and git.run("ls-files", "-z", "--", str(root / name))]
    if taken or tracked:
        raise Refused(
            f"{root}: {', '.join([*taken, *tracked])} exist already, and a ledger needs these names",
            hint="choose a subfolder: assay init evals",
        )
    needed = [*inside.values(), f"{inside['corpus']}/x/1/fixture.json", f"{inside['runs']}/2026-01/x/run.json"]
    ignored = git.ignored([*needed, f"{inside['schemas']}/run-1.json", _inside(git, root / _ATTRIBUTES)])
    if ignored:
        rules = "; ".join(f"{path} by {rule}" for path, rule in sorted(ignored.items()))
        raise Refused(f"Git ignores what a ledger needs: {rules}", hint="remove these lines, or choose a subfolder")


def _refuse_unready(git: Git, root: Path) -> None:
    """Refuse where a commit would belong to no branch, or would carry changes that somebody else began."""
    what = under_way(git.places.git_dir)
    if what:
        raise Refused(
            f"a {what} is under way: a commit now would become part of it", hint=f"finish or abort the {what}"
        )
    if git.branch() is None:
        raise Refused("HEAD is detached: a ledger begun here would belong to no branch", hint="git switch BRANCH")
    attributes = _inside(git, root / _ATTRIBUTES)
    if git.run("-C", str(git.worktree), "status", "--porcelain", "-z", "--", attributes):
        raise Refused(
            f"{attributes} is not committed, and a ledger adds lines to it",
            hint=f"git add {shlex.quote(attributes)} && git commit, then again",
        )


def _inside(git: Git, path: Path) -> str:
    """A path as it is spelled from the top of the worktree."""
    return path.relative_to(git.worktree.resolve()).as_posix()


def _files(git: Git, root: Path, prefix: str) -> Mapping[str, bytes]:
    """Every file of the first commit by its path from the top of the worktree."""
    inside = "" if prefix == "." else f"{prefix}/"
    files = {f"{inside}{schema.file_of(name)}": data for name, data in schema.builtin().items()}
    files[f"{inside}assay.yaml"] = _template("assay.yaml", id=slug(root.name))
    attributes = root / _ATTRIBUTES
    present = attributes.read_bytes() if attributes.exists() else b""
    if _MARK not in present:
        ended = present if not present or present.endswith(b"\n") else present + b"\n"
        files[f"{inside}{_ATTRIBUTES}"] = ended + _template("gitattributes")
    if not (git.worktree / _WORKFLOW).exists() and not git.ignored([_WORKFLOW]):
        # A JSON string is a YAML string; no shell reads the name, only a variable that holds it.
        folder = json.dumps(prefix, ensure_ascii=False)
        files[_WORKFLOW] = _template("workflow.yml", version=assay.__version__, folder=folder)
    return files


def _template(name: str, **values: str) -> bytes:
    text = (_FILES / name).read_text(encoding="utf-8")
    for key, value in values.items():
        text = text.replace(f"{{{key}}}", value)
    return text.encode()
