"""What a source of this suite says about itself: identity, standing, and where it comes from. Unknown stays unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from assay.acceptance.fields import Slot, optional_text
from assay.record.names import DATASET_ID, VERSION

Standing = Literal["draft", "reviewed"]

HEADER = ("schema", "dataset_id", "dataset_version", "status")
HEADER_OPTIONAL = ("frozen_at", "holdout_policy", "canary", "supersedes", "provenance", "title")


@dataclass(frozen=True)
class Header:
    """The identity of a source. `status` draft means that nobody has reviewed it yet."""

    dataset_id: str
    dataset_version: str
    status: Standing
    frozen_at: str | None
    holdout_policy: str | None
    canary: str | None
    supersedes: str | None
    provenance: Mapping[str, Any]


def read_header(slots: Mapping[str, Slot], schema: str) -> Header:
    """Read the fields that every source of this suite has."""
    if "schema" in slots:
        slots["schema"].choice((schema,))
    status = slots["status"].choice(("draft", "reviewed")) if "status" in slots else "draft"
    version = "digits, lower case letters, . _ - (at most 64)"
    supersedes = slots.get("supersedes")
    return Header(
        dataset_id=slots["dataset_id"].matching(DATASET_ID, "a dataset id") if "dataset_id" in slots else "",
        dataset_version=slots["dataset_version"].matching(VERSION, version) if "dataset_version" in slots else "",
        status="reviewed" if status == "reviewed" else "draft",
        frozen_at=optional_text(slots, "frozen_at"),
        holdout_policy=optional_text(slots, "holdout_policy"),
        canary=optional_text(slots, "canary"),
        supersedes=None if supersedes is None or supersedes.value is None else supersedes.matching(VERSION, version),
        provenance=_provenance(slots.get("provenance")),
    )


def _provenance(slot: Slot | None) -> dict[str, Any]:
    fields = slot.fields((), ("source", "basis", "limitations")) if slot else {}
    return {
        "source": optional_text(fields, "source"),
        "basis": optional_text(fields, "basis"),
        "limitations": list(fields["limitations"].texts()) if "limitations" in fields else [],
    }
