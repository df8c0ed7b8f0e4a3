"""Any locale, any time zone, any clock: the same bytes, the same hashes, the same order."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from assay.cli import run as run_command
from assay.cli.main import invoke
from stories.conftest import text_of

ASCII = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
WORDS = "Prüfe die Länge: naïve Größe — 日本語, ﬁ, é\n"


def typed(story, *arguments, **variables) -> subprocess.CompletedProcess[bytes]:
    environment = {n: v for n, v in os.environ.items() if n not in ("PYTHONIOENCODING", "PYTHONUTF8")}
    return subprocess.run(
        [sys.executable, "-m", "assay", *map(str, arguments)],
        cwd=story.root,
        env={**environment, **variables},
        capture_output=True,
        check=False,
    )


@pytest.fixture
def foreign(source):
    """The demonstration's source with a prompt beyond ASCII, and a file name too."""
    prompt = source / "prompts" / "keep-last-page-02.md"
    prompt.write_text(prompt.read_text() + WORDS, encoding="utf-8")
    prompt.rename(source / "prompts" / "größe.md")
    yaml = (source / "v1.0.0.yaml").read_text().replace("prompts/keep-last-page-02.md", "prompts/größe.md")
    (source / "v1.0.0.yaml").write_text(yaml, encoding="utf-8")
    return source


def test_an_ascii_locale_reads_and_prints_utf8_and_gives_the_same_hash(story, foreign):
    twin = story.clone("twin")

    ascii_ = typed(story, "freeze", foreign / "v1.0.0.yaml", "--no-check", **ASCII)
    utf8 = typed(twin, "freeze", foreign / "v1.0.0.yaml", "--no-check", LC_ALL="C.UTF-8")

    path = "corpus/two-repairs/1.0.0/fixture.json"
    assert (ascii_.returncode, utf8.returncode) == (0, 0), ascii_.stderr
    assert twin.show(path) == story.show(path)
    shown = typed(story, "show", "corpus/two-repairs/1.0.0/prompts/größe.md", **ASCII)
    assert WORDS.encode() in shown.stdout + b"\n"


@pytest.mark.parametrize(
    "command",
    [["log"], ["verify"], ["fixture", "show", "two-repairs@1.0.0"], ["doctor"], ["scan", "two-repairs@1.0.0", "."]],
)
def test_every_command_speaks_utf8_in_an_ascii_locale(story, assay, foreign, command, monkeypatch):
    assert assay("freeze", foreign / "v1.0.0.yaml", "--no-check").code == 0
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Ärne Größe")
    story.commit("größer", {"docs/größe.md": WORDS})

    ended = typed(story, *command, **ASCII)

    assert ended.returncode in (0, 1, 3)
    assert b"Traceback" not in ended.stderr
    ended.stdout.decode("utf-8")


@pytest.mark.parametrize(
    "zone", ["UTC", "Pacific/Kiritimati", "America/St_Johns", "Asia/Kathmandu", ":/nonexistent", ""]
)
def test_a_time_zone_changes_nothing_that_is_recorded_or_shown(story, assay, frozen, solutions, monkeypatch, zone):
    monkeypatch.setenv("TZ", zone)
    run = assay("run", frozen, "--solutions", solutions / "good", "--seeds", "11", "--temperature", "0").run
    here = assay("log").out

    monkeypatch.setenv("TZ", "UTC")

    record = json.loads(text_of(story, f"runs/{run[:7]}/{run}/run.json"))
    assert record["recorded_at"].endswith("Z") and run.startswith(record["recorded_at"][:10])
    assert here == assay("log").out
    assert assay("verify").code == 0


@pytest.mark.parametrize(
    ("written", "accepted"),
    [
        ("2026-09-03", True),
        ('"2026-09-03T10:00:00+02:00"', True),
        ("2026-09-03T10:00:00Z", True),
        ("2026-09-03 10:00:00+02:00", True),
        ("2026-09-03T10:00:00", False),
        ("yesterday", False),
        ("2026-13-40T00:00:00Z", False),
        ("2026-02-30", False),
    ],
)
def test_a_date_is_kept_as_written_or_refused(story, assay, source, written, accepted):
    text = (source / "v1.0.0.yaml").read_text()
    (line,) = [line for line in text.split("\n") if line.startswith("frozen_at")]
    (source / "v1.0.0.yaml").write_text(text.replace(line, f"frozen_at: {written}"))

    ended = assay("freeze", source / "v1.0.0.yaml", "--no-check")

    assert (0 if accepted else 2) == ended.code, ended.err
    if accepted:
        frozen = json.loads(text_of(story, "corpus/two-repairs/1.0.0/fixture.json"))
        assert frozen["frozen_at"] == written.strip('"')
    else:
        assert "frozen_at" in ended.err


def test_a_clock_that_runs_backwards_changes_no_verdict_and_no_order(story, frozen, solutions, monkeypatch, capsys):
    """History, not the clock, says what came first; what the clock said is kept as it was."""
    times = iter(f"2026-11-30T12:{59 - n // 60:02d}:{59 - n % 60:02d}Z" for n in range(3000))
    bench_of = run_command.bench_of
    monkeypatch.setattr(run_command, "bench_of", lambda *asked: replace(bench_of(*asked), clock=lambda: next(times)))
    monkeypatch.chdir(story.root)

    code = invoke(["run", frozen, "--solutions", str(solutions / "good"), "--temperature", "0", "--workers", "1"])

    assert code == 0
    assert invoke(["verify"]) == 0
    assert invoke(["score", "latest"]) == 0
    assert "met of planned 6 / 6" in capsys.readouterr().out
