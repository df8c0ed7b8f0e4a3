"""Nothing that is committed can be changed, removed or renamed without being named, wherever it is hidden."""

from __future__ import annotations

import pytest

from assay.errors import InputError, NotALedger
from assay.store.ledger import Ledger
from assay.verify.check import Options, check
from verify import making
from verify.telling import broken, recorded, said, verified

EDITED = making.JUDGED[making.EVALUATION].replace(b'"met"', b'"violated"')
CHANGED = "append-only"


def other_run(number: int) -> making.Files:
    return making.run(making.FIXTURE, making.run_id("other", number))


def test_an_honest_ledger_is_verified(story):
    recorded(story)

    report = verified(story)

    assert report.problems == ()
    assert report.exit_code == 0
    assert (report.commits, report.records) == (5, 4)


def test_a_late_edit_is_named_with_what_it_was_and_what_it_is(story):
    commits = recorded(story)
    edited = story.commit("tidy", {making.EVALUATION: EDITED})

    (problem,) = verified(story).problems

    assert (problem.rule, problem.weight, problem.path) == (CHANGED, "broken", making.EVALUATION)
    assert (problem.commit, problem.author[:11]) == (edited, "Ada Example")
    assert problem.expected.startswith("sha256:") and problem.got.startswith("sha256:")
    assert commits["judged"][:12] in problem.message
    assert making.EVALUATION in problem.todo


def test_all_problems_are_named_not_only_the_first(story):
    recorded(story)
    one = story.commit("one", {making.EVALUATION: EDITED})
    two = story.commit("two", {making.PLANNED: b"{}\n", "corpus/demo/0.1.0/source.yaml": b"a: 2\n"})

    assert broken(story) == {
        (CHANGED, making.EVALUATION, one),
        (CHANGED, making.PLANNED, two),
        (CHANGED, "corpus/demo/0.1.0/source.yaml", two),
    }


def test_a_change_that_is_undone_later_is_named_both_times(story):
    recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    restored = story.commit("restore", {making.EVALUATION: making.JUDGED[making.EVALUATION]})

    assert broken(story) == {(CHANGED, making.EVALUATION, edited), (CHANGED, making.EVALUATION, restored)}


def test_a_deletion_that_is_undone_later_is_named(story):
    recorded(story)
    story.git("rm", "-q", making.EVALUATION)
    dropped = story.commit("drop")
    story.commit("bring back", making.JUDGED)

    assert broken(story) == {(CHANGED, making.EVALUATION, dropped)}


def test_a_rename_with_an_edit_is_a_removal(story):
    recorded(story)
    moved = making.EVALUATION.replace("0001-", "0002-")
    story.git("mv", making.EVALUATION, moved)
    commit = story.commit("tidy up", {moved: EDITED})

    assert (CHANGED, making.EVALUATION, commit) in broken(story)


def test_an_executable_bit_is_a_change(story):
    recorded(story)
    story.git("update-index", "--chmod=+x", making.EVALUATION)
    story.git("commit", "-q", "-m", "bit")

    assert broken(story) == {(CHANGED, making.EVALUATION, story.head)}


def test_a_symbolic_link_in_place_of_a_record_is_a_change(story):
    recorded(story)
    (story.root / making.EVALUATION).unlink()
    (story.root / making.EVALUATION).symlink_to("elsewhere.json")
    commit = story.commit("link")

    assert broken(story) == {(CHANGED, making.EVALUATION, commit)}


def test_a_folder_in_place_of_a_record_is_a_removal(story):
    recorded(story)
    (story.root / making.EVALUATION).unlink()
    commit = story.commit("folder", {f"{making.EVALUATION}/x": b"x"})

    assert broken(story) == {(CHANGED, making.EVALUATION, commit), ("name", f"{making.EVALUATION}/x", commit)}


def test_a_merge_that_edits_a_record_is_named(story):
    recorded(story)
    story.branch("side")
    story.commit("side", other_run(2))
    story.switch("main")
    story.commit("main", other_run(3))
    story.tick()
    story.git("merge", "-q", "--no-commit", "--no-ff", "side")
    merge = story.commit("merge side", {making.EVALUATION: EDITED})

    assert broken(story) == {(CHANGED, making.EVALUATION, merge)}


@pytest.mark.parametrize("strategy", ["ours", ""])
def test_a_merge_that_drops_what_a_side_recorded_is_named(story, strategy):
    recorded(story)
    story.branch("side")
    story.commit("side", other_run(2))
    story.switch("main")
    story.commit("main", other_run(3))
    merge = story.merge("side", strategy=strategy)

    (lost,) = other_run(2)
    assert broken(story) == ({(CHANGED, lost, merge)} if strategy else set())


