"""The memory of an import under way: the same file imported again continues it instead of beginning another run.

An import is decided by its input, the time it began and a few random names. The memory keeps the latter two before
anything is committed, so that after a kill at any moment the same commits are made again, each at most once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self

import orjson

from assay.flows.work import Bench
from assay.store.ledger import Ledger

NAMES = 8


class Unfinished:
    """Use as a context manager around an import; left without an error, the import is done and is forgotten."""

    def __init__(self, ledger: Ledger, bench: Bench, *parts: str) -> None:
        """`parts` say what is imported: the digest of the bytes, and everything that decides what becomes of them."""
        key = sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
        self._path: Path = ledger.state / "import" / f"{key[:32]}.json"
        self._bench = bench

    def __enter__(self) -> Self:
        if not self._path.exists():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            draft = self._path.with_suffix(f".{os.getpid()}")
            names = [self._bench.nonce() for _ in range(NAMES)]
            draft.write_bytes(orjson.dumps({"began": self._bench.clock(), "names": names}))
            draft.rename(self._path)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            with suppress(FileNotFoundError):
                self._path.unlink()

    @property
    def bench(self) -> Bench:
        """The bench that the import began on: its clock stands at the beginning, its names come in the same order."""
        memory = orjson.loads(self._path.read_bytes())
        names: Iterator[str] = iter(memory["names"])
        return replace(self._bench, clock=lambda: str(memory["began"]), nonce=lambda: next(names))
