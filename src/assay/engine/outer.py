"""The command lines that start a warden: inside bubblewrap, inside namespaces of our own making, or bare."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from assay.engine.layout import Layout, bare_code_root, extra_module_folders

Flavour = Literal["bubblewrap", "namespaces", "none"]
NOBODY = 65534
_WARDEN = "from assay.engine.inside.warden import main; main()"
_ENTER = "from assay.engine.inside.enter import main; main()"


@dataclass(frozen=True)
class Shell:
    """Which outer sandbox to start, and how its items live.

    `nested`: every item gets namespaces of its own inside (the warm way). Otherwise a sandbox serves a single item;
    `fixture` is then a folder outside that is shown read-only as /fixture, and `file_mib` bounds the workdir.
    """

    flavour: Flavour
    nested: bool
    network: bool
    uid: int | None
    fixture: str | None = None
    file_mib: int = 64


def command(shell: Shell, layout: Layout, settings: Mapping[str, Any], root: str) -> tuple[list[str], dict[str, str]]:
    """The command line and environment that start the warden; `root` is an empty folder to build a root in."""
    code = bare_code_root() if shell.flavour == "none" else layout.code
    inner = [sys.executable, "-c", _WARDEN, json.dumps({**settings, "code": code})]
    environment = python_environment(code)
    if shell.flavour == "none":
        return inner, environment
    if shell.flavour == "bubblewrap":
        return _bubblewrap(shell, layout, inner), environment
    plan = {
        "root": root,
        "binds": [*layout.binds, *([(shell.fixture, "/fixture")] if shell.fixture else [])],
        "links": layout.links,
        "folders": layout.folders,
        "job_mib": None if shell.nested else shell.file_mib,
        "network": shell.network,
        "argv": inner,
        "env": environment,
    }
    return [sys.executable, "-c", _ENTER, json.dumps(plan)], python_environment(bare_code_root())


def python_environment(code: str) -> dict[str, str]:
    """The whole environment of our own Python processes: nothing of the user's, and a fixed hash seed."""
    return {
        "PYTHONPATH": os.pathsep.join([code, *extra_module_folders()]),
        "PYTHONSAFEPATH": "1",
        "PYTHONNOUSERSITE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8:backslashreplace",
        "LANG": "C.UTF-8",
        "PATH": "/usr/bin:/bin",
    }


def _bubblewrap(shell: Shell, layout: Layout, inner: list[str]) -> list[str]:
    argv = [
        shutil.which("bwrap") or "/usr/bin/bwrap (not found)",
        "--unshare-pid",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup-try",
        "--as-pid-1",
    ]
    if not shell.network:
        argv.append("--unshare-net")
    if os.getuid() == 0:
        # A user namespace would only map the user id; the warden gives root up for real instead.
        argv += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        argv.append("--unshare-user")
    argv += ["--proc", "/proc", "--dev", "/dev"]
    for folder in (*layout.parents(), *layout.folders):
        argv += ["--perms", "0755", "--dir", folder]
    if not shell.nested:
        # Before the binds, because Python itself may live below /tmp.
        for folder in ("/job", "/tmp", "/dev/shm"):
            argv += ["--perms", "1777", "--size", str(shell.file_mib << 20), "--tmpfs", folder]
    for source, place in layout.binds:
        argv += ["--perms", "0755", "--dir", os.path.dirname(place), "--ro-bind", source, place]
    for target, place in layout.links:
        argv += ["--symlink", target, place]
    if shell.fixture and not shell.nested:
        argv += ["--ro-bind", shell.fixture, "/fixture"]
    return [*argv, "--remount-ro", "/", "--remount-ro", "/dev", "--chdir", "/", *inner]


def bubblewrap_present() -> bool:
    return shutil.which("bwrap") is not None