def test_an_octopus_merge_is_compared_with_every_parent(story):
    recorded(story)
    for number in (2, 3, 4):
        story.branch(f"side{number}", "main")
        story.commit(f"side {number}", other_run(number))
    story.switch("main")
    story.merge("side2", "side3", "side4")
    assert broken(story) == set()

    tree = story.git("rev-parse", "side2^{tree}")
    parents = [part for name in ("main", "side2", "side3") for part in ("-p", name)]
    evil = story.git("commit-tree", tree, *parents, "-m", "octopus")
    story.git("update-ref", "refs/heads/main", evil)

    lost = {path for number in (2, 3, 4) for path in other_run(number)} - set(other_run(2))
    assert broken(story) == {(CHANGED, path, evil) for path in lost}


def test_a_replace_ref_hides_nothing(story):
    recorded(story)
    good = story.git("rev-parse", f"HEAD:{making.EVALUATION}")
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    story.git("replace", story.git("rev-parse", f"HEAD:{making.EVALUATION}"), good)

    assert broken(story) == {(CHANGED, making.EVALUATION, edited)}


def test_a_graft_hides_nothing(story):
    commits = recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    later = story.commit("later", other_run(2))
    (story.root / ".git/info").mkdir(exist_ok=True)
    (story.root / ".git/info/grafts").write_text(f"{later} {commits['judged']}\n")

    assert broken(story) == {(CHANGED, making.EVALUATION, edited)}


def test_a_replaced_commit_hides_nothing(story):
    commits = recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    story.commit("later", other_run(2))
    story.git("replace", edited, commits["judged"])

    assert broken(story) == {(CHANGED, making.EVALUATION, edited)}


def test_a_commit_graph_that_lies_hides_nothing(story):
    recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    story.git("commit-graph", "write", "--reachable")
    graph = story.root / ".git/objects/info/commit-graph"
    graph.chmod(0o644)
    data = bytearray(graph.read_bytes())
    data[-60:-40] = bytes(20)
    graph.write_bytes(bytes(data))

    assert broken(story) == {(CHANGED, making.EVALUATION, edited)}


def test_a_rewritten_history_is_accepted_alone_but_not_by_who_saw_the_old_one(story):
    recorded(story)
    published = story.commit("second", other_run(2))
    story.git("reset", "-q", "--hard", "HEAD~1")
    story.commit("rewritten", other_run(3))

    assert broken(story) == set()
    assert broken(story, expect=(published,)) == {("expect", "", published)}


def test_a_lost_tail_shows_to_who_saw_it(story):
    commits = recorded(story)
    story.git("reset", "-q", "--hard", "HEAD~1")

    assert broken(story, expect=(commits["judged"],)) == {("expect", "", commits["judged"])}
    assert broken(story, expect=(commits["observed"],)) == set()


def test_an_expected_commit_that_is_not_here_is_broken_and_a_wrong_spelling_an_input_error(story):
    recorded(story)
    unknown = "12" * 20

    with story.ledger as ledger:
        report = check(ledger, Options(expect=(unknown,)))
        assert [(p.rule, p.weight, p.commit) for p in report.problems] == [("expect", "broken", unknown)]
        with pytest.raises(InputError, match="no-such"):
            check(ledger, Options(expect=("no-such",)))


def test_a_range_is_judged_alone(story):
    recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    story.git("tag", "before")
    late = story.commit("late", {making.PLANNED: b"{}\n"})

    assert broken(story, base="before") == {(CHANGED, making.PLANNED, late)}
    assert broken(story, tip="before") == {(CHANGED, making.EVALUATION, edited)}


def test_new_records_of_an_old_run_are_judged_with_it(story):
    commits = recorded(story)
    more = making.evaluation(making.RUN, making.OBSERVED, act="judge-x-00000d", sample="other.11")
    commit = story.commit("more", more)

    assert broken(story, base=commits["judged"]) == {("chain", next(iter(more)), commit)}


def test_trust_begins_where_the_user_says_and_must_be_an_ancestor(story):
    recorded(story)
    story.commit("edit", {making.EVALUATION: EDITED})
    root = story.head
    story.commit("later", other_run(2))
    story.branch("elsewhere", "HEAD~3")
    apart = story.commit("apart", other_run(3))
    story.switch("main")

    with story.ledger as ledger:
        assert check(ledger, Options(trust_root=root)).problems == ()
        (problem,) = [p for p in check(ledger, Options(trust_root=apart)).problems if p.rule == "expect"]
    assert (problem.weight, problem.commit) == ("broken", apart)


