"""Which warden serves an item: one warm parent for all of them, or a sandbox made for a single one."""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from assay.engine.inside.folders import write_files
from assay.engine.isolation import Isolation
from assay.engine.warden import Warden


class Wards:
    """The wardens of one isolation and one network policy. `reads` are further (source, place) binds."""

    def __init__(
        self, isolation: Isolation, *, network: bool, warm: bool, reads: Sequence[tuple[str, str]] = ()
    ) -> None:
        self.isolation = isolation
        self._network = network
        self._warm = warm
        self._reads = tuple(reads)
        self._kept: Warden | None = None
        self._lock = threading.Lock()

    @property
    def are_shared(self) -> bool:
        """Whether one warden serves every item; otherwise each gets a sandbox with `fixture` mounted."""
        return self.isolation.nested or not self.isolation.isolated

    @contextlib.contextmanager
    def open(self, fixture: Mapping[str, bytes], file_mib: int) -> Iterator[Warden]:
        """A warden for one item. What it left behind, should its init have been lost, is ended with the warden."""
        if self.are_shared:
            yield self._shared()
            return
        with tempfile.TemporaryDirectory(prefix="assay-fixture-") as folder:
            Path(folder).chmod(0o755)
            write_files(folder, fixture, mode=0o444)
            shell = self.isolation.shell(network=self._network, fixture=folder, file_mib=file_mib)
            with Warden(shell, warm=False, reads=self._reads) as warden:
                yield warden

    def discard(self, warden: Warden) -> None:
        """End a warden that lost track of an item, and with it whatever that item left behind."""
        warden.close()
        with self._lock:
            if self._kept is warden:
                self._kept = None

    def close(self) -> None:
        with self._lock:
            if self._kept is not None:
                self._kept.close()
                self._kept = None

    def _shared(self) -> Warden:
        with self._lock:
            if self._kept is not None and not self._kept.alive:
                self._kept.close()
                self._kept = None
            if self._kept is None:
                shell = self.isolation.shell(network=self._network)
                self._kept = Warden(shell, warm=self._warm, reads=self._reads)
            return self._kept
