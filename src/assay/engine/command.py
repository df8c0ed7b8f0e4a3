"""A target's command: how it is called in records, and how one process of it is started in the sandbox."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assay.contract.jobs import Limits, Network
from assay.engine.gathering import MOST_BYTES, MOST_FILES
from assay.engine.heads import candidate_environment, item_head
from assay.engine.isolation import Isolation
from assay.engine.item import Item
from assay.engine.launch import launch
from assay.engine.lines import ResultLines
from assay.engine.messages import Hello
from assay.engine.peer import Incoming, Peer
from assay.engine.warden import Warden
from assay.engine.wards import Wards
from assay.record.canonical import Json
from assay.record.digest import digest, digest_of_files


@dataclass
class Command:
    """What the user says of a target. `pass_env` names variables it gets; `reads` are folders it may read."""

    argv: Sequence[str]
    isolation: Isolation
    network: Network = "off"
    pass_env: Sequence[str] = ()
    reads: Sequence[Path] = ()
    name: str | None = None
    revision: str | None = None

    def __post_init__(self) -> None:
        self._launch = launch(self.argv, self.reads, isolated=self.isolation.isolated)
        on = self.network == "on"
        self.wards = Wards(self.isolation, network=on, warm=False, reads=self._launch.binds)

    def identity_with(self, hello: Hello | None) -> dict[str, Json]:
        """What the user says comes first, then what the target said in its hello."""
        offered: dict[str, Json] = {"capabilities": list(hello.capabilities)} if hello else {}
        return {
            "name": self.name or (hello.name if hello else None) or os.path.basename(self.argv[-1]),
            "revision": self.revision or (hello.revision if hello else None),
            "kind": "command",
            "config": {
                "command": [os.path.basename(word) for word in self.argv],
                "files": dict(self._code()),
                "network": self.network,
                "environment": sorted(self.pass_env),
                "identity": dict(hello.identity) if hello else {},
                **offered,
            },
            **offered,
        }

    def _code(self) -> Iterator[tuple[str, str]]:
        """Digests of the files that the command names and of the folders it may read: other code, another target."""
        for word in self.argv[1:]:
            if os.path.isfile(word):
                yield os.path.basename(word), digest(Path(word).read_bytes())
        for folder in self.reads:
            found = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
            yield f"{folder.resolve().name}/", digest_of_files(found)

    def start(self, warden: Warden, limits: Limits, files: Mapping[str, bytes], *, gather: bool) -> Peer:
        """Start one process in a workdir with these files."""
        lines, incoming = ResultLines(secrets.token_hex(16)), Incoming()
        passed = {name: os.environ[name] for name in self.pass_env if name in os.environ}
        head = item_head(
            "command",
            lines.nonce,
            namespaces=self.isolation.nested,
            limits=replace(limits, network=self.network),
            argv=list(self._launch.argv),
            env=candidate_environment(passed),
            files={path: position for position, path in enumerate(files)},
            folders="own" if self.wards.are_shared else "given",
            uid=self.isolation.uid_to_take,
            gather={"files": MOST_FILES, "bytes": MOST_BYTES} if gather else None,
        )
        sinks = {"results": lines.feed, "stdout": incoming.feed, "stderr": incoming.stderr.feed}
        item = Item(warden, head, list(files.values()), sinks, stdin=True)
        return Peer(item, incoming, lambda: next((m["fault"] for m in lines.messages if "fault" in m), None))

    def end(self, warden: Warden, peer: Peer) -> None:
        """End a process for certain."""
        peer.item.close()
        if peer.item.lost and not warden.shell.nested:
            self.wards.discard(warden)
