"""The device of a run: held by one run at a time on this machine, whatever clone or process asks for it.

A lease is granted and expires by recorded times (`acceptance/lease.py` has the rules). A holder that died has lost it
already; a holder that lives and is late loses it to whoever asks next, and its answer is recorded as late.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields
from datetime import timedelta
from pathlib import Path
from typing import Any

from assay.acceptance.lease import Denied, Lease, acquire
from assay.clock import Clock, instant
from assay.engine.device_file import DeviceFile, shared_folder
from assay.errors import Busy
from assay.flows.work import Bench
from assay.record.digest import digest_of

SLACK_S = 60
"""A lease outlives the time limit of what is asked under it by so much: room for commits, and for the next question."""
_FIELDS = {field.name for field in fields(Lease)}


class Device:
    """A device and the run that uses it. Use inside `held`."""

    def __init__(self, name: str, run: str, nonce: str, clock: Clock, folder: Path | None = None) -> None:
        self.name, self.run, self.nonce, self._clock = name, run, nonce, clock
        self._file = DeviceFile(folder or shared_folder(), name)
        self.taken_from: Lease | None = None
        """The holder before, which had not given the device back: it died, or its lease ran out."""

    def take(self) -> None:
        """Begin to hold it; raise Busy naming who does."""
        with self._file.locked():
            self._grant(0)
            self._file.hold(self.nonce)

    def lease(self, seconds: int) -> Lease:
        """A lease for what takes at most so long, from now; raise Busy when another run has taken the device over."""
        with self._file.locked():
            return self._grant(seconds)

    def later(self, lease: Lease) -> tuple[Lease, ...]:
        """The lease of whoever took the device over meanwhile."""
        with self._file.locked():
            found = _lease_in(self._file.read())
        return (found,) if found is not None and found.nonce != lease.nonce else ()

    def give_back(self) -> None:
        """Stop holding it, so that the next run need not wait for the lease to end."""
        with self._file.locked():
            found = self._file.read()
            current = _lease_in(found)
            if found is not None and current is not None and current.nonce == self.nonce:
                self._file.write({**found, "given_back": True})
            self._file.let_go(self.nonce)

    def _grant(self, seconds: int) -> Lease:
        now = self._clock()
        until = (instant(now) + timedelta(seconds=seconds + SLACK_S)).strftime("%Y-%m-%dT%H:%M:%SZ")
        wanted = Lease(self.name, self.run, self.nonce, now, until)
        record = self._file.read()
        before = _lease_in(record)
        leases = [] if before is None else [before]
        closed = [before.nonce] if before is not None and record is not None and record.get("given_back") else []
        dead = [one.nonce for one in leases if one.nonce != self.nonce and not self._file.lives(one.nonce)]
        granted = acquire(wanted, leases, closed, dead)
        if isinstance(granted, Denied):
            raise _held_by(granted.by, record or {}, self.run)
        self.taken_from = self.taken_from or granted.takes_over
        self._file.write({"lease": asdict(wanted), "given_back": False, "pid": os.getpid(), "host": platform.node()})
        return wanted


@contextmanager
def held(run: Mapping[str, Any], bench: Bench) -> Iterator[Device | None]:
    """Hold the device that a run's plan names while it is worked on; None where it names none."""
    named = (run["environment"]["device"] or {}).get("name")
    if named is None:
        yield None
        return
    device = Device(str(named), str(run["id"]), bench.nonce(), bench.clock)
    device.take()
    try:
        yield device
    finally:
        device.give_back()


def with_device(environment: Mapping[str, Any], device: str | None) -> dict[str, Any]:
    """The environment of a run that uses a device of this machine."""
    facts = {key: value for key, value in environment.items() if key != "sha256"}
    facts["device"] = None if device is None else {"name": device}
    return {**facts, "sha256": digest_of(facts)}


def _lease_in(record: Mapping[str, Any] | None) -> Lease | None:
    """The lease of a record; None for anything that this program would not have written."""
    said = (record or {}).get("lease")
    if not isinstance(said, dict) or said.keys() != _FIELDS or not all(isinstance(one, str) for one in said.values()):
        return None
    try:
        instant(said["acquired_at"]), instant(said["expires_at"])
    except ValueError:
        return None
    return Lease(**said)


def _held_by(lease: Lease, record: Mapping[str, Any], run: str) -> Busy:
    where = f"process {record.get('pid')} on {record.get('host')}"
    return Busy(
        f"the device {lease.resource} is held by the run {lease.holder} ({where}) since {lease.acquired_at}, "
        f"at least until {lease.expires_at}",
        hint=f"one run at a time; when it has ended, the same command again (or assay resume {run}, if it had begun)",
    )
