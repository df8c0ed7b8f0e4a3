"""Killed without warning at random moments, a run of an application loses no answer, repeats no question, and ends."""

from __future__ import annotations

import json
import random
import threading
import time

import pytest

from stories.chat_app import answer, doors, freeze, kill, observed, records, settings, start
from support.chat_server import ChatServer, Reply

SEED = 20261130
WAIT_S = 0.03


def refuses(asked):
    """Every seventh door is locked: the endpoint refuses, for good."""
    number = int("".join(filter(str.isdigit, asked.messages[0][1])))
    reply = Reply({"error": {"code": "locked", "message": "no"}}, 400) if number % 7 == 0 else answer(asked)
    reply.wait_s = WAIT_S
    return reply


class Watch:
    """What was ever seen to be answered, in the journal or in a commit, across all kills."""

    def __init__(self, story):
        self.story, self.seen = story, {}

    def look(self):
        for path in (self.story.root / ".git" / "assay" / "journal").glob("*/capture.jsonl"):
            for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
                entry = json.loads(line)
                if "observed" in entry:
                    self.seen[entry["attempt_id"]] = (entry["observed"]["status"], entry["observed"]["output"])

    def lost(self):
        """The answers that were seen once and are not what is recorded at the end."""
        kept = {one["attempt"]: (one["status"], one["output"]) for one in records(self.story, "observation")}
        return {attempt: (said, kept.get(attempt)) for attempt, said in self.seen.items() if kept.get(attempt) != said}


def runs_in(story):
    return sorted(path.parent.name for path in (story.root / "runs").glob("*/*/run.json"))


@pytest.mark.slow
@pytest.mark.parametrize("kills", [6, pytest.param(200, marks=pytest.mark.long)])
def test_no_answer_is_lost_no_question_repeated_and_nothing_hangs(assay, story, tmp_path, kills):
    print(f"seed {SEED}")
    moments, watch = random.Random(SEED), Watch(story)
    freeze(assay, tmp_path, doors(50, every_third_has_two_turns=True))
    server = ChatServer(refuses, tmp_path / "log.jsonl")
    named = ("--solver", f"openai:{server.url}", "--settings", settings(tmp_path))
    began = time.monotonic()
    start(story, "run", "doors@1", *named).communicate()
    took = time.monotonic() - began
    (undisturbed,) = runs_in(story)
    expected = results_of(story, undisturbed)
    done, rounds = 0, 0

    while done < kills:
        rounds += 1
        before = set(runs_in(story))
        done += killed(start(story, "run", "doors@1", *named), moments.uniform(0.2 * took, took))
        watch.look()
        for run in set(runs_in(story)) - before:
            while done < kills and killed(start(story, "resume", run), moments.uniform(0.2 * took, took)):
                done += 1
                watch.look()
            ended = start(story, "resume", run)
            _, told = ended.communicate(timeout=120)
            assert ended.returncode in (0, 3), told.decode()
            assert_whole(story, server, run, expected)

    server.close()
    assert watch.lost() == {}
    assert len(set(server.request_ids)) == len(server.request_ids)
    assert assay("verify").code == 0
    assert (story.fsck(), story.status) == ("", "")
    print(
        f"{done} kills in {rounds} runs; {len(server.request_ids)} questions; {len(watch.seen)} answers seen on the way"
    )


def killed(process, seconds):
    """Kill a command after so long; whether it was still at work."""
    timer = threading.Timer(seconds, lambda: kill(process))
    timer.start()
    process.wait()
    timer.cancel()
    timer.join()
    process.communicate() if not process.stdout.closed else None
    return process.returncode < 0


def results_of(story, run):
    """Status, answers and verdicts by sample, in an undisturbed run."""
    verdicts = {
        one["sample"]: [result["verdict"] for result in one["results"]]
        for one in records(story, "evaluation")
        if one["run"] == run
    }
    return {
        sample: (one["status"], one["output"], verdicts[sample])
        for sample, one in observed(story).items()
        if one["run"] == run
    }


def assert_whole(story, server, run, expected):
    """Every sample has its one observation: as in the undisturbed run, or of unknown outcome and not asked since."""
    found = [one for one in records(story, "observation") if one["run"] == run]
    assert len(found) == len({one["sample"]["id"] for one in found}) == 50
    asked = [name for name in server.request_ids if name.startswith(f"{run}/")]
    for one in found:
        sample = one["sample"]["id"]
        dispatched = [name for name in asked if name.startswith(f"{run}/{one['sample']['ordinal']}.")]
        if one["status"] == "unknown_outcome":
            assert {name.rpartition(".")[0] for name in dispatched} <= {one["attempt"], *given_up(one)}
        else:
            assert (one["status"], one["output"]) == expected[sample][:2]
        if expected[sample][0] == "error":
            assert len(dispatched) <= 1, "a refused question was sent again"


def given_up(observation):
    """The attempts in whose later turns earlier processes died."""
    return {event["after"] for event in observation["events"] if event["event"] == "restarted"}
