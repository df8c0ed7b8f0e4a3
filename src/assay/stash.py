"""Values that wait in a file instead of in memory: many records pass through, few are ever held.

The file has no name, so nothing is left behind however the process ends, and nobody else can write into it.
"""

from __future__ import annotations

import os
import pickle
import tempfile
import weakref
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO, Generic, TypeVar, cast, overload

T = TypeVar("T")


class Stash(Sequence[T], Generic[T]):
    """A sequence to append to. Every look at an element reads it anew: what is changed in it is not kept."""

    def __init__(self, values: Iterable[T] = ()) -> None:
        self._file = _nameless()
        weakref.finalize(self, self._file.close)
        self._ends = array("Q", (0,))
        for value in values:
            self.append(value)

    def append(self, value: T) -> None:
        # Written whole at once, so that the place of the next one is where the file ends.
        data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
        self._file.write(data)
        self._ends.append(self._ends[-1] + len(data))

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, position: int) -> T: ...

    @overload
    def __getitem__(self, position: slice) -> list[T]: ...

    def __getitem__(self, position: int | slice) -> T | list[T]:
        if isinstance(position, slice):
            return [self._at(n) for n in range(*position.indices(len(self)))]
        if not -len(self) <= position < len(self):
            raise IndexError(position)
        return self._at(position % len(self))

    def __iter__(self) -> Iterator[T]:
        return (self._at(n) for n in range(len(self)))

    def _at(self, n: int) -> T:
        self._file.flush()
        start, end = self._ends[n : n + 2]
        value: T = pickle.loads(os.pread(self._file.fileno(), end - start, start))  # noqa: S301 (written just above)
        return value


class FilesIn(Mapping[str, bytes]):
    """Contents of files by path, each read from one open file when it is asked for; `places` says (start, size)."""

    def __init__(self, file: BinaryIO, places: Mapping[str, tuple[int, int]]) -> None:
        self._file, self._places = file, places
        weakref.finalize(self, file.close)

    def __getitem__(self, path: str) -> bytes:
        start, size = self._places[path]
        return os.pread(self._file.fileno(), size, start)

    def __contains__(self, path: object) -> bool:
        return path in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class StashedFiles(FilesIn):
    """Files in the order in which they were put into one without a name."""

    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        self._put: dict[str, tuple[int, int]] = {}
        super().__init__(_nameless(), self._put)
        for path, data in (files or {}).items():
            self.put(path, (data,))

    def put(self, path: str, pieces: Iterable[bytes]) -> None:
        """Add a file, piece by piece; KeyError when there is one at this path."""
        if path in self._put:
            raise KeyError(path)
        start = self._file.tell()
        self._file.writelines(pieces)
        self._put[path] = (start, self._file.tell() - start)

    def __getitem__(self, path: str) -> bytes:
        self._file.flush()
        return super().__getitem__(path)


def _nameless() -> BinaryIO:
    return cast(BinaryIO, tempfile.TemporaryFile())
