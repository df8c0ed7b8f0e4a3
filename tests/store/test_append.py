"""Appending: a commit of exactly the new files, and nothing of the user's is touched."""

from __future__ import annotations

import shutil
import subprocess
import tracemalloc

import pytest

from assay.errors import Busy, InputError, Refused
from assay.record.problem import Problem
from assay.stash import StashedFiles
from assay.store.ledger import Ledger, Plan
from support.story import Story

RUN = "runs/2026-11/2026-11-30-demo-0a1b2c"
PLAN = Plan("record: 1 run", {f"{RUN}/run.json": b"{}\n"}, "Why.", (("Assay-Run", "demo"), ("Assay-Count", "1")))


def plan_of(**files: str) -> Plan:
    """A plan with files named a, b … in one run folder."""
    return Plan(f"record: {' '.join(files)}", {f"{RUN}/{name}.json": text.encode() for name, text in files.items()})


def test_a_plan_becomes_a_commit_with_subject_body_and_trailers(story):
    before = story.head
    story.tick()

    commit = story.ledger.append(PLAN)

    assert (story.head, story.git("rev-parse", "HEAD~1")) == (commit, before)
    assert story.git("log", "-1", "--format=%B") == "record: 1 run\n\nWhy.\n\nAssay-Run: demo\nAssay-Count: 1\n"
    assert story.git("log", "-1", "--format=%(trailers:key=Assay-Run,valueonly)").strip() == "demo"
    assert story.git("show", "--name-status", "--format=", "HEAD") == f"A\t{RUN}/run.json"
    assert story.git("log", "-1", "--format=%an %ad", "--date=iso") == "Ada Example 2026-11-30 00:55:20 +0000"


def test_worktree_and_index_follow_so_that_the_next_commit_deletes_nothing(story):
    story.ledger.append(PLAN)

    assert (story.status, (story.root / RUN / "run.json").read_bytes()) == ("", b"{}\n")
    story.commit("something else", {"a.txt": "a"})
    assert story.show(f"{RUN}/run.json") == b"{}\n"
    assert story.fsck() == ""


def test_uncommitted_and_staged_changes_stay_exactly_as_they_are(story):
    story.commit("code", {"code.py": "1\n", "gone.py": "x\n", "both.py": "1\n"})
    story.write("code.py", "2\n")
    story.write("new.py", "n\n")
    story.git("add", "new.py")
    story.git("rm", "-q", "--cached", "gone.py")
    story.write("both.py", "2\n")
    story.git("add", "both.py")
    story.write("both.py", "3\n")
    before = (story.status, story.git("diff"), story.git("diff", "--cached"))

    story.ledger.append(PLAN)

    assert (story.status, story.git("diff"), story.git("diff", "--cached")) == before
    assert story.git("show", "--name-only", "--format=", "HEAD") == f"{RUN}/run.json"


def test_many_plans_in_a_row_share_folders(story):
    ledger = story.ledger
    for name in "abc":
        ledger.append(plan_of(**{name: name}))

    assert ledger.at().paths(RUN) == tuple(f"{RUN}/{name}.json" for name in "abc")
    assert story.log[:3] == ["record: c", "record: b", "record: a"]
    assert (story.status, story.fsck()) == ("", "")


def test_plans_that_belong_together_become_commits_in_their_order_and_move_the_branch_once(story):
    moves = story.git("reflog", "show", "main").count("\n")

    commits = story.ledger.append_all([plan_of(**{name: name}) for name in "abc"])

    assert story.git("log", "-3", "--format=%H").split() == list(reversed(commits))
    assert story.log[:3] == ["record: c", "record: b", "record: a"]
    assert story.git("reflog", "show", "main").count("\n") == moves + 1
    assert (story.status, story.fsck()) == ("", "")


def test_of_plans_that_belong_together_a_refused_one_does_not_hold_back_those_before_it(story):
    def approve(proposal):
        return [Problem("name", "broken", "b", "bad")] if f"{RUN}/b.json" in proposal.plan.files else []

    with pytest.raises(Refused, match="b: bad"):
        story.ledger.append_all([plan_of(a="a"), plan_of(b="b")], approve=approve)

    assert story.log[0] == "record: a"
    assert story.ledger.drain() == ()


def test_a_later_plan_is_approved_on_top_of_the_earlier_ones(story):
    seen = []

    def approve(proposal):
        seen.append([proposal.exists(f"{RUN}/{name}.json") for name in "abc"])
        return []

    story.ledger.append_all([plan_of(a="a"), plan_of(b="b"), plan_of(c="c")], approve=approve)

    assert seen == [[True, False, False], [True, True, False], [True, True, True]]


def test_the_bytes_of_a_plan_need_not_be_in_memory_at_once(story):
    size, count = 200_000, 40
    files = StashedFiles()
    for n in range(count):
        files.put(f"{RUN}/artifacts/{n}", (bytes((n,)) * size,))
    tracemalloc.start()

    story.ledger.append(Plan("large", files), approve=lambda proposal: [])

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10 * size
    assert story.show(f"{RUN}/artifacts/39") == bytes((39,)) * size


