"""Saying something about what is already there: withdrawn, recalled, acknowledged, redacted. It all stays."""

from __future__ import annotations

import os
import subprocess

import pytest

PROMPT = "corpus/two-repairs/1.0.0/prompts/keep-last-page-02.md"


def unguarded(story, subject, files):
    """An honest commit by somebody without hooks."""
    story.git("config", "core.hooksPath", os.devnull)
    commit = story.commit(subject, files)
    story.git("config", "--unset", "core.hooksPath")
    return commit


def test_a_withdrawn_run_stays_and_is_no_longer_publishable(assay, story, frozen, solutions, released):
    run = assay("run", frozen, "--solutions", solutions / "good", "--temperature", "0").run

    withdrawn = assay("withdraw", run, "--reason", "the wrong model was loaded")
    published = assay("publish", run)

    assert (withdrawn.code, published.code) == (0, 1)
    assert "withdrawn" in published.out.split("What held")[0]
    assert "not recorded" in published.err
    assert assay("verify").code == 0


def test_a_recalled_scorer_makes_its_numbers_internal(assay, story, frozen, solutions, released):
    run = assay("run", frozen, "--solutions", solutions / "good", "--temperature", "0").run

    recalled = assay("recall", f"sha256:{'5' * 64}", "--reason", "skipped tests counted as passed")
    published = assay("publish", run)

    assert (recalled.code, published.code) == (0, 1)
    assert "skipped tests counted as passed" in published.out
    assert "Internal number" in published.out


def test_what_is_no_source_digest_cannot_be_recalled(assay, frozen):
    refused = assay("recall", "0.1.0", "--reason", "wrong")

    assert refused.code == 2
    assert "not a source digest" in refused.err


@pytest.fixture
def signer(story, tmp_path):
    """An SSH key that the ledger permits; commits are signed with it from then on."""
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ada", "-f", str(key)], check=True)
    public = " ".join((tmp_path / "key.pub").read_text().split()[:2])
    settings = story.show("assay.yaml").decode().replace("signers: []", f'signers:\n  - "ada@example.invalid {public}"')
    unguarded(story, "permit a signer", {"assay.yaml": settings})

    def sign():
        for name, value in {"gpg.format": "ssh", "user.signingKey": str(key), "commit.gpgSign": "true"}.items():
            story.git("config", name, value)

    return sign


def test_a_violation_is_acknowledged_by_a_signer_whom_the_ledger_permits(assay, story, frozen, signer):
    broken = unguarded(story, "tidy up", {PROMPT: "Write pages.py.\n"})
    before = assay("verify")
    signer()

    acknowledged = assay("acknowledge", broken, PROMPT, "--reason", "an editor reformatted it")
    after = assay("verify")

    assert (before.code, acknowledged.code, after.code) == (1, 0, 0), after.out
    assert PROMPT in after.out


def test_an_unsigned_acknowledgment_does_not_count(assay, story, frozen, signer):
    broken = unguarded(story, "tidy up", {PROMPT: "Write pages.py.\n"})

    assay("acknowledge", broken, PROMPT, "--reason", "an editor reformatted it")

    assert assay("verify").code == 1


def test_what_a_commit_did_not_change_cannot_be_acknowledged(assay, story, frozen):
    refused = assay("acknowledge", "HEAD", PROMPT, "--reason", "nothing happened")

    assert refused.code == 2
    assert "neither changed nor removed it" in refused.err


def test_content_that_must_go_is_replaced_by_an_explained_tombstone(assay, story, frozen):
    recipe = assay("redact", PROMPT, "--reason", "holds personal data")
    commands = [line.strip() for line in recipe.err.split("\n") if line.strip().startswith(("stone=", "git filter"))]
    script = "\n".join(commands)
    quiet = {**os.environ, "FILTER_BRANCH_SQUELCH_WARNING": "1"}
    rewritten = subprocess.run(["sh", "-ec", script], cwd=story.root, env=quiet, capture_output=True, check=False)
    (again,) = [line.strip() for line in recipe.err.split("\n") if line.strip().startswith("assay redact")]

    explained = assay(*again.replace("TEXT", "personal-data").split()[1:])
    verified = assay("verify")

    assert recipe.code == 1
    assert rewritten.returncode == 0, rewritten.stderr
    assert explained.code == 0, explained.err
    assert verified.code == 0, verified.out
    assert b"redacted" in story.show(PROMPT)
