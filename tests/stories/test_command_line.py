"""The command line as a process: streams that close, readers that leave, narrow terminals, paths like options, busy
repositories, and machine-readable output that is nothing else.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from assay.cli.table import COMMANDS

ASSAY = (sys.executable, "-m", "assay")
ESCAPE = "\x1b"


def typed(story, *arguments, **options) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own inside the repository."""
    environment = {**os.environ, **options.pop("variables", {})}
    return subprocess.run(
        [*ASSAY, *map(str, arguments)],
        cwd=story.root,
        env=environment,
        encoding="utf-8",
        errors="replace",
        check=False,
        **{"capture_output": True, **options},
    )


def shell(story, line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which `assay` is this installation."""
    script = f"set -o pipefail; assay() {{ '{sys.executable}' -m assay \"$@\"; }}; {line}"
    return subprocess.run(
        ["bash", "-c", script], cwd=story.root, capture_output=True, encoding="utf-8", check=False, env=dict(os.environ)
    )


@pytest.fixture
def measured(assay, frozen, solutions):
    return assay("run", frozen, "--solutions", solutions / "flaky", "--seeds", "11,29", "--temperature", "0").run


# Readers and streams


@pytest.mark.parametrize(
    "line", ["assay schema show run", "assay --help", "assay log", "assay show schemas/run-1.json"]
)
def test_a_reader_that_goes_away_is_no_error(story, line):
    done = shell(story, f"PYTHONUNBUFFERED=1 {line} | head -n 1")

    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("redirection", "code"),
    [(">&-", 0), ("<&-", 0), (">&- 2>&- <&-", 0), ("2>&-", 0), (">/dev/full", 3), (">/dev/full 2>/dev/full", 3)],
)
def test_closed_streams_and_a_full_disk_are_survived(story, redirection, code):
    done = shell(story, f"assay log {redirection}")

    assert code == done.returncode
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr


def test_a_verdict_keeps_its_exit_code_when_nobody_reads_it(story):
    story.commit("change the contract", {"schemas/run-1.json": "{}\n"})

    done = shell(story, "assay verify --no-cache | head -n 0")

    assert done.returncode == 1
    assert "Traceback" not in done.stderr


# Terminals and formats


@pytest.mark.parametrize("columns", ["1", "20", "80", "1000", "x", "-5"])
def test_no_width_breaks_a_view(assay, measured, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    for command in (["score", measured], ["explain", measured], ["log"], ["fixture", "list"], ["verify"], ["--help"]):
        ended = assay(*command)

        assert ended.code in (0, 3), ended.err
        assert ended.out.strip() and ESCAPE not in ended.out


def test_nothing_is_coloured_away_from_a_terminal_nor_with_no_color(story, measured):
    for variables in ({}, {"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}):
        done = typed(story, "score", measured, variables=variables)

        assert ESCAPE not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ["score", "RUN"],
        ["explain", "RUN"],
        ["replay", "RUN"],
        ["publish", "RUN", "--dry-run"],
        ["log"],
        ["log", "--kind", "scan"],
        ["verify"],
        ["doctor"],
        ["fixture", "list"],
        ["fixture", "show", "two-repairs@1.0.0"],
        ["fixture", "check", "two-repairs@1.0.0"],
        ["scan", "two-repairs@1.0.0", "SOURCE", "--dry-run"],
        ["freeze", "SOURCE/v1.0.0.yaml", "--no-check"],
        ["schema", "list"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_json_is_json_and_nothing_else_is_on_stdout(assay, measured, source, command):
    words = [word.replace("RUN", measured).replace("SOURCE", str(source)) for word in command]

    ended = assay(*words, "--format", "json")

    assert ended.code in (0, 1, 3), ended.err
    assert ended.json is not None and ESCAPE not in ended.out


# Words


def test_the_log_goes_back_as_far_as_it_is_asked_for(assay, story, measured):
    everything = assay("log", "--format", "json").json["commits"]

    newest = assay("log", "--limit", "2", "--format", "json").json["commits"]
    judged = assay("log", "--limit", "1", "--kind", "fixture", "--format", "json").json["commits"]

    assert everything[:2] == newest and len(everything) > 3
    assert judged == [entry for entry in everything if entry["kind"] == "fixture"]
    assert assay("log", "--kind", "scan").out == "no commit says that it brought a record of kind scan\n"


def test_paths_after_two_dashes_are_paths_whatever_they_look_like(story, tmp_path):
    for name in ("--help.json", "-rf"):
        (story.root / name).write_text('{"b": 1, "a": 2}')

    formatted = typed(story, "fmt", "--", "--help.json", "-rf")
    missing = typed(story, "show", "--", "--help.json")

    assert formatted.returncode == 0
    assert "--help.json" in formatted.stdout and "-rf" in formatted.stdout
    assert (story.root / "-rf").read_text() == '{\n  "a": 2,\n  "b": 1\n}\n'
    assert missing.returncode == 2 and "--help.json: no such record" in missing.stderr


@pytest.mark.parametrize("command", [["fmt", "--check"], ["failure", "add"], ["freeze"], ["report", "--check"]])
def test_a_file_that_git_did_not_check_out_is_told_from_one_that_is_nowhere(assay, story, command):
    story.commit("a note", {"notes/one two.json": "{}\n"})
    story.git("update-index", "--skip-worktree", "notes/one two.json")
    (story.root / "notes/one two.json").unlink()
    (story.root / "notes").rmdir()

    absent, nowhere = assay(*command, "notes/one two.json"), assay(*command, "notes/other.json")

    assert (absent.code, nowhere.code) == (2, 2)
    assert "notes/one two.json: Git has this file, but it is not checked out here" in absent.err
    assert "does not exist" in nowhere.err
    assert shell(story, absent.err.splitlines()[1]).returncode == 0
    assert (story.root / "notes/one two.json").read_text() == "{}\n"


def test_a_folder_to_work_in_may_be_anywhere_above_the_command(story, tmp_path):
    (tmp_path / "elsewhere").mkdir()

    inside = typed(story, "-C", story.root / "schemas", "log")
    outside = typed(story, "-C", tmp_path / "elsewhere", "log")

    assert inside.returncode == 0
    assert outside.returncode == 2 and "not inside a Git repository" in outside.stderr


def test_words_of_the_user_come_back_harmless(story):
    for words in (["sc\x1bore"], ["score", "--n\x1b]0;title\x07"], ["score", "run\x1b[2J"], ["-C", "a\x1b[31m", "log"]):
        done = typed(story, *words)

        assert done.returncode == 2
        assert ESCAPE not in done.stderr and "\x07" not in done.stderr


def test_bytes_that_are_no_text_in_the_arguments_are_survived(story):
    done = subprocess.run([*ASSAY, "show", b"\xff\xfe"], cwd=story.root, capture_output=True, check=False)

    assert done.returncode == 2
    assert b"Traceback" not in done.stderr and b"no such record" in done.stderr


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_that_ends_well(story, name):
    done = typed(story, name, "--help", variables={"COLUMNS": "80"})

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: ")


def test_variables_of_another_repository_are_not_followed(story, blank, tmp_path, monkeypatch):
    other = type(story)(tmp_path / "other", monkeypatch).init()
    other.commit("other", {"x": "1\n"})
    head = other.head

    done = typed(story, "log", variables={"GIT_DIR": str(other.root / ".git"), "GIT_INDEX_FILE": str(tmp_path / "i")})

    assert done.returncode == 0
    assert head == other.head and not (tmp_path / "i").exists()


# A repository that is busy or in the middle of something


@pytest.fixture
def freezing(source):
    return ["freeze", source / "v1.0.0.yaml", "--no-check"]


def test_a_held_index_is_busy_and_the_same_command_goes_through_afterwards(story, assay, freezing):
    lock = story.root / ".git" / "index.lock"
    lock.touch()

    busy = assay(*freezing)
    lock.unlink()
    again = assay(*freezing)

    assert busy.code == 75 and "what you recorded is kept" in busy.err
    assert again.code == 0
    assert story.status == "" and "verified" in assay("verify").out


@pytest.mark.parametrize("state", ["merge", "rebase", "cherry-pick", "revert", "bisect", "detached"])
def test_in_the_middle_of_something_nothing_is_recorded(story, assay, freezing, state):
    base = story.commit("base", {"notes.txt": "base\n"})
    story.branch("side")
    side = story.commit("side", {"notes.txt": "side\n"})
    story.switch("main")
    ours = story.commit("ours", {"notes.txt": "ours\n"})
    commands = {
        "merge": ["merge", "side"],
        "rebase": ["rebase", "side"],
        "cherry-pick": ["cherry-pick", side],
        "revert": ["revert", "--no-edit", base],
        "bisect": ["bisect", "start", ours, base],
        "detached": ["checkout", "-q", "--detach"],
    }
    story.attempt(*commands[state])
    before = story.git("rev-parse", "HEAD", "main")

    refused = assay(*freezing)

    assert refused.code == 1, refused.err
    assert before == story.git("rev-parse", "HEAD", "main")
    assert not (story.root / "corpus").exists()
    assert "under way" in refused.err or "HEAD is detached" in refused.err


# Interruptions


@pytest.mark.slow
def test_whenever_it_is_interrupted_it_ends_at_130_and_can_be_resumed(story, frozen, solutions):
    """The moment is that of a stage of the work, seen from outside: the plan is committed, a journal is there."""
    begun = subprocess.Popen(
        [*ASSAY, "run", frozen, "--solutions", solutions / "good", "--temperature", "0", "--workers", "1"],
        cwd=story.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    journals = story.root / ".git" / "assay" / "journal"
    while begun.poll() is None and not any(journals.glob("*/*.jsonl")):
        time.sleep(0.01)
    begun.send_signal(signal.SIGINT)
    _, told = begun.communicate(timeout=60)

    resumed = typed(story, "resume", "latest")

    assert begun.returncode == 130
    assert "what was finished is kept" in told and "assay resume " in told and "Traceback" not in told
    assert resumed.returncode == 0, resumed.stderr
    assert "met of planned 6 / 6" in typed(story, "score", "latest").stdout
    assert typed(story, "verify").returncode == 0 and story.status == ""
