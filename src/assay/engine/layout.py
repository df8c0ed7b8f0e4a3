"""What a sandbox may see: a read-only list of system and Python folders, and nothing by default.

Home folders, the ledger, the host's /tmp and /etc/passwd are simply not on the list. Folders between the root and an
allowed one exist but are empty, with mode 0755, so that an unprivileged user can walk through them.
"""

from __future__ import annotations

import importlib.util
import os
import site
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

CODE_ROOT = "/opt/assay"
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "mime.types")
ETC_NETWORK = ("resolv.conf", "hosts", "nsswitch.conf", "ssl", "ca-certificates", "ca-certificates.conf", "pki")
MOUNT_POINTS = ("/job", "/fixture", "/tmp")

_PACKAGE = Path(__file__).resolve().parent.parent
_INSIDE = ("__init__.py", "contract/__init__.py", "contract/values.py", "engine/__init__.py", "engine/inside")


@dataclass(frozen=True)
class Layout:
    """The read-only binds (source, place inside) and symbolic links of a sandbox's root, in the order to make them."""

    binds: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str], ...]
    code: str = CODE_ROOT
    folders: tuple[str, ...] = field(default=MOUNT_POINTS)

    def parents(self) -> list[str]:
        """Every folder that must exist before the binds, outermost first."""
        wanted = {str(parent) for _, place in self.binds for parent in Path(place).parents} - {"/"}
        inside = {place for _, place in self.binds}
        return sorted(folder for folder in wanted if not is_within(folder, inside))


def layout(*, network: bool, reads: Sequence[tuple[str, str]] = ()) -> Layout:
    """The root of a sandbox: system, Python, the inner part of this engine, and further (source, place) pairs."""
    present = [path for path in SYSTEM if os.path.isdir(path)]
    links = [(os.readlink(path), path) for path in present if os.path.islink(path)]
    places = [path for path in present if not os.path.islink(path)]
    names = ETC + (ETC_NETWORK if network else ())
    places += [f"/etc/{name}" for name in names if os.path.exists(f"/etc/{name}")]
    places += [place for place in python_places() if not is_within(place, places)]
    binds = [(os.path.realpath(place), place) for place in places]
    binds += [(str(_PACKAGE / name), f"{CODE_ROOT}/assay/{name}") for name in _INSIDE]
    binds += reads
    return Layout(tuple(binds), tuple(links))


@cache
def python_places() -> tuple[str, ...]:
    """The folders this Python runs from: its prefixes, and where pytest was found if that is elsewhere."""
    own = [sys.base_prefix, sys.prefix, str(Path(sys.executable).resolve().parent.parent)]
    return tuple(_outermost([*own, *extra_module_folders()]))


def extra_module_folders() -> list[str]:
    """Where pytest was found, if this Python would not find it by itself (a user's site folder, PYTHONPATH)."""
    spec = importlib.util.find_spec("pytest")
    if spec is None or spec.origin is None:
        return []
    folder = str(Path(spec.origin).parent.parent)
    return [] if is_within(folder, site.getsitepackages()) else [folder]


def bare_code_root() -> str:
    """Where the inner part lies when there is no sandbox to show it in: this installation."""
    return str(_PACKAGE.parent)


def search_path() -> str:
    """PATH for everything inside: the environment's own programs, then the system's."""
    return f"{sys.prefix}/bin:/usr/local/bin:/usr/bin:/bin"


def python_is_open_to_all() -> bool:
    """Whether another user could read this Python, walking down from the root."""
    chains = ([Path(place), *Path(place).parents] for place in [*python_places(), bare_code_root()])
    return all(folder.stat().st_mode & 0o005 == 0o005 for chain in chains for folder in chain)


def _outermost(paths: Iterable[str]) -> Iterator[str]:
    kept: list[str] = []
    for path in sorted(set(paths), key=len):
        if not is_within(path, kept):
            kept.append(path)
            yield path


def is_within(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)