def test_a_large_plan_is_written_as_one_pack(story):
    files = {f"{RUN}/capture-0d0e0f/{n // 200:02d}/{n}.json": b'{"n": %d}\n' % n for n in range(600)}

    story.ledger.append(Plan("record: 600", files))

    assert dict(story.ledger.at().read_many(files)) == files
    assert (story.status, story.fsck()) == ("", "")
    assert "count: " in story.git("count-objects", "-v") and "packs: 1" in story.git("count-objects", "-v")


def test_a_path_that_exists_is_refused_by_name_and_nothing_changes(story):
    story.ledger.append(plan_of(a="1"))
    before = story.head

    for plan in (plan_of(b="1", a="2"), plan_of(a="1"), Plan("x", {f"{RUN}/a.json/x": b""}), Plan("x", {RUN: b""})):
        with pytest.raises(Refused) as caught:
            story.ledger.append(plan)
        assert caught.value.message.startswith(f"{RUN}")

    assert (story.head, story.status, list((story.root / ".git/assay/spool").glob("*/*"))) == (before, "", [])


def test_a_plan_that_could_be_committed_nowhere_is_refused_with_every_fault(story):
    plan = Plan("two\nlines", {"../x": b"", "a/CON": b"", "d": b"", "d/e": b""}, trailers=(("Bad Name", "x"),))

    with pytest.raises(InputError) as caught:
        story.ledger.append(plan)

    assert len(caught.value.faults) == 5
    with pytest.raises(InputError, match="adds no file"):
        story.ledger.append(Plan("nothing", {}))


def test_a_file_on_the_disk_is_never_overwritten(story):
    mine = story.write(f"{RUN}/run.json", "mine\n")

    with pytest.raises(Refused, match="another file is there"):
        story.ledger.append(PLAN)
    assert mine.read_text() == "mine\n"

    mine.write_bytes(b"{}\n")
    story.ledger.append(PLAN)
    assert story.status == ""


