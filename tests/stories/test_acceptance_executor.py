"""The executor of applications, seen by an application that keeps its own log of every dispatch.

The application is an HTTP server beside the runner: its log outlives whatever is killed. Each test names the item of
the executor's acceptance list that it answers (E01 to E14; E05 is told in the story of devices, E08 in that of judges).
"""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass
from pathlib import Path

import pytest

from assay.engine.chat import ChatTarget
from assay.engine.isolation import probe
from assay.flows import run as run_flow
from assay.flows.application import prepare
from assay.flows.plan_run import Request
from assay.flows.runs import run_record
from assay.flows.work import Bench
from stories.acceptance_app import CAPABILITIES, CONTROLS
from stories.chat_app import REMEMBERS, answer, case, doors, freeze, kill, observed, records, settings, start
from stories.judged_app import command as judge_command
from stories.judged_app import freeze_open
from support.chat_server import ChatServer, Reply, completion

pytestmark = pytest.mark.slow
REFERENCE_APP = Path(__file__).parent / "reference_app.py"
TALK = case("talk", "Which door?", "And then?")


class Application(ChatServer):
    """Answers, until it reaches a question under which it falls silent: the turn that `silent_at` numbers."""

    def __init__(self, log, silent_at=None):
        self.silent_at, self.reached, self.freed = silent_at, threading.Event(), threading.Event()
        super().__init__(self._rule, log)

    def _rule(self, asked):
        if asked.request_id.rpartition("/")[2] == self.silent_at:
            self.reached.set()
            self.freed.wait(60)
        return answer(asked)

    @property
    def turns(self):
        return [name.rpartition("/")[2] for name in self.request_ids]

    def close(self):
        self.freed.set()
        super().close()


@pytest.fixture
def serve(tmp_path):
    servers = []

    def begin(*arguments, kind=Application):
        first = arguments[0] if kind is ChatServer else None
        log = tmp_path / f"log-{len(servers)}.jsonl"
        servers.append(ChatServer(first, log) if first else Application(log, *arguments))
        return servers[-1]

    yield begin
    for server in servers:
        server.close()


@pytest.fixture
def command(assay, tmp_path):
    """Freeze cases; the words of a run over them."""

    def words(server, cases, **said):
        freeze(assay, tmp_path, cases)
        return ("run", "doors@1", "--solver", f"openai:{server.url}", "--settings", settings(tmp_path, **said))

    return words


@pytest.fixture
def killed(story, command, serve):
    """A run whose process was killed while a question was under way; its application, which answers from now on."""

    def play(silent_at, cases, **said):
        server = serve(silent_at)
        process = start(story, *command(server, cases, **said))
        assert server.reached.wait(60)
        kill(process)
        server.freed.set()
        story.tick()
        return server

    return play


def statuses(story):
    return {sample: one["status"] for sample, one in observed(story).items()}


def test_the_plan_is_committed_before_the_first_question(story, assay, command, serve):
    """E01: what HEAD holds is read by the application itself, at the moment of the first dispatch."""
    seen = []

    def rule(asked):
        seen.append((story.git("log", "-1", "--format=%s"), story.git("ls-files", "runs")))
        return answer(asked)

    assert assay(*command(serve(rule, kind=ChatServer), doors(2))).code == 0

    subject, files = seen[0]
    assert subject.startswith("plan: 2 samples, doors 1")
    assert files.split("\n") == [f"runs/{records(story, 'run')[0]['id'][:7]}/{records(story, 'run')[0]['id']}/run.json"]


def test_a_kill_under_the_second_question_keeps_the_first_answer(story, assay, killed):
    """E02"""
    server = killed("2.1.1", doors(3))

    resumed = assay("resume", "latest")

    assert resumed.code == 0, resumed.err
    assert server.turns == ["1.1.1", "2.1.1", "3.1.1"]
    assert statuses(story) == {"door_01.1": "completed", "door_02.1": "unknown_outcome", "door_03.1": "completed"}
    assert observed(story)["door_01.1"]["output"]["answers"] == [f"The door you asked for. {REMEMBERS}"]


def test_a_question_of_unknown_outcome_is_never_sent_again_by_itself(story, assay, killed):
    """E03"""
    server = killed("1.1.1", doors(1))

    ended = [assay("resume", "latest").code for _ in range(3)]

    assert ended == [0, 0, 0]
    assert server.turns == ["1.1.1"]
    assert statuses(story) == {"door_01.1": "unknown_outcome"}
    assert observed(story)["door_01.1"]["failure_owner"] == "harness"


