"""Hostile and incomplete repositories: substituted objects, odd trees, odd names, shallow and partial clones."""

from __future__ import annotations

import hashlib
import zlib

import pytest

from assay.store.ledger import Ledger
from assay.verify.check import Options, check
from verify import making
from verify.telling import broken, findings, recorded, said, second_opinion, verified

EDITED = making.JUDGED[making.EVALUATION].replace(b'"met"', b'"violated"')
FIXTURE_FOLDER = "corpus/demo/0.1.0"


def loose(story, kind: str, data: bytes) -> str:
    """Write an object that Git's own commands might refuse to make; its id."""
    full = f"{kind} {len(data)}".encode() + b"\0" + data
    oid = hashlib.sha1(full).hexdigest()
    at = story.root / ".git/objects" / oid[:2] / oid[2:]
    at.parent.mkdir(exist_ok=True)
    at.write_bytes(zlib.compress(full))
    return oid


def raw_tree(story, *entries: tuple[str, str, str]) -> str:
    data = b"".join(
        f"{mode} {name}".encode("utf-8", "surrogateescape") + b"\0" + bytes.fromhex(oid) for mode, name, oid in entries
    )
    return loose(story, "tree", data)


def blob(story, data: bytes) -> str:
    return story.git("hash-object", "-w", "--stdin", stdin=data)


def with_tree(story, folder: str, tree: str) -> str:
    """Commit HEAD with one folder replaced by a raw tree."""
    top = folder.split("/")
    oid = tree
    for depth in range(len(top), 0, -1):
        parent = "/".join(top[: depth - 1])
        listing = story.git("ls-tree", f"HEAD:{parent}" if parent else "HEAD").split("\n")
        entries = [line for line in listing if line.partition("\t")[2] != top[depth - 1]]
        oid = story.git(
            "mktree", "--missing", stdin="\n".join([*entries, f"040000 tree {oid}\t{top[depth - 1]}"]) + "\n"
        )
    commit = story.git("commit-tree", oid, "-p", "HEAD", "-m", "by hand")
    story.git("update-ref", "HEAD", commit)
    return commit


def substituted(story, oid: str, other: bytes, kind: str) -> None:
    """Put other content under the name of an object."""
    at = story.root / ".git/objects" / oid[:2] / oid[2:]
    at.chmod(0o644)
    at.write_bytes(zlib.compress(f"{kind} {len(other)}".encode() + b"\0" + other))


@pytest.mark.parametrize("what", ["blob", "tree", "commit"])
def test_an_object_that_is_not_what_its_name_says_is_named(story, what):
    commits = recorded(story)
    names = {
        "blob": f"HEAD:{making.EVALUATION}",
        "tree": f"HEAD:{making.EVALUATION.rpartition('/')[0]}",
        "commit": "HEAD~1",
    }
    oid = story.git("rev-parse", names[what])
    other = {"blob": EDITED, "tree": b"", "commit": story.attempt("cat-file", "commit", commits["planned"]).stdout}
    substituted(story, oid, other[what], what)

    report = check(story.ledger, Options())

    assert ("broken", "object", oid, "") in findings(report)
    assert report.exit_code == 1


def test_a_missing_object_is_broken_and_hides_nothing_else(story):
    recorded(story)
    edited = story.commit("edit", {making.PLANNED: b"{}\n"})
    oid = story.git("rev-parse", f"HEAD:{making.EVALUATION}")
    (story.root / ".git/objects" / oid[:2] / oid[2:]).unlink()

    found = broken(story)

    assert {("object", oid, ""), ("append-only", making.PLANNED, edited)} <= found


def test_a_commit_that_git_gives_up_on_hides_nothing_else(story):
    commits = recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    oid = commits["planned"]
    at = story.root / ".git/objects" / oid[:2] / oid[2:]
    at.chmod(0o644)
    at.write_bytes(b"damaged")

    found = findings(check(story.ledger, Options()))

    assert ("broken", "append-only", making.EVALUATION, edited) in found
    assert ("broken", "object", oid, "") in found


