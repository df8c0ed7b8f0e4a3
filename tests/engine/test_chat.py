"""A chat endpoint as a target: what it answers is kept, however it fails has a name, and the key is nowhere."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from assay.contract.jobs import Limits
from assay.contract.steps import Ask, Sample
from assay.engine.chat import ChatTarget
from assay.engine.exchange import MOST_BYTES, Endpoint
from assay.errors import InputError
from support.chat_server import MODEL, ChatServer, Reply, completion

SAMPLE = Sample(1, "no_rope.1", "no_rope", {"repetition": 1})
LIMITS = Limits(10_000)
KEY = "key-of-the-stub-4711"
HISTORY = [{"role": "user", "text": "No rope."}, {"role": "assistant", "text": "Take bark."}]


def ask(turn=2, text="And wet?"):
    said = {"kind": "turn", "turn": turn, "text": text, "history": HISTORY if turn > 1 else []}
    return Ask(turn, said, session="run/1", request_id=f"run/1.1.{turn}")


@pytest.fixture
def serve(tmp_path):
    """Serve one reply to everybody; give the target and the server."""
    servers = []

    def start(reply, **more):
        server = ChatServer(reply if callable(reply) else lambda _: reply, tmp_path / f"log{len(servers)}.jsonl")
        servers.append(server)
        return ChatTarget(server.url, **{"model": "chat", **more}), server

    yield start
    for server in servers:
        server.close()


def test_a_turn_is_sent_with_the_conversation_so_far_and_its_answer_is_kept(serve):
    target, server = serve(
        Reply(completion("Keep it dry."), headers={"x-request-id": "srv-9"}),
        system="Answer briefly.",
        parameters={"temperature": "0.20", "max_tokens": 64, "top_p": None},
    )

    answered = target.ask(SAMPLE, ask(), limits=LIMITS)

    (asked,) = server.asked
    assert asked.messages == (
        ("system", "Answer briefly."),
        ("user", "No rope."),
        ("assistant", "Take bark."),
        ("user", "And wet?"),
    )
    assert (asked.request_id, asked.authorization) == ("run/1.1.2", None)
    assert {key: asked.body.get(key) for key in ("model", "temperature", "max_tokens", "top_p", "stream")} == {
        "model": "chat",
        "temperature": 0.2,
        "max_tokens": 64,
        "top_p": None,
        "stream": False,
    }
    assert (answered.status, answered.output, answered.request_id) == ("completed", "Keep it dry.", "run/1.1.2")
    assert answered.session == {"id": "run/1", "clean_start": True, "turns": HISTORY}
    assert answered.usage == {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
    assert answered.served == {
        "model": MODEL,
        "system_fingerprint": "fp_2f1",
        "response_id": "chatcmpl-1",
        "finish_reason": "stop",
        "server_request_id": "srv-9",
    }


def test_messages_that_a_suite_spells_out_are_sent_as_they_are(serve):
    target, server = serve(Reply(completion("2+5+8")))
    said = [{"role": "system", "content": "Answer only."}, {"role": "user", "content": "Make 15 of 2, 5 and 8."}]

    answered = target.ask(SAMPLE, Ask(3, {"messages": said, "draw": 3}), limits=LIMITS)

    (asked,) = server.asked
    assert asked.messages == (("system", "Answer only."), ("user", "Make 15 of 2, 5 and 8."))
    assert (asked.request_id, answered.output, answered.session) == ("no_rope.1.3", "2+5+8", None)


def test_what_was_retrieved_is_not_known(serve):
    target, _ = serve(Reply(completion("Yes.")))

    assert target.ask(SAMPLE, ask(), limits=LIMITS).evidence == {"capture": "unknown"}


def test_text_in_parts_is_put_together(serve):
    parts = [{"type": "text", "text": "Keep "}, {"type": "image"}, {"type": "text", "text": "dry."}]
    target, _ = serve(Reply(completion(parts)))

    assert target.ask(SAMPLE, ask(), limits=LIMITS).output == "Keep dry."


def choice(**more):
    message = {"role": "assistant", "content": more.pop("content", None), **more.pop("message", {})}
    return Reply(completion(None, choices=[{"message": message, **more}]))


TROUBLES = {
    "garbage: an answer that is not JSON": (Reply(raw=b"<html>"), "error", "model"),
    "garbage: an answer that is not UTF-8": (Reply(raw=b"\xff"), "error", "model"),
    "garbage: an answer that is no object": (Reply([1]), "error", "model"),
    "garbage: an answer with a repeated key": (Reply(raw=b'{"id": 1, "id": 2}'), "error", "model"),
    "garbage: an answer without choices": (Reply({"choices": []}), "error", "model"),
    "garbage: an answer without choices[0]": (Reply({"choices": "none"}), "error", "model"),
    "an error instead of an answer: overloaded: try later": (
        Reply({"error": {"type": "overloaded", "message": "try later"}}),
        "error",
        "model",
    ),
    "garbage: an answer without text": (choice(message={"tool_calls": [{}]}), "error", "model"),
    "garbage: a compressed answer": (Reply(raw=b"\x1f", headers={"Content-Encoding": "gzip"}), "error", "model"),
    "refused: not this": (choice(message={"refusal": "not this"}), "refused", "model"),
    "refused: the endpoint's filter": (choice(content="", finish_reason="content_filter"), "refused", "model"),
    "cut off": (Reply(hang_up=True), "error", "model"),
    "cut off: 90 bytes": (Reply(raw=b"{" + b" " * 9, claimed_length=100), "error", "model"),
    "long answer": (Reply(raw=b" " * (MOST_BYTES + 9)), "limit", "model"),
    "silence: no answer": (Reply(completion("late"), wait_s=60), "timed_out", "model"),
    "silence: no": (Reply(raw=b"{}", claimed_length=10_000, drip=True), "timed_out", "model"),
    "status 400: bad: no such field": (
        Reply({"error": {"code": "bad", "message": "no such field"}}, 400),
        "error",
        "harness",
    ),
    "status 400: context_length_exceeded": (
        Reply({"error": {"code": "context_length_exceeded", "message": "long"}}, 400),
        "limit",
        "model",
    ),
    "status 401: invalid_api_key": (Reply({"error": {"code": "invalid_api_key"}}, 401), "error", "harness"),
    "status 404: nothing here": (Reply(raw=b"nothing here", status=404), "error", "harness"),
    "status 408": (Reply({}, 408), "timed_out", "model"),
    "status 429: slow down; retry after 7": (
        Reply({"error": "slow down"}, 429, headers={"Retry-After": "7"}),
        "limit",
        "harness",
    ),
    "status 500": (Reply(raw=b"\xff\xfe", status=500), "error", "model"),
    "status 503": (Reply({"error": {"message": "warming up"}}, 503), "error", "model"),
    "status 504": (Reply({}, 504), "timed_out", "model"),
    "status 302: a redirect to http://elsewhere.example/v1, which is not followed": (
        Reply({}, 302, headers={"Location": "http://elsewhere.example/v1"}),
        "error",
        "harness",
    ),
    "status 204": (Reply(raw=b"", status=204), "error", "harness"),
}


@pytest.mark.parametrize("words", TROUBLES)
def test_every_trouble_has_its_own_outcome(serve, words):
    reply, status, owner = TROUBLES[words]
    target, _ = serve(reply)

    answered = target.ask(SAMPLE, ask(), limits=Limits(600 if status == "timed_out" else 10_000))

    assert (answered.status, answered.failure_owner) == (status, owner), answered.detail
    assert answered.detail.startswith(words)
    assert answered.output is None


def test_an_answer_cut_off_by_the_token_cap_is_an_answer_and_says_so(serve):
    target, _ = serve(choice(content="Keep it", finish_reason="length"))

    answered = target.ask(SAMPLE, ask(), limits=LIMITS)

    assert (answered.status, answered.output) == ("completed", "Keep it")
    assert answered.detail == "the answer was cut off at max_tokens"


def test_an_endpoint_that_is_not_there_is_the_harnesss_matter():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        target = ChatTarget(f"http://127.0.0.1:{held.getsockname()[1]}/v1", "chat")
        answered = target.ask(SAMPLE, ask(), limits=LIMITS)

    assert (answered.status, answered.failure_owner) == ("error", "harness")
    assert answered.detail == "not reached: connection refused"


def test_a_peer_that_is_no_web_server_cuts_off(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        target = ChatTarget(f"http://127.0.0.1:{server.getsockname()[1]}", "chat")
        answered = target.ask(SAMPLE, ask(), limits=Limits(300))

    assert (answered.status, answered.failure_owner) == ("timed_out", "model")


def test_the_key_is_sent_and_is_in_nothing_that_is_kept(serve, monkeypatch):
    monkeypatch.setenv("STUB_KEY", KEY)
    target, server = serve(
        Reply(completion(f"Your key is {KEY}.", system_fingerprint=f"fp {KEY}")), api_key_env="STUB_KEY"
    )

    answered = target.ask(SAMPLE, ask(), limits=LIMITS)

    assert server.asked[0].authorization == f"Bearer {KEY}"
    assert answered.output == "Your key is [key]."
    assert KEY not in f"{answered} {target} {target.identity()}"
    assert target.identity()["config"]["api_key_env"] == "STUB_KEY"


def test_an_error_that_repeats_the_key_is_kept_without_it(serve, monkeypatch):
    monkeypatch.setenv("STUB_KEY", KEY)
    target, _ = serve(Reply({"error": {"code": "bad_key", "message": f"wrong: {KEY}"}}, 401), api_key_env="STUB_KEY")

    assert target.ask(SAMPLE, ask(), limits=LIMITS).detail == "status 401: bad_key: wrong: [key]"


@pytest.mark.parametrize(
    ("held", "url", "words"),
    [
        (None, "https://chat.example/v1", "STUB_KEY is not set"),
        ("short", "https://chat.example/v1", "what STUB_KEY holds is no key"),
        ("two lines\nof text", "https://chat.example/v1", "what STUB_KEY holds is no key"),
        (KEY, "http://chat.example/v1", "a key would travel for everybody to read"),
    ],
)
def test_a_key_that_cannot_be_used_is_refused_without_being_shown(monkeypatch, held, url, words):
    if held:
        monkeypatch.setenv("STUB_KEY", held)

    with pytest.raises(InputError, match=words) as refused:
        ChatTarget(url, "chat", api_key_env="STUB_KEY")

    assert held is None or held not in f"{refused.value} {refused.value.hint}"


def test_a_key_in_the_place_of_its_variable_is_refused_without_being_shown():
    with pytest.raises(InputError, match="expected the name of a variable, not a key") as refused:
        ChatTarget("https://chat.example/v1", "chat", api_key_env="sk-4711-secret")

    assert "4711" not in f"{refused.value} {refused.value.hint}"


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("chat.example", "is no address of a server"),
        ("http://[::1/v1", "an address that cannot be read"),
        ("http://[me:secret-word@::1]/v1", "an address that cannot be read|is no address of a server|has no place"),
        ("ftp://chat.example", "is no address of a server"),
        ("https://me:secret-word@chat.example", "a name or a password has no place"),
        ("https://chat.example/v1?key=secret-word", "a query has no place"),
        ("https://chat.example:99999/v1", "has no port"),
        ("https://chat.example/v 1", "a path that no request line can hold"),
    ],
)
def test_an_address_is_an_address_and_nothing_else(url, words):
    with pytest.raises(InputError, match=words) as refused:
        Endpoint.of(url)

    assert "secret-word" not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "private"),
    [
        ("https://chat.example", True),
        ("http://localhost:1", True),
        ("http://127.0.0.9", True),
        ("http://[::1]:8", True),
        ("http://10.0.0.1", False),
        ("http://chat.example", False),
    ],
)
def test_what_nobody_on_the_way_can_read(url, private):
    assert Endpoint.of(url).is_private == private


def test_the_documentation_names_every_trouble():
    text = (Path(__file__).parents[2] / "docs" / "target-protocol.md").read_text(encoding="utf-8")
    section = text.partition("## Chat endpoints")[2].partition("## Saved answers")[0]

    named = {words.partition(":")[0] for words in TROUBLES if not words.startswith("status")} | {"not reached"}
    assert [words for words in sorted(named) if f"`{words}`" not in section] == []


def test_another_model_prompt_or_parameter_is_another_target():
    said = {"url": "https://chat.example/v1", "model": "chat", "parameters": {"temperature": "0"}}
    changes = [{"model": "other"}, {"system": "Be brief."}, {"parameters": {"temperature": "1"}}]

    configs = [ChatTarget(**{**said, **change}).identity()["config"] for change in [{}, *changes]]

    assert len({str(config) for config in configs}) == 4
    assert configs[0]["url"] == "https://chat.example:443/v1"
