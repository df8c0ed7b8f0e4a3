"""Signatures by OpenPGP keys: counted by fingerprint and by the settings of the parent, whatever gpg trusts locally."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile

import pytest

from assay.verify.check import Options, check
from verify import making
from verify.telling import recorded, verified

pytestmark = pytest.mark.skipif(shutil.which("gpg") is None, reason="needs gpg")


@pytest.fixture
def keyring(monkeypatch):
    """An empty home of gpg (its sockets need a short path); a function that makes a key and tells its fingerprint."""
    with tempfile.TemporaryDirectory(prefix="gpg-", dir="/tmp", ignore_cleanup_errors=True) as home:
        monkeypatch.setenv("GNUPGHOME", home)

        def key(name: str) -> str:
            quick = ("--quick-generate-key", f"{name} <{name}@example.invalid>", "ed25519", "sign", "never")
            gpg("--passphrase", "", *quick)
            listed = gpg("--list-keys", "--with-colons", f"{name}@example.invalid")
            return next(line.split(":")[9] for line in listed.splitlines() if line.startswith("fpr:"))

        yield key
        subprocess.run(["gpgconf", "--kill", "all"], check=False, capture_output=True)


def gpg(*arguments: str) -> str:
    command = ["gpg", "--batch", "--quiet", "--pinentry-mode", "loopback", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ)
    return done.stdout


@pytest.fixture
def signed_by(story, keyring):
    """A story that permits one key; record a withdrawal signed with the key of that name, or with none."""
    permitted = keyring("permitted")
    keys = {"permitted": permitted, "stranger": keyring("stranger")}
    lines = f'signers:\n  - "ada@example.invalid gpg {permitted.lower()}"\n'
    recorded(story)
    story.commit("permit", {"assay.yaml": f"assay: 1\nid: example\n{lines}"})

    def commit(name: str | None, number: int = 1, **files) -> str:
        story.git("config", "commit.gpgSign", "true" if name else "false")
        story.git("config", "user.signingKey", keys.get(name, ""))
        subject = making.pin(making.JUDGED, making.EVALUATION)
        return story.commit(f"withdraw {number}", making.withdrawal(subject, number) | files)

    return commit


def unsigned(story, since: str) -> set[tuple[str, str]]:
    """Weight and commit of what the signature rule says of the commits after one."""
    problems = verified(story, base=since).problems
    assert not [p for p in problems if p.weight == "broken"]
    with story.ledger as ledger:
        found = check(ledger, Options(base=since, signatures=True)).problems
    return {(p.weight, p.commit) for p in found if p.rule == "signature"}


def test_a_commit_signed_by_a_permitted_openpgp_key_holds(story, signed_by):
    base = story.head
    signed_by("permitted")

    assert unsigned(story, base) == set()


@pytest.mark.parametrize("name", ["stranger", None])
def test_a_commit_signed_by_another_openpgp_key_or_by_none_is_broken(story, signed_by, name):
    base = story.head
    commit = signed_by(name)

    assert unsigned(story, base) == {("broken", commit)}


def test_a_signature_whose_key_is_not_in_the_keyring_is_broken(story, signed_by, monkeypatch, tmp_path):
    base = story.head
    commit = signed_by("permitted")
    empty = tmp_path / "empty"
    empty.mkdir(mode=0o700)
    monkeypatch.setenv("GNUPGHOME", str(empty))

    assert unsigned(story, base) == {("broken", commit)}


def test_a_signature_that_was_moved_to_another_commit_is_broken(story, signed_by):
    base = story.head
    signed_by("permitted")
    text = story.git("cat-file", "commit", "HEAD").replace("withdraw 1", "withdraw 2")
    moved = story.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=f"{text}\n")
    story.git("update-ref", "HEAD", moved)

    assert unsigned(story, base) == {("broken", moved)}


def test_an_acknowledgment_counts_by_an_openpgp_signature(story, signed_by):
    edited = making.JUDGED[making.EVALUATION].replace(b'"met"', b'"violated"')
    wrong = story.commit("edit", {making.EVALUATION: edited})
    before, after = (story.git("rev-parse", f"{wrong}{up}:{making.EVALUATION}") for up in ("~1", ""))
    entry = {"rule": "append-only", "path": making.EVALUATION, "commit": wrong, "old": before, "new": after}

    signed_by("stranger", 2, **making.acknowledgment([entry], 2))
    assert {p.weight for p in verified(story).problems if p.rule == "append-only"} == {"broken"}
    signed_by("permitted", 3, **making.acknowledgment([entry], 3))

    assert {p.weight for p in verified(story).problems if p.rule == "append-only"} == {"note"}
