"""The suites themselves, imported one by one: together they take longer to load than most commands take to run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.acceptance.draft import AcceptanceDraft
    from assay.coding.draft import CodingDraft
    from assay.contract.suite import Suite
    from assay.contract.tree import Tree
    from assay.findings.freeze import FindingsDraft
    from assay.modes.freeze import ModesDraft


def acceptance() -> Suite:
    from assay.acceptance.suite import AcceptanceSuite

    return AcceptanceSuite()


def coding() -> Suite:
    from assay.coding.suite import CodingSuite

    return CodingSuite()


def findings() -> Suite:
    from assay.findings.suite import FindingsSuite

    return FindingsSuite()


def modes() -> Suite:
    from assay.modes.suite import ModesSuite

    return ModesSuite()


def registered(name: str) -> Suite | None:
    """The suite that a plug-in registered under a name, or None."""
    from importlib import metadata

    for entry in metadata.entry_points(group="assay.suites"):
        if entry.name == name:
            suite: Suite = entry.load()()
            return suite
    return None


def acceptance_source(data: bytes, name: str) -> AcceptanceDraft | None:
    """A source of the acceptance suite, or None for a source of another kind."""
    from assay.acceptance.draft import is_acceptance_source, read_draft

    return read_draft(data, name) if is_acceptance_source(data, name) else None


def coding_source(data: bytes, name: str, tree: Tree) -> CodingDraft:
    from assay.coding.draft import read_draft

    return read_draft(data, name, tree)


def findings_source(data: bytes, name: str, tree: Tree) -> FindingsDraft:
    from assay.findings.freeze import read_source

    return read_source(data, name, tree)


def modes_source(data: bytes, name: str, tree: Tree) -> ModesDraft:
    from assay.modes.freeze import read_source

    return read_source(data, name, tree)
