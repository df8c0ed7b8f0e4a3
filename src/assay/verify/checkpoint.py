"""What this tool has already proven here, so that nothing is proven twice: authenticated, and never trusted in CI.

One kind of fact is kept: "everything up to commit C was judged by rules R, nothing is broken, these notes were found".
A commit id fixes every byte below it, so the fact cannot mean something else elsewhere. It is signed (HMAC-SHA256) with
a key outside of the repository; one that was altered, copied from other rules, or that cannot be read is ignored, and
everything is judged again. An object that is damaged *after* it was proven shows in the next full check only.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from assay.record import schema
from assay.record.problem import Problem

KEY_BYTES = 32
_FILE = "verified-1.json"
_PACKAGE = Path(__file__).parent.parent
_ROOMS = ("record", "store", "verify")


@dataclass(frozen=True)
class Proven:
    """Everything up to a commit, and what was found on the way (nothing broken)."""

    tip: str
    prefix: str
    commits: int
    records: int
    problems: tuple[Problem, ...]
    verdicts: Mapping[str, int]
    has_recalls: bool


@cache
def rules() -> str:
    """The identity of the rules: a digest over the code that judges and the schemas it judges by."""
    hashed = hashlib.sha256()
    for path in sorted(path for room in _ROOMS for path in (_PACKAGE / room).rglob("*.py")):
        hashed.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    for name, data in schema.builtin().items():
        hashed.update(name.encode() + b"\0" + data)
    return hashed.hexdigest()


class Checkpoints:
    """The proven commit of one ledger, kept in its state folder under a key in the user's."""

    def __init__(self, state: Path, key_file: Path) -> None:
        self._file = state / _FILE
        self._key_file = key_file

    def load(self, prefix: str) -> Proven | None:
        """What was proven by these very rules, or None."""
        key = _read_key(self._key_file)
        if key is None:
            return None
        try:
            sealed = orjson.loads(self._file.read_bytes())
            body, seal = str(sealed["body"]), str(sealed["hmac"])
            if not hmac.compare_digest(_seal(key, body), seal):
                return None
            facts = orjson.loads(body)
            if facts["rules"] != rules() or facts["prefix"] != prefix:
                return None
            problems = tuple(Problem(**problem) for problem in facts["problems"])
            counts = (facts["commits"], facts["records"])
            return Proven(facts["tip"], prefix, *counts, problems, facts["verdicts"], facts["has_recalls"])
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def save(self, proven: Proven) -> None:
        """Keep a proof; where that is not possible, nothing is lost but time."""
        if any(problem.weight == "broken" or problem.weight == "not provable" for problem in proven.problems):
            return
        with suppress(OSError):
            key = _read_key(self._key_file) or _make_key(self._key_file)
            facts: Mapping[str, Any] = {**asdict(proven), "rules": rules()}
            body = orjson.dumps(facts).decode()
            self._file.parent.mkdir(parents=True, exist_ok=True)
            fresh = self._file.with_name(f".{_FILE}.{os.getpid()}")
            fresh.write_bytes(orjson.dumps({"body": body, "hmac": _seal(key, body)}))
            fresh.replace(self._file)


def standing(proven: Proven, touched: Sequence[str]) -> list[Problem]:
    """The notes of a proof that still stand after some folders of `runs/` were judged anew."""
    anew = tuple(f"{folder}/" for folder in touched)
    return [
        problem for problem in proven.problems if problem.weight != "contested" or not problem.path.startswith(anew)
    ]


def _seal(key: bytes, body: str) -> str:
    return hmac.new(key, body.encode(), hashlib.sha256).hexdigest()


def _read_key(file: Path) -> bytes | None:
    try:
        key = file.read_bytes()
    except OSError:
        return None
    return key if len(key) == KEY_BYTES else None


def _make_key(file: Path) -> bytes:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    key = secrets.token_bytes(KEY_BYTES)
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        out.write(key)
    fresh.replace(file)
    return key
