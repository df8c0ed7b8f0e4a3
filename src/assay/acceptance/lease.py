"""Leases: one device, one active run. Whether a lease holds follows from recorded times, never from today's clock.

A holder who is late has lost the lease even if its answer still comes: that answer is kept, marked late, and never
replaces what was selected.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.clock import instant


@dataclass(frozen=True)
class Lease:
    """Exclusive use of a resource. `nonce` fences: a later lease has another one, and the earlier holder is outside."""

    resource: str
    holder: str
    nonce: str
    acquired_at: str
    expires_at: str

    def holds_at(self, when: str) -> bool:
        """Whether it holds at an instant: from its beginning, up to its end and not at it."""
        return instant(self.acquired_at) <= instant(when) < instant(self.expires_at)

    def to_json(self) -> dict[str, str]:
        """As an attempt states it: the nonce stands behind the holder's name."""
        times = {"acquired_at": self.acquired_at, "expires_at": self.expires_at}
        return {"resource": self.resource, "holder": f"{self.holder}#{self.nonce}", **times}

    @classmethod
    def from_json(cls, said: Mapping[str, str]) -> Lease:
        holder, _, nonce = said["holder"].rpartition("#")
        return cls(said["resource"], holder, nonce, said["acquired_at"], said["expires_at"])


@dataclass(frozen=True)
class Granted:
    """The lease was given. `takes_over` is the expired one before it, whose target state has to be reconciled."""

    lease: Lease
    takes_over: Lease | None = None


@dataclass(frozen=True)
class Denied:
    """Somebody else holds the resource."""

    by: Lease


Arrival = Literal["in_time", "late"]


def acquire(
    wanted: Lease, leases: Iterable[Lease], closed: Iterable[str] = (), dead: Iterable[str] = ()
) -> Granted | Denied:
    """Give a resource to one holder at a time.

    `leases` are those recorded so far, `closed` the nonces of those given back, `dead` of those whose holder is known
    to have ended without that. Two leases over one instant never both hold: the one recorded first does.
    """
    given_back, ended_early = set(closed), set(dead)
    others = [one for one in leases if one.resource == wanted.resource and one.nonce not in given_back]
    for other in others:
        if other.nonce not in ended_early | {wanted.nonce} and other.holds_at(wanted.acquired_at):
            return Denied(other)
    ended = [one for one in others if one.nonce != wanted.nonce]
    return Granted(wanted, max(ended, key=lambda one: instant(one.expires_at), default=None))


def arrival(lease: Lease | None, answered_at: str, later: Sequence[Lease] = ()) -> Arrival:
    """Whether an answer came under its lease: before it expired and before anybody else took the resource over."""
    if lease is None:
        return "in_time"
    fenced = any(
        one.resource == lease.resource and one.nonce != lease.nonce and one.holds_at(answered_at) for one in later
    )
    return "in_time" if lease.holds_at(answered_at) and not fenced else "late"


def as_arrived(
    observation: Mapping[str, Any], lease: Lease | None, answered_at: str, later: Sequence[Lease] = ()
) -> dict[str, Any]:
    """The observation as it is recorded: a late answer is kept with everything it said and is never selected.

    What did not complete is no answer, and ended as it ended.
    """
    if observation["status"] != "completed" or arrival(lease, answered_at, later) == "in_time":
        return dict(observation)
    detail = f"the lease of {lease.holder} on {lease.resource} had expired" if lease else ""
    return {**observation, "status": "late", "detail": detail}
