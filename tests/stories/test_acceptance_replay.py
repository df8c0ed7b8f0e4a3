"""Saved conversations replayed from the command line: the same questions get the same answers, others get none."""

from __future__ import annotations

import json

import pytest

from stories.chat_app import answer, case, doors, freeze, observed, records, settings
from support.chat_server import ChatServer, Reply

pytestmark = pytest.mark.slow
CASES = [case("talk", "Which door?", "And then?"), *doors(2)]
IDLE = {"model": None, "name": None}


@pytest.fixture
def recorded(story, assay, tmp_path):
    """A run over a live endpoint, which is gone afterwards; its run id."""
    server = ChatServer(lambda asked: Reply({}, 503) if "2" in asked.text else answer(asked), tmp_path / "log.jsonl")
    freeze(assay, tmp_path, CASES)
    ran = assay("run", "doors@1", "--solver", f"openai:{server.url}", "--settings", settings(tmp_path))
    server.close()
    story.tick()
    return ran.run


@pytest.fixture
def replay(assay, tmp_path):
    def run(place, *more, **said):
        return assay(
            "run", "doors@1", "--solver", f"replay:{place}", "--settings", settings(tmp_path, **{**IDLE, **said}), *more
        )

    return run


def folder_of(story, run):
    return story.root / "runs" / run[:7] / run


def of(story, kind, run):
    return [one for one in records(story, kind) if one["run"] == run]


def outcome(one):
    return {key: one[key] for key in ("status", "failure_owner", "output", "evidence")}


def test_an_earlier_run_is_reproduced_offline_verdict_by_verdict(story, assay, recorded, replay):
    ran = replay(folder_of(story, recorded))

    assert ran.run != recorded, ran.err
    saved = {one["sample"]["id"]: outcome(one) for one in of(story, "observation", recorded)}
    again = {one["sample"]["id"]: outcome(one) for one in of(story, "observation", ran.run)}
    assert saved == again
    assert saved["door_02.1"]["status"] == "error"
    verdicts = [
        {one["sample"]: [(r["criterion"], r["status"], r["verdict"]) for r in one["results"]] for one in judged}
        for judged in (of(story, "evaluation", recorded), of(story, "evaluation", ran.run))
    ]
    assert verdicts[0] == verdicts[1]
    assert assay("verify").code == 0


def test_a_replay_says_what_it_is_and_of_which_bytes(story, recorded, replay):
    run = replay(folder_of(story, recorded)).run

    (planned,) = [one for one in records(story, "run") if one["id"] == run]
    assert (planned["target"]["kind"], planned["target"]["name"]) == ("replay", f"replay of {recorded}")
    assert planned["target"]["config"]["sha256"].startswith("sha256:")
    assert planned["controls"]["network"]["solver"] == "off"


def test_a_question_that_was_changed_since_gets_an_error_and_no_answer(story, recorded, replay, tmp_path):
    (file,) = folder_of(story, recorded).glob("capture-*/*talk.1.json")
    document = json.loads(file.read_text())
    document["session"]["turns"][1]["user"] = "And before?"
    (tmp_path / "one.json").write_text(json.dumps(document))

    ran = replay(tmp_path / "one.json", cases=["talk"])

    (one,) = of(story, "observation", ran.run)
    assert (one["status"], one["failure_owner"]) == ("error", "harness")
    assert "turn 2 was saved for another question (sha256:" in one["detail"]
    assert one["output"]["answers"][1] is None


def test_what_was_not_saved_is_refused_beforehand(story, recorded, replay):
    before = story.head

    refused = replay(folder_of(story, recorded), repetitions=2)

    assert (refused.code, story.head) == (2, before)
    assert "talk.2: nothing is saved for it" in refused.err


def test_the_answers_of_two_runs_are_not_mixed(story, recorded, replay):
    assert replay(folder_of(story, recorded)).run

    refused = replay(story.root / "runs")

    assert refused.code == 2
    assert "holds the answers of 2 runs" in refused.err


def lines(*said):
    return "".join(
        json.dumps({"case": name, "role": role, "text": text}) + "\n"
        for name, *texts in said
        for role, text in zip(("user", "assistant") * len(texts), texts, strict=False)
    )


def test_transcripts_are_replayed_with_what_they_leave_unknown(story, assay, replay, tmp_path):
    freeze(assay, tmp_path, CASES)
    saved = tmp_path / "saved.jsonl"
    saved.write_text(
        lines(
            ("talk", "Which door?", "The red door.", "And then?", "It opens."),
            ("door_01", "Which door is 1?", "A door."),
        )
    )

    ran = replay(saved, cases=["talk", "door_01"])

    assert ran.code == 0, ran.err
    talk = observed(story)["talk.1"]
    assert talk["output"] == {"answers": ["The red door.", "It opens."]}
    assert (talk["evidence"], talk["session"]["clean_start"]) == (None, None)
    assert [turn["history"] for turn in talk["session"]["turns"]] == [None, None]


def test_one_saved_transcript_is_one_draw(assay, replay, tmp_path):
    freeze(assay, tmp_path, CASES)
    saved = tmp_path / "saved.jsonl"
    saved.write_text(lines(("door_01", "Which door is 1?", "A door.")))

    refused = replay(saved, cases=["door_01"], repetitions=2)

    assert refused.code == 2
    assert "door_01.1, door_01.2: one saved answer is one draw, not 2" in refused.err


def test_an_observation_that_does_not_say_what_was_asked_cannot_be_replayed(story, recorded, replay, tmp_path):
    (file,) = folder_of(story, recorded).glob("capture-*/*talk.1.json")
    (tmp_path / "one.json").write_text(json.dumps({**json.loads(file.read_text()), "session": None}))

    refused = replay(tmp_path / "one.json", cases=["talk"])

    assert refused.code == 2
    assert "talk.1: its session is not recorded" in refused.err


def test_a_replay_is_continued_where_it_stopped_and_never_with_another_file(story, assay, recorded, replay, tmp_path):
    copy = tmp_path / "saved"
    copy.mkdir()
    for file in folder_of(story, recorded).glob("capture-*/*.json"):
        (copy / file.name).write_bytes(file.read_bytes())
    run = replay(copy, retry_on=["error"], max_attempts=2).run
    story.tick()

    again = assay("resume", run)
    (copy / "0001-talk.1.json").unlink()
    changed = assay("resume", run)

    assert again.code == 0, again.err
    assert (changed.code, "target was" in changed.err) == (1, True)
