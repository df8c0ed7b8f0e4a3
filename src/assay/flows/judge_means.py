"""How a run's judge is reached, as this clone remembers it. Never read from records; another clone is told again."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from assay.store.ledger import Ledger


@dataclass(frozen=True)
class JudgeMeans:
    """A judge's command with everything that it is given, and what one call may take. `bound` is in millionths."""

    command: str
    name: str | None = None
    revision: str | None = None
    network: str = "off"
    pass_env: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    timeout_s: int = 120
    memory_mib: int = 1024
    bound: int | None = None


def remember_judge(ledger: Ledger, run_id: str, means: JudgeMeans | None) -> None:
    if means is None:
        return
    path = _path(ledger, run_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(means)), encoding="utf-8")


def recall_judge(ledger: Ledger, run_id: str) -> JudgeMeans | None:
    """What was remembered of the judge that a run's plan names; None when this clone knows nothing of it."""
    path = _path(ledger, run_id)
    if not path.is_file():
        return None
    known = json.loads(path.read_text(encoding="utf-8"))
    return JudgeMeans(**{**known, "pass_env": tuple(known["pass_env"]), "reads": tuple(known["reads"])})


def _path(ledger: Ledger, run_id: str) -> Path:
    return ledger.state / "runs" / f"{run_id}.judge.json"
