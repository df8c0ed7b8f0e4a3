"""Bringing a working tree forward by exactly the new files of an append, and by nothing else.

Git's own order is kept: whoever has `index.lock` may replace the index. The new index is a copy of the user's with
the new entries added, so whatever is staged stays staged. Files on disk are only ever created, never overwritten.
The order (files, index, then the branch) means that a crash can leave staged additions, never staged deletions.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from assay.errors import Busy
from assay.store.git import Git, as_name, as_path
from assay.store.objects import FILE, NewFile

UNDER_WAY: Mapping[str, str] = {
    "rebase-merge": "rebase",
    "rebase-apply": "rebase or am",
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "sequencer": "cherry-pick or revert",
    "BISECT_LOG": "bisect",
}
"""Files in a working tree's git directory that exist exactly while something is under way."""
MAX_ARGUMENTS = 500
"""With more folders than this the whole index is listed, because a command line cannot name them all."""
PATIENCE_S = 1.0
"""How long to wait for whoever holds the index: an editor stays open for longer, a `git status` is gone by then."""


class Checkout:
    """One working tree that has the branch checked out."""

    def __init__(self, git: Git, state: Path) -> None:
        self.git = git
        self.folder = git.worktree
        self._git_dir = git.places.git_dir
        self._state = state

    def under_way(self) -> str | None:
        """What is under way here (merge, rebase …), or None."""
        return under_way(self._git_dir)

    def has(self, ref: str) -> bool:
        """Whether the branch is still checked out here."""
        return self.git.branch() == ref

    def differing(self, files: Mapping[str, bytes]) -> tuple[str, ...]:
        """Which of some new paths are already taken on the disk, by other content or behind a symbolic link."""
        return tuple(path for path in files if not _is_free(self.folder, path, files))

    @contextmanager
    def index_locked(self) -> Iterator[None]:
        """Hold `index.lock`; Busy when somebody else does. The caller must hold the spool's lock.

        The lock is a hard link to a file of ours. A lock that a killed writer left behind is recognised by that,
        and only such a lock is ever removed.
        """
        lock = self._git_dir / "index.lock"
        for left in self._state.glob("hold-*"):
            _release(left, lock)
            _forget(left)
        hold = self._state / f"hold-{os.urandom(8).hex()}"
        hold.touch()
        try:
            give_up_at = time.monotonic() + PATIENCE_S
            while not _linked(hold, lock):
                if time.monotonic() > give_up_at:
                    raise Busy(
                        f"{lock}: somebody holds the index (an open `git commit -a`?)",
                        hint="finish that first; what you recorded is kept and the next assay command commits it",
                    )
                time.sleep(0.02)
            yield
        finally:
            _release(hold, lock)
            _forget(hold)

    def bring_forward(self, files: Mapping[str, NewFile]) -> None:
        """Create the files and put them into the index. Call while holding the index."""
        work = self._state / f"index-{os.urandom(8).hex()}"
        index = self._git_dir / "index"
        try:
            if index.exists():
                # With its time stamp: Git compares it with those of files to know which it must look into.
                shutil.copy2(index, work)
            mine = self._not_staged_otherwise(files, work)
            hidden = self._hidden(mine)
            _create(self.folder, {path: new for path, new in mine.items() if path not in hidden})
            self._stage(mine, work)
            if hidden:
                self._update_index("--skip-worktree", "--stdin", given=hidden, index=work)
            work.replace(index)
        finally:
            work.unlink(missing_ok=True)

    def _not_staged_otherwise(self, files: Mapping[str, NewFile], index: Path) -> dict[str, NewFile]:
        """The files whose place in the index is free; something else that the user staged there stays."""
        folders = sorted({path.rpartition("/")[0] or path for path in files})
        where = folders if len(folders) <= MAX_ARGUMENTS else []
        listed = self.git.run("ls-files", "-z", "--", *where, index=index) if index.exists() else b""
        occupied = {as_path(name) for name in listed.split(b"\0")}
        return {path: new for path, new in files.items() if path not in occupied}

    def _stage(self, files: Mapping[str, NewFile], index: Path) -> None:
        lines = b"".join(b"%s %s 0\t%s\0" % (FILE.encode(), n.oid.encode(), as_name(p)) for p, n in files.items())
        self.git.run("update-index", "-z", "--index-info", stdin=lines, index=index)

    def _update_index(self, *options: str, given: set[str], index: Path) -> None:
        names = b"".join(as_name(path) + b"\0" for path in sorted(given))
        self.git.run("update-index", "-z", *options, stdin=names, index=index)

    def _hidden(self, files: Mapping[str, NewFile]) -> set[str]:
        """Which paths the user's sparse checkout leaves out: Git is asked, in an index and a folder of its own."""
        if not (self._git_dir / "info/sparse-checkout").exists() or self.git.setting("core.sparseCheckout") != "true":
            return set()
        with tempfile.TemporaryDirectory(dir=self._state) as scratch:
            index, empty = Path(scratch, "index"), Path(scratch, "empty")
            empty.mkdir()
            self._stage(files, index)
            self.git.run("--work-tree", str(empty), "sparse-checkout", "reapply", index=index)
            listed = self.git.run("ls-files", "-z", "-t", index=index)
        return {as_path(item[2:]) for item in listed.split(b"\0") if item.startswith(b"S ")}


