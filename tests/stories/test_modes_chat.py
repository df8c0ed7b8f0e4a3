"""Tasks put to a model behind a chat endpoint: every draw is a request of its own, with the registered messages."""

from __future__ import annotations

import pytest

from assay.modes.generate import build, certify
from assay.record.kinds import kind_of
from support.chat_server import ChatServer, Reply, completion

pytestmark = pytest.mark.slow
ROWS = build.split(1, "graph_coloring", "eval", 2)


@pytest.fixture
def server(tmp_path):
    """A model that gives two modes of every task in turn."""
    modes = {row.problem: [key.split(":")[1] for key in certify.support("graph_coloring", row.answer)] for row in ROWS}

    def rule(asked):
        draw = int(asked.request_id.rpartition(".")[2])
        return Reply(completion(modes[asked.text][draw % 2]))

    serving = ChatServer(rule, tmp_path / "log.jsonl")
    yield serving
    serving.close()


@pytest.fixture
def settings(tmp_path):
    def write(text):
        file = tmp_path / "settings.yaml"
        file.write_text(text)
        return file

    return write


def test_draws_of_an_endpoint_are_judged_and_scored(story, assay, two_tasks, server, settings):
    told = settings("model: chat\ndraws: 4\nsplits: [level1_graph_coloring/eval]\nmin_defined_prompts: 2\n")

    ran = assay(
        "run", two_tasks, "--solver", f"openai:{server.url}", "--seeds", "1", "--temperature", "1", "--settings", told
    )

    assert ran.code == 0, ran.err
    (run,) = [e.document for e in story.ledger.at().entries("runs") if kind_of(e.document) == "run"]
    assert (run["target"]["kind"], run["generation"]["temperature"]) == ("http", "1")
    assert len(set(server.request_ids)) == len(server.asked) == 8
    assert {role for one in server.asked for role, _ in one.messages} == {"system", "user"}
    (cell,) = assay("score", ran.run, "--format", "json").json["details"]["cells"]
    assert (cell["accuracy"], cell["distinct_at_k"]) == ("1", "2")
    assert assay("verify").code == 0


def test_tasks_have_no_conversation_to_replay_and_no_system_text(assay, two_tasks, server, settings, tmp_path):
    replayed = assay("run", two_tasks, "--solver", f"replay:{tmp_path}", "--settings", settings("draws: 1\n"))
    worded = settings("model: chat\ndraws: 1\nsystem: Be brief.\n")
    other = assay("run", two_tasks, "--solver", f"openai:{server.url}", "--settings", worded)

    assert (replayed.code, other.code, server.asked) == (2, 2, [])
    assert "what is replayed are conversations of applications" in replayed.err
    assert "system: a setting of acceptance runs" in other.err
