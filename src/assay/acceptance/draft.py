"""A source of this suite that was read and checked, ready to be frozen: `Draft` of `assay.suites`.

Behaviours, cases, observed failures and gate policies are sources of one file each. A run needs all of it, so that
sealing is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.acceptance import behaviour, cases, failures, policy
from assay.acceptance.content import stated_format
from assay.acceptance.fields import read_source
from assay.acceptance.provenance import Header
from assay.errors import InputError
from assay.record.digest import digest
from assay.record.pins import Pin

FORMATS = (behaviour.FORMAT, cases.FORMAT, failures.FORMAT, policy.FORMAT)
_STATED = re.compile(rb"(?m)^[\s{]*\"?schema\"?: *[\"']?acceptance-[a-z]+/1[\"']?,?\s*$")
_STATED_IN_JSON = re.compile(rb'"schema"\s*:\s*"acceptance-[a-z]+/1"')


@dataclass(frozen=True)
class AcceptanceDraft:
    """One source: its name, its bytes, what it says of itself, and the ids of its items in order."""

    name: str
    format: str
    header: Header
    items: tuple[str, ...]
    data: bytes

    @property
    def dataset_id(self) -> str:
        return self.header.dataset_id

    @property
    def supersedes(self) -> str | None:
        return self.header.supersedes

    @property
    def files(self) -> Mapping[str, bytes]:
        return {self.name: self.data}

    def freeze(self, *, superseded: Pin | None, secret: bytes | None) -> tuple[dict[str, Any], Mapping[str, bytes]]:
        """The fixture record and its payload: a pure function of the source's bytes and the pin of what it replaces."""
        if secret is not None:
            raise InputError(f"{self.name}: {self.format} cannot be sealed", hint="freeze it in the open")
        if (self.supersedes is None) != (superseded is None):
            stated = f"version {self.supersedes}" if self.supersedes else "nothing"
            got = superseded.path if superseded else "no revision"
            raise InputError(f"{self.name}: supersedes: expected {stated}, got {got}")
        return self._record(superseded), self.files

    def _record(self, superseded: Pin | None) -> dict[str, Any]:
        return {
            "schema": "assay/fixture/1",
            "dataset_id": self.header.dataset_id,
            "dataset_version": self.header.dataset_version,
            "suite": "acceptance",
            "format": self.format,
            "frozen_at": self.header.frozen_at,
            "holdout_policy": self.header.holdout_policy,
            "canary": self.header.canary,
            "source": self.name,
            "files": [{"path": self.name, "sha256": digest(self.data), "bytes": len(self.data)}],
            "item_count": len(self.items),
            "items": [{"id": item, "files": [self.name]} for item in self.items],
            "supersedes": superseded.to_json() if superseded else None,
            "provenance": dict(self.header.provenance),
        }


def read_draft(data: bytes, name: str) -> AcceptanceDraft:
    """Read a source by the format it states; raise InputError naming every fault."""
    source = read_source(data, name)
    kind = stated_format(source)
    if kind == behaviour.FORMAT:
        specification = behaviour.behaviour_of(source)
        return AcceptanceDraft(name, kind, specification.header, tuple(specification.commitments), data)
    if kind == cases.FORMAT:
        families = cases.cases_of(source)
        return AcceptanceDraft(name, kind, families.header, tuple(case.id for case in families.cases), data)
    if kind == failures.FORMAT:
        observed = failures.read_failures(data, name)
        return AcceptanceDraft(name, kind, observed.header, tuple(one.id for one in observed.failures), data)
    if kind == policy.FORMAT:
        return AcceptanceDraft(name, kind, policy.read_policy(data, name).header, (), data)
    raise InputError(f"{name}: expected a schema of {', '.join(FORMATS)} (got {kind or 'none'})")


def is_acceptance_source(data: bytes, name: str) -> bool:
    """Whether a file states a format of this suite, looked for in its text: most sources are of other suites."""
    if name.endswith(".json"):
        return _STATED_IN_JSON.search(data) is not None
    return name.endswith((".yaml", ".yml")) and _STATED.search(data) is not None
