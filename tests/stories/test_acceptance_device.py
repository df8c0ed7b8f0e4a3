"""A device is used by one run at a time, whatever clone or process asks for it, and only when it is named."""

from __future__ import annotations

import json
import sys
import threading
from dataclasses import dataclass

import pytest

from assay.engine.chat import ChatTarget
from assay.engine.isolation import probe
from assay.errors import Busy
from assay.flows import run as run_flow
from assay.flows.application import prepare
from assay.flows.device import Device
from assay.flows.plan_run import Request
from assay.flows.work import Bench
from stories.acceptance_app import CONTROLS
from stories.chat_app import answer, case, doors, freeze, kill, observed, records, settings, start
from support.chat_server import ChatServer

pytestmark = pytest.mark.slow
PIXEL = """
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    told = {"type": "hello", "protocol": "assay-target/1", "capabilities": ["session", "reset", "request_identity"],
            "identity": {"name": "bridge", "revision": "1", "device": "pixel-7"}}
    if message["type"] == "request":
        thermal = "nominal" if message["turn"] == 1 else "serious"
        told = {"type": "answer", "request_id": message["request_id"], "output": "The door.",
                "session": {"id": message["session"]["id"], "clean_start": True}, "device": {"thermal": thermal}}
    elif message["type"] == "end":
        break
    print(json.dumps(told), flush=True)
"""


@dataclass
class Times:
    """A clock that moves when it is told to."""

    hour: int = 10

    def __call__(self):
        return f"2026-12-01T{self.hour:02d}:00:00Z"


@pytest.fixture(autouse=True)
def devices(monkeypatch, tmp_path):
    """Devices of a machine of our own."""
    monkeypatch.setenv("ASSAY_DEVICES", str(tmp_path / "devices"))
    return tmp_path / "devices"


@pytest.fixture
def gate(tmp_path):
    """An endpoint that answers the first question only when `open` is set."""
    opened, arrived = threading.Event(), threading.Event()

    def rule(asked):
        arrived.set()
        opened.wait(60)
        return answer(asked)

    server = ChatServer(rule, tmp_path / "log.jsonl")
    server.open, server.arrived = opened.set, lambda: arrived.wait(60)
    yield server
    opened.set()
    server.close()


def bridge(tmp_path):
    script = tmp_path / "bridge.py"
    script.write_text(PIXEL)
    return f"{sys.executable} {script}"


def lease_of(one):
    return next(event for event in one["events"] if event["event"] == "lease")


def test_the_lease_of_every_attempt_is_on_record_and_the_device_is_given_back(story, assay, gate, tmp_path, devices):
    freeze(assay, tmp_path, doors(2))
    gate.open()

    ran = assay("run", "doors@1", "--solver", f"openai:{gate.url}", "--settings", settings(tmp_path, device="pixel-7"))

    assert ran.code == 0, ran.err
    (run,) = records(story, "run")
    leases = [one["lease"] for one in records(story, "attempt")]
    assert run["environment"]["device"] == {"name": "pixel-7"}
    assert {lease["resource"] for lease in leases} == {"pixel-7"}
    assert {lease["holder"].partition("#")[0] for lease in leases} == {ran.run}
    assert all(lease_of(one)["taken_from"] is None for one in observed(story).values())
    (record,) = devices.glob("*.json")
    assert json.loads(record.read_text())["given_back"] is True
    assert assay("verify").code == 0


def test_a_second_runner_is_told_who_holds_the_device_and_writes_nothing(story, assay, gate, tmp_path):
    """E05: two runners, one device. The other clone is refused, and goes ahead when the first has ended."""
    freeze(assay, tmp_path, doors(1))
    named = settings(tmp_path, device="pixel-7")
    elsewhere = story.clone("elsewhere")
    first = start(story, "run", "doors@1", "--solver", f"openai:{gate.url}", "--settings", named)
    gate.arrived()

    command = ("run", "doors@1", "--solver", f"openai:{gate.url}", "--settings", str(named))
    before = elsewhere.head
    refused = start(elsewhere, *command)
    told = refused.communicate()[1].decode()
    asked = len(gate.asked)
    gate.open()
    first.communicate()
    second = start(elsewhere, *command)
    second.communicate()

    assert (refused.returncode, elsewhere.git("rev-parse", before), asked) == (75, before, 1)
    assert "the device pixel-7 is held by the run 20" in told
    assert f"process {first.pid} on" in told
    assert "the same command again" in told
    assert (first.returncode, second.returncode, len(gate.asked)) == (0, 0, 2)


