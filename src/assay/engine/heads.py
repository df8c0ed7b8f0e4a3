"""The head of an item's request: everything the item's init needs to know, in one place with its defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from assay.contract.jobs import Limits
from assay.engine.layout import is_within, python_places, search_path

Kind = Literal["tests", "calls", "command", "probe"]
CPU_SLACK_S = 5
"""The CPU limit is a backstop behind the wall deadline: on several cores a job may use more CPU than wall time."""


def item_head(kind: Kind, nonce: str, *, namespaces: bool, limits: Limits | None = None, **more: Any) -> dict[str, Any]:
    """The request for one item. `more` fills what a kind needs: files, fixture, shared, calls, paths, argv, gather."""
    limits = limits or Limits(timeout_ms=10_000, memory_mib=512, processes=16, file_mib=4)
    return {
        "kind": kind,
        "nonce": nonce,
        "namespaces": namespaces,
        "folders": "own",
        "keep": [place for place in python_places() if is_within(place, ["/tmp", "/dev/shm"])],
        "network": limits.network,
        "uid": None,
        "limits": {
            "memory_mib": limits.memory_mib,
            "processes": limits.processes,
            "file_mib": limits.file_mib,
            "cpu_s": -(-limits.timeout_ms // 1000) * 4 + CPU_SLACK_S,
        },
        "env": candidate_environment(),
        "files": {},
        "fixture": {},
        "shared": {},
        "filter": kind in ("tests", "calls"),
        "gather": None,
    } | more


def candidate_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The whole environment of a candidate; HOME, TMPDIR and PWD are added inside. Nothing of the user's leaks in."""
    return {
        "PATH": search_path(),
        "LANG": "C.UTF-8",
        "LOGNAME": "assay",
        "USER": "assay",
        "COLUMNS": "80",
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        **(extra or {}),
    }
