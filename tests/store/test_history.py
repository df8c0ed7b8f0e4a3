"""Which commit brought a path, and which came first."""

from __future__ import annotations

from assay.store.commits import parse_commit
from assay.store.git import Git
from assay.store.history import boundary, introduced, introduced_each, is_ancestor


def test_the_commit_that_first_had_a_path_is_found(story):
    first = story.commit("add", {"runs/-a [x].json": "1"})
    story.commit("edit", {"runs/-a [x].json": "2", "runs/-a x.json": ""})
    (story.root / "runs/-a [x].json").unlink()
    story.commit("delete")
    story.commit("again", {"runs/-a [x].json": "1"})

    assert introduced(Git(story.root), "HEAD", "runs/-a [x].json") == first
    assert introduced(Git(story.root), "HEAD", "runs/none.json") is None
    assert introduced(Git(story.root), f"{first}~1", "runs/-a [x].json") is None


def test_a_path_that_came_through_a_merge_is_traced_to_the_side_that_brought_it(story):
    story.branch("side")
    side = story.commit("side", {"runs/s.json": "s"})
    story.switch("main")
    story.commit("main", {"runs/m.json": "m"})
    merge = story.merge("side")

    assert introduced(Git(story.root), merge, "runs/s.json") == side
    assert introduced(Git(story.root), "HEAD^1", "runs/s.json") is None


def test_many_paths_are_traced_in_one_walk_whatever_brought_them(story, monkeypatch):
    git = Git(story.root)
    story.branch("side")
    renamed = story.commit("side", {"runs/a b.json": "s"})
    story.git("mv", "runs/a b.json", "runs/moved.json")
    moved = story.commit("move")
    story.switch("main")
    odd = story.commit("main", {"f" * 40: "", "runs/new\nline.json": ""})
    story.git("merge", "-q", "--no-ff", "--no-commit", "side")
    evil = story.commit("merge", {"runs/evil.json": "only here"})
    asked = {"runs/a b.json": renamed, "runs/moved.json": moved, "runs/evil.json": evil, "runs/none.json": None}
    asked |= {"f" * 40: odd, "runs/new\nline.json": odd}
    walks = []
    monkeypatch.setattr(git, "run", lambda *a, run=git.run, **k: walks.append(a[0]) or run(*a, **k))

    found = introduced_each(git, "HEAD", asked)

    assert (asked, 1) == (found, walks.count("rev-list"))
    assert {path: introduced(git, "HEAD", path) for path in asked} == found
    assert introduced_each(git, evil, ()) == {}


def test_a_shallow_clone_does_not_claim_to_know_the_first_commit(story):
    story.commit("old", {"runs/old.json": "1"})
    story.commit("middle", {"runs/middle.json": "1"})
    new = story.commit("new", {"runs/new.json": "1"})
    shallow = Git(story.clone("shallow", "--depth=2").root)

    assert introduced(shallow, "HEAD", "runs/new.json") == new
    assert introduced(shallow, "HEAD", "runs/old.json") is None
    assert boundary(shallow) == {story.git("rev-parse", "HEAD~1")}
    assert boundary(Git(story.root)) == frozenset()


def test_ancestry_includes_the_commit_itself_and_is_not_symmetric(story):
    older, newer = story.head, story.commit("newer")
    git = Git(story.root)

    assert [is_ancestor(git, *pair) for pair in ((older, newer), (newer, older), (older, older))] == [True, False, True]


def test_a_commit_is_read_from_its_own_bytes(story):
    story.tick()
    message = "subject\nsecond line\n\nbody: not a trailer\n\nAssay-Run: r1\nAssay-Count: 2\nAssay-Run: r2\n"
    author = {"GIT_AUTHOR_NAME": "Zoë <Z>", "GIT_AUTHOR_DATE": "1796000000 -0730"}
    oid = story.git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-F", "-", stdin=message, **author)

    commit = parse_commit(oid, story.attempt("cat-file", "commit", oid).stdout)

    assert (commit.tree, commit.parents) == (story.git("rev-parse", "HEAD^{tree}"), (story.head,))
    assert (commit.author.name, commit.author.email) == ("Zoë Z", "ada@example.invalid")
    assert (commit.author.at, commit.signed) == ("2026-11-30T00:53:20Z", False)
    assert commit.subject == "subject second line"
    assert (commit.trailers("assay-run"), commit.trailers("body")) == (("r1", "r2"), ())


def test_a_message_in_another_encoding_and_an_impossible_date_are_still_read(story):
    tree = story.git("rev-parse", "HEAD^{tree}")
    raw = (
        f"tree {tree}\nauthor A <a@x> 99999999999999999 +0000\ncommitter B <b@x> 0 +0000\n"
        "encoding ISO-8859-1\n\ncaf\xe9\n"
    ).encode("latin-1")
    oid = story.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=raw)

    commit = parse_commit(oid, Git(story.root).objects.read(oid).data)

    assert (commit.subject, commit.author.at, commit.committer.at) == ("café", "", "1970-01-01T00:00:00Z")
