"""Build hook: embed the commit and the source-tree digest, so that a score can name the code that gave it."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class EmbedIdentity(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict) -> None:
        root = Path(self.root)
        target = root / "src" / "assay" / "_build.json"
        digest = source_digest(root / "src" / "assay")
        carried = json.loads(target.read_text()) if target.exists() else {}
        commit = clean_commit(root) or (carried.get("commit") if carried.get("source_sha256") == digest else None)
        target.write_text(json.dumps({"commit": commit, "source_sha256": digest}, indent=2, sort_keys=True) + "\n")


def source_digest(package: Path) -> str:
    """sha256 over "<file sha256>  <relative path>\n" of every .py file, sorted: what `sha256sum` would print."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(package).as_posix()}\n"
        for path in sorted(package.rglob("*.py"), key=lambda p: p.relative_to(package).as_posix())
    ]
    return f"sha256:{hashlib.sha256(''.join(lines).encode()).hexdigest()}"


def clean_commit(root: Path) -> str | None:
    """The checked-out commit when `src` and `schemas` are exactly as committed, else None."""
    if not (root / ".git").exists():
        return None
    git = ["git", "-C", str(root)]
    try:
        dirty = subprocess.run([*git, "status", "--porcelain", "--", "src", "schemas"], capture_output=True, check=True)
        head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, check=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return None if dirty.stdout.strip() else head.stdout.strip()