def test_what_was_there_before_the_ledger_is_no_evidence(blank):
    blank.init().commit("an old project", {"runs/old.txt": b"1", "src/a.py": b"1"})
    blank.commit("edit", {"runs/old.txt": b"2"})
    blank.git("rm", "-q", "runs/old.txt")
    blank.commit("clear the way")
    blank.found()
    recorded(blank)

    assert broken(blank) == set()


def test_what_lies_in_the_folders_when_the_ledger_begins_is_judged(blank):
    blank.init().commit("an old project", {"runs/old.txt": b"1"})
    founded = blank.found()

    assert broken(blank) == {("name", "runs/old.txt", founded)}


def test_a_ledger_does_not_end_by_removing_its_settings(story):
    recorded(story)
    settings = story.show("assay.yaml")
    story.git("rm", "-q", "assay.yaml")
    removed = story.commit("no ledger any more")
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    story.commit("a ledger again", {"assay.yaml": settings})

    assert broken(story) == {(CHANGED, "assay.yaml", removed), (CHANGED, making.EVALUATION, edited)}


def test_settings_may_change(story):
    recorded(story)
    story.commit("settings", {"assay.yaml": "assay: 1\nid: other\nsigners: []\n"})

    assert broken(story) == set()


def test_a_squash_merge_and_a_cherry_pick_keep_every_record_valid(story):
    commits = recorded(story)
    story.branch("side")
    second = making.run_id("second", 2)
    plan = making.run(making.FIXTURE, second)
    picked = story.commit("plan", plan)
    story.commit("observe", making.observation(second, making.sample()))
    story.switch("main")
    story.git("merge", "-q", "--squash", "side")
    squashed = story.commit("squash")
    story.git("checkout", "-q", "-b", "picks", commits["judged"])
    story.tick()
    story.git("cherry-pick", picked)

    assert said(story, tip="main") == {("unproven", "planned-before-observed", next(iter(plan)), squashed)}
    assert said(story, tip="picks") == set()


def test_two_clones_that_recorded_merge_in_either_order(story):
    recorded(story)
    story.branch("a")
    story.commit("a", other_run(2))
    story.branch("b", "main")
    story.commit("b", other_run(3))
    story.git("checkout", "-q", "a")
    story.merge("b")
    one = story.git("rev-parse", "HEAD^{tree}")
    story.git("checkout", "-q", "-B", "other", "b")
    story.merge("a~0")

    assert said(story) == set()
    assert story.git("rev-parse", "HEAD^{tree}") == one


def test_an_empty_repository_has_a_clear_answer(blank):
    blank.init()
    blank.write("assay.yaml", "assay: 1\n")

    with pytest.raises(NotALedger, match="nothing is recorded yet"):
        blank.ledger.at()


def test_a_detached_head_and_a_bare_repository_are_judged(story):
    recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    story.git("checkout", "-q", "--detach")
    server = story.bare("server.git")

    assert broken(story) == {(CHANGED, making.EVALUATION, edited)}
    with Ledger.open(server.root) as ledger:
        assert {(p.rule, p.path, p.commit) for p in check(ledger, Options()).problems} == broken(story)


def test_a_sha256_repository_is_judged(blank):
    blank.init("--object-format=sha256").found()
    recorded(blank)
    assert said(blank) == set()

    edited = blank.commit("edit", {making.EVALUATION: EDITED})

    assert broken(blank) == {(CHANGED, making.EVALUATION, edited)}


def test_a_clone_that_borrows_its_objects_is_judged(story):
    recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    borrower = story.clone("borrower", "--shared")

    assert broken(borrower) == {(CHANGED, making.EVALUATION, edited)}


def test_a_ledger_in_a_subfolder_is_judged_by_its_own_paths(blank):
    blank.init().commit("a project", {"runs/of-another-kind.txt": b"1"})
    blank.found("evals/")
    blank.commit("freeze", {f"evals/{path}": data for path, data in making.FIXTURE.items()})
    edited = blank.commit("edit", {"evals/corpus/demo/0.1.0/source.yaml": b"a: 2\n", "runs/of-another-kind.txt": b"2"})

    with Ledger.open(blank.root / "evals") as ledger:
        problems = check(ledger, Options()).problems
    assert [(p.rule, p.path, p.commit) for p in problems] == [(CHANGED, "corpus/demo/0.1.0/source.yaml", edited)]
