"""Hooks: what Git hands them is judged, never what lies on the disk; a refusal says what to do instead."""

from __future__ import annotations

import os
import sys

import pytest

from assay.cli.main import invoke
from assay.errors import Refused
from assay.flows.hooks import install
from support.story import Story
from verify import making
from verify.telling import broken, recorded

EDITED = making.JUDGED[making.EVALUATION].replace(b'"met"', b'"violated"')
SECOND = making.evaluation(making.RUN, making.OBSERVED, act="judge-other-0000a1", evaluator=making.judge("other"))
(SECOND_PATH,) = SECOND


@pytest.fixture
def guarded(story, monkeypatch):
    """A recorded ledger with its hooks installed."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    recorded(story)
    install(story.root)
    return story


def edit(story: Story, content: bytes = EDITED) -> None:
    story.write(making.EVALUATION, content)


def refused(story: Story, *arguments: str, **variables: str) -> str:
    """Run a git command that must be refused, naming the record, and leave the branch where it is."""
    before = story.head
    done = story.attempt(*arguments, **variables)
    told = done.stderr.decode()
    assert done.returncode != 0, told
    assert making.EVALUATION in told
    assert story.head == before
    return told


def test_an_honest_commit_passes_and_says_nothing(guarded):
    for path, data in SECOND.items():
        guarded.write(path, data)
    guarded.git("add", "-A")

    done = guarded.attempt("commit", "-q", "-m", "judge again")

    assert (done.returncode, done.stderr) == (0, b"")


def test_a_refusal_says_what_is_frozen_what_it_would_become_and_what_to_type(guarded):
    edit(guarded)
    guarded.git("add", "-A")

    told = refused(guarded, "commit", "-q", "-m", "edit").splitlines()

    first = guarded.git("log", "--format=%H", "--diff-filter=A", "--", making.EVALUATION)
    assert told[0].startswith(f"assay: append-only: {making.EVALUATION} is frozen (sha256:")
    assert told[0].endswith(f"at {first[:7]})")
    assert told[1].startswith("  it would become sha256:")
    assert any("assay withdraw" in line for line in told)


def test_committing_all_is_judged_through_the_index_that_git_names(guarded):
    edit(guarded)

    refused(guarded, "commit", "-a", "-q", "-m", "commit all")

    assert "M" in guarded.status


def test_committing_one_path_is_judged_without_what_else_is_staged(guarded):
    for path, data in SECOND.items():
        guarded.write(path, data)
    guarded.git("add", "-A")
    edit(guarded)
    guarded.git("add", "-A")

    guarded.git("commit", "-q", "-m", "only the new one", "--", SECOND_PATH)

    refused(guarded, "commit", "-q", "-m", "the rest")


def test_what_is_staged_counts_and_not_the_worktree(guarded):
    edit(guarded)
    guarded.git("add", "-A")
    edit(guarded, making.JUDGED[making.EVALUATION])

    refused(guarded, "commit", "-q", "-m", "partly staged")


def test_a_record_that_is_broken_by_itself_is_refused_with_its_reason(guarded):
    guarded.write(SECOND_PATH, b"{}\n")
    guarded.git("add", "-A")

    done = guarded.attempt("commit", "-q", "-m", "bad")

    assert done.returncode == 1
    assert f"assay: schema: {SECOND_PATH}" in done.stderr.decode()


def test_only_what_is_broken_refuses_locally(guarded):
    (path,) = files = making.one({"schema": "x-acme/probe/1", "id": f"{making.RUN}/import-0000aa/one"})
    guarded.write(path, files[path])
    guarded.git("add", "-A")

    assert guarded.attempt("commit", "-q", "-m", "a plug-in that is not here").returncode == 0


def test_a_first_commit_is_judged_too(blank):
    blank.init()
    blank.write("assay.yaml", "assay: 1\n")
    blank.write("runs/notes.txt", "x")
    install(blank.root)
    blank.git("add", "-A")

    done = blank.attempt("commit", "-q", "-m", "found")

    assert done.returncode == 1
    assert "runs/notes.txt" in done.stderr.decode()


def test_a_repository_without_ledger_is_left_alone(blank):
    blank.init()
    install(blank.root)

    assert blank.commit("no ledger here", {"runs/notes.txt": "x"})


def diverged(story: Story) -> None:
    """A branch `edit` that changes a record behind the hooks' back, and a main that went on."""
    story.branch("edit")
    edit(story)
    story.git("add", "-A")
    story.git("commit", "-q", "--no-verify", "-m", "edit")
    story.switch("main")
    story.commit("go on", SECOND)