def test_nothing_is_written_through_a_symbolic_link(story, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (story.root / "runs").symlink_to(outside)

    with pytest.raises(Refused, match="another file is there"):
        story.ledger.append(PLAN)

    assert list(outside.iterdir()) == []


def test_what_approve_calls_broken_never_reaches_the_branch(story):
    before = story.head
    seen = []

    def approve(proposal):
        seen.append((proposal.read(f"{RUN}/a.json"), proposal.exists("assay.yaml"), proposal.exists("nope")))
        weight = "broken" if b"bad" in proposal.added[f"{RUN}/a.json"] else "note"
        return [Problem("schema", weight, f"{RUN}/a.json", "is bad")]

    with pytest.raises(Refused, match="is bad"):
        story.ledger.append(plan_of(a="bad"), approve=approve)
    assert (story.head, story.status) == (before, "")
    story.ledger.append(plan_of(a="good"), approve=approve)
    assert seen == [(b"bad", True, False), (b"good", True, False)]


def test_a_held_index_keeps_the_plan_and_the_next_append_commits_it(story):
    lock = story.write(".git/index.lock", "")

    with pytest.raises(Busy, match=r"index\.lock") as caught:
        story.ledger.append(plan_of(a="1"))
    assert caught.value.exit_code == 75
    lock.unlink()
    story.ledger.append(plan_of(b="2"))

    assert sorted(story.log[:2]) == ["record: a", "record: b"]
    assert story.status == ""


def test_what_is_spooled_can_be_committed_without_a_new_plan(story):
    lock = story.write(".git/index.lock", "")
    with pytest.raises(Busy):
        story.ledger.append(plan_of(a="1"))
    lock.unlink()

    assert story.ledger.drain() == (story.head,)
    assert story.ledger.drain() == ()


@pytest.mark.parametrize(
    ("begin", "name"),
    [
        (("merge", "side"), "merge"),
        (("cherry-pick", "side"), "cherry-pick"),
        (("rebase", "side"), "rebase"),
        (("revert", "HEAD~1"), "revert"),
        (("bisect", "start"), "bisect"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_recording_is_refused_while_something_is_under_way(story, begin, name):
    story.commit("base", {"f": "0\n"})
    story.branch("side")
    story.commit("side", {"f": "1\n"})
    story.switch("main")
    story.commit("main", {"f": "2\n"})
    story.commit("main again", {"f": "3\n"})
    story.git(*begin, check=False)
    before = (story.head, story.status)

    with pytest.raises(Refused, match=f"{name}.* is under way"):
        story.ledger.append(PLAN)

    assert (story.head, story.status) == before


def test_a_detached_head_is_refused(story):
    story.git("checkout", "-q", "--detach")

    with pytest.raises(Refused, match="detached"):
        story.ledger.append(PLAN)


def test_the_first_commit_of_a_repository_can_be_an_append(blank):
    blank.init()
    blank.write("staged.txt", "s")
    blank.git("add", "staged.txt")

    commit = blank.keep(Ledger.founded_at(blank.root)).append(Plan("init", {"assay.yaml": b"assay: 1\n"}))

    assert (blank.head, blank.status) == (commit, "A  staged.txt")


def test_a_bare_repository_has_only_its_branch_moved(story):
    server = story.bare("server.git")

    commit = server.ledger.append(PLAN)

    assert (server.git("rev-parse", "main"), server.fsck()) == (commit, "")


def test_every_working_tree_that_has_the_branch_is_brought_forward(story):
    side = Story(story.root.parent / "side", story.monkeypatch)
    story.git("worktree", "add", "-q", "-b", "side", str(side.root))
    story.git("worktree", "add", "-q", "--force", str(story.root.parent / "twin"), "main")
    twin = Story(story.root.parent / "twin", story.monkeypatch)

    story.ledger.append(plan_of(a="1"))
    side.ledger.append(plan_of(b="2"))

    assert [(s.status, s.log[0]) for s in (story, twin, side)] == [
        ("", "record: a"),
        ("", "record: a"),
        ("", "record: b"),
    ]
    assert (twin.root / RUN / "a.json").exists()


def test_a_bare_repository_with_a_working_tree_brings_that_forward(story):
    server = story.bare("server.git")
    server.git("worktree", "add", "-q", str(story.root.parent / "wt"), "main")

    server.ledger.append(PLAN)

    assert Story(story.root.parent / "wt", story.monkeypatch).status == ""


def test_a_ledger_in_a_subfolder_appends_below_it(blank):
    blank.init().found("evals/")
    blank.keep(Ledger.open(blank.root / "evals")).append(PLAN)

    assert (blank.show(f"evals/{RUN}/run.json"), blank.status) == (b"{}\n", "")


@pytest.mark.parametrize("cone", [True, False], ids=["cone", "patterns"])
def test_a_sparse_checkout_is_respected(story, cone):
    story.commit("code", {"code/a.py": "", f"{RUN}/x.json": "{}"})
    story.git("sparse-checkout", "set", *(("--cone", "code") if cone else ("--no-cone", "/code/", "/assay.yaml")))

    story.ledger.append(plan_of(a="1"))

    assert (story.status, (story.root / "runs").exists()) == ("", False)
    assert story.git("ls-files", "-t", f"{RUN}/a.json") == f"S {RUN}/a.json"
    story.git("sparse-checkout", "disable")
    assert (story.root / RUN / "a.json").read_text() == "1"


def test_something_else_staged_at_a_new_path_stays_staged(story):
    at = story.write(f"{RUN}/run.json", "other\n")
    story.git("add", f"{RUN}/run.json")
    at.unlink()

    story.ledger.append(PLAN)

    assert story.show(f"{RUN}/run.json") == b"{}\n"
    assert story.git("show", f":{RUN}/run.json") == "other"


def test_a_sha256_repository_is_appended_to_like_any_other(blank):
    blank.init("--object-format=sha256").found()

    assert blank.ledger.append(PLAN) == blank.head
    assert (blank.status, blank.fsck()) == ("", "")


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs ssh-keygen to make a key")
def test_a_commit_is_signed_where_the_user_signs(story, tmp_path):
    key = tmp_path / "key"
    story.git("config", "gpg.format", "ssh")
    story.git("config", "user.signingKey", str(key))
    story.git("config", "commit.gpgSign", "true")

    before = story.head
    with pytest.raises(InputError, match="could not be signed"):
        story.ledger.append(plan_of(a="1"))
    assert (story.head, story.status) == (before, "")
    make_ssh_key(key)
    story.ledger.append(plan_of(b="2"))

    assert (story.log[0], story.git("rev-parse", "HEAD~1")) == ("record: b", before)
    assert "gpgsig" in story.git("cat-file", "commit", "HEAD")


def make_ssh_key(at):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(at)], check=True)


def test_without_a_name_the_hint_says_how_to_set_one(story, monkeypatch):
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.delenv(f"GIT_{who}_NAME")
        monkeypatch.delenv(f"GIT_{who}_EMAIL")
    story.git("config", "user.useConfigOnly", "true")

    with pytest.raises(InputError) as caught:
        story.ledger.append(PLAN)

    assert "git config --global user.name" in str(caught.value.hint)


def test_many_large_appends_leave_few_packs(story):
    server = story.bare("server.git")
    server.git("config", "gc.autoPackLimit", "2")
    ledger = server.ledger
    for act in range(40):
        story.tick()
        files = {f"{RUN}/capture-{act:06x}/{n}.json": f"{act} {n}\n".encode() for n in range(100)}
        ledger.append(Plan(f"record: {act}", files))

    packs = int(server.git("count-objects", "-v").partition("packs: ")[2].split()[0])
    assert packs < 30
    assert (len(ledger.at().paths(RUN)), server.fsck()) == (4000, "")


def test_a_repository_that_cannot_be_written_is_said_so(story):
    story.write(".git/assay", "a file where the state folder should be")

    with pytest.raises(InputError, match=r"cannot be written .* nothing was recorded"):
        story.ledger.append(PLAN)
