"""Who judges and where: the scorer's and the environment's identity, as records keep them.

The source digest is the reference: sha256 over the lines `<sha256 hex>  <relative path>` of every `.py` file of the
package, sorted by path (what `sha256sum` prints). The commit embedded at build counts only while that digest agrees.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from functools import cache
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


@cache
def source_digest(package: Path) -> str:
    """The digest of a package's Python source, as it was when this process first asked."""
    files = {os.path.relpath(path, package).replace(os.sep, "/"): path for path in _sources(os.fspath(package))}
    lines = [f"{hashlib.sha256(_bytes_of(files[name])).hexdigest()}  {name}\n" for name in sorted(files)]
    return f"sha256:{hashlib.sha256(''.join(lines).encode()).hexdigest()}"


def environment() -> dict[str, Any]:
    """The `environment` member of a run: Python, platform, every installed package, and the digest of these."""
    facts: dict[str, Any] = {
        "python": platform.python_version(),
        "platform": f"{platform.system().lower()}-{platform.machine()}",
        "packages": dict(sorted(packages_in(sys.path).items())),
        "device": None,
    }
    return {**facts, "sha256": digest_of(facts)}


def packages_in(folders: Sequence[str]) -> dict[str, str]:
    """The version of every package installed in some folders, by its name; of two with one name, the first counts.

    What `importlib.metadata` says of them, without the time that it takes to read a whole description as an e-mail.
    """
    found: dict[str, str] = {}
    for folder in folders:
        for file in _metadata_files(folder or "."):
            stated = _headers(file)
            if "name" in stated and "version" in stated:
                found.setdefault(stated["name"].lower(), stated["version"])
    return found


def _metadata_files(folder: str) -> Iterator[str]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        if name.endswith(".dist-info"):
            yield os.path.join(folder, name, "METADATA")
        elif name.endswith(".egg-info"):
            path = os.path.join(folder, name)
            yield os.path.join(path, "PKG-INFO") if os.path.isdir(path) else path


def _headers(file: str) -> dict[str, str]:
    """The header fields of one line, by lower-case name; none where there is no such file."""
    try:
        head = _bytes_of(file).replace(b"\r\n", b"\n").partition(b"\n\n")[0].decode("utf-8", "replace")
    except OSError:
        return {}
    fields = (line.partition(":") for line in head.split("\n") if not line[:1].isspace())
    return {name.lower(): value.strip() for name, sign, value in reversed(list(fields)) if sign}


def _sources(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _sources(entry.path)
            elif entry.name.endswith(".py"):
                yield entry.path


def _bytes_of(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()


def _embedded() -> dict[str, Any]:
    path = _PACKAGE / "_build.json"
    if not path.is_file():
        return {}
    embedded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return embedded
