"""Bad input of every kind: a plain message, the promised exit code, nothing lost, and never a traceback."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from assay.cli.main import invoke
from assay.record import canonical

RAW = "".join(map(chr, [*range(9), *range(11, 32), *range(0x7F, 0xA0), 0x202E, 0x2066, 0x200B]))
"""What must never reach a terminal as it is."""


@pytest.fixture
def measured(assay, frozen, solutions):
    """A run of one seed over the demonstration's dataset."""
    return assay("run", frozen, "--solutions", solutions / "good", "--seeds", "11", "--temperature", "0").run


def is_plain(ended) -> bool:
    return not any(char in RAW for char in (ended.out + ended.err).replace("\n", ""))


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (["frobnicate"], ["no such command 'frobnicate'", "assay --help"]),
        (["score", "--nope"], ["no such option '--nope'", "assay score --help"]),
        (["score", "nope"], ["nope: no such run at"]),
        (["score", "latest"], ["latest: no such run at", "assay run FIXTURE"]),
        (["score", "x", "--at", "nope"], ["unknown revision 'nope'", "git log"]),
        (["score", "x", "--at", "--all"], ["unknown revision '--all'"]),
        (["score", "x", "--format", "xml"], ["'xml' is not one of"]),
        (["explain", "nope"], ["nope: no such run"]),
        (["publish", "nope"], ["nope: no such run"]),
        (["replay", "nope"], ["nope: no such run"]),
        (["resume", "nope", "--solver", "true"], ["nope: no such run"]),
        (["show", "nope"], ["nope: no such record"]),
        (["show", "../../etc/passwd"], ["no such record"]),
        (["show", "runs"], ["no such record"]),
        (["show", "assay.yaml:99"], ["assay.yaml: has 3 lines (got line 99)"]),
        (["log", "nope"], ["nothing is recorded under nope"]),
        (["log", "--kind", "nope"], ["'nope' is not one of", "observation"]),
        (["log", "--limit", "0"], ["0 is not in the range"]),
        (["verify", "nope"], ["unknown revision 'nope'"]),
        (["verify", "a...b"], ["a range is written A..B", "assay verify a..b"]),
        (["verify", "--expect", "nope"], ["unknown revision 'nope'"]),
        (["fixture", "show", "nope"], ["nope: no such fixture", "assay freeze"]),
        (["schema", "show", "nope"], ["nope: no such schema", "assay/run/1"]),
        (["withdraw", "nope", "--reason", "x"], ["nope: no such record"]),
        (["fmt", "nope.json"], ["nope.json", "does not exist"]),
        (["freeze", "nope.yaml"], ["nope.yaml", "does not exist"]),
        (["freeze", "assay.yaml"], ["schema"]),
        (["freeze", "/dev/null"], ["/dev/null: is not a regular file"]),
        (["-C", "nope", "log"], ["nope: no such folder"]),
        (["scan", "nope", "nowhere"], ["nowhere", "does not exist"]),
    ],
    ids=lambda value: " ".join(value)[:40],
)
def test_what_does_not_exist_is_named_with_what_to_type(assay, story, typed, words):
    before = story.head

    ended = assay(*typed)

    assert (2, "", before) == (ended.code, ended.out, story.head)
    assert ended.err.startswith("assay: ") and "Traceback" not in ended.err
    assert [word for word in words if word not in ended.err] == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "a run needs one target"),
        (["--solver", "true", "--solutions", "good"], "a run needs one target"),
        (["--solutions", "nowhere"], "does not exist"),
        (["--solutions", "prompts"], "holds no solution for any of the 6 samples"),
        (["--solver", "no-such-program --x"], "no-such-program: command not found"),
        (["--solver", 'python "unclosed'], "no closing quotation"),
        (["--solver", "   "], "command is empty"),
        (["--seeds", "1,x"], "'x' is not an integer"),
        (["--seeds", ""], "'' is not an integer"),
        (["--seeds", "1_0"], "'1_0' is not an integer"),
        (["--seeds", "9" * 20], "is not an integer"),
        (["--temperature", "hot"], "'hot' is not a decimal"),
        (["--temperature", "nan"], "'nan' is not a decimal"),
        (["--temperature", "-1"], "'-1' is not a decimal"),
        (["--temperature", "1e999"], "'1e999' is not a decimal"),
        (["--workers", "0"], "0 is not in the range"),
        (["--solutions", "good", "--repair-loops", "1"], "a saved solution cannot be asked again"),
        (["--settings", "nowhere"], "does not exist"),
        (["--settings", "prompts"], "is a directory"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_a_run_that_cannot_be_asked_for_leaves_no_plan(assay, story, frozen, source, monkeypatch, options, words):
    before = story.head
    where = {"good": source / "solutions" / "good", "prompts": source / "prompts", "nowhere": source / "nowhere"}

    ended = assay("run", frozen, *(where.get(option, option) for option in options))

    assert (2, before) == (ended.code, story.head)
    assert words in ended.err and is_plain(ended)


def test_every_fault_of_a_settings_file_is_told_with_its_line(assay, frozen, solutions, tmp_path):
    settings = tmp_path / "settings.yaml"
    settings.write_text("nope: 1\nsolver_timeout_s: soon\nmemory_mib: 1\nsolver_network: maybe\n")

    ended = assay("run", frozen, "--solutions", solutions / "good", "--settings", settings)

    assert ended.code == 2
    for words in ("line 1: nope", "line 2: solver_timeout_s", "line 3: memory_mib", "line 4: solver_network"):
        assert words in ended.err


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("binary.yaml", b"\x00\xff\xfe", "not UTF-8"),
        ("nul.yaml", b'schema: coding-eval/v1\nitems: "a\\0b\x00"\n', "not allowed"),
        ("empty.yaml", b"", "expected"),
        ("list.yaml", b"- 1\n", "expected"),
        ("deep.yaml", b"a: " + b"[" * 5000, ""),
        ("tabs.yaml", b"a:\n\t- b\n", "line 2"),
        ("two.yaml", b"a: 1\n---\nb: 2\n", ""),
        ("tag.yaml", b"a: !!python/object/apply:os.system [id]\n", "tag"),
        (
            "bomb.yaml",
            b"a: &a [x, x]\n"
            + b"".join(b"%c: &%c [%s]\n" % (n, n, b", ".join([b"*%c" % (n - 1)] * 9)) for n in b"bcdefghij"),
            "line 1",
        ),
    ],
)
def test_a_source_that_is_no_strict_yaml_is_refused_quickly(assay, story, source, name, content, words):
    (source / name).write_bytes(content)
    before = story.head

    ended = assay("freeze", source / name)

    assert (2, before) == (ended.code, story.head)
    assert words in ended.err and is_plain(ended)
    assert len(ended.err) < 20_000


