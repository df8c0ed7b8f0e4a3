"""The index of a commit being made: another file than usual in half of the ways to commit."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from assay.store.git import Git
from assay.store.staging import staged, staged_tree

R1, R2 = "runs/r-0001.json", "runs/r-0002.json"

HOOK = f"""#!{sys.executable}
import json, os, sys
sys.path[:0] = {[path for path in sys.path if path]!r}
from pathlib import Path
from assay.store.git import Git
from assay.store.staging import staged
changes = staged(Git(Path(os.getcwd()), hook="pre-commit"))
Path(os.environ["SEEN"]).write_text(json.dumps([[c.status, c.path] for c in changes]))
sys.exit(any(c.status != "A" for c in changes))
"""

RECEIVE = f"""#!{sys.executable}
import json, os, sys
sys.path[:0] = {[path for path in sys.path if path]!r}
from pathlib import Path
from assay.store.git import Git
from assay.store.ledger import Ledger
old, new, ref = sys.stdin.readline().split()
read = {{}}
for hook in ("pre-receive", None):
    with Git(Path.cwd(), hook=hook) as git:
        found = next(git.objects.each([new]))
        read[str(hook)] = getattr(found, "reason", "read")
        if hook:
            read["paths"] = Ledger(git).at(new).paths("runs")
Path(os.environ["SEEN"]).write_text(json.dumps(read))
"""


@pytest.fixture
def guarded(story, tmp_path, monkeypatch):
    """A ledger with one record, and a hook that refuses everything but additions and says what it saw."""
    story.commit("r-0001", {R1: '{"passed": 7}\n'})
    hook = story.write(".git/hooks/pre-commit", HOOK)
    hook.chmod(0o755)
    monkeypatch.setenv("SEEN", str(tmp_path / "seen"))
    return story


def seen(tmp_path: Path) -> list[list[str]]:
    return json.loads((tmp_path / "seen").read_text())


def test_commit_all_is_judged_by_the_index_under_construction(guarded, tmp_path):
    before = guarded.head
    guarded.write(R1, '{"passed": 9}\n')

    done = guarded.attempt("commit", "-a", "-q", "-m", "commit all")

    assert (done.returncode, seen(tmp_path)) == (1, [["M", R1]])
    assert (guarded.head, guarded.git("ls-files", "runs")) == (before, R1)


def test_commit_of_a_path_leaves_other_staged_files_out_of_the_judgment(guarded, tmp_path):
    guarded.write(R2, '{"passed": 1}\n')
    guarded.write(R1, '{"passed": 9}\n')
    guarded.git("add", "-A")

    only_good = guarded.attempt("commit", "-q", "-m", "only r-0002", "--", R2)
    assert (only_good.returncode, seen(tmp_path)) == (0, [["A", R2]])

    rest = guarded.attempt("commit", "-q", "-m", "the rest")
    assert (rest.returncode, seen(tmp_path)) == (1, [["M", R1]])


def test_a_staged_edit_is_seen_although_the_file_on_disk_was_put_back(guarded, tmp_path):
    guarded.write(R1, '{"passed": 9}\n')
    guarded.git("add", R1)
    guarded.write(R1, '{"passed": 7}\n')

    done = guarded.attempt("commit", "-q", "-m", "partly staged")

    assert (done.returncode, seen(tmp_path)) == (1, [["M", R1]])


def test_every_kind_of_change_has_its_status_modes_and_blobs(story):
    story.commit("base", {"runs/edit": "1", "runs/gone": "2", "runs/mode": "3", "runs/link": "4"})
    story.write("runs/edit", "11")
    (story.root / "runs/gone").unlink()
    (story.root / "runs/mode").chmod(0o755)
    (story.root / "runs/link").unlink()
    (story.root / "runs/link").symlink_to("edit")
    story.write("runs/-n\n ew\xe9", "5")
    story.git("add", "-A")
    story.git("add", "-N", str(story.write("runs/only-intended", "6")))

    changes = {change.path: change for change in staged(Git(story.root))}

    statuses = {"edit": "M", "gone": "D", "mode": "M", "link": "T", "-n\n ew\xe9": "A"}
    assert {path: change.status for path, change in changes.items()} == {f"runs/{k}": v for k, v in statuses.items()}
    assert (changes["runs/mode"].old_mode, changes["runs/mode"].new_mode) == ("100644", "100755")
    assert changes["runs/edit"].new_oid == story.git("hash-object", "runs/edit")


def test_before_the_first_commit_everything_staged_is_added(blank):
    blank.init()
    blank.write("a", "1")
    blank.git("add", "a")

    assert [(c.status, c.path) for c in staged(Git(blank.root))] == [("A", "a")]


def test_a_given_index_file_is_read_instead_of_the_usual_one(story, tmp_path):
    index = tmp_path / "index"
    story.git("read-tree", "HEAD", GIT_INDEX_FILE=str(index))
    blob = story.git("hash-object", "-w", "--stdin", stdin="x")
    story.git("update-index", "--add", "--cacheinfo", f"100644,{blob},runs/x", GIT_INDEX_FILE=str(index))
    git = Git(story.root)

    assert staged(git) == ()
    assert [(c.status, c.path, c.new_oid) for c in staged(git, index=index)] == [("A", "runs/x", blob)]
    assert git.list_tree(staged_tree(git, index=index), "runs").__next__().path == "runs/x"


def test_a_receive_hook_reads_what_is_still_in_quarantine(story, tmp_path, monkeypatch):
    server = story.bare("server.git")
    hook = server.write("hooks/pre-receive", RECEIVE)
    hook.chmod(0o755)
    monkeypatch.setenv("SEEN", str(tmp_path / "seen"))
    story.commit("record", {R1: "{}\n"})

    story.git("push", "-q", server.root.as_uri(), "main")

    assert json.loads((tmp_path / "seen").read_text()) == {"pre-receive": "read", "paths": [R1], "None": "missing"}
