"""Reading a ledger at a commit: what was committed, wherever the worktree, the index or the folder stand."""

from __future__ import annotations

import hashlib

import pytest

from assay.errors import InputError, NotALedger
from assay.record import canonical
from assay.store.ledger import Ledger
from support.story import SETTINGS

RUN = "runs/2026-11/2026-11-30-demo-0a1b2c"
ACT = f"{RUN}/capture-0d0e0f"


def test_a_ledger_is_read_at_a_commit_and_never_from_the_worktree(story):
    first = story.commit("one", {"corpus/d/1/a.txt": "one\n"})
    story.write("corpus/d/1/a.txt", "changed on disk\n")
    story.git("add", "-A")
    ledger = story.ledger

    assert ledger.at(first).read("corpus/d/1/a.txt") == b"one\n"
    assert ledger.at("HEAD~1").exists("corpus/d/1/a.txt") is False


def test_paths_are_sorted_relative_and_below_exactly_the_folder(story):
    story.commit("files", {"runs/2026-11/b": "", "runs/2026-11/a": "", "runs/2026-11-x/c": "", "runs/2026-11.d": ""})
    snapshot = story.ledger.at()

    assert snapshot.paths("runs/2026-11") == ("runs/2026-11/a", "runs/2026-11/b")
    assert snapshot.paths("runs/2026-11/") == snapshot.paths("runs/2026-11")
    assert snapshot.paths("runs/2026-11/a") == ("runs/2026-11/a",)
    assert snapshot.paths("nothing/here") == ()
    assert list(snapshot.paths()) == sorted(story.git("ls-files").split("\n"))


def test_many_files_come_in_the_order_asked_for_and_reading_may_nest(story):
    names = [f"corpus/d/{n // 50}/{n}.txt" for n in range(700)]
    story.commit("many", {name: name for name in names})
    snapshot = story.ledger.at()

    wanted = names[::-1]
    got = [(path, data, snapshot.read(names[0])) for path, data in snapshot.read_many(wanted)]

    assert got == [(name, name.encode(), names[0].encode()) for name in wanted]


def test_entries_are_the_records_and_the_lines_of_shards_with_their_digests(story):
    record = canonical.encode({"schema": "assay/x/1", "id": "a"})
    lines = [canonical.encode_line({"schema": "assay/attempt/1", "id": str(n)}) for n in (1, 2)]
    story.commit(
        "records", {f"{ACT}/0001-a.json": record, f"{ACT}/attempts-0001.jsonl": b"".join(lines), f"{RUN}/n.txt": "?"}
    )

    entries = list(story.ledger.at().entries(RUN))

    assert [(e.path, e.line, e.document["id"]) for e in entries] == [
        (f"{ACT}/0001-a.json", None, "a"),
        (f"{ACT}/attempts-0001.jsonl", 1, "1"),
        (f"{ACT}/attempts-0001.jsonl", 2, "2"),
    ]
    assert [e.sha256 for e in entries] == [f"sha256:{hashlib.sha256(d).hexdigest()}" for d in (record, *lines)]


def test_a_pin_is_the_digest_of_the_committed_bytes_even_where_checkout_rewrites_them(story):
    story.commit("lf", {"corpus/d/1/item.yaml": "a: 1\nb: 2\n"})
    story.commit("attributes", {".gitattributes": "*.yaml text eol=crlf\n"})
    (story.root / "corpus/d/1/item.yaml").unlink()
    story.git("checkout", "-q", "--", "corpus")

    pin = story.ledger.at().pin("corpus/d/1/item.yaml")

    assert b"\r" in (story.root / "corpus/d/1/item.yaml").read_bytes()
    assert pin.sha256 == f"sha256:{hashlib.sha256(b'a: 1' + bytes([10]) + b'b: 2' + bytes([10])).hexdigest()}"


def test_an_absent_path_a_folder_and_an_unreadable_record_are_input_errors_naming_the_path(story):
    story.commit("bad", {f"{RUN}/run.json": '{"a": 1.5}\n'})
    snapshot = story.ledger.at()

    for call, words in (
        (lambda: snapshot.read("corpus/none"), "corpus/none: no such file"),
        (lambda: snapshot.read("schemas"), "schemas: a folder"),
        (lambda: snapshot.record(f"{RUN}/run.json"), f"{RUN}/run.json: "),
    ):
        with pytest.raises(InputError, match=words):
            call()


def test_an_empty_repository_says_that_nothing_is_recorded_yet(blank):
    blank.init()

    with pytest.raises(NotALedger, match="nothing is recorded yet"):
        Ledger.open(blank.root)
    with pytest.raises(NotALedger, match="nothing is recorded yet"):
        blank.keep(Ledger.founded_at(blank.root)).at()


def test_outside_a_repository_the_hint_says_how_to_begin(tmp_path):
    with pytest.raises(NotALedger) as caught:
        Ledger.open(tmp_path)

    assert caught.value.hint == "git init && assay init"


def test_an_unknown_revision_and_a_commit_before_the_ledger_are_told_apart(blank):
    before = blank.init().commit("code", {"a.txt": "a"})
    blank.found()

    with pytest.raises(InputError, match="unknown revision 'nope'"):
        blank.ledger.at("nope")
    with pytest.raises(NotALedger, match="not at revision"):
        blank.ledger.at(before)


def test_a_revision_that_looks_like_an_option_is_only_unknown(story):
    with pytest.raises(InputError, match="unknown revision '--all'"):
        story.ledger.at("--all")


def test_a_ledger_in_a_subfolder_has_paths_of_its_own(blank):
    blank.init().found("quality/evals/")
    blank.commit("file", {"quality/evals/corpus/d/1/a.txt": "a", "corpus/not-ours.txt": ""})

    ledger = blank.keep(Ledger.open(blank.root / "quality/evals/corpus"))

    assert (ledger.prefix, ledger.root) == ("quality/evals/", blank.root / "quality/evals")
    assert ledger.at().paths("corpus") == ("corpus/d/1/a.txt",)
    assert ledger.at().read("assay.yaml") == SETTINGS.encode()
    with pytest.raises(NotALedger):
        Ledger.open(blank.root)


def test_settings_are_read_strictly_and_versions_keep_their_digits(story):
    story.commit("settings", {"assay.yaml": "assay: 1\npolicy: 0.10\nsince: 2026-11-30\n"})
    story.commit("twice", {"assay.yaml": "assay: 1\nassay: 2\n"})

    assert story.ledger.at("HEAD~1").settings == {"assay": 1, "policy": "0.10", "since": "2026-11-30"}
    with pytest.raises(InputError, match="key 'assay' is repeated"):
        _ = story.ledger.at().settings


def test_a_bare_repository_and_a_linked_worktree_are_ledgers_too(story):
    story.commit("file", {"corpus/d/1/a.txt": "a"})
    story.git("worktree", "add", "-q", "-b", "side", str(story.root.parent / "side"))
    bare = story.bare("server.git")

    ledgers = [bare.ledger, story.keep(Ledger.open(story.root.parent / "side"))]

    assert [ledger.at().read("corpus/d/1/a.txt") for ledger in ledgers] == [b"a", b"a"]
    assert [ledger.state for ledger in ledgers] == [bare.root / "assay", story.root / ".git" / "assay"]


def test_a_sha256_repository_is_read_like_any_other(blank):
    blank.init("--object-format=sha256").found()
    blank.commit("file", {"corpus/d/1/a.txt": "a"})

    assert len(blank.head) == 64
    assert blank.ledger.at().read("corpus/d/1/a.txt") == b"a"