def test_a_tree_with_a_name_twice_is_named(story):
    recorded(story)
    folder = making.EVALUATION.rpartition("/")[0]
    name = making.EVALUATION.rpartition("/")[2]
    good, bad = story.git("rev-parse", f"HEAD:{making.EVALUATION}"), blob(story, EDITED)
    commit = with_tree(story, folder, raw_tree(story, ("100644", name, good), ("100644", name, bad)))

    assert ("name", folder, commit) in broken(story)


def test_a_tree_out_of_order_is_named(story):
    recorded(story)
    payload = blob(story, b"x")
    tree = raw_tree(story, ("100644", "b", payload), ("100644", "a", payload))
    commit = with_tree(story, f"{FIXTURE_FOLDER}/more", tree)

    assert ("name", f"{FIXTURE_FOLDER}/more", commit) in broken(story)


@pytest.mark.parametrize(
    ("one", "two"), [("README.md", "readme.md"), ("caf\u00e9.txt", "cafe\u0301.txt"), ("Straße", "STRASSE")]
)
def test_twins_in_a_fixture_are_named(story, one, two):
    commit = story.commit("freeze", making.fixture(payloads={"a.txt": b"1", one: b"2", two: b"3"}))

    later = max(one, two, key=str.encode)
    assert ("name", f"{FIXTURE_FOLDER}/{later}", commit) in broken(story)


def test_twins_that_a_merge_brings_together_are_named_once(story):
    story.branch("side")
    story.commit("one", making.fixture(version="0.1.a"))
    story.switch("main")
    story.commit(
        "two", {path.replace("0.1.a", "0.1.A"): data for path, data in making.fixture(version="0.1.a").items()}
    )
    merge = story.merge("side")
    story.commit("later", making.fixture(version="0.2.0"))

    twins = {found for found in broken(story) if found[2] == merge}
    assert twins == {("name", "corpus/demo/0.1.a", merge)}


@pytest.mark.parametrize("name", ["Runs", "CORPUS", "\u017fchemas", "Assay.yaml"])
def test_a_name_at_the_root_that_mimics_the_ledger_is_named_where_it_appears(story, name):
    path = name if "." in name else f"{name}/x"
    commit = story.commit("mimic", {path: b"x"})
    story.commit("later", making.FIXTURE)

    assert broken(story) == {("name", name, commit)}


def test_odd_names_are_named_unambiguously(story):
    names = [
        "-rf.json",
        "two  spaces.json",
        "new\nline.json",
        'quote"back\\slash.json',
        "caf\u00e9 1.json",
        "\udcff.json",
    ]
    added = story.commit("odd", {f"runs/2026-11/{name}": b"{}\n" for name in names})
    edited = story.commit("edit", {f"runs/2026-11/{name}": b"{ }\n" for name in names})

    report = verified(story)

    assert {p.path for p in report.problems if p.commit == edited} == {f"runs/2026-11/{name}" for name in names}
    assert {p.path for p in report.problems if p.commit == added} == {f"runs/2026-11/{name}" for name in names}


@pytest.mark.parametrize("mode", ["120000", "160000", "100755"])
def test_only_regular_files_belong_into_a_ledger(story, mode):
    recorded(story)
    oid = story.head if mode == "160000" else blob(story, b"elsewhere")
    path = making.EVALUATION.replace("judge-tests-00000b", "judge-x-00000e")
    story.git("update-index", "--add", "--cacheinfo", f"{mode},{oid},{path}")
    story.git("commit", "-q", "-m", "odd")

    assert ("name", path, story.head) in broken(story)


@pytest.mark.parametrize("mode", ["100664", "100640", "0100644"])
def test_a_mode_that_git_shows_as_another_is_named(story, mode):
    recorded(story)
    commit = with_tree(story, f"{FIXTURE_FOLDER}/more", raw_tree(story, (mode, "a.txt", blob(story, b"x"))))

    assert ("name", f"{FIXTURE_FOLDER}/more/a.txt", commit) in broken(story)


