"""A judge that is a command: named in settings or to `evaluate`, sandboxed, read strictly, never asked on reading."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from assay.engine.judge_target import JudgeTarget
from assay.engine.targets import SessionTarget
from stories.acceptance_app import CAPABILITIES
from stories.judged_app import CASES, FEW, command, freeze_open, records, results
from stories.reference_judge import FAULTS

pytestmark = pytest.mark.slow
APP = Path(__file__).parent / "reference_app.py"


@pytest.fixture
def ledger(story, assay, tmp_path):
    """A ledger with behaviours and the open cases frozen."""
    freeze_open(assay, tmp_path)
    return story


@pytest.fixture
def settings(tmp_path):
    """Write a settings file; what is not said is that of an able application over the open cases."""

    def write(name="settings.yaml", **said):
        told = {"name": "reference", "cases": list(FEW), "capabilities": list(CAPABILITIES), **said}
        file = tmp_path / name
        file.write_text("".join(f"{key}: {json.dumps(value)}\n" for key, value in told.items() if value is not None))
        return file

    return write


@pytest.fixture
def counter():
    """A socket on this machine that counts who connects: a log of dispatches that outlives every process."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        seen = []

        def count():
            while True:
                try:
                    server.accept()[0].close()
                except OSError:
                    return
                seen.append(1)

        threading.Thread(target=count, daemon=True).start()
        yield server.getsockname()[1], seen


def start(assay, file, *more):
    return assay("run", CASES, "--solver", f"{sys.executable} {APP}", "--settings", file, *more)


def statuses(story):
    return sorted(status for _, status, _ in results(story))


def test_the_settings_name_a_judge_and_the_plan_states_who_it_is(ledger, assay, settings):
    ran = start(assay, settings(judge=command(), judge_calls=5))

    assert ran.code == 0, ran.err
    (run,) = records(ledger, "run")
    assert (run["options"]["judge"], run["options"]["judge_name"], run["options"]["judge_revision"]) == (
        "ask",
        "word-judge",
        "1",
    )
    assert run["budget"] == {"target_calls": None, "judge_calls": 5, "cost_micros": None}
    assert statuses(ledger) == ["scored", "scored"]
    assert {call["judge"]["identity"]["sha256"] for call in records(ledger, "judge_call")} == {
        run["options"]["judge_sha256"]
    }
    assert assay("verify").code == 0
    minimal = Path(__file__).parent.parent / "independent" / "verify_min.py"
    assert subprocess.run([sys.executable, minimal], cwd=ledger.root, check=False, capture_output=True).returncode == 0


def test_a_run_without_a_judge_is_judged_by_one_later(ledger, assay, settings):
    assert start(assay, settings()).code == 0
    assert statuses(ledger) == ["blocked", "blocked"]

    judged = assay("evaluate", "latest", "--judge", command())

    assert judged.code == 0, judged.err
    assert statuses(ledger) == ["blocked", "blocked", "scored", "scored"]
    assert "judge calls: 2 made, 0 replies used again" in judged.err
    assert "judge call useful_next_step" in assay("explain", "latest").out
    assert assay("score", "latest").code == 0
    assert assay("evaluate", "latest", "--judge", command()).out.startswith("nothing left to judge")


def test_whatever_a_judge_replies_no_verdict_comes_of_it_and_nothing_breaks(ledger, assay, settings):
    faults = [*FAULTS, "garbage", "stranger", "dies", "refuses"]
    assert start(assay, settings(cases=FEW[:1])).code == 0

    told = [assay("evaluate", "latest", "--judge", command(fault, fault)) for fault in faults]

    found = {
        one["evaluator"]["version"]: next(r["status"] for r in one["results"] if r["criterion"] == "useful_next_step")
        for one in records(ledger, "evaluation")
        if one["verdict_basis"] == "judged"
    }
    expected = {fault: "invalid_result" if fault in FAULTS else "error" for fault in faults}
    assert found == {**expected, "blind": "missing_evidence"}
    assert {one for _, _, one in results(ledger)} == {None}
    assert all(ended.code in (0, 3) and "\x1b" not in ended.err + ended.out for ended in told)
    assert assay("verify").code == 0


def test_missing_context_an_empty_retrieval_a_bad_verdict_and_a_timeout_are_four_outcomes(ledger, assay, settings):
    assert start(assay, settings()).code == 0
    told = settings("patience.yaml", judge_timeout_s=3)
    found = {}
    for name, revision, switch in (
        ("missing", "1", "blind"),
        ("empty", "2", "well"),
        ("bad", "3", "types"),
        ("late", "4", "sleeps"),
    ):
        judged = assay("evaluate", "latest", "--judge", command(revision, switch), "--settings", told)
        found[name] = (judged.code, next(status for _, status, _ in results(ledger) if status not in seen(found)))

    assert found == {
        "missing": (0, "missing_evidence"),
        "empty": (0, "scored"),
        "bad": (3, "invalid_result"),
        "late": (3, "error"),
    }
    assert [call["status"] for call in records(ledger, "judge_call") if call["reply"] is None] == ["timed_out"] * 2


def seen(found):
    return {"blocked", *(status for _, status in found.values())}


def test_a_spent_budget_is_told_with_what_to_type(ledger, assay, settings):
    ran = start(assay, settings(judge=command(), judge_calls=1))

    assert ran.code == 3
    assert "budget: judge_calls: 1 wanted, 0 of 1 left" in ran.err
    assert "--more-judge-calls N" in ran.err
    ledger.tick()
    continued = assay("evaluate", "latest", "--more-judge-calls", "3")

    assert continued.code == 0, continued.err
    assert statuses(ledger) == ["scored", "scored", "skipped_budget"]
    assert assay("resume", "latest").code == 0


