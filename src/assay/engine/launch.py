"""What a target's command line needs in the sandbox: which files and folders to show, and what they are called there.

A file named in the command is shown by itself; folders only when the caller lists them in `reads`. Everything the user
gives lies under /opt/target, so that no path of this machine is told to the target, and nothing can be hidden by the
sandbox's own folders.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.engine.layout import SYSTEM, is_within, python_places, search_path
from assay.errors import InputError

PLACE = "/opt/target"


@dataclass(frozen=True)
class Launch:
    """A command as it is spelled inside, and the (source, place) binds it needs."""

    argv: tuple[str, ...]
    binds: tuple[tuple[str, str], ...]


def launch(argv: Sequence[str], reads: Sequence[Path], *, isolated: bool) -> Launch:
    """Spell a command for the sandbox; raise InputError when it is empty or names what does not exist."""
    if not argv:
        raise InputError("the target's command is empty", hint='for example --solver "python agent.py"')
    missing = [str(path) for path in reads if not path.exists()]
    if missing:
        raise InputError(f"the target's folders do not exist: {', '.join(missing)}", faults=missing)
    if not isolated:
        return Launch(tuple(_absolute(word) for word in argv), ())
    binds = {str(path.resolve()): f"{PLACE}/{number}/{path.resolve().name}" for number, path in enumerate(reads)}
    return Launch(tuple(_placed(argv, binds)), tuple(binds.items()))


def _placed(argv: Sequence[str], binds: dict[str, str]) -> Iterator[str]:
    """The words of the command, with the names that files have inside; new files are added to `binds`."""
    visible = [*SYSTEM, *python_places()]
    for position, word in enumerate(argv):
        path = _program(word) if position == 0 else word
        if not os.path.isfile(path) or is_within(os.path.abspath(path), visible):
            yield word
            continue
        source = os.path.realpath(path)
        folder = next((given for given in binds if is_within(source, [given])), None)
        if folder is None:
            binds[source] = f"{PLACE}/{len(binds)}/{os.path.basename(source)}"
            folder = source
        yield binds[folder] + source.removeprefix(folder)


def _program(word: str) -> str:
    """Where a program lies: one that the sandbox finds by itself, else the one the user's shell would find."""
    if "/" in word:
        return word
    return shutil.which(word, path=search_path()) or shutil.which(word) or word


def _absolute(word: str) -> str:
    """A relative path to a file still works when the command starts in another folder."""
    return os.path.abspath(word) if os.path.isfile(word) else word
