"""Which names a ledger uses, and how they are made from what they name (format section 3)."""

from __future__ import annotations

import re
import unicodedata
from hashlib import sha256

RECORD_SEGMENT = re.compile(r"[a-z0-9._-]{1,120}", re.ASCII)
RUN_ID = re.compile(r"(\d{4}-\d\d)-\d\d-[a-z0-9]+(?:-[a-z0-9]+)*-[0-9a-f]{6}", re.ASCII)
ACT_NAME = re.compile(
    r"(capture|judge|review|compare|publish|withdraw|recall|acknowledge|redact|budget|qualify|import)"
    r"(?:-[a-z0-9._-]+)?-[0-9a-f]{6}",
    re.ASCII,
)
DATASET_ID = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9])?", re.ASCII)
VERSION = re.compile(r"[0-9a-z](?:[0-9a-z._-]{0,62}[0-9a-z])?", re.ASCII)

MAX_SEGMENT = 120
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-")
_RESERVED = {"con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)}
_FORBIDDEN = frozenset('<>:"|?*\\')


def slug(text: str) -> str:
    """The readable part of an id: lower case letters, digits and single hyphens, at most 40 characters."""
    plain = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40].strip("-")
    return plain or "x"


def run_id(started: str, name: str, nonce: str) -> str:
    """`<utc date>-<slug>-<6 hex>` from an RFC 3339 UTC time, a name and six random hex digits."""
    return f"{started[:10]}-{slug(name)}-{nonce}"


def run_folder(run: str) -> str:
    """Where a run lives: `runs/<yyyy-mm>/<run>`; raise ValueError when the id is not a run id."""
    match = RUN_ID.fullmatch(run)
    if not match:
        raise ValueError(f"not a run id (got {run!r}, expected <utc date>-<slug>-<6 hex>)")
    return f"runs/{match.group(1)}/{run}"


def file_stem(sample: str) -> str:
    """A file name for any sample id, injective: characters outside [a-z0-9.-] become `_` and two hex digits a byte.

    Names over 100 characters keep their first 60 and gain the first 32 hex digits of the id's sha256.
    """
    stem = "".join(c if c in _PLAIN else "".join(f"_{byte:02x}" for byte in c.encode()) for c in sample)
    if len(stem) <= 100:
        return stem
    return f"{stem[:60]}__{sha256(sample.encode()).hexdigest()[:32]}"


def record_file(ordinal: int, sample: str) -> str:
    """`0001-<sample>.json`: the file of the sample's record inside its act."""
    return f"{ordinal:04d}-{file_stem(sample)}.json"


def portable_fault(path: str) -> str | None:
    """Why a relative path cannot be used on every system, or None. For payload names, which may keep their case."""
    if not path or len(path) > 1000:
        return "empty or too long"
    if "\0" in path or any(unicodedata.category(c) in ("Cc", "Cf", "Cs") for c in path):
        return "holds a control or invisible character"
    if path.startswith(("/", "~")) or re.match(r"[A-Za-z]:", path):
        return "is absolute"
    if unicodedata.normalize("NFC", path) != path:
        return "is not in Unicode normal form C"
    for segment in path.split("/"):
        if segment in ("", ".", ".."):
            return "climbs or has an empty segment"
        if _FORBIDDEN & set(segment) or segment != segment.strip() or segment.endswith("."):
            return f"segment {segment!r} is not portable"
        if segment.split(".")[0].lower() in _RESERVED or segment.lower() == ".git":
            return f"segment {segment!r} is a reserved name"
        if len(segment.encode()) > 255:
            return "has a segment over 255 bytes"
    return None


def twin_key(path: str) -> str:
    """Equal for two paths that some file system would confuse (case and Unicode normal form)."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
