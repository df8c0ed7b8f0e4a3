"""What this clone remembers of a run besides the evidence: how its target was reached.

Commands come from the user's command line and are remembered here, beside the repository's objects; they are never
read from records. In another clone, `resume` has to be told again.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from assay.errors import InputError
from assay.store.ledger import Ledger


@dataclass(frozen=True)
class Means:
    """How a target is reached: a command, an application's place or a folder of solutions, and what that needs."""

    solver: str | None = None
    solutions: str | None = None
    pass_env: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    sealed_bodies: str | None = None
    model: str | None = None
    system: str | None = None
    api_key_env: str | None = None
    """The variable that holds the key, never the key."""


def remember_means(ledger: Ledger, run_id: str, means: Means) -> None:
    path = _path(ledger, run_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(means)), encoding="utf-8")


def recall_means(ledger: Ledger, run_id: str) -> Means:
    """What was remembered; raise InputError when this clone does not know how the target was reached."""
    path = _path(ledger, run_id)
    if not path.is_file():
        raise InputError(
            f"{run_id}: this clone does not know how its target was reached",
            hint=f"assay resume {run_id} --solver COMMAND   (or --solutions FOLDER)",
        )
    known = json.loads(path.read_text(encoding="utf-8"))
    return Means(**{**known, "pass_env": tuple(known["pass_env"]), "reads": tuple(known["reads"])})


def _path(ledger: Ledger, run_id: str) -> Path:
    return ledger.state / "runs" / f"{run_id}.json"
