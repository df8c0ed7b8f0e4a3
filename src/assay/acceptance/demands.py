"""Who has to have reviewed what: demands of a behaviour specification or of a policy, and who counts as whom.

A specification says which kind of reviewer its commitments wait for; a policy, frozen before the candidate is
planned, says who these people are. Persons are told apart by the mail address of the commits that bring their reviews.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from assay.acceptance.fields import Slot

_PERSON = re.compile(r"(?:[^<>\n]+ )?<?[^\s<>]+@[^\s<>]+>?")


@dataclass(frozen=True)
class Demand:
    """So many reviewers of a kind (None: of any kind) for results of some commitments (None: of all)."""

    reviewer: str | None = None
    commitments: tuple[str, ...] | None = None
    minimum: int = 1

    def concerns(self, commitment: str) -> bool:
        return self.commitments is None or commitment in self.commitments

    def __str__(self) -> str:
        kind = "reviewer" if self.reviewer is None else self.reviewer.replace("_", " ")
        return f"{self.minimum} {kind}{'s' * (self.minimum != 1)}"


@dataclass(frozen=True)
class ReviewRules:
    """What a policy says of reviews: its own demands, who counts as what, and whether reviews have to be signed."""

    demands: tuple[Demand, ...] = ()
    reviewers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    signed: bool = False

    def satisfies(self, demand: Demand, people: Iterable[str]) -> bool:
        """Whether enough of some people are of the kind that a demand asks for."""
        mails = {mail_of(person) for person in people}
        if demand.reviewer is not None:
            mails &= {mail_of(person) for person in self.reviewers.get(demand.reviewer, ())}
        return len(mails) >= demand.minimum


def mail_of(person: str) -> str:
    """What identifies a person: the address of `Name <address>`, in lower case."""
    return person.rpartition("<")[2].removesuffix(">").strip().lower()


def read_demand(slot: Slot) -> Demand:
    """`{reviewer, commitments, minimum, says}`, each of which may be left out."""
    fields = slot.fields((), ("reviewer", "commitments", "minimum", "says"))
    if "says" in fields:
        fields["says"].text()
    return Demand(
        reviewer=fields["reviewer"].identifier() if "reviewer" in fields else None,
        commitments=fields["commitments"].identifiers(least=1) if "commitments" in fields else None,
        minimum=fields["minimum"].whole(1) if "minimum" in fields else 1,
    )


def read_review_rules(slot: Slot | None) -> ReviewRules:
    """The `reviews` of a policy."""
    fields = slot.fields((), ("demands", "reviewers", "signed")) if slot else {}
    listed = fields["demands"].items(least=1) if "demands" in fields else []
    people = fields.get("reviewers")
    kinds = people.fields((), tuple(people.value) if isinstance(people.value, dict) else ()) if people else {}
    reviewers = {kind: _people(one) for kind, one in kinds.items()}
    demands = []
    for one in listed:
        demands.append(read_demand(one))
        if demands[-1].reviewer is not None and demands[-1].reviewer not in reviewers:
            one.fault(f"reviewers name nobody as {demands[-1].reviewer}")
    return ReviewRules(tuple(demands), reviewers, fields["signed"].flag() if "signed" in fields else False)


def _people(slot: Slot) -> tuple[str, ...]:
    return tuple(one.matching(_PERSON, "a person as `Name <address>` or an address") for one in slot.items(least=1))
