"""Files that a command is asked to leave: each whole or not at all, and nobody's file is replaced unasked."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from assay.errors import InputError


def write_new(files: Mapping[Path, bytes], *, force: bool = False, hint: str = "give another name") -> None:
    """Write files that are not there yet; with `force`, in place of what is there.

    Raise InputError before anything is written where one exists already or its folder does not. A reader sees each file
    with all of its bytes or not at all, whenever the process ends.
    """
    there = [str(file) for file in files if file.exists() or file.is_symlink()]
    if there and not force:
        raise InputError(f"{there[0]} exists already", hint=hint, faults=there if len(there) > 1 else ())
    for file, data in files.items():
        try:
            _write(file, data, force=force)
        except FileExistsError:
            raise InputError(f"{file} exists already", hint=hint) from None
        except OSError as error:
            raise InputError(f"{file}: cannot be written ({error.strerror})") from None


def _write(file: Path, data: bytes, *, force: bool) -> None:
    handle, draft = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        os.chmod(draft, 0o666 & ~_umask())
        if force:
            os.replace(draft, file)
        else:
            # A link is refused where something has the name by now; a rename would replace it.
            os.link(draft, file)
    finally:
        Path(draft).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
