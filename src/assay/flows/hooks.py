"""Puts the hooks where Git looks for them, outside tracked files, and never loses a hook that is there.

Where that cannot be done honestly (a tracked or shared hooks folder, an interpreter that hooks could not start), it
refuses and says what to do; it never reports success while commits still go through unchecked.
"""

from __future__ import annotations

import os
import site
import sys
from dataclasses import dataclass
from pathlib import Path

import assay
from assay.errors import Refused
from assay.flows.guard import LEDGERS_SETTING, ledgers_of
from assay.store.git import Git

LOCAL_HOOKS = ("pre-commit", "pre-merge-commit", "commit-msg", "pre-push")
SERVER_HOOKS = ("pre-receive",)
KEPT = ".before-assay"
_PLACEHOLDER = "@PYTHON@"
_MARK = "-I -m assay hook"


@dataclass(frozen=True)
class Installed:
    """Where the hooks are, which, and which of the user's own run before them."""

    folder: Path
    hooks: tuple[str, ...]
    chained: tuple[str, ...]


def install(root: Path) -> Installed:
    """Install the hooks of the ledger in a folder (in a bare repository: the server's); again is harmless."""
    with Git(root) as git:
        top = git.places.worktree
        with Git(top or git.places.git_dir) as here:
            folder = here.hooks_folder()
            _refuse_unstartable()
            _refuse_shared(here, folder)
            names = LOCAL_HOOKS if top else SERVER_HOOKS
            chained = [name for name in names if _put(folder, name)]
            _note_ledger(here, root.resolve().relative_to(top.resolve()).as_posix() if top else ".")
        return Installed(folder, names, tuple(chained))


def missing(root: Path) -> tuple[str, ...]:
    """The hooks that a ledger's repository should have and has not."""
    with Git(root) as git:
        folder = git.hooks_folder()
        names = LOCAL_HOOKS if git.places.worktree else SERVER_HOOKS
        return tuple(name for name in names if not _is_ours(folder / name))


def script(name: str) -> str:
    """The text of one hook, with this interpreter filled in."""
    package = Path(__file__).parent.parent
    installed = package / "_hooks"
    folder = installed if installed.is_dir() else package.parent.parent / "hooks"
    quoted = sys.executable.replace("'", "'\\''")
    return (folder / name).read_text("utf-8").replace(_PLACEHOLDER, quoted)


def _put(folder: Path, name: str) -> bool:
    """Write one hook; whether a hook that was there is kept and runs before it."""
    target, kept = folder / name, folder / f"{name}{KEPT}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if _is_ours(folder / f"{name}.legacy") and target.exists():
            # The pre-commit framework has taken our hook over and runs it itself.
            return True
        if os.path.lexists(target) and not _is_ours(target):
            target.rename(_free(kept))
        fresh = folder / f".{name}.assay"
        fresh.write_text(script(name), "utf-8")
        fresh.chmod(0o755)
        fresh.replace(target)
    except OSError as error:
        raise Refused(f"{folder}: the hooks cannot be installed ({error.strerror})", hint=_by_hand(name)) from None
    return kept.exists()


def _free(kept: Path) -> Path:
    """A name for the user's hook that loses none that was kept before; an older one is kept aside."""
    if os.path.lexists(kept):
        number = next(n for n in range(2, 1000) if not os.path.lexists(kept.with_name(f"{kept.name}-{n}")))
        kept.rename(kept.with_name(f"{kept.name}-{number}"))
    return kept


def _is_ours(path: Path) -> bool:
    try:
        return _MARK in path.read_text("utf-8", "replace")
    except OSError:
        return False


def _refuse_shared(git: Git, folder: Path) -> None:
    """Refuse a hooks folder that is tracked, or that belongs to more than this repository."""
    where = Path(os.path.realpath(folder))
    if where.is_relative_to(git.places.common_dir.resolve()):
        return
    top = git.places.worktree
    if top and where.is_relative_to(top.resolve()):
        inside = where.relative_to(top.resolve()).as_posix()
        if not git.run("ls-files", "-z", "--", inside):
            return
        what = f"core.hooksPath is the tracked folder {inside}"
    else:
        what = f"core.hooksPath is {where}, outside of this repository"
    raise Refused(f"{what}: the hooks are not installed there, and commits are not checked here", hint=_by_hand())


def _by_hand(name: str = "pre-commit") -> str:
    return f"add this line to its {name} (and the other hooks): '{sys.executable}' {_MARK} {name} \"$@\" || exit"


def _refuse_unstartable() -> None:
    """Hooks start Python isolated from the user's folder, so an installation in there would not be found."""
    user = site.getusersitepackages() if site.ENABLE_USER_SITE else None
    if user and Path(assay.__file__).resolve().is_relative_to(Path(user).resolve()):
        raise Refused(
            f"assay is installed in {user}, where hooks do not look", hint="install it with pipx or into a venv"
        )


def _note_ledger(git: Git, inside: str) -> None:
    """Note in the repository's own configuration which folder is a ledger."""
    prefix = "" if inside == "." else f"{inside}/"
    noted = git.run("config", "--get-all", "-z", LEDGERS_SETTING, accept=(0, 1))
    if not noted or prefix not in ledgers_of(git):
        git.run("config", "--local", "--add", LEDGERS_SETTING, inside)
