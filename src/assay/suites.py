"""The table of suites and of the sources they can freeze. Plug-ins register suites by entry point `assay.suites`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Protocol

from assay.acceptance.draft import is_acceptance_source
from assay.acceptance.draft import read_draft as read_acceptance
from assay.acceptance.suite import AcceptanceSuite
from assay.coding import bodies as coding_bodies
from assay.coding import freeze as coding_freeze
from assay.coding.suite import CodingSuite
from assay.contract.suite import Suite
from assay.contract.tree import Tree
from assay.errors import Inconclusive, InputError
from assay.findings.freeze import MANIFEST as FINDINGS_MANIFEST
from assay.findings.freeze import read_source as read_findings
from assay.findings.suite import FindingsSuite
from assay.modes.freeze import MANIFEST as MODES_MANIFEST
from assay.modes.freeze import read_source as read_modes
from assay.modes.suite import ModesSuite
from assay.record.pins import Pin

BUILT_IN: Mapping[str, Suite] = {
    suite.name: suite for suite in (AcceptanceSuite(), CodingSuite(), FindingsSuite(), ModesSuite())
}


def suite_named(name: str) -> Suite:
    """A suite by its name, built in or registered by a plug-in; raise Inconclusive for a name nobody answers to."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    for entry in metadata.entry_points(group="assay.suites"):
        if entry.name == name:
            registered: Suite = entry.load()()
            return registered
    raise Inconclusive(f"suite {name!r} is not known to this version", hint="install the plug-in that brings it")


class Draft(Protocol):
    """A source that was read and checked, ready to be frozen."""

    @property
    def name(self) -> str:
        """The file it was read from."""

    @property
    def dataset_id(self) -> str:
        """The dataset."""

    @property
    def supersedes(self) -> str | None:
        """The version that it replaces, when it says so."""

    @property
    def files(self) -> Mapping[str, bytes]:
        """Every payload by its path in the fixture's folder."""

    def freeze(self, *, superseded: Pin | None, secret: bytes | None) -> tuple[dict[str, Any], Mapping[str, bytes]]:
        """The fixture record and the payloads by their path in its folder; sealed when there is a secret."""


@dataclass(frozen=True)
class CodingDraft:
    """A `coding-eval/v1` source with its files."""

    bodies: coding_bodies.Bodies

    @property
    def name(self) -> str:
        return self.bodies.source.name

    @property
    def dataset_id(self) -> str:
        return self.bodies.source.dataset_id

    @property
    def supersedes(self) -> str | None:
        return self.bodies.source.supersedes

    @property
    def files(self) -> Mapping[str, bytes]:
        return self.bodies.files

    def freeze(self, *, superseded: Pin | None, secret: bytes | None) -> tuple[dict[str, Any], Mapping[str, bytes]]:
        if secret is None:
            frozen = coding_freeze.freeze(self.bodies, superseded=superseded)
        else:
            frozen = coding_freeze.freeze_sealed(self.bodies, secret=secret, superseded=superseded)
        return frozen.record, frozen.payloads


def read_draft(data: bytes, name: str, tree: Tree) -> Draft:
    """Read a source by its kind; raise InputError listing every fault."""
    if name == FINDINGS_MANIFEST:
        return read_findings(data, name, tree)
    if name == MODES_MANIFEST:
        return read_modes(data, name, tree)
    if is_acceptance_source(data, name):
        return read_acceptance(data, name)
    if name.endswith((".yaml", ".yml")):
        return CodingDraft(coding_bodies.read_source(data, name, tree))
    raise InputError(
        f"{name}: not a kind of source that can be frozen",
        hint=f"a coding-eval/v1 YAML file, {FINDINGS_MANIFEST} or {MODES_MANIFEST}",
    )
