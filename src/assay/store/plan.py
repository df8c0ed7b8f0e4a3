"""A plan: what one act will add, decided before anything is written. `--dry-run` prints it, appending performs it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.errors import InputError
from assay.record.names import portable_fault

_TRAILER = re.compile(r"[A-Za-z][A-Za-z0-9-]*", re.ASCII)


class Below(Mapping[str, bytes]):
    """Files with the way to a folder before their paths; bytes are read when they are asked for."""

    def __init__(self, prefix: str, files: Mapping[str, bytes]) -> None:
        self._prefix, self._files = prefix, files

    def __getitem__(self, path: str) -> bytes:
        if not path.startswith(self._prefix):
            raise KeyError(path)
        return self._files[path.removeprefix(self._prefix)]

    def __iter__(self) -> Iterator[str]:
        return (self._prefix + path for path in self._files)

    def __len__(self) -> int:
        return len(self._files)


class Together(Mapping[str, bytes]):
    """Several mappings of files as one; their paths differ, and bytes are read when they are asked for."""

    def __init__(self, *parts: Mapping[str, bytes]) -> None:
        self._parts = parts

    def __getitem__(self, path: str) -> bytes:
        for part in self._parts:
            if path in part:
                return part[path]
        raise KeyError(path)

    def __contains__(self, path: object) -> bool:
        return any(path in part for part in self._parts)

    def __iter__(self) -> Iterator[str]:
        return (path for part in self._parts for path in part)

    def __len__(self) -> int:
        return sum(map(len, self._parts))


@dataclass(frozen=True)
class Plan:
    """New files of one commit: ledger-relative path -> bytes. Nothing that exists can be changed by a plan.

    A large plan may keep its bytes elsewhere: whoever goes through the files holds one of them at a time.
    """

    subject: str
    files: Mapping[str, bytes]
    body: str = ""
    trailers: tuple[tuple[str, str], ...] = ()

    @property
    def message(self) -> str:
        """Subject, body and trailers as Git wants them: separated by blank lines, one newline at the end."""
        lines = "\n".join(f"{name}: {value}" for name, value in self.trailers)
        return "\n\n".join(part for part in (self.subject.strip(), self.body.strip(), lines) if part) + "\n"

    def check(self) -> None:
        """Raise InputError naming everything that makes the plan impossible to commit anywhere."""
        faults = [f"{path}: {fault}" for path in self.files if (fault := portable_fault(path))]
        folders = {path[:at] for path in self.files for at, sign in enumerate(path) if sign == "/"}
        faults += [f"{path}: is both a file and a folder of the plan" for path in sorted(folders & self.files.keys())]
        faults += [f"trailer {name!r}: not one line" for name, value in self.trailers if not _is_trailer(name, value)]
        if not self.subject.strip() or "\n" in self.subject.strip():
            faults.append(f"subject: expected one line (got {self.subject!r})")
        if not self.files:
            faults.append("the plan adds no file")
        if "\0" in self.message:
            faults.append("message: holds a NUL")
        if faults:
            raise InputError(f"the plan cannot be committed ({faults[0]})", faults=faults)


def _is_trailer(name: str, value: str) -> bool:
    return _TRAILER.fullmatch(name) is not None and "\n" not in value and bool(value.strip())
