"""A writer that is killed, and a branch that moves meanwhile: all or nothing, and nothing of anybody's is lost."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from assay.errors import Busy
from assay.store import checkout
from assay.store.checkout import Checkout
from assay.store.git import Git
from assay.store.ledger import Ledger, Plan
from assay.store.spool import Spool

RUN = "runs/2026-11/2026-11-30-demo-0a1b2c"
FILES = {f"{RUN}/capture-0d0e0f/{n:04d}.json": b"%d\n" % n * 2000 for n in range(12)}
PLAN = Plan("record: 12", FILES)
NEXT = Plan("record: next", {f"{RUN}/next.json": b"{}\n"})

STEPS = {
    "spooled": (Spool, "put"),
    "objects written": (Git, "add_objects"),
    "committed": (Git, "commit_tree"),
    "files and index written": (Checkout, "bring_forward"),
    "index entries written": (Checkout, "_stage"),
    "file begun": (os, "fdopen"),
    "branch moved": (Git, "move_ref"),
    "settled": (Spool, "settle"),
}


def die(*_unused, **_options):
    os.kill(os.getpid(), signal.SIGKILL)


def killed_at(story, step: str, when: str, monkeypatch) -> None:
    """Append in a child process that dies before or after a step."""
    owner, name = STEPS[step]
    real = getattr(owner, name)

    def after(*args, **options):
        real(*args, **options)
        die()

    with monkeypatch.context() as patch:
        pid = os.fork()
        if pid == 0:
            with Ledger.open(story.root) as ledger:
                patch.setattr(owner, name, die if when == "before" else after)
                ledger.append(PLAN)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGKILL


def committed(story) -> int:
    """How many files of the plan are in the tip."""
    present = set(story.git("ls-tree", "-r", "--name-only", "HEAD").split("\n"))
    return len(FILES.keys() & present)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_a_writer_killed_at_any_step_leaves_all_or_nothing_and_the_next_completes_it(story, monkeypatch, step, when):
    story.write("mine.txt", "staged")
    story.git("add", "mine.txt")
    story.write("assay.yaml", "assay: 1 # edited\n")

    killed_at(story, step, when, monkeypatch)

    assert committed(story) in (0, len(FILES))
    assert [line for line in story.status.split("\n") if line[:1] == "D"] == []
    with Ledger.open(story.root) as ledger:
        ledger.append(NEXT)
        assert committed(story) == (0 if (step, when) == ("spooled", "before") else len(FILES))
        assert dict(ledger.at().read_many(FILES if committed(story) else ())) in ({}, FILES)
    assert story.status.split("\n") == [" M assay.yaml", "A  mine.txt"]
    assert story.log.count("record: 12") == (1 if committed(story) else 0)
    assert story.fsck() == ""
    left = [p.name for p in (story.root / ".git/assay").iterdir() if p.name not in ("lock", "spool")]
    assert (left, (story.root / ".git/index.lock").exists()) == ([], False)


APPEND = """
import sys
from pathlib import Path
from assay.store.ledger import Ledger, Plan
files = {f"runs/2026-11/r/{sys.argv[2]}/{n}.json": b"x" * 20000 for n in range(40)}
with Ledger.open(Path(sys.argv[1])) as ledger:
    print("go", flush=True)
    ledger.append(Plan("record: " + sys.argv[2], files))
"""


def kill_at_random(story, rounds: int, seed: int) -> None:
    chance = random.Random(seed)
    for number in range(rounds):
        command = [sys.executable, "-c", APPEND, str(story.root), f"{number:03d}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as writer:
            writer.stdout.readline()
            time.sleep(chance.uniform(0, 0.12))
            writer.kill()
        listed = story.git("ls-tree", "-r", "--name-only", "HEAD", "runs/2026-11/r/").split("\n")
        counts = {line.split("/")[3]: 0 for line in listed if line}
        for line in filter(None, listed):
            counts[line.split("/")[3]] += 1
        assert set(counts.values()) <= {40}, f"seed {seed}, round {number}"
        assert [line for line in story.status.split("\n") if line[:1] == "D"] == []
    with Ledger.open(story.root) as ledger:
        ledger.append(NEXT)
    assert (story.status, story.fsck()) == ("", "")


def test_kills_at_random_moments_leave_every_batch_whole(story):
    kill_at_random(story, 6, random.SystemRandom().randrange(10**6))


@pytest.mark.long
def test_two_hundred_kills_at_random_moments_leave_every_batch_whole(story):
    kill_at_random(story, 200, random.SystemRandom().randrange(10**6))


def test_a_lock_of_somebody_else_is_never_removed(story, monkeypatch):
    monkeypatch.setattr(checkout, "PATIENCE_S", 0.05)
    killed_at(story, "objects written", "before", monkeypatch)
    lock = story.root / ".git/index.lock"
    assert lock.exists()
    lock.unlink()
    lock.touch()

    with pytest.raises(Busy), Ledger.open(story.root) as ledger:
        ledger.append(NEXT)

    assert lock.exists()


@pytest.mark.parametrize("takes_staged", [False, True], ids=["elsewhere", "with-the-staged-files"])
def test_a_commit_that_slips_in_before_the_branch_moves_is_built_upon(story, monkeypatch, takes_staged):
    real = Git.move_ref
    slipped_in = []

    def late(git, ref, new, old, *, reason):
        if not slipped_in:
            story.write("mine.txt", "mine\n")
            story.git("add", "mine.txt")
            only = () if takes_staged else ("--only", "--", "mine.txt")
            story.git("commit", "-q", "-m", "mine", *only)
            slipped_in.append(story.head)
        return real(git, ref, new, old, reason=reason)

    monkeypatch.setattr(Git, "move_ref", late)

    commit = story.ledger.append(PLAN)

    assert story.log[: 1 if takes_staged else 2] == (["mine"] if takes_staged else ["record: 12", "mine"])
    assert commit == (slipped_in[0] if takes_staged else story.head)
    assert (committed(story), story.status, story.show("mine.txt")) == (len(FILES), "", b"mine\n")


def test_a_plan_refused_for_somebody_else_is_kept_until_they_hear_of_it(story, monkeypatch):
    monkeypatch.setattr(checkout, "PATIENCE_S", 0.05)
    lock = story.write(".git/index.lock", "")
    with pytest.raises(Busy):
        story.ledger.append(Plan("record: mine", {f"{RUN}/a.json": b"1"}))
    lock.unlink()
    story.commit("by hand", {f"{RUN}/a.json": "2"})

    story.ledger.append(NEXT)

    (kept,) = (story.root / ".git/assay/spool").glob("*/*.refused")
    assert b"record: mine" in kept.read_bytes()
    assert story.show(f"{RUN}/a.json") == b"2"


def test_a_branch_switched_meanwhile_gets_no_files_of_another(story, monkeypatch):
    real = Checkout.has
    switched = []

    def late(tree, ref):
        if not switched:
            switched.append(True)
            (story.root / ".git/index.lock").rename(story.root / ".git/index.lock-aside")
            story.branch("elsewhere")
            (story.root / ".git/index.lock-aside").rename(story.root / ".git/index.lock")
        return real(tree, ref)

    monkeypatch.setattr(Checkout, "has", late)

    commit = story.ledger.append(PLAN)

    assert (story.git("rev-parse", "main"), story.git("symbolic-ref", "HEAD")) == (commit, "refs/heads/elsewhere")
    assert (story.status, committed(story), (story.root / "runs").exists()) == ("", 0, False)