@pytest.mark.parametrize("path", ["../outside.md", "/etc/passwd", "prompts/../../outside.md", "a\\0b", "nowhere.md"])
def test_a_path_that_leaves_the_dataset_is_refused_by_name(assay, source, path):
    text = (source / "v1.0.0.yaml").read_text()
    (source / "v1.0.0.yaml").write_text(text.replace("prompts/keep-last-page-02.md", f'"{path}"'))
    (source.parent / "outside.md").write_text("not yours\n")

    ended = assay("freeze", source / "v1.0.0.yaml", "--no-check")

    assert ended.code == 2
    assert "prompt_file" in ended.err and is_plain(ended)


def test_a_link_out_of_the_dataset_is_not_followed(assay, source):
    prompt = source / "prompts" / "keep-last-page-02.md"
    prompt.unlink()
    prompt.symlink_to("/etc/passwd")

    ended = assay("freeze", source / "v1.0.0.yaml", "--no-check")

    assert ended.code == 2
    assert "prompts/keep-last-page-02.md" in ended.err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"a": 1, "a": 2}', "key 'a' is repeated"),
        (b'{"a": {"b": 1, "\\u0062": 2}}', "key 'b' is repeated"),
        (b'{"a": NaN}', "NaN is not JSON"),
        (b'{"a": 1e999}', "not a finite number"),
        (b'{"a": 1.5}', "records hold no floats"),
        (b'{"a": ' + b"9" * 5001 + b"}", "beyond 2^53"),
        (b'{"a": "\\ud800"}', "lone surrogate"),
        (b"[" * 100_000, "nested deeper"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b"{", "not JSON at line 1"),
        (b"\xff", "not UTF-8"),
        (b"", "not JSON"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_fmt_names_what_is_no_record_and_changes_nothing(assay, tmp_path, content, words):
    file = tmp_path / "record.json"
    file.write_bytes(content)

    ended = assay("fmt", file)

    assert (2, content) == (ended.code, file.read_bytes())
    assert words in ended.err and str(file) in ended.err


def spoil(story, path: str, change) -> None:
    """Change a committed record behind the back of every hook, as a ledger that was never verified may hold it."""
    document = json.loads(story.show(path))
    change(document)
    story.write(path, canonical.encode(document))
    story.git("commit", "-qam", "spoil", "--no-verify")


def path_of(story, run: str, ending: str) -> str:
    return next(p for p in story.git("ls-files", "runs").split("\n") if run in p and p.endswith(ending))


@pytest.mark.parametrize("command", [["score"], ["explain"], ["publish", "--dry-run"], ["replay"]], ids=lambda c: c[0])
def test_a_record_that_breaks_its_schema_is_never_weighed(assay, story, measured, command):
    path = path_of(story, measured, "/0001-tidy-export-header-01.11.json")
    spoil(story, path, lambda record: record.update(status="splendid", extra=1))

    ended = assay(command[0], measured, *command[1:])

    assert (ended.code, ended.out) == (2, "")
    assert path in ended.err and "splendid" in ended.err and "extra" in ended.err
    assert "assay verify" in ended.err


@pytest.mark.parametrize("ending", ["/run.json", "/0001-tidy-export-header-01.11.json"])
def test_a_record_at_the_place_of_another_is_refused(assay, story, measured, ending):
    path = path_of(story, measured, ending)
    spoil(story, path, lambda record: record.update(id=record["id"].replace("good", "best")))

    ended = assay("score", measured)

    assert ended.code == 2
    assert "belongs at" in ended.err


def test_a_damaged_object_is_inconclusive_and_says_how_to_look(assay, story, measured):
    path = path_of(story, measured, "/0001-tidy-export-header-01.11.json")
    oid = story.git("rev-parse", f"HEAD:{path}")
    loose = story.root / ".git" / "objects" / oid[:2] / oid[2:]
    if not loose.exists():
        for pack in (story.root / ".git" / "objects" / "pack").glob("*.pack"):
            moved = story.root.parent / pack.name
            pack.rename(moved)
            story.git("unpack-objects", "-q", stdin=moved.read_bytes())
    loose.chmod(0o644)
    loose.write_bytes(loose.read_bytes()[:-9] + b"destroyed")

    ended = assay("score", measured)

    assert ended.code == 3, ended.err
    assert "Traceback" not in ended.err and "git fsck" in ended.err


@pytest.mark.parametrize("command", [["score", "latest"], ["log"], ["verify"], ["fixture", "list"], ["explain", "x"]])
def test_before_the_first_commit_nothing_is_recorded_yet(blank, monkeypatch, capsys, command):
    blank.init().write("assay.yaml", "assay: 1\n")
    monkeypatch.chdir(blank.root)

    code = invoke(command)

    assert code == 2
    assert "nothing is recorded yet" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["score", "latest"], ["log"], ["verify"], ["doctor"]])
