"""Sources of this suite that can be frozen: a folder with a manifest `modes.yaml`, everything beside it a payload.

Either frozen splits (`manifest.json` with its Parquet files) or a file of custom tasks (`tasks.jsonl`). The record is
a pure function of the folder's bytes. A large source lists its items in its payload, not in the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.contract.manifest import Folder, read_folder
from assay.contract.tree import Tree
from assay.errors import InputError
from assay.modes import late
from assay.modes.content import FORMATS, TASKS_FILE, TASKS_FORMAT, Content, load
from assay.record.pins import Pin

MANIFEST = "modes.yaml"
MAX_LISTED_ITEMS = 1024
MAX_NAMED = 20
_AUDITS = ("full", "skipped")


@dataclass(frozen=True)
class ModesDraft:
    """A checked folder, ready to be frozen."""

    folder: Folder
    content: Content

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def dataset_id(self) -> str:
        return self.folder.dataset_id

    @property
    def supersedes(self) -> str | None:
        return self.folder.supersedes

    @property
    def files(self) -> Mapping[str, bytes]:
        return self.folder.files

    def freeze(self, *, superseded: Pin | None, secret: bytes | None) -> tuple[dict[str, Any], Mapping[str, bytes]]:
        """The fixture record and the payloads by their path in its folder; raise InputError when asked to seal."""
        folder, tasks = self.folder, self.content.tasks
        folder.refuse_unfit("modes", superseded=superseded, secret=secret)
        small = len(tasks) <= MAX_LISTED_ITEMS
        items = [{"id": item, "files": []} for item in tasks] if small else []
        limitations = list(folder.manifest.get("limitations") or ())
        if folder.manifest["format"] == TASKS_FORMAT:
            limitations += self._audit(small)
        elif folder.manifest.get("audit") == "skipped":
            limitations.append("the certified mode counts were not counted again")
        record = folder.record("modes", items, count=len(tasks), limitations=limitations, superseded=superseded)
        return record, dict(sorted(self.files.items()))

    def _audit(self, small: bool) -> list[str]:
        if self.folder.manifest.get("audit") == "skipped":
            return ["whether the tasks can be solved, and their stated mode counts, were not audited"]
        return _audited(self.content) if small else ["too many tasks to audit"]


def custom(name: str, tasks: bytes) -> ModesDraft:
    """The source that a file of custom tasks is by itself: version 1, not audited."""
    manifest = {
        "format": TASKS_FORMAT,
        "dataset_id": name,
        "dataset_version": "1",
        "source": "the tasks of a file of saved responses",
        "basis": "references as the file states them",
        "audit": "skipped",
    }
    quoted = {field: f"'{value}'" if value.isdigit() else value for field, value in manifest.items()}
    spelled = "".join(f"{field}: {value}\n" for field, value in quoted.items())
    files = {MANIFEST: spelled.encode(), TASKS_FILE: tasks}
    return ModesDraft(Folder(MANIFEST, manifest, files), load(manifest, files))


def read_source(data: bytes, name: str, tree: Tree) -> ModesDraft:
    """Read a manifest and all that lies beside it; raise InputError listing every fault.

    Up to 1,024 custom tasks are audited unless the manifest skips it: a task nobody can solve, or one that states a
    wrong mode count, is named among the fixture's limitations. Splits are held to the registry that fixes their bytes,
    and the supports they certify to a second method (`generate.recount`), unless the manifest skips that.
    """
    folder = read_folder(data, name, tree, formats=FORMATS, choices={"audit": _AUDITS}).checked()
    content = load(folder.manifest, folder.files)
    splits = () if folder.manifest.get("audit") == "skipped" else content.splits.values()
    faults = [fault for split in splits for fault in late.recount_faults(split)]
    if faults:
        raise InputError(f"{name}: {len(faults)} certificates do not hold, first {faults[0]}", faults=faults)
    return ModesDraft(folder, content)


def _audited(content: Content) -> list[str]:
    """What the audit of custom tasks found, the first of it word for word."""
    faults = [f"{item}: {fault}" for item, task in content.tasks.items() for fault in late.audit_faults(task)]
    more = [f"and {len(faults) - MAX_NAMED} more findings of the audit"] if len(faults) > MAX_NAMED else []
    return faults[:MAX_NAMED] + more
