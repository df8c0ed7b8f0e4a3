"""Who signed: commits are judged by the signers that their first parent's `assay.yaml` permits (format section 8).

So a change of the permitted signers has to be signed by one that was permitted before. Git does the cryptography,
with its own programs and not with what the repository's configuration names.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from typing import NamedTuple

from assay.errors import InputError
from assay.record import strict_yaml
from assay.record.problem import Problem
from assay.store.git import Git
from assay.store.objects import ObjectUnavailable
from assay.store.trees import Trees
from assay.verify.changes import SETTINGS
from assay.verify.history import History

_PROGRAMS = ("gpg.program=gpg", "gpg.openpgp.program=gpg", "gpg.ssh.program=ssh-keygen", "gpg.x509.program=false")


class Signers(NamedTuple):
    """Permitted keys by line: those for `allowed_signers` of OpenSSH, and `PRINCIPAL gpg FINGERPRINT`."""

    ssh: tuple[str, ...]
    gpg: tuple[str, ...]

    def of(self, mail: str) -> Signers:
        """Only the keys of one person: whose principals (patterns, comma between) match a mail address."""
        ssh, gpg = (tuple(line for line in lines if _is_of(line, mail)) for lines in self)
        return Signers(ssh, gpg)


NOBODY = Signers((), ())


def signers_of(settings: bytes) -> Signers:
    """The permitted signers that the text of an `assay.yaml` names; nobody when it cannot be read."""
    try:
        plain = strict_yaml.plain(strict_yaml.load(settings, SETTINGS).checked())
    except InputError:
        return NOBODY
    listed = plain.get("signers") if isinstance(plain, dict) else None
    lines = [line for line in listed if isinstance(line, str) and "\n" not in line] if isinstance(listed, list) else []
    words = [line.split() for line in lines]
    gpg = tuple(" ".join(parts) for parts in words if len(parts) == 3 and parts[1] == "gpg")
    return Signers(tuple(" ".join(parts) for parts in words if parts[1:2] != ["gpg"] and len(parts) >= 3), gpg)


class SignerBook:
    """The permitted signers at each commit, and whether commits bear a good signature of one of some signers."""

    def __init__(self, git: Git, prefix: str) -> None:
        self._git = git
        self._path = f"{prefix}{SETTINGS}"
        self._trees = Trees(git)
        self._by_blob = cache(self._read)

    def judging(self, commit: str, parents: tuple[str, ...]) -> Signers:
        """Who may sign a commit: those whom its first parent permits; a ledger's first commit is judged by itself."""
        for judge in (*parents[:1], commit):
            found = self._settings(judge)
            if found is not None:
                return self._by_blob(found)
        return NOBODY

    def signed(self, commits: Iterable[str], signers: Signers) -> set[str]:
        """Those of some commits that have a good signature by one of some signers."""
        asked = "".join(f"{commit}\n" for commit in commits).encode("ascii")
        if signers == NOBODY or not asked:
            return set()
        with tempfile.NamedTemporaryFile("w", suffix=".allowed_signers", encoding="utf-8") as allowed:
            allowed.writelines(f"{line}\n" for line in signers.ssh)
            allowed.flush()
            options = (*_PROGRAMS, f"gpg.ssh.allowedSignersFile={allowed.name}", "gpg.ssh.revocationFile=")
            chosen = [part for option in options for part in ("-c", option)]
            verb = ("log", "--no-walk=unsorted", "--stdin", "--format=%H %G? %GF %GP")
            answers = self._git.run(*chosen, *verb, stdin=asked).decode("ascii", "replace").splitlines()
        words = [answer.split() for answer in answers]
        return {parts[0] for parts in words if len(parts) > 2 and _is_good(parts[1], parts[2:], signers)}

    def _settings(self, commit: str) -> str | None:
        try:
            root = self._git.objects.read(commit).data.split(b"\n", 1)[0].removeprefix(b"tree ").decode("ascii")
            found = self._trees.find(root, self._path)
        except ObjectUnavailable:
            return None
        return found.oid if found else None

    def _read(self, oid: str) -> Signers:
        try:
            return signers_of(self._git.objects.read(oid).data)
        except ObjectUnavailable:
            return NOBODY


def _is_good(state: str, fingers: Iterable[str], signers: Signers) -> bool:
    """`G` for an SSH key that the list permits; OpenPGP keys count by fingerprint, whatever the local trust in them."""
    prints = tuple(fingers)
    if any(finger.startswith("SHA256:") for finger in prints):
        return state == "G"
    return state in ("G", "U") and bool(set(prints) & {line.split()[2].upper() for line in signers.gpg})


def _is_of(line: str, mail: str) -> bool:
    patterns = line.split()[0].strip('"').lower().split(",")
    fits = {pattern.startswith("!"): True for pattern in patterns if fnmatchcase(mail.lower(), pattern.lstrip("!"))}
    return False in fits and True not in fits


def judge(git: Git, prefix: str, history: History, touching: Iterable[int]) -> Iterator[Problem]:
    """Every judged commit that changes the ledger must be signed by a permitted signer."""
    book = SignerBook(git, prefix)
    groups: dict[Signers, list[int]] = {}
    for n in touching:
        step = history.steps[n]
        groups.setdefault(book.judging(step.oid, step.parents), []).append(n)
    for signers, steps in groups.items():
        good = book.signed((history.steps[n].oid for n in steps), signers)
        for n in steps:
            step = history.steps[n]
            if step.oid in good:
                continue
            if signers == NOBODY:
                message, todo = (
                    f"{SETTINGS} permits no signers, so nobody's signature counts",
                    f"add signers to {SETTINGS}",
                )
                yield Problem("signature", "not provable", "", message, step.oid, step.author, todo=todo)
            else:
                message = "has no good signature by a signer that its parent's assay.yaml permits"
                todo = f"git verify-commit {step.oid[:12]}"
                yield Problem("signature", "broken", "", message, step.oid, step.author, todo=todo)