def test_a_resumed_run_is_judged_by_the_judge_that_its_plan_names(ledger, assay, settings):
    assert start(assay, settings(judge=command(), judge_calls=1)).code == 3
    before = ledger.head

    other = assay("resume", "latest", "--judge", command("2"))
    assert (other.code, ledger.head) == (1, before)
    assert "its plan names the judge" in other.err

    ledger.tick()
    resumed = assay("resume", "latest", "--more-judge-calls", "1")
    assert resumed.code == 0, resumed.err


def test_a_clone_that_does_not_know_the_judge_is_told_to_say_so(ledger, assay, settings):
    assert start(assay, settings(judge=command())).code == 0
    for file in (ledger.ledger.state / "runs").glob("*.judge.json"):
        file.unlink()

    refused = assay("evaluate", "latest")

    assert refused.code == 2
    assert "its plan asks the judge word-judge, and none is given" in refused.err
    assert assay("evaluate", "latest", "--judge", command()).out.startswith("nothing left")


def test_money_needs_a_bound_for_each_call(ledger, assay, settings):
    refused = start(assay, settings(judge=command(), cost_micros=500))

    assert refused.code == 2
    assert "cost_micros: needs judge_cost_micros_per_call" in refused.err


def test_a_judge_that_cannot_be_had_stops_a_run_before_it_is_planned(ledger, assay, settings):
    before = ledger.head

    refused = start(assay, settings(judge=f"{sys.executable} -c pass"))

    assert (refused.code, ledger.head) == (3, before)
    assert "the judge cannot be asked: early exit" in refused.err


def test_reading_again_calls_neither_judge_nor_application_and_gives_the_same_bytes(
    ledger, assay, settings, monkeypatch, tmp_path
):
    file = settings(judge=command(), repetitions=2)
    one, two = (start(assay, file).run for _ in range(2))
    ledger.tick()
    assert assay("evaluate", two, "--against", one, "--judge", command()).code == 0
    ledger.tick()
    assert assay("compare", one, two, "--record").code == 3
    ledger.tick()
    assert assay("review", "add", two, f"{FEW[0]}.1", "useful_next_step", "met", "--why", "it does").code == 0
    assert assay("qualify", two).code == 0

    def touched(*_, **__):
        raise AssertionError("somebody was asked")

    for target in (SessionTarget, JudgeTarget):
        monkeypatch.setattr(target, "ask", touched)
        monkeypatch.setattr(target, "_peer", touched)
    readings = [
        ("score", one),
        ("explain", one),
        ("compare", one, two),
        ("compare", one, two, "--format", "junit"),
        ("compare", one, two, "--format", "json"),
        ("review", "list", two),
        ("log",),
        ("verify", "--recompute"),
    ]
    told = [[(ended.code, ended.out) for ended in (assay(*reading) for _ in range(2))] for reading in readings]

    assert [first for first, _ in told] == [second for _, second in told]
    assert {first[0] for first, _ in told} <= {0, 3}
    for name in ("first.csv", "second.csv"):
        assert assay("review", "export", two, tmp_path / name).code == 0
    assert (tmp_path / "first.csv").read_bytes() == (tmp_path / "second.csv").read_bytes()
    replayed = assay("replay", two)
    assert replayed.code == 0, replayed.out + replayed.err


def test_an_evaluator_killed_while_its_judge_thinks_leaves_one_charged_call(ledger, assay, settings, counter):
    port, asked = counter
    told = settings("judge.yaml", judge_network="on", judge_calls=1)
    assert start(assay, settings()).code == 0
    judge = command("1", "sleeps", f"port:{port}")
    words = [sys.executable, "-m", "assay", "evaluate", "latest", "--judge", judge, "--settings", str(told)]
    process = subprocess.Popen(words, cwd=ledger.root, start_new_session=True)
    deadline = time.monotonic() + 60
    while not asked and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()

    ledger.tick()
    again = assay("evaluate", "latest", "--judge", judge, "--settings", told)

    assert again.code == 3
    assert len(asked) == 1
    assert [(c["status"], c["reserved"]["judge_calls"]) for c in records(ledger, "judge_call")] == [
        ("unknown_outcome", 1)
    ]
    assert statuses(ledger) == ["blocked", "blocked", "error", "skipped_budget"]


def test_two_evaluators_that_race_for_the_last_call_and_a_resume_make_one(ledger, assay, settings, counter):
    port, asked = counter
    told = settings("judge.yaml", judge_network="on", judge_calls=1)
    assert start(assay, settings()).code == 0
    words = [sys.executable, "-m", "assay", "evaluate", "latest", "--settings", str(told), "--judge"]
    racers = [
        subprocess.Popen([*words, command(revision, f"port:{port}")], cwd=ledger.root, stderr=subprocess.DEVNULL)
        for revision in ("1", "2")
    ]
    codes = {racer.wait() for racer in racers}

    ledger.tick()
    again = assay("evaluate", "latest", "--judge", command("1", f"port:{port}"), "--settings", told)
    assert assay("resume", "latest").code == 0

    assert codes <= {3, 75}
    assert again.code == 3
    assert len(asked) == len(records(ledger, "judge_call")) == 1
    assert statuses(ledger).count("scored") == 1
    assert assay("verify").code == 0