def test_it_is_asked_under_a_new_name_when_the_plan_had_allowed_it(story, assay, killed):
    """E03, the other half: what the plan's retry policy allows is another attempt with another request id."""
    server = killed("1.1.1", doors(1), retry_on=["unknown_outcome"], max_attempts=2)

    for _ in range(3):
        assert assay("resume", "latest").code == 0
        story.tick()

    assert server.turns == ["1.1.1", "1.2.1"]
    found = {one["attempt"].rpartition("/")[2]: one["status"] for one in records(story, "observation")}
    assert found == {"1.1": "unknown_outcome", "1.2": "completed"}
    assert assay("verify").code == 0


def test_two_processes_never_continue_one_run(story, assay, command, serve):
    """E05, for a run: the second process is told that the first is at work, and asks nothing."""
    server = serve("2.1.1")
    first = start(story, *command(server, doors(3)))
    assert server.reached.wait(60)

    second = start(story, "resume", "latest")
    told = second.communicate()[1].decode()
    asked = len(server.asked)
    server.freed.set()
    first.communicate()

    assert (second.returncode, asked, first.returncode) == (75, 2, 0)
    assert f"another process works on {records(story, 'run')[0]['id']}" in told
    assert server.turns == ["1.1.1", "2.1.1", "3.1.1"]


@dataclass
class Times:
    """A clock that moves when it is told to."""

    hour: int = 10

    def __call__(self):
        return f"2026-12-01T{self.hour:02d}:00:00Z"


@pytest.fixture
def leased(story, assay, serve, tmp_path, monkeypatch):
    """Run over two cases on a device; the first answer takes an hour. Returns what is needed to resume."""
    monkeypatch.setenv("ASSAY_DEVICES", str(tmp_path / "devices"))

    def play(**said):
        times = Times()

        def rule(asked):
            times.hour += 1 if asked.request_id.endswith("/1.1.1") else 0
            return answer(asked)

        freeze(assay, tmp_path, doors(2))
        server = serve(rule, kind=ChatServer)
        target = ChatTarget(server.url, "chat", name="clerk")
        same = probe()
        controls = {**CONTROLS, "isolation": same.name, "uid": same.uid}
        bench = Bench(lambda: same, clock=times)
        request = Request(target.identity(), (1,), controls, **said)
        run, plan = prepare(story.ledger, "doors@1", request, target, bench, device="pixel-7")
        story.tick()
        run_flow.start(story.ledger, run, plan, target, bench)
        return server, target, bench

    return play


def test_an_answer_after_its_lease_is_kept_and_never_selected(story, assay, leased):
    """E04"""
    server, target, bench = leased()
    story.tick()

    run_flow.resume(story.ledger, run_record(story.ledger.at(), "latest"), target, bench)

    late = observed(story)["door_01.1"]
    assert (late["status"], late["output"]["answers"]) == ("late", [f"The door you asked for. {REMEMBERS}"])
    assert late["detail"].endswith("on pixel-7 had expired")
    assert statuses(story)["door_02.1"] == "completed"
    assert len(server.asked) == 2
    judged = {one["sample"] for one in records(story, "evaluation")}
    assert judged == {"door_02.1"}
    assert assay("score", "latest").code == 3


def test_what_came_late_gives_way_to_the_next_attempt_that_the_plan_allows(story, assay, leased):
    """E04: the late answer stays beside the one that counts."""
    server, target, bench = leased(max_attempts=2)
    story.tick()

    run_flow.resume(story.ledger, run_record(story.ledger.at(), "latest"), target, bench)

    found = [(one["attempt"].rpartition("/")[2], one["status"]) for one in records(story, "observation")]
    assert sorted(found) == [("1.1", "late"), ("1.2", "completed"), ("2.1", "completed")]
    assert len(server.asked) == 3
    assert assay("score", "latest").code == 0
    assert assay("verify").code == 0


def test_the_same_words_in_two_repetitions_are_two_questions(story, assay, command, serve):
    """E06"""
    server = serve()

    assert assay(*command(server, [TALK], repetitions=2)).code == 0

    assert server.turns == ["1.1.1", "1.1.2", "2.1.1", "2.1.2"]
    first, second = server.asked[0], server.asked[2]
    assert (first.messages, second.messages) == ((("user", "Which door?"),),) * 2
    sessions = [one["session"]["id"] for one in observed(story).values()]
    assert len(set(sessions)) == 2


