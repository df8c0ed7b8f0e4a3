"""An application behind a chat endpoint, from the command line: asked over real HTTP, recorded, judged, continued."""

from __future__ import annotations

import pytest

from stories.chat_app import REMEMBERS, answer, case, doors, freeze, observed, records, settings
from support.chat_server import MODEL, ChatServer, Reply, completion

pytestmark = pytest.mark.slow
KEY = "key-of-the-stub-4711"
TALK = case("talk", "Which door?", "And behind it?", "And then?")


@pytest.fixture
def serve(tmp_path):
    """Serve a rule on loopback."""
    servers = []

    def begin(rule=answer):
        servers.append(ChatServer(rule, tmp_path / f"asked-{len(servers)}.jsonl"))
        return servers[-1]

    yield begin
    for server in servers:
        server.close()


@pytest.fixture
def ask(assay, tmp_path):
    """Freeze cases and run the endpoint over them."""

    def run(server, cases, *more, **said):
        freeze(assay, tmp_path, cases)
        return assay(
            "run", "doors@1", "--solver", f"openai:{server.url}", "--settings", settings(tmp_path, **said), *more
        )

    return run


def test_a_conversation_is_asked_recorded_judged_and_scored(story, assay, serve, ask):
    server = serve()

    ran = ask(server, [TALK], "--temperature", "0.3", system="Be brief.", max_tokens=40)

    assert ran.code == 0, ran.err
    (run,) = records(story, "run")
    assert (run["target"]["kind"], run["target"]["name"]) == ("http", "clerk")
    assert run["target"]["config"]["parameters"] == {"temperature": "0.3", "max_tokens": 40}
    assert run["controls"]["network"]["solver"] == "on"
    assert [one.body["temperature"] for one in server.asked] == [0.3] * 3
    assert server.request_ids == [f"{run['id']}/1.1.{turn}" for turn in (1, 2, 3)]
    assert assay("score", "latest").code == 0
    assert assay("verify").code == 0


def test_each_turn_is_sent_with_what_the_application_really_answered(story, serve, ask):
    server = serve()

    assert ask(server, [TALK]).code == 0

    first = f"The door you asked for. {REMEMBERS}"
    assert server.asked[2].messages == (
        ("user", "Which door?"),
        ("assistant", first),
        ("user", "And behind it?"),
        ("assistant", f"{first}{first}"),
        ("user", "And then?"),
    )
    session = observed(story)["talk.1"]["session"]
    assert (session["clean_start"], len(session["turns"])) == (True, 3)
    assert session["turns"][1]["history"] == [
        {"role": "user", "text": "Which door?"},
        {"role": "assistant", "text": first},
    ]


def test_who_answered_and_what_it_took_is_on_record(story, serve, ask):
    assert ask(serve(), [TALK]).code == 0

    found = observed(story)["talk.1"]
    assert found["usage"] == {"prompt_tokens": 21, "completion_tokens": 15, "total_tokens": 36}
    assert {turn["served"]["model"] for turn in found["session"]["turns"]} == {MODEL}
    assert found["session"]["turns"][0]["served"]["system_fingerprint"] == "fp_2f1"


def test_what_was_retrieved_is_unknown_so_what_depends_on_it_is_not_judged(story, serve, ask):
    assert ask(serve(), [case("cited", "Which door?", commitment="sources")]).code == 0

    (judged,) = records(story, "evaluation")
    assert observed(story)["cited.1"]["evidence"] == {"capture": "unknown"}
    assert [(one["status"], one["verdict"]) for one in judged["results"]] == [("missing_evidence", None)]


def test_evidence_cannot_be_injected_so_such_a_case_is_refused_beforehand(story, assay, serve, ask):
    shown = case("shown", "Which?", surface="controlled_app", evidence={"capture": "complete", "excerpts": []})
    server, before = serve(), len(records(story, "run"))

    refused = ask(server, [TALK, shown])

    assert (refused.code, server.asked, len(records(story, "run"))) == (2, [], before)
    assert "shown: the target does not support evidence_capture, injection" in refused.err


def test_settings_that_declare_what_the_endpoint_cannot_promise_are_refused_and_both_are_named(serve, ask):
    refused = ask(serve(), [TALK], capabilities=["session", "reset", "request_identity", "idempotency"])

    assert refused.code == 2
    assert "the settings declare idempotency, and the target itself offers session, reset" in refused.err