AROUND = {
    "merge": ("merge", "-q", "--no-edit", "edit"),
    "cherry-pick": ("cherry-pick", "edit"),
    "rebase": ("rebase", "-q", "main", "edit"),
    "no-verify": ("commit", "-q", "-a", "--no-verify", "-m", "edit"),
    "am": ("am", "-q", ".git/p.mbox"),
    "plumbing": ("update-ref", "refs/heads/main", "made"),
}


@pytest.mark.parametrize("way", AROUND)
def test_every_way_around_the_commit_hook_is_refused_or_named_later(guarded, way):
    diverged(guarded)
    guarded.write(".git/p.mbox", guarded.attempt("format-patch", "-1", "edit", "--stdout").stdout)
    made = guarded.git("commit-tree", "edit^{tree}", "-p", "HEAD", "-m", "edit")
    if way == "no-verify":
        edit(guarded)

    done = guarded.attempt(*[made if part == "made" else part for part in AROUND[way]], GIT_EDITOR="true")

    named = {path for rule, path, _ in broken(guarded) if rule == "append-only"}
    assert done.returncode != 0 or making.EVALUATION in named


def test_a_merge_is_judged_against_every_side(guarded):
    guarded.branch("side")
    guarded.commit("side", SECOND)
    guarded.switch("main")
    guarded.commit("go on", {"README.md": b"hello\n"})

    done = guarded.attempt("merge", "-q", "--no-edit", "--no-ff", "-s", "ours", "side")

    assert done.returncode != 0
    assert SECOND_PATH in done.stderr.decode()


def test_a_merge_that_a_person_finishes_is_judged_too(guarded):
    guarded.branch("side")
    guarded.commit("side", SECOND)
    guarded.switch("main")
    guarded.commit("go on", {"README.md": b"hello\n"})
    guarded.git("merge", "-q", "--no-commit", "--no-ff", "side")
    guarded.git("rm", "-q", "--cached", SECOND_PATH)

    done = guarded.attempt("commit", "-q", "-m", "merge side")

    assert done.returncode != 0
    assert SECOND_PATH in done.stderr.decode()


def test_a_ledger_in_a_subfolder_is_guarded(blank):
    blank.init().found("evals/")
    blank.commit("freeze", {f"evals/{path}": data for path, data in making.FIXTURE.items()})
    install(blank.root / "evals")
    blank.write("evals/corpus/demo/0.1.0/source.yaml", b"a: 2\n")

    done = blank.attempt("commit", "-q", "-a", "-m", "edit")

    assert done.returncode == 1
    assert "append-only: corpus/demo/0.1.0/source.yaml" in done.stderr.decode()


# Installation


def test_an_existing_hook_is_kept_and_runs_first(story):
    recorded(story)
    story.write(".git/hooks/pre-commit", "#!/bin/sh\necho mine >> .git/ran\n").chmod(0o755)

    installed = install(story.root)
    again = install(story.root)

    assert installed.chained == again.chained == ("pre-commit",)
    story.commit("judge again", SECOND)
    assert (story.root / ".git/ran").read_text() == "mine\n"
    edit(story)
    refused(story, "commit", "-q", "-a", "-m", "edit")


def test_an_existing_hook_that_refuses_still_refuses(story):
    recorded(story)
    story.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 7\n").chmod(0o755)
    install(story.root)

    assert story.attempt("commit", "-q", "--allow-empty", "-m", "x").returncode != 0


def test_a_hook_that_another_tool_took_over_is_left_in_its_chain(guarded):
    hooks = guarded.root / ".git/hooks"
    (hooks / "pre-commit").rename(hooks / "pre-commit.legacy")
    guarded.write(".git/hooks/pre-commit", '#!/bin/sh\nexec "$(dirname "$0")/pre-commit.legacy" "$@"\n').chmod(0o755)

    install(guarded.root)

    assert "legacy" in (hooks / "pre-commit").read_text()
    edit(guarded)
    refused(guarded, "commit", "-q", "-a", "-m", "edit")


def test_hooks_of_a_linked_worktree_really_run_there(story):
    recorded(story)
    story.git("worktree", "add", "-q", "-b", "wt", "../wt")
    worktree = Story(story.root.parent / "wt", story.monkeypatch)

    install(worktree.root)

    edit(worktree)
    worktree.git("add", "-A")
    refused(worktree, "commit", "-q", "-m", "edit in the worktree")


def test_a_tracked_hooks_folder_is_refused_with_the_line_to_add(story):
    recorded(story)
    story.write("team-hooks/pre-commit", "#!/bin/sh\nexit 0\n").chmod(0o755)
    story.commit("team hooks")
    story.git("config", "core.hooksPath", "team-hooks")

    with pytest.raises(Refused, match="team-hooks") as caught:
        install(story.root)

    assert sys.executable in (caught.value.hint or "")
    assert (story.root / "team-hooks/pre-commit").read_text() == "#!/bin/sh\nexit 0\n"


