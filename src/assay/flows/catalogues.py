"""The rule catalogues at a commit: the rules in force, and whether a new revision keeps every key of the old one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.errors import InputError, Refused
from assay.findings.catalogue import Catalogue, read_catalogue
from assay.findings.revisions import Revision, in_force, revision_of, together, undone
from assay.findings.suite import CATALOGUE_FILE
from assay.flows.fixtures import all_fixtures
from assay.store.snapshot import Snapshot


def revisions(snapshot: Snapshot) -> tuple[Revision, ...]:
    """Every frozen catalogue revision."""
    found = (revision_of(path, record) for path, record in all_fixtures(snapshot))
    return tuple(revision for revision in found if revision is not None)


def rules_in_force(snapshot: Snapshot) -> Catalogue:
    """The rules of every catalogue in force; raise InputError when none is frozen."""
    heads = in_force(revisions(snapshot))
    if not heads:
        raise InputError(
            f"no rule catalogue is frozen at {snapshot.commit[:7]}",
            hint="freeze one first: assay freeze PATH/findings.yaml (format findings-catalogue/1)",
        )
    return together(_read(snapshot, head.path) for head in heads)


def the_catalogue(snapshot: Snapshot, name: str | None) -> Revision:
    """The revision that is named, or the only one in force; raise InputError naming what there is."""
    every = revisions(snapshot)
    candidates = [one for one in every if one.name == name] if name else list(in_force(every))
    if len(candidates) == 1:
        return candidates[0]
    names = ", ".join(one.name for one in (every if name else candidates))
    if not names:
        rules_in_force(snapshot)
    raise InputError(
        f"{name}: no such rule catalogue" if name else "several rule catalogues are in force",
        hint=f"--catalogue, one of {names}",
    )


def refuse_lost_keys(snapshot: Snapshot, record: Mapping[str, Any], payloads: Mapping[str, bytes]) -> None:
    """Raise Refused, naming every key, when a catalogue revision loses, revives or re-dates a rule of an older one.

    A dataset's next catalogue must say what it supersedes; otherwise keys could be dropped by silence.
    """
    revision = revision_of("", record)
    if revision is None:
        return
    standing = [one for one in in_force(revisions(snapshot)) if one.name.startswith(f"{record['dataset_id']}@")]
    if standing and revision.supersedes not in [one.path for one in standing]:
        raise Refused(
            f"{revision.name}: {standing[0].name} is in force, and a catalogue's next revision supersedes it",
            hint=f"in findings.yaml: supersedes: {standing[0].name.partition('@')[2]}",
        )
    if revision.supersedes is None:
        return
    old = _read(snapshot, revision.supersedes)
    lost = undone(old, read_catalogue(CATALOGUE_FILE, payloads[CATALOGUE_FILE]))
    if lost:
        raise Refused(
            f"{revision.name}: committed failures and reviews go on naming every rule; {'; '.join(lost)}",
            hint="keep the rule and set its `deprecated` to this revision",
        )


def _read(snapshot: Snapshot, fixture: str) -> Catalogue:
    path = fixture.replace("fixture.json", CATALOGUE_FILE)
    return read_catalogue(path, snapshot.read(path))