def test_the_key_is_nowhere_in_the_ledger_and_nowhere_in_the_output(story, assay, serve, ask, monkeypatch):
    monkeypatch.setenv("STUB_KEY", KEY)
    server = serve(
        lambda asked: (
            Reply({"error": {"message": f"bad key {KEY}"}}, 401)
            if "1" in asked.text
            else Reply(completion(f"The door. {KEY}"))
        )
    )

    ran = ask(server, doors(2), api_key_env="STUB_KEY")
    shown = assay("show", f"runs/{ran.run[:7]}/{ran.run}/run.json")

    assert {one.authorization for one in server.asked} == {f"Bearer {KEY}"}
    assert {one["status"] for one in observed(story).values()} == {"error", "completed"}
    assert KEY not in ran.out + ran.err + shown.out
    assert story.git("log", "-p", "--all", f"-S{KEY}", "--format=%H") == ""
    assert not [path for path in story.root.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


def test_a_case_that_fails_does_not_stop_the_others_and_each_failure_has_its_owner(story, serve, ask):
    replies = {"1": Reply(raw=b"nonsense"), "2": Reply({}, 503), "3": Reply({"error": "slow down"}, 429)}
    server = serve(lambda asked: next((reply for n, reply in replies.items() if n in asked.text), answer(asked)))

    ask(server, doors(4))

    found = {name: (one["status"], one["failure_owner"]) for name, one in observed(story).items()}
    assert found == {
        "door_01.1": ("error", "model"),
        "door_02.1": ("error", "model"),
        "door_03.1": ("limit", "harness"),
        "door_04.1": ("completed", None),
    }


def test_several_are_asked_at_a_time_and_every_answer_is_its_own_cases(story, serve, ask):
    server = serve(lambda asked: Reply(completion(f"The door of: {asked.text}"), wait_s=0.05))

    assert ask(server, doors(12), "--workers", "4").code == 0

    for sample, one in observed(story).items():
        assert one["output"]["answers"] == [f"The door of: Which door is {int(sample[5:7])}?"]


def test_an_interrupted_run_is_continued_by_whoever_types_the_endpoint_again(
    story, assay, serve, ask, tmp_path, monkeypatch
):
    server = serve(lambda asked: Reply({}, 500) if "2" in asked.text and len(server.asked) < 4 else answer(asked))
    run = ask(server, doors(3), retry_on=["error"], max_attempts=2).run
    elsewhere = story.clone("elsewhere")
    monkeypatch.chdir(elsewhere.root)
    story.tick()

    unknown = assay("resume", run)
    other = assay("resume", run, "--solver", f"openai:{server.url}", "--settings", settings(tmp_path, model="other"))
    ended = assay("resume", run, "--solver", f"openai:{server.url}", "--settings", settings(tmp_path))

    assert (unknown.code, other.code, ended.code) == (2, 1, 0), ended.err
    assert "target was" in other.err
    assert [name.rpartition("/")[2] for name in server.request_ids] == ["1.1.1", "2.1.1", "3.1.1", "2.2.1"]
    assert assay("verify").code == 0


@pytest.mark.parametrize(
    ("solver", "said", "words"),
    [
        ("openai:https://chat.example/v1", {"model": None}, "model: a chat endpoint has to be told which"),
        ("openai:https://me:word@chat.example", {}, "a password has no place in an address"),
        ("openai:", {}, "is no address of a server"),
        ("openai:https://chat.example", {"api_key_env": "NOT_SET"}, "NOT_SET is not set"),
        ("replay:nowhere.jsonl", {"model": None}, "no such file or folder"),
        ("true", {}, "model: settings of chat endpoints"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_anything_is_planned(story, assay, tmp_path, solver, said, words):
    freeze(assay, tmp_path, [TALK])
    before = story.head

    refused = assay("run", "doors@1", "--solver", solver, "--settings", settings(tmp_path, **said))

    assert (refused.code, story.head) == (2, before)
    assert words in refused.err


def test_a_suite_that_asks_for_files_cannot_be_answered_in_words(assay, frozen, serve):
    refused = assay("run", frozen, "--solver", f"openai:{serve().url}")

    assert refused.code == 2
    assert "answers in words, and this suite asks for files" in refused.err
