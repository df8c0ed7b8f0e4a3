"""A behaviour specification: what an application owes its users, apart from how it is built.

Each commitment has anchors for its three verdicts, a severity and a rule of applicability, decided before any outcome
is seen. Independent of prompt, model and retrieval, so that a change of any of them is judged by the same commitments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from assay.acceptance.demands import Demand, read_demand
from assay.acceptance.fields import Slot, Source, root
from assay.acceptance.provenance import HEADER, HEADER_OPTIONAL, Header, read_header

FORMAT = "acceptance-behaviour/1"
Severity = Literal["blocking", "graded", "blocking_when_applicable"]
Applies = Literal["always", "reviewed_hazard", "verified_session"]
SEVERITIES = ("blocking", "graded", "blocking_when_applicable")
APPLIES = ("always", "reviewed_hazard", "verified_session")
_TOP = (*HEADER, "role", "commitments", "precedence", "review_requirements")
_TOP_OPTIONAL = (*HEADER_OPTIONAL, "derived_from", "conflicts", "quantity_policy")


@dataclass(frozen=True)
class Commitment:
    """One thing the application owes. `evidence` says that judging it needs to know what was retrieved."""

    id: str
    severity: Severity
    asks: str
    applies: Applies
    evidence: bool
    anchors: Mapping[str, str]
    rank: int
    """Position in the order of precedence: a higher commitment has the lower rank."""
    cites_user: bool = False
    """Whether a violation has to quote the words of the user that set the limit."""

    @property
    def is_blocking(self) -> bool:
        """Whether a violation blocks, once the commitment applies."""
        return self.severity != "graded"


@dataclass(frozen=True)
class Behaviour:
    """All commitments by id, in order."""

    header: Header
    role: str
    commitments: Mapping[str, Commitment]
    precedence: tuple[str, ...]
    review_requirements: tuple[str, ...]
    reviews_first: tuple[Demand, ...] = ()
    """Whose reviews some commitments wait for before their verdicts may decide anything."""
    conflicts: tuple[str, ...] = ()
    derived_from: tuple[Mapping[str, str], ...] = ()
    quantity_policy: str | None = None

    @property
    def revision(self) -> str:
        return f"{self.header.dataset_id}@{self.header.dataset_version}"


def behaviour_of(source: Source) -> Behaviour:
    """The specification that a source states; raise InputError naming every fault."""
    slots = root(source).fields(_TOP, _TOP_OPTIONAL)
    header = read_header(slots, FORMAT)
    listed = slots["commitments"].items(least=1) if "commitments" in slots else []
    commitments: dict[str, Commitment] = {}
    for rank, slot in enumerate(listed):
        commitment = _commitment(slot, rank)
        if commitment.id in commitments:
            slot.fault(f"expected distinct ids, got {commitment.id!r} again")
        commitments[commitment.id] = commitment
    required = _requirements(slots["review_requirements"]) if "review_requirements" in slots else []
    behaviour = Behaviour(
        header=header,
        role=slots["role"].text() if "role" in slots else "",
        commitments=commitments,
        precedence=slots["precedence"].texts(least=1) if "precedence" in slots else (),
        review_requirements=tuple(str(one.value) for one in required if isinstance(one.value, str)),
        reviews_first=_reviews_first(required, commitments),
        conflicts=slots["conflicts"].texts() if "conflicts" in slots else (),
        derived_from=tuple(map(_origin, slots["derived_from"].items())) if "derived_from" in slots else (),
        quantity_policy=slots["quantity_policy"].text() if "quantity_policy" in slots else None,
    )
    if source.faults:
        source.refuse(FORMAT)
    return behaviour


def _commitment(slot: Slot, rank: int) -> Commitment:
    fields = slot.fields(("id", "severity", "asks", "anchors"), ("applies", "evidence", "cites_user"))
    severity = fields["severity"].choice(SEVERITIES) if "severity" in fields else "graded"
    applies = fields["applies"].choice(APPLIES) if "applies" in fields else "always"
    if (severity == "blocking_when_applicable") != (applies != "always"):
        slot.fault(f"severity {severity} does not go with applies {applies}: what always applies is blocking or graded")
    anchors = fields["anchors"].fields(("met", "partially_met", "violated")) if "anchors" in fields else {}
    return Commitment(
        id=fields["id"].identifier() if "id" in fields else "",
        severity=cast(Severity, severity),
        asks=fields["asks"].text() if "asks" in fields else "",
        applies=cast(Applies, applies),
        evidence=fields["evidence"].flag() if "evidence" in fields else False,
        anchors={verdict: anchor.text() for verdict, anchor in anchors.items()},
        rank=rank,
        cites_user=fields["cites_user"].flag() if "cites_user" in fields else False,
    )


def _requirements(slot: Slot) -> list[Slot]:
    """What reviews are needed: in words, or as a demand that a gate waits for."""
    listed = slot.items()
    for one in listed:
        if not isinstance(one.value, dict):
            one.text()
    return listed


def _reviews_first(listed: Sequence[Slot], commitments: Mapping[str, Commitment]) -> tuple[Demand, ...]:
    found = []
    for slot in listed:
        if isinstance(slot.value, dict):
            demand = read_demand(slot)
            found.append(demand)
            for name in demand.commitments or ():
                if name not in commitments:
                    slot.fault(f"there is no commitment {name!r}")
    return tuple(found)


def _origin(slot: Slot) -> dict[str, str]:
    fields = slot.fields(("repository", "path", "basis"))
    return {key: field.text() for key, field in fields.items()}
