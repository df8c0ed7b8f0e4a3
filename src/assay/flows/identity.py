"""Who judges and where: the scorer's and the environment's identity, as records keep them.

The source digest is the reference: sha256 over the lines `<sha256 hex>  <relative path>` of every `.py` file of the
package, sorted by path (what `sha256sum` prints). The commit embedded at build counts only while that digest agrees.
"""

from __future__ import annotations

import hashlib
import json
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

import assay
from assay.record.digest import digest_of

_PACKAGE = Path(assay.__file__).parent


def scorer() -> dict[str, Any]:
    """The `scorer` member of a run: name, version, commit (None when unknown or the source was changed), digest."""
    found = source_digest(_PACKAGE)
    built = _embedded()
    commit = built.get("commit") if built.get("source_sha256") == found else None
    return {"name": "assay", "version": assay.__version__, "commit": commit, "source_sha256": found}


def evaluator() -> dict[str, Any]:
    """The scorer as the `evaluator` of its evaluations."""
    return {**scorer(), "kind": "deterministic"}


def source_digest(package: Path) -> str:
    """The digest of a package's Python source."""
    files = {path.relative_to(package).as_posix(): path for path in package.rglob("*.py")}
    lines = [f"{hashlib.sha256(files[name].read_bytes()).hexdigest()}  {name}\n" for name in sorted(files)]
    return f"sha256:{hashlib.sha256(''.join(lines).encode()).hexdigest()}"


def environment() -> dict[str, Any]:
    """The `environment` member of a run: Python, platform, every installed package, and the digest of these."""
    packages = {
        dist.metadata["Name"].lower(): dist.version for dist in metadata.distributions() if dist.metadata["Name"]
    }
    facts: dict[str, Any] = {
        "python": platform.python_version(),
        "platform": f"{platform.system().lower()}-{platform.machine()}",
        "packages": dict(sorted(packages.items())),
        "device": None,
    }
    return {**facts, "sha256": digest_of(facts)}


def _embedded() -> dict[str, Any]:
    path = _PACKAGE / "_build.json"
    if not path.is_file():
        return {}
    embedded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return embedded
