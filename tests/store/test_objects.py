"""What is written equals what Git itself would write, object for object."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.store.checkout import _create
from assay.store.git import Git
from assay.store.grafting import grafted, taken
from assay.store.objects import NewFile, new_object, object_id, parse_tree
from assay.store.pack import pack_stream
from assay.store.plan import Plan
from assay.store.spool import Outcome, Spool
from assay.store.trees import Trees

SAME_REPOSITORY = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

# Names that sort differently as files and as folders, and such that only one byte tells apart.
segments = st.sampled_from(["a", "a.b", "a-b", "a0", "A", "b", "é", "z.json", "-", " x"])
paths = st.lists(segments, min_size=1, max_size=4).map("/".join)


def without_conflicts(names: set[str]) -> set[str]:
    """Paths none of which is a folder of another."""
    return {name for name in names if not any(other.startswith(f"{name}/") for other in names)}


def tree_by_git(story, names: set[str], blob: str) -> str:
    index = {"GIT_INDEX_FILE": str(story.root / ".git" / "scratch-index")}
    story.git("read-tree", "--empty", **index)
    lines = "".join(f"100644 {blob} 0\t{name}\0" for name in sorted(names))
    story.git("update-index", "-z", "--index-info", stdin=lines, **index)
    return story.git("write-tree", **index)


@SAME_REPOSITORY
@given(before=st.sets(paths, max_size=6), added=st.sets(paths, min_size=1, max_size=6))
def test_a_grafted_tree_is_the_tree_that_git_writes_for_the_same_files(story, before, added):
    before = without_conflicts(before)
    added = {name for name in without_conflicts(before | added) if name in added - before}
    before = {name for name in before if not any(other.startswith(f"{name}/") for other in added)}
    blob = story.git("hash-object", "-w", "--stdin", stdin="x")
    root = tree_by_git(story, before, blob)
    expected = tree_by_git(story, before | added, blob)
    git = Git(story.root)

    graft = grafted(Trees(git), root, dict.fromkeys(added, blob), git.object_format)

    assert graft.tree == expected if added else graft.tree == root
    assert [object_id("tree", new.data, "sha1") for new in graft.objects] == [new.oid for new in graft.objects]


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@pytest.mark.parametrize("count", [3, 150], ids=["loose", "packed"])
def test_objects_of_every_size_arrive_as_they_were(blank, object_format, count):
    blank.init(f"--object-format={object_format}")
    sizes = [0, 1, 15, 16, 17, 2047, 2048, 300_000, *range(20, 20 + count)]
    objects = {n.oid: n for n in (new_object("blob", b"x" * size, object_format) for size in sizes)}
    git = Git(blank.root)

    git.add_objects(pack_stream(tuple(objects.values()), object_format), len(objects))

    assert {found.oid: found.data for found in git.objects.each(objects)} == {o: n.data for o, n in objects.items()}
    assert "error" not in blank.fsck()


def test_what_is_taken_is_said_for_files_folders_and_files_on_the_way(story):
    story.commit("files", {"runs/a/b.json": "x", "runs/f": "x"})
    trees = Trees(Git(story.root))
    root = story.git("rev-parse", "HEAD^{tree}")
    asked = ("runs/a/b.json", "runs/a", "runs/f/x/y", "runs/a/c.json", "runs/g/h", "new")

    assert taken(trees, root, asked) == ("runs/a/b.json", "runs/a", "runs/f/x/y")
    assert taken(trees, None, asked) == ()


def test_a_tree_that_ends_within_an_entry_is_no_tree():
    for data in (b"100644 a\0" + b"x" * 19, b"100644 a", b"garbage"):
        with pytest.raises(ValueError):
            parse_tree(data, "sha1")


def test_a_spooled_plan_comes_back_byte_for_byte(tmp_path):
    plan = Plan("é", {"a": b"\n\0\xff", "b/c": b"", "d": b"x\n"}, "body\n\nmore", (("A", "1"), ("A", "2")))
    spool = Spool(tmp_path, "refs/heads/main", "")

    spool.put(plan, Plan("two", {"e": b"1"}))

    assert [waiting for _, waiting in spool.waiting()] == [plan, Plan("two", {"e": b"1"})]
    assert Spool(tmp_path, "refs/heads/other", "").waiting() == ()
    assert Spool(tmp_path, "refs/heads/main", "sub/").waiting() == ()


@pytest.mark.parametrize("damage", [b"", b"{}\n", b'{"files":[["a",5]]}\n1', b"garbage"], ids=range(4))
def test_a_spool_file_damaged_from_outside_is_named(tmp_path, damage):
    spool = Spool(tmp_path, "refs/heads/main", "")
    (ticket,) = spool.put(Plan("x", {"a": b"1"}))
    ticket.file.write_bytes(damage)

    with pytest.raises(InputError, match=ticket.file.name):
        spool.waiting()


def test_word_of_an_outcome_is_heard_once_by_its_writer(tmp_path):
    spool = Spool(tmp_path, "refs/heads/main", "")
    done, refused = spool.put(Plan("x", {"a": b"1"}), Plan("y", {"b": b"1"}))
    assert spool.heard(done) is None

    spool.settle(done, Outcome(commit="c"), own=False)
    spool.settle(refused, Outcome(refused=("why",)), own=False)

    assert spool.waiting() == ()
    assert [spool.heard(ticket) for ticket in (done, refused, done)] == [Outcome("c"), Outcome("", ("why",)), None]
    assert list(spool.folder.iterdir()) == []


def test_a_file_that_a_killed_writer_began_is_completed_and_any_other_is_left(story):
    begun = story.write("runs/begun.json", "")
    other = story.write("runs/other.json", "mine")

    files = {"runs/begun.json": b"whole\n", "runs/other.json": b"theirs\n", "runs/new/x": b"x"}
    _create(story.root, {path: NewFile("", path, files) for path in files})

    assert (begun.read_bytes(), other.read_bytes()) == (b"whole\n", b"mine")
    assert (story.root / "runs/new/x").read_bytes() == b"x"
