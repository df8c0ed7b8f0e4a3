"""Make a folder a ledger: settings, schemas, attributes, hooks, a CI job, in a commit that touches nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import assay
from assay.errors import InputError, Refused
from assay.flows.hooks import install
from assay.record import schema
from assay.record.names import slug
from assay.store.git import Git

_FILES = Path(__file__).parent / "files"
_OWN = ("assay.yaml", "corpus", "runs", "schemas")
_MARK = "# Evidence is kept byte for byte"


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

    Raise Refused where a name that a ledger needs is taken or ignored, InputError where it is a ledger already.
    """
    folder.mkdir(parents=True, exist_ok=True)
    git = Git.around(folder) or Git.create(folder)
    root = folder.resolve()
    prefix = root.relative_to(git.worktree).as_posix()
    _refuse_taken_names(git, root)
    files = _files(git, root, prefix)
    for path, data in files.items():
        target = git.worktree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    commit = git.commit_paths(sorted(files), f"init: ledger {slug(root.name)}, {len(schema.builtin())} schemas")
    workflow = next((path for path in files if path.startswith(".github/")), None)
    hooks, fault = _install_hooks(root)
    return Initialized(root, commit, len(schema.builtin()), hooks, fault, workflow)


def _install_hooks(root: Path) -> tuple[str, str]:
    try:
        installed = install(root)
    except Refused as refusal:
        return "hooks not installed", f"{refusal.message}; {refusal.hint}"
    kept = f", yours run first: {', '.join(installed.chained)}" if installed.chained else ""
    return f"hooks installed{kept}", ""


def _refuse_taken_names(git: Git, root: Path) -> None:
    if (root / "assay.yaml").exists():
        raise InputError(f"{root}: is a ledger already", hint="assay doctor")
    taken = [name for name in _OWN if (root / name).exists()]
    if taken:
        raise Refused(
            f"{root}: {', '.join(taken)} exist already, and a ledger needs these names",
            hint="choose a subfolder: assay init evals",
        )
    paths = [root / name for name in (*_OWN, "corpus/x/1/fixture.json", "runs/2026-01/x/run.json")]
    ignored = git.ignored([path.relative_to(git.worktree).as_posix() for path in paths])
    if ignored:
        rules = "; ".join(f"{path} by {rule}" for path, rule in sorted(ignored.items()))
        raise Refused(f"Git ignores what a ledger needs: {rules}", hint="remove these lines, or choose a subfolder")


def _files(git: Git, root: Path, prefix: str) -> Mapping[str, bytes]:
    """Every file of the first commit by its path from the top of the worktree."""
    inside = "" if prefix == "." else f"{prefix}/"
    files = {f"{inside}{schema.file_of(name)}": data for name, data in schema.builtin().items()}
    files[f"{inside}assay.yaml"] = _template("assay.yaml", id=slug(root.name))
    attributes = root / ".gitattributes"
    present = attributes.read_bytes() if attributes.exists() else b""
    if _MARK.encode() not in present:
        files[f"{inside}.gitattributes"] = present + _template("gitattributes")
    if not (git.worktree / ".github/workflows/assay.yml").exists():
        text = _template("workflow.yml", version=assay.__version__, folder=prefix)
        files[".github/workflows/assay.yml"] = text
    return files


def _template(name: str, **values: str) -> bytes:
    text = (_FILES / name).read_text(encoding="utf-8")
    for key, value in values.items():
        text = text.replace(f"{{{key}}}", value)
    return text.encode()