def test_a_hooks_folder_of_many_repositories_is_refused(story, tmp_path):
    story.git("config", "core.hooksPath", str(tmp_path / "shared"))

    with pytest.raises(Refused, match="outside of this repository"):
        install(story.root)


def test_a_hooks_folder_elsewhere_in_the_git_folder_is_used(story):
    recorded(story)
    story.git("config", "core.hooksPath", ".git/other-hooks")

    install(story.root)

    edit(story)
    refused(story, "commit", "-q", "-a", "-m", "edit")


def test_a_fresh_clone_gets_its_hooks_by_a_command(story, capsys):
    recorded(story)
    clone = story.clone("clone")

    assert invoke(["-C", str(clone.root), "hook", "install"]) == 0

    assert "pre-commit" in capsys.readouterr().out
    edit(clone)
    refused(clone, "commit", "-q", "-a", "-m", "edit")


def test_without_its_interpreter_a_hook_refuses_and_says_why(guarded):
    hook = guarded.root / ".git/hooks/pre-commit"
    hook.write_text(hook.read_text().replace(sys.executable, "/nonexistent/python"))

    done = guarded.attempt("commit", "-q", "--allow-empty", "-m", "x")

    assert done.returncode == 1
    assert "assay hook install" in done.stderr.decode()


# Pushing and receiving


@pytest.fixture
def server(story, monkeypatch):
    """A bare repository with its hook, and a clone that has recorded a run and pushed it."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    server = story.bare("server.git")
    install(server.root)
    clone = server.clone("clone")
    recorded(clone)
    clone.git("push", "-q", "origin", "main")
    return clone


def pushed(clone: Story, *arguments: str) -> str:
    """Push; the words of a refusal, or nothing when it was accepted."""
    done = clone.attempt("push", "-q", *arguments)
    return done.stderr.decode() if done.returncode else ""


def test_honest_pushes_are_received(server):
    server.commit("more", SECOND)
    assert pushed(server, "origin", "main") == ""

    server.branch("feature")
    server.commit("elsewhere", making.run(making.FIXTURE, making.run_id("other", 2)))
    assert pushed(server, "origin", "feature") == ""
    server.git("tag", "-a", "-m", "v1", "v1")
    assert pushed(server, "origin", "v1") == ""


def test_a_push_with_an_edit_is_refused_before_any_ref_moves(server):
    edited = server.commit("edit", {making.EVALUATION: EDITED})

    told = pushed(server, "origin", "main")

    assert making.EVALUATION in told and edited[:12] in told
    assert server.git("ls-remote", "origin", "main").startswith(server.git("rev-parse", "HEAD~1"))


def test_an_edit_that_is_undone_later_is_refused_all_the_same(server):
    server.commit("edit", {making.EVALUATION: EDITED})
    server.git("revert", "--no-edit", "HEAD")

    assert making.EVALUATION in pushed(server, "origin", "main")


def test_a_new_branch_with_an_edit_is_refused(server):
    server.branch("feature")
    server.commit("edit", {making.EVALUATION: EDITED})

    assert making.EVALUATION in pushed(server, "origin", "feature")


def test_what_would_lose_or_hide_history_is_refused(server):
    server.git("reset", "-q", "--hard", "HEAD~1")
    assert "only grow" in pushed(server, "--force", "origin", "main")
    assert "deleted" in pushed(server, "origin", ":main")

    server.git("replace", "HEAD", "HEAD~1")
    assert "replace" in pushed(server, "origin", "refs/replace/*:refs/replace/*")


def test_a_kind_that_the_server_does_not_know_is_refused_there(server):
    server.commit("probe", making.one({"schema": "x-acme/probe/1", "id": f"{making.RUN}/import-0000aa/one"}))

    assert "x-acme/probe/1" in pushed(server, "origin", "main")


def test_the_update_hook_judges_one_ref(server):
    folder = server.root.parent / "server.git/hooks"
    (folder / "pre-receive").unlink()
    text = (making.hooks() / "update").read_text().replace("@PYTHON@", sys.executable)
    (folder / "update").write_text(text)
    os.chmod(folder / "update", 0o755)
    server.commit("edit", {making.EVALUATION: EDITED})

    assert making.EVALUATION in pushed(server, "origin", "main")


def test_a_local_push_hook_judges_what_the_remote_lacks(server):
    install(server.root)
    (server.root.parent / "server.git/hooks/pre-receive").unlink()
    edit(server)
    server.git("commit", "-q", "-a", "--no-verify", "-m", "edit")

    told = pushed(server, "origin", "main")

    assert "append-only" in told and making.EVALUATION in told
