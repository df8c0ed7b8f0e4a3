"""Many writers, an open editor, two clones: nothing is lost, nobody is disturbed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from assay.errors import Busy
from assay.store import checkout
from assay.store.ledger import Ledger, Plan

WRITER = """
import sys
from pathlib import Path
from assay.store.ledger import Ledger, Plan
folder, who, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Ledger.open(Path(folder)) as ledger:
    for n in range(runs):
        run = f"runs/2026-11/2026-11-30-{who}-{n:06x}"
        files = {f"{run}/run.json": b"{}\\n", f"{run}/capture-000000/0001-a.json": f"{who} {n}\\n".encode()}
        commit = ledger.append(Plan(f"record: {who} {n}", files))
        assert ledger.at(commit).exists(f"{run}/run.json")
"""


def record_together(story, writers: int, runs: int) -> None:
    """Let many processes record into one clone while the user has changes of every sort."""
    story.commit("code", {"code.py": "1\n"})
    story.write("code.py", "2\n")
    story.write("staged.txt", "s\n")
    story.git("add", "staged.txt")
    story.write("untracked.txt", "u\n")
    before = (story.status, story.git("diff", "--full-index"), story.git("diff", "--full-index", "--cached"))
    commands = [[sys.executable, "-c", WRITER, str(story.root), f"w{n}", str(runs)] for n in range(writers)]

    started = [subprocess.Popen(command, stderr=subprocess.PIPE) for command in commands]
    errors = [process.communicate()[1].decode() for process in started]

    assert [error for error in errors if error] == []
    assert [process.returncode for process in started] == [0] * writers
    assert sorted(s for s in story.log if s.startswith("record:")) == sorted(
        f"record: w{w} {n}" for w in range(writers) for n in range(runs)
    )
    assert len(story.ledger.at().paths("runs")) == 2 * writers * runs
    assert before == (story.status, story.git("diff", "--full-index"), story.git("diff", "--full-index", "--cached"))
    assert story.fsck() == ""


def test_many_processes_recording_into_one_clone_lose_nothing(story):
    record_together(story, writers=8, runs=3)


@pytest.mark.long
def test_sixteen_processes_recording_two_hundred_runs_each_lose_nothing(story):
    record_together(story, writers=16, runs=200)


class Editor:
    """An editor that stays open until it is told to finish: it waits on two named pipes."""

    def __init__(self, folder) -> None:
        self.opened, self.finish = folder / "opened", folder / "finish"
        os.mkfifo(self.opened)
        os.mkfifo(self.finish)
        self.command = f"sh -c 'echo mine > \"$0\"; echo > {self.opened}; cat {self.finish} > /dev/null'"

    def wait_until_open(self) -> None:
        self.opened.read_text()

    def close(self) -> None:
        self.finish.write_text("")


@pytest.fixture
def editor(tmp_path):
    return Editor(tmp_path)


def test_an_open_commit_all_editor_stays_untouched_and_the_plan_waits(story, editor, monkeypatch):
    monkeypatch.setattr(checkout, "PATIENCE_S", 0.05)
    story.commit("code", {"code.py": "1\n"})
    story.write("code.py", "2\n")
    command = ["git", "commit", "-a", "-q"]
    plan = Plan("record: x", {"runs/x": b"x"})

    with subprocess.Popen(command, cwd=story.root, env={**os.environ, "GIT_EDITOR": editor.command}) as commit:
        editor.wait_until_open()
        with pytest.raises(Busy, match="somebody holds the index"):
            story.ledger.append(plan)
        editor.close()
    story.ledger.drain()

    assert (commit.returncode, story.log[:3]) == (0, ["record: x", "mine", "code"])
    assert (story.show("code.py"), story.show("runs/x"), story.status) == (b"2\n", b"x", "")


def test_an_open_editor_of_a_plain_commit_is_told_by_git_and_loses_neither_side(story, editor):
    story.write("mine.txt", "mine\n")
    story.git("add", "mine.txt")

    with subprocess.Popen(
        ["git", "commit", "-q"],
        cwd=story.root,
        env={**os.environ, "GIT_EDITOR": editor.command},
        stderr=subprocess.PIPE,
    ) as commit:
        editor.wait_until_open()
        story.ledger.append(Plan("record: x", {"runs/x": b"x"}))
        editor.close()
        words = commit.stderr.read().decode()

    assert (commit.returncode, "HEAD" in words) == (128, True)
    assert (story.log[0], story.status) == ("record: x", "A  mine.txt")
    assert (story.root / ".git/COMMIT_EDITMSG").read_text() == "mine\n"


@pytest.mark.parametrize("ours_first", [True, False], ids=["theirs-into-ours", "ours-into-theirs"])
def test_two_clones_that_both_recorded_merge_without_conflict_to_the_same_records(story, ours_first):
    theirs = story.clone("theirs")
    for who, name in ((story, "ours"), (theirs, "theirs")):
        for n in range(2):
            run = f"runs/2026-11/2026-11-30-{name}-00000{n}"
            with Ledger.open(who.root) as ledger:
                ledger.append(Plan(f"record: {name} {n}", {f"{run}/run.json": f"{name}{n}\n".encode()}))
    into, other = (story, theirs) if ours_first else (theirs, story)

    into.git("fetch", "-q", other.root.as_uri(), "main")
    into.merge("FETCH_HEAD")

    assert into.git("rev-parse", "HEAD:runs") == merged_tree(into)
    assert (into.status, into.fsck()) == ("", "")


def merged_tree(story) -> str:
    """The folder of runs that both orders have to arrive at, built from its files."""
    names = [f"{name}-00000{n}" for name in ("ours", "theirs") for n in range(2)]
    index = {"GIT_INDEX_FILE": str(story.root / ".git" / "expected-index")}
    for name in names:
        blob = story.git("hash-object", "-w", "--stdin", stdin=f"{name[:-7]}{name[-1]}\n")
        at = f"2026-11/2026-11-30-{name}/run.json"
        story.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{at}", **index)
    return story.git("write-tree", **index)