def under_way(git_dir: Path) -> str | None:
    """What is under way in the working tree of a git directory, or None."""
    return next((name for file, name in UNDER_WAY.items() if (git_dir / file).exists()), None)


@contextmanager
def all_locked(checkouts: tuple[Checkout, ...]) -> Iterator[None]:
    """Hold the index of every working tree that has the branch."""
    with ExitStack() as held:
        for checkout in checkouts:
            held.enter_context(checkout.index_locked())
        yield


def sweep(state: Path) -> None:
    """Remove what killed writers left in the state folder. The caller must hold the spool's lock and no index."""
    for left in (*state.glob("index-*"), *state.glob("tmp*")):
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink()


def _linked(hold: Path, lock: Path) -> bool:
    try:
        os.link(hold, lock)
    except FileExistsError:
        return False
    return True


def _release(hold: Path, lock: Path) -> None:
    """Remove a lock if it is the one made from `hold`."""
    with suppress(FileNotFoundError):
        if lock.samefile(hold):
            lock.unlink()


def _forget(hold: Path) -> None:
    """Remove our end of a lock, unless it still is one in some working tree: then it tells whose."""
    if hold.stat().st_nlink == 1:
        hold.unlink()


def _is_free(top: Path, path: str, files: Mapping[str, bytes]) -> bool:
    """Whether a file can be created at a path, or is there already with the same content."""
    *folders, name = as_name(path).split(b"/")
    at = os.fsencode(top)
    for folder in folders:
        at = os.path.join(at, folder)
        if os.path.islink(at) or (os.path.exists(at) and not os.path.isdir(at)):
            return False
        if not os.path.exists(at):
            return True
    at = os.path.join(at, name)
    if not os.path.lexists(at):
        return True
    if os.path.islink(at) or not os.path.isfile(at):
        return False
    return Path(os.fsdecode(at)).read_bytes() == files[path]


def _create(top: Path, files: Mapping[str, NewFile]) -> None:
    """Create files without following a symbolic link anywhere on the way; leave what is there alone."""
    by_folder: dict[bytes, list[tuple[bytes, NewFile]]] = {}
    for path, new in files.items():
        folder, _, name = as_name(path).rpartition(b"/")
        by_folder.setdefault(folder, []).append((name, new))
    for folder, named in by_folder.items():
        with ExitStack() as opened:
            at = _folder(opened, top, folder)
            if at is not None:
                for name, new in named:
                    _write(at, name, new.data)


def _folder(opened: ExitStack, top: Path, folder: bytes) -> int | None:
    """A folder below the top, made where it is not there yet; None where a file or a symbolic link is in the way."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    at = os.open(top, os.O_RDONLY | os.O_DIRECTORY)
    opened.callback(os.close, at)
    for segment in folder.split(b"/") if folder else ():
        with suppress(FileExistsError):
            os.mkdir(segment, dir_fd=at)
        try:
            at = os.open(segment, flags, dir_fd=at)
        except OSError:
            return None
        opened.callback(os.close, at)
    return at


def _write(folder: int, name: bytes, data: bytes) -> None:
    try:
        fd = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666, dir_fd=folder)
    except FileExistsError:
        _complete(name, folder, data)
        return
    with os.fdopen(fd, "wb", buffering=0) as file:
        while data:
            data = data[file.write(data) :]


def _complete(name: bytes, folder: int, data: bytes) -> None:
    """Write the rest of a file that a killed writer began; a file that is anything else stays as it is."""
    if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
        return
    with os.fdopen(os.open(name, os.O_RDWR | os.O_NOFOLLOW, dir_fd=folder), "r+b") as file:
        begun = file.read(len(data) + 1)
        if data.startswith(begun):
            file.write(data[len(begun) :])
