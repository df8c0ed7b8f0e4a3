"""The table of suites and of the sources they can freeze. Plug-ins register suites by entry point `assay.suites`.

A suite is loaded when it is first asked for: whoever grades saved responses need not wait for the other three.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Protocol

from assay.contract.suite import Suite
from assay.contract.tree import Tree
from assay.errors import Inconclusive, InputError
from assay.record.pins import Pin
from assay.suites import late

BUILT_IN: Mapping[str, Callable[[], Suite]] = {
    "acceptance": late.acceptance,
    "coding": late.coding,
    "findings": late.findings,
    "modes": late.modes,
}


@cache
def suite_named(name: str) -> Suite:
    """A suite by its name, built in or registered by a plug-in; raise Inconclusive for a name nobody answers to."""
    if name in BUILT_IN:
        return BUILT_IN[name]()
    registered = late.registered(name)
    if registered is None:
        raise Inconclusive(f"suite {name!r} is not known to this version", hint="install the plug-in that brings it")
    return registered


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


MANIFESTS: Mapping[str, Callable[[bytes, str, Tree], Draft]] = {
    "findings.yaml": late.findings_source,
    "modes.yaml": late.modes_source,
}
"""Who reads the manifest of a folder, by the manifest's name."""


def read_draft(data: bytes, name: str, tree: Tree) -> Draft:
    """Read a source by its kind; raise InputError listing every fault."""
    if name in MANIFESTS:
        return MANIFESTS[name](data, name, tree)
    acceptance: Draft | None = late.acceptance_source(data, name)
    if acceptance is not None:
        return acceptance
    if name.endswith((".yaml", ".yml")):
        return late.coding_source(data, name, tree)
    raise InputError(
        f"{name}: not a kind of source that can be frozen",
        hint=f"a coding-eval/v1 YAML file, {' or '.join(MANIFESTS)}",
    )