def test_a_conversation_that_died_in_its_second_turn_begins_anew_and_pays_for_it(story, assay, killed):
    """E07: the first answer of the dead attempt stays on record, and its calls stay charged."""
    server = killed("1.1.2", [TALK], target_calls=4)

    resumed = assay("resume", "latest")

    assert resumed.code == 0, resumed.err
    assert server.turns == ["1.1.1", "1.1.2", "1.2.1", "1.2.2"]
    assert server.asked[2].messages == (("user", "Which door?"),)
    one = observed(story)["talk.1"]
    assert (one["status"], one["attempt"].rpartition("/")[2]) == ("completed", "1.2")
    (restarted,) = [event for event in one["events"] if event["event"] == "restarted"]
    assert restarted["after"].endswith("/1.1")
    assert restarted["answers"] == [f"The door you asked for. {REMEMBERS}"]
    assert [one["reserved"]["target_calls"] for one in records(story, "attempt")] == [2, 2]


def test_a_conversation_that_died_in_its_first_turn_is_not_asked_again(story, assay, killed):
    """E03: nobody heard the first answer, so nothing says that the question may be put once more."""
    server = killed("1.1.1", [TALK])

    assay("resume", "latest")

    assert server.turns == ["1.1.1"]
    assert observed(story)["talk.1"]["status"] == "unknown_outcome"
    assert assay("score", "latest").code == 3


def test_a_conversation_that_dies_twice_keeps_what_was_answered_both_times(story, assay, killed):
    """E07, again and again: every attempt that was given up is named with its answers."""
    server = killed("1.1.2", [TALK])
    server.silent_at = "1.2.2"
    server.reached.clear()
    server.freed.clear()
    second = start(story, "resume", "latest")
    assert server.reached.wait(60)
    kill(second)
    server.freed.set()

    assert assay("resume", "latest").code == 0

    assert server.turns == ["1.1.1", "1.1.2", "1.2.1", "1.2.2", "1.3.1", "1.3.2"]
    events = [event for event in observed(story)["talk.1"]["events"] if event["event"] == "restarted"]
    assert [event["after"].rpartition("/")[2] for event in events] == ["1.1", "1.2"]
    assert [event["answers"] for event in events] == [[f"The door you asked for. {REMEMBERS}"]] * 2
    assert assay("verify").code == 0


def test_a_conversation_whose_last_answer_was_heard_is_not_asked_again(story, assay, command, serve, monkeypatch):
    """E07, E02: everything was answered when the process died; the answers are reused and nobody is asked."""
    server = serve()
    with monkeypatch.context() as patch:
        patch.setattr("assay.flows.capture.ActJournal.append", _forgets_observations)
        assert assay(*command(server, [TALK], target_calls=2)).code == 70
    story.tick()

    resumed = assay("resume", "latest")

    assert resumed.code == 0, resumed.err
    assert server.turns == ["1.1.1", "1.1.2"]
    assert statuses(story) == {"talk.1": "completed"}


def _forgets_observations(log, entry):
    """The process ends just before the observation would have been written."""
    if "observed" in entry:
        raise ZeroDivisionError
    log._journal.append(entry)
    log.entries.append(entry)


def test_what_was_finished_costs_nothing_again_and_what_is_repeated_on_purpose_does(story, assay, command, serve):
    """E09: equal questions are never taken for one another, and a finished one is never asked again."""
    server = serve()
    words = command(server, doors(1), repetitions=2)

    assert assay(*words).code == 0
    assert len(server.asked) == 2
    assert assay("resume", "latest").code == 0
    assert len(server.asked) == 2
    story.tick()
    assert assay(*words).code == 0

    assert len(server.asked) == len(set(server.request_ids)) == 4
    assert len({one.messages for one in server.asked}) == 1


def test_reading_weighing_and_comparing_ask_nobody_and_say_the_same_twice(story, assay, command, serve, tmp_path):
    """E11"""
    server = serve()
    words = command(server, doors(6))
    baseline = assay(*words).run
    story.tick()
    candidate = assay(*words).run
    asked = len(server.asked)
    server.close()
    reads = [
        *[("score", candidate, "--format", form) for form in ("text", "json", "markdown", "junit", "html")],
        *[("compare", baseline, candidate, "--format", form) for form in ("text", "json", "markdown", "junit", "html")],
        ("review", "list", candidate),
        ("explain", candidate),
        ("verify",),
    ]

    first, second = ([(one.code, one.out) for one in (assay(*words) for words in reads)] for _ in range(2))

    assert first == second
    assert {code for code, _ in first} <= {0, 3}
    assert len(server.asked) == asked == 12