def test_a_shallow_clone_says_where_history_ends_and_how_to_deepen_it(story):
    recorded(story)
    story.commit("edit", {making.EVALUATION: EDITED})
    shallow = story.clone("shallow", "--depth", "1")

    report = verified(shallow)

    assert report.exit_code == 3
    assert {(p.rule, p.weight, p.path, p.commit) for p in report.problems} == {
        ("append-only", "not provable", "", story.head),
        ("frozen-before-run", "not provable", making.PLANNED, story.head),
        ("planned-before-observed", "not provable", making.PLANNED, story.head),
    }
    assert {p.todo for p in report.problems} == {"git fetch --unshallow"}


def test_a_shallow_clone_still_shows_what_is_broken_above_its_boundary(story):
    recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    shallow = story.clone("shallow", "--depth", "2")

    assert broken(shallow) == {("append-only", making.EVALUATION, edited)}


def test_an_expected_commit_below_the_boundary_is_not_provable(story):
    commits = recorded(story)
    shallow = story.clone("shallow", "--depth", "1")

    report = check(shallow.ledger, Options(expect=(commits["planned"],)))

    assert ("not provable", "expect", "", commits["planned"]) in findings(report)


def blobless(story):
    story.git("config", "uploadpack.allowFilter", "true")
    story.git("config", "uploadpack.allowAnySHA1InWant", "true")
    return story.clone("blobless", "--filter=blob:none", "--no-checkout")


def test_a_blobless_clone_proves_what_trees_decide(story):
    recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    clone = blobless(story)

    with Ledger(clone.ledger.git) as ledger:
        report = check(ledger, Options())

    assert ("broken", "append-only", making.EVALUATION, edited) in findings(report)
    open_rules = {p.rule for p in report.problems if p.weight == "not provable"}
    assert open_rules == {"canonical", "schema", "name", "pin", "frozen", "chain"}
    assert findings(report) == second_opinion(clone)
    assert len(report.absent) > 3


def test_settings_that_shape_output_change_nothing(story, monkeypatch):
    recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    settings = {
        "color.ui": "always", "log.showSignature": "true", "diff.noprefix": "true", "core.quotePath": "true",
        "diff.renames": "copies", "diff.external": "false", "core.abbrev": "4", "format.pretty": "fuller",
        "diff.ignoreSubmodules": "all", "diff.orderFile": "/nonexistent", "core.autocrlf": "true", "core.eol": "crlf",
        "i18n.logOutputEncoding": "utf-16", "core.fsmonitor": "false", "core.ignoreCase": "true",
    }  # fmt: skip
    for name, value in settings.items():
        story.git("config", name, value)
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "0")

    assert broken(story) == {("append-only", making.EVALUATION, edited)}


def test_variables_of_another_repository_change_nothing(story, tmp_path, monkeypatch):
    recorded(story)
    other = story.clone("other")
    other.commit("edit", {making.EVALUATION: EDITED})
    before = other.head
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.root))

    with Ledger.open(story.root) as ledger:
        assert check(ledger, Options()).problems == ()
    monkeypatch.delenv("GIT_DIR")
    monkeypatch.delenv("GIT_WORK_TREE")
    assert other.head == before


def test_a_file_that_is_not_checked_out_is_read_from_the_commit(story):
    recorded(story)
    story.git("update-index", "--skip-worktree", making.EVALUATION)
    (story.root / making.EVALUATION).unlink()

    assert said(story) == set()


def test_what_a_checkout_makes_of_line_endings_is_not_looked_at(story):
    recorded(story)
    story.commit("attributes", {".gitattributes": b"*.yaml text eol=crlf\n"})
    (story.root / FIXTURE_FOLDER / "source.yaml").unlink()
    story.git("checkout", "-q", "--", ".")

    assert b"\r" in (story.root / FIXTURE_FOLDER / "source.yaml").read_bytes()
    assert said(story) == set()
