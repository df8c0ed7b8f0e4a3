"""Several revisions of rule catalogues together: which are in force, and what one may not do to its predecessor.

A revision is in force while no other supersedes it. Datasets of a catalogue are independent; their rules add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.findings.catalogue import SCHEMA, Catalogue, changes


@dataclass(frozen=True)
class Revision:
    """A frozen catalogue: where its `fixture.json` lies, its name, and the path of the one that it supersedes."""

    path: str
    name: str
    supersedes: str | None


def revision_of(path: str, record: Mapping[str, Any]) -> Revision | None:
    """The catalogue revision that a fixture record is, or None. Records against their schema do not stop it."""
    if record.get("format") != SCHEMA:
        return None
    superseded = record.get("supersedes")
    older = superseded.get("path") if isinstance(superseded, Mapping) else None
    name = f"{record.get('dataset_id')}@{record.get('dataset_version')}"
    return Revision(path, name, older if isinstance(older, str) else None)


def in_force(revisions: Iterable[Revision]) -> tuple[Revision, ...]:
    """The revisions that no other supersedes, by path."""
    every = sorted(revisions, key=lambda revision: revision.path)
    replaced = {revision.supersedes for revision in every}
    return tuple(revision for revision in every if revision.path not in replaced)


def together(catalogues: Iterable[Catalogue]) -> Catalogue:
    """One catalogue with the rules of all; a key of several means what the last says."""
    return Catalogue({key: rule for catalogue in catalogues for key, rule in catalogue.rules.items()})


def undone(old: Catalogue, new: Catalogue) -> tuple[str, ...]:
    """What a revision does to its predecessor that no revision may do, in words; empty when all is well."""
    return tuple(str(change) for change in changes(old, new) if not change.allowed)