def test_a_part_of_a_run_travels_and_is_read_where_nothing_else_is(story, assay, command, serve, tmp_path, monkeypatch):
    """E12: a bundle of the repository is the archive; the original, its target and its means are gone."""
    server = serve()
    stopped = assay(*command(server, doors(3), target_calls=2))
    here = assay("score", "latest", "--format", "json")
    story.git("bundle", "create", str(tmp_path / "run.bundle"), "--all")
    story.git("clone", "-q", str(tmp_path / "run.bundle"), str(tmp_path / "elsewhere"))
    server.close()

    story.root.rename(tmp_path / "gone")
    monkeypatch.chdir(tmp_path / "elsewhere")
    there = assay("score", "latest", "--format", "json")

    assert stopped.code == 3
    assert (there.code, there.out) == (here.code, here.out)
    assert assay("verify").code == 0
    assert len(server.asked) == 2


@pytest.mark.parametrize("change", [{"model": "other"}, {"system": "Be rude."}])
def test_a_run_is_never_continued_with_another_configuration(story, assay, killed, tmp_path, change):
    """E13"""
    server = killed("2.1.1", doors(3))
    before, asked = story.head, len(server.asked)

    refused = assay("resume", "latest", "--solver", f"openai:{server.url}", "--settings", settings(tmp_path, **change))

    assert (refused.code, story.head, len(server.asked)) == (1, before, asked)
    assert "this would measure something else: target was" in refused.err


def test_a_new_attempt_inherits_nothing_from_the_one_before(story, assay, command, serve):
    """E14: no words, no usage, no evidence of the failed attempt are in what the next one sends or records."""

    def rule(asked):
        if asked.request_id.endswith("/1.1.2"):
            return Reply({"error": {"message": "overheated"}}, 503)
        return Reply(completion(f"The door of {asked.request_id.rpartition('/')[2]}."))

    server = serve(rule, kind=ChatServer)
    assert assay(*command(server, [TALK, *doors(1)], retry_on=["error"], max_attempts=2)).code == 0
    story.tick()
    assert assay("resume", "latest").code == 0

    sent = {one.request_id.rpartition("/")[2]: one.messages for one in server.asked}
    assert sent["2.1.1"] == (("user", "Which door is 1?"),)
    assert sent["1.2.1"] == (("user", "Which door?"),)
    assert sent["1.2.2"][1] == ("assistant", "The door of 1.2.1.")
    failed, again = sorted(
        (one for one in records(story, "observation") if one["sample"]["item"] == "talk"), key=lambda o: o["attempt"]
    )
    assert failed["output"]["answers"] == ["The door of 1.1.1.", None]
    assert again["output"]["answers"] == ["The door of 1.2.1.", "The door of 1.2.2."]
    assert (failed["usage"], again["usage"]["total_tokens"]) == (None, 24)
    assert again["detail"] is None


def test_four_ways_to_know_nothing_are_four_outcomes(story, assay, tmp_path):
    """E10: no word about evidence, evidence that is empty, a judge's reply without a verdict, and no answer in time."""
    freeze_open(assay, tmp_path)
    file = tmp_path / "settings.yaml"

    def play(fault, item, judge=""):
        file.write_text(f"cases: [{item}]\ncapabilities: [{', '.join(CAPABILITIES)}]\nsolver_timeout_s: 3\n{judge}")
        story.tick()
        words = f"{sys.executable} {REFERENCE_APP} {fault}"
        ran = assay("run", "homestead-alignment-seed@1", "--solver", words, "--settings", file)
        (one,) = [found for found in records(story, "observation") if found["run"] in ran.out + ran.err]
        (judged,) = [found for found in records(story, "evaluation") if found["run"] == one["run"]]
        evidence = (one["evidence"] or {}).get("capture"), (one["evidence"] or {}).get("excerpts")
        return one["status"], evidence, {result["status"] for result in judged["results"]}

    outcomes = [
        play("unknown", "evidence_empty_observed"),
        play("none", "evidence_empty_observed"),
        play("none", "absence_empty_property", f'judge: "{judge_command("1", "prose")}"\n'),
        play("slow", "state_topic_switch"),
    ]

    assert outcomes == [
        ("completed", ("unknown", None), {"missing_evidence"}),
        ("completed", ("complete", []), {"scored"}),
        ("completed", ("complete", []), {"scored", "invalid_result"}),
        ("timed_out", (None, None), {"missing_evidence"}),
    ]
