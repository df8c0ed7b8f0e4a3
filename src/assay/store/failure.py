"""What Git's own refusals mean to the user: which class of error, and what to type next. Pure."""

from __future__ import annotations

import re
from pathlib import Path

from assay.errors import AssayError, Busy, Inconclusive, InputError, NotALedger


class GitFailed(AssayError):
    """Git refused for a reason that has no better class; the message carries its words."""


WAIT = "try again; a lock that stays is stale: remove it when no git is running"
MAKE_ROOM = "make room, then the same command again (for a run: assay resume RUN); what was finished is kept"
_IDENTITY = "git config --global user.name NAME && git config --global user.email ADDRESS"


def explained(verb: str, stderr: bytes, folder: Path) -> AssayError:
    """The error for a failed call, from what Git wrote (it is run with LC_ALL=C, so the words are known)."""
    words = stderr.decode("utf-8", "replace").strip()
    if "dubious ownership" in words:
        owned = re.search(r"repository at '([^']+)'", words)
        at = owned.group(1) if owned else str(folder)
        return InputError(
            f"{at}: the repository belongs to another user, and Git refuses to read it",
            hint=f"if you trust it: git config --global --add safe.directory {at}",
        )
    if "not a git repository" in words:
        return NotALedger(f"{folder}: not inside a Git repository", hint="git init && assay init")
    if "cannot change to" in words:
        return InputError(f"{folder}: no such folder")
    if re.search(r"\.lock': File exists|cannot lock ref|Unable to create .*\.lock", words):
        return Busy(
            f"{folder}: somebody holds the repository ({_last(words)})",
            hint="try again; a lock that stays is stale: remove it when no git is running",
        )
    if "No space left on device" in words or "Disk quota exceeded" in words:
        return Inconclusive(f"{folder}: the disk is full ({_last(words)})", hint=MAKE_ROOM)
    if words.endswith("Permission denied") or "insufficient permission" in words:
        return InputError(f"{folder}: may not be written ({_last(words)})", hint="look with: ls -ld, and whoami")
    if "tell me who you are" in words or "empty ident name" in words or "unable to auto-detect email" in words:
        return InputError("Git does not know in whose name to commit", hint=_IDENTITY)
    if re.search(r"failed to sign|signing failed|gpg|ssh-keygen|(public|private|secret) key", words, re.IGNORECASE):
        return InputError(
            f"the commit could not be signed ({_last(words)})",
            hint="repair the signing key (user.signingKey, gpg.format) or run with commit.gpgSign off",
        )
    if re.search(r"bad object|missing (blob|tree|commit)|unable to read|could not read|Could not read|corrupt", words):
        return Inconclusive(
            f"{folder}: objects are missing or damaged ({_last(words)})",
            hint="git fsck --full; in a shallow or partial clone: git fetch --unshallow",
        )
    return GitFailed(f"{folder}: git {verb} failed ({_last(words) or 'it said nothing'})")


def not_installed(command: str) -> AssayError:
    return InputError(f"{command}: command not found", hint="install Git 2.30 or later and put it on PATH")


def _last(words: str) -> str:
    """The line that matters: the first `fatal:` or `error:`, else the last one."""
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return (telling or lines[-1:] or [""])[0][:300]