def test_outside_of_any_repository_it_says_so(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)

    code = invoke(command)

    told = " ".join("".join(capsys.readouterr()).split())
    assert code == (3 if command == ["doctor"] else 2)
    assert "not inside a Git repository" in told and "assay init" in told


def test_names_and_messages_of_others_reach_the_terminal_harmless(assay, story, monkeypatch):
    evil = "Eve \x1b[31m\x07\x9b2J\u202eevil"
    monkeypatch.setenv("GIT_AUTHOR_NAME", evil)
    story.git("checkout", "-q", "-b", "side-\u2066branch")
    story.commit(f"subject {evil}", {"schemas/notes.txt": "1\n"})

    for typed in (["log"], ["log", "--format", "json"], ["verify"], ["verify", "--format", "json"], ["doctor"]):
        ended = assay(*typed)

        assert is_plain(ended), typed
    assert "Eve \\x1b[31m" in assay("log").out


def test_hostile_file_names_in_a_scan_are_recognisable_and_harmless(assay, story, frozen, source, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a\x1b[2Jb\u202e\n.md").write_text((source / "prompts" / "keep-last-page-02.md").read_text())

    ended = assay("scan", frozen, docs)

    assert ended.code == 1, ended.err
    assert is_plain(ended) and "a\\x1b[2Jb\\u202e\\n.md" in ended.out
    assert "verified" in assay("verify").out


def test_what_a_candidate_prints_stays_markup_free_in_every_format(assay, story, frozen, solutions):
    evil = "<script>alert(1)</script> ]]> \x1b[31m \x00 \ufffe boom"
    for item in (solutions / "good").iterdir():
        for file in item.glob("11/*.py"):
            file.write_text(f"raise SystemExit({evil!r})\n")
    run = assay("run", frozen, "--solutions", solutions / "good", "--seeds", "11", "--temperature", "0").run

    page, junit = assay("score", run, "--format", "html"), assay("score", run, "--format", "junit")

    assert len(ET.fromstring(junit.out).findall(".//testcase")) >= 2
    assert "<script" not in page.out and "alert(1)</script>" not in page.out
    assert all(is_plain(ended) for ended in (page, junit, assay("score", run), assay("explain", run)))


def test_a_withdrawal_keeps_strange_words_out_of_the_terminal(assay, story, measured):
    assay("withdraw", measured, "--reason", "red \x1b[31m and\n\nAssay-Decision: publishable")

    told = [assay(*typed) for typed in (["log"], ["score", measured], ["explain", measured], ["publish", measured])]

    assert all(is_plain(ended) for ended in told)
    trailers = story.git("log", "-1", "--format=%(trailers:key=Assay-Decision,valueonly)", "--grep=^withdraw")
    assert trailers.strip() == ""
