"""Find out what isolation can be had here, by trying it: start a sandbox, run an item in it, look from both sides.

Nothing is believed because a program is installed or a number is root's: an isolation counts when an item inside it
had the wanted user id, could write nowhere but in its own folders, could not read a file outside the allowlist, and
could not reach a loopback canary that this process itself *can* reach. Probing never raises; where nothing works the
answer is `none`, with the reasons.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.engine.cgroups import open_group, sweep
from assay.engine.heads import item_head
from assay.engine.inside.syscall_filter import program
from assay.engine.item import Item
from assay.engine.layout import python_is_open_to_all
from assay.engine.lines import ResultLines
from assay.engine.outer import NOBODY, Flavour, Shell, bubblewrap_present
from assay.engine.warden import SandboxFault, Warden
from assay.record.canonical import Json

PROBE_WITHIN_S = 15.0


@dataclass(frozen=True)
class Isolation:
    """What was obtained. `uid` is the real user id of candidates; `nested` means fresh namespaces for every item."""

    name: Flavour
    uid: int
    nested: bool
    facts: Mapping[str, Json] = field(default_factory=dict)

    @property
    def isolated(self) -> bool:
        return self.name != "none"

    @property
    def usable(self) -> bool:
        """Whether candidate code may be run at all: never with root's rights outside a sandbox."""
        return self.isolated or self.uid != 0

    @property
    def uid_to_take(self) -> int | None:
        """The user id that a bare candidate must switch to itself; a sandbox's warden has done so long before."""
        return _setuid_to(self.uid) if not self.isolated else None

    def to_json(self) -> dict[str, Json]:
        """The mapping for a record's controls: everything that was obtained, and what was not and why."""
        return {"name": self.name, "uid": self.uid, **self.facts}

    def shell(self, *, network: bool, fixture: str | None = None, file_mib: int = 64) -> Shell:
        """The outer sandbox to start for this isolation."""
        return Shell(self.name, self.nested, network, _setuid_to(self.uid), fixture, file_mib)


def probe() -> Isolation:
    """Try the strongest isolation first and return the first one that held, with what was seen."""
    reasons: list[str] = []
    for flavour, nested in _candidates(reasons):
        try:
            seen = _try(flavour, nested)
        except (SandboxFault, OSError) as error:
            reasons.append(f"{_label(flavour, nested)}: {error}")
            continue
        faults = _faults(seen)
        if not faults:
            return Isolation(flavour, seen["uids"][0], nested, _facts(seen, nested=nested, reasons=reasons))
        reasons.append(f"{_label(flavour, nested)}: {'; '.join(faults)}")
    return no_isolation(reasons)


def _candidates(reasons: list[str]) -> Iterator[tuple[Flavour, bool]]:
    if bubblewrap_present():
        yield "bubblewrap", True
    else:
        reasons.append("bubblewrap: not installed")
    yield "namespaces", True
    if bubblewrap_present():
        yield "bubblewrap", False
    yield "namespaces", False


def _try(flavour: Flavour, nested: bool) -> dict[str, Any]:
    uid = NOBODY if os.getuid() == 0 else None
    with _canary() as canary, Warden(Shell(flavour, nested, False, uid), warm=False) as warden:
        lines = ResultLines(secrets.token_hex(16))
        head = item_head("probe", lines.nonce, namespaces=nested, canary=canary)
        with Item(warden, head, [], {"results": lines.feed, "stdout": _ignore}, stdin=False) as item:
            while not item.ended:
                item.pump(PROBE_WITHIN_S)
            network = item.network
        if item.fault or not lines.messages:
            raise SandboxFault(item.fault or "the probe said nothing")
        said = lines.messages[0]
        if "fault" in said:
            raise SandboxFault(said["fault"])
        return {**said["facts"], "network": network, "asked_uid": uid if uid is not None else os.getuid()}


@contextlib.contextmanager
def _canary() -> Iterator[dict[str, Any]]:
    """Sockets that this process reaches (the positive control for TCP), and files nobody inside may read."""
    abstract = f"assay-{secrets.token_hex(8)}"
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as local,
        tempfile.NamedTemporaryFile(prefix="assay-canary-") as hidden,
    ):
        os.chmod(hidden.name, 0o644)
        local.bind(f"\0{abstract}")
        local.listen()
        port = server.getsockname()[1]
        socket.create_connection(("127.0.0.1", port), 2.0).close()
        yield {"port": port, "abstract": abstract, "hidden": [hidden.name, "/etc/passwd", "/etc/shadow"]}


def _faults(seen: Mapping[str, Any]) -> list[str]:
    """Where the item could do what an isolated one may not."""
    faults = []
    if set(seen["uids"]) != {seen["asked_uid"]}:
        faults.append(f"user ids are {seen['uids']} (expected {seen['asked_uid']})")
    if seen["writable"]:
        faults.append(f"could write in {', '.join(seen['writable'])}")
    if seen["readable"]:
        faults.append(f"could read {', '.join(seen['readable'])}")
    if "connected" in (seen["canary_tcp"], seen["canary_abstract"]):
        faults.append("reached a socket of the host")
    if set(seen["interfaces"]) - {"lo"}:
        faults.append(f"has network interfaces {', '.join(seen['interfaces'])}")
    if seen["network"].startswith("on"):
        faults.append("shares the host's network namespace")
    return faults


def _facts(seen: Mapping[str, Any], *, nested: bool, reasons: list[str]) -> dict[str, Json]:
    return {
        "network": seen["network"],
        "network_evidence": {
            "namespace": "differs from the supervisor's" if seen["network"] == "off (shown)" else "could not be read",
            "canary_tcp": seen["canary_tcp"],
            "canary_abstract": seen["canary_abstract"],
            "positive_control": "the supervisor reached the canary",
        },
        "per_item": "namespaces of its own, forked from a warm parent" if nested else "a sandbox of its own",
        "setuid": "real" if os.getuid() == 0 else "not needed",
        "root": "read-only allowlist",
        **_common_facts(),
        "not_obtained": list(reasons),
    }


def _common_facts() -> dict[str, Json]:
    return {
        "no_new_privs": True,
        "rlimits": ["as", "core", "cpu", "fsize", "nofile", "nproc"],
        "cgroup": _controllers(),
        "seccomp": "judged code" if program() is not None else "none",
    }


def _controllers() -> list[str]:
    sweep()
    group = open_group(memory_mib=64, processes=4)
    if group is None:
        return []
    group.remove()
    return sorted(group.folders)


def no_isolation(reasons: Sequence[str] = ("not asked for",)) -> Isolation:
    """What remains without a sandbox: fresh process and folder, rlimits, killing the whole tree."""
    root = os.getuid() == 0
    uid = NOBODY if root and python_is_open_to_all() else os.getuid()
    return Isolation(
        "none",
        uid,
        False,
        {
            "network": "on (not isolated)",
            "per_item": "a fresh process and folder; every descendant is killed",
            "setuid": "not needed"
            if not root
            else "real"
            if uid == NOBODY
            else "not possible: Python is readable by root only",
            "root": "the host's",
            **_common_facts(),
            "not_obtained": list(reasons),
        },
    )


def _setuid_to(uid: int) -> int | None:
    return uid if os.getuid() == 0 and uid != 0 else None


def _label(flavour: Flavour, nested: bool) -> str:
    return f"{flavour} with namespaces per item" if nested else flavour


def _ignore(data: bytes) -> None:
    return None