def test_a_device_whose_holder_was_killed_is_taken_over_at_once_and_the_record_says_from_whom(
    story, assay, gate, tmp_path
):
    freeze(assay, tmp_path, doors(1))
    named = settings(tmp_path, device="pixel-7")
    command = ("run", "doors@1", "--solver", f"openai:{gate.url}", "--settings", named)
    first = start(story, *command)
    gate.arrived()
    kill(first)
    gate.open()
    dead = records(story, "run")[0]["id"]

    ran = assay(*command)

    assert ran.code == 0, ran.err
    taken_from = lease_of(observed(story)["door_01.1"])["taken_from"]
    assert (taken_from["resource"], taken_from["holder"]) == ("pixel-7", dead)


def test_a_holder_that_hangs_past_its_lease_loses_the_device_and_says_so(story, assay, tmp_path, devices):
    """E04, E05: it lives, but it is late: its answer is kept, and it asks nothing more before it is its turn again."""
    times, others = Times(), []

    def rule(asked):
        if asked.request_id.endswith("/1.1.1"):
            times.hour += 1
            others.append(Device("pixel-7", "2026-12-01-other-beef01", "beef01", times))
            others[0].take()
        return answer(asked)

    freeze(assay, tmp_path, doors(2))
    server = ChatServer(rule, tmp_path / "log.jsonl")
    target, same = ChatTarget(server.url, "chat", name="clerk"), probe()
    bench = Bench(lambda: same, clock=times)
    request = Request(target.identity(), (1,), {**CONTROLS, "isolation": same.name, "uid": same.uid})
    run, plan = prepare(story.ledger, "doors@1", request, target, bench, device="pixel-7")
    story.tick()

    with pytest.raises(Busy, match="the device pixel-7 is held by the run 2026-12-01-other-beef01"):
        run_flow.start(story.ledger, run, plan, target, bench)
    others[0].give_back()
    story.tick()
    run_flow.resume(story.ledger, run, target, bench)
    server.close()

    assert len(server.asked) == 2
    assert {name: one["status"] for name, one in observed(story).items()} == {
        "door_01.1": "late",
        "door_02.1": "completed",
    }
    assert others[0].taken_from.holder == run["id"]
    assert assay("verify").code == 0


def test_a_device_that_nobody_named_is_never_used(story, assay, tmp_path):
    freeze(assay, tmp_path, doors(1))
    before = story.head

    unnamed = assay("run", "doors@1", "--solver", bridge(tmp_path), "--settings", settings(tmp_path, model=None))
    other = settings(tmp_path, model=None, device="pixel-8")
    wrong = assay("run", "doors@1", "--solver", bridge(tmp_path), "--settings", other)

    assert (unnamed.code, wrong.code, story.head) == (2, 2, before)
    assert "the target drives the device 'pixel-7', and the settings name none" in unnamed.err
    assert "`device: pixel-7` in the settings file" in unnamed.err
    assert "the settings name 'pixel-8'" in wrong.err


def test_what_the_device_says_of_itself_is_kept_turn_by_turn(story, assay, tmp_path):
    freeze(assay, tmp_path, [case("talk", "Which door?", "And then?")])
    named = settings(tmp_path, model=None, device="pixel-7")

    ran = assay("run", "doors@1", "--solver", bridge(tmp_path), "--settings", named)

    assert ran.code == 0, ran.err
    one = observed(story)["talk.1"]
    assert one["device"] == {"thermal": "serious"}
    assert [turn["device"]["thermal"] for turn in one["session"]["turns"]] == ["nominal", "serious"]


def test_a_run_without_a_device_leases_nothing(story, assay, gate, tmp_path, devices):
    freeze(assay, tmp_path, doors(1))
    gate.open()

    assert assay("run", "doors@1", "--solver", f"openai:{gate.url}", "--settings", settings(tmp_path)).code == 0

    assert [one["lease"] for one in records(story, "attempt")] == [None]
    assert not devices.exists()
