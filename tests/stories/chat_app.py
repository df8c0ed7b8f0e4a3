"""Suites of made-up cases for an application behind a chat endpoint, and a ledger in which they are frozen."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from assay.record.kinds import kind_of
from support.chat_server import Asked, Reply, completion

BEHAVIOUR = {
    "schema": "acceptance-behaviour/1",
    "dataset_id": "polite-behaviour",
    "dataset_version": "1",
    "status": "draft",
    "role": "A clerk who answers questions about doors.",
    "commitments": [
        {
            "id": "task_match",
            "asks": "Answers what was asked.",
            "anchors": {"met": "the door is named", "partially_met": "a door is named", "violated": "no door"},
            "severity": "blocking",
            "applies": "always",
        },
        {
            "id": "sources",
            "asks": "Cites what it was shown.",
            "anchors": {"met": "cited", "partially_met": "hinted", "violated": "invented"},
            "severity": "blocking",
            "applies": "always",
            "evidence": True,
        },
    ],
    "precedence": ["What was asked comes before how."],
    "review_requirements": [],
}
REMEMBERS = "I remember: "


def expectation(commitment="task_match"):
    return {
        "commitment": commitment,
        "says": "Names a door.",
        "checks": [{"content": {"required": [["door"]], "forbidden": ["window"]}}],
    }


def case(name, *turns, surface="app_e2e", commitment="task_match", **more):
    return {
        "id": name,
        "revision": 1,
        "surface": surface,
        "turns": list(turns),
        "expectations": [expectation(commitment)],
        **more,
    }


def doors(count, *, every_third_has_two_turns=False):
    """So many cases, each about a door of its own."""
    return [
        case(
            f"door_{n:02d}", f"Which door is {n}?", *(["And now?"] if every_third_has_two_turns and n % 3 == 0 else [])
        )
        for n in range(1, count + 1)
    ]


def cases_source(cases):
    return {
        "schema": "acceptance-cases/1",
        "dataset_id": "doors",
        "dataset_version": "1",
        "status": "draft",
        "behaviour": {"dataset": "polite-behaviour", "version": "1"},
        "selection": "made up",
        "families": [
            {
                "id": "doors",
                "split": "all",
                "commitments": ["task_match", "sources"],
                "invariant": "every answer names a door",
                "varies": "the door",
                "cases": list(cases),
            }
        ],
    }


def freeze(assay, folder: Path, cases) -> None:
    """Freeze the behaviour and these cases as `doors@1`."""
    for name, source in (("behaviour.json", BEHAVIOUR), ("cases.json", cases_source(cases))):
        (folder / name).write_text(json.dumps(source))
        frozen = assay("freeze", folder / name)
        assert frozen.code == 0, frozen.err


def settings(folder: Path, **said) -> Path:
    """A settings file for the chat endpoint."""
    file = folder / "settings.yaml"
    told = {"name": "clerk", "model": "chat", "solver_timeout_s": 20, **said}
    file.write_text("".join(f"{key}: {json.dumps(value)}\n" for key, value in told.items() if value is not None))
    return file


def answer(asked: Asked) -> Reply:
    """Names a door, and what the endpoint was sent before."""
    earlier = [text for role, text in asked.messages[:-1] if role == "assistant"]
    return Reply(completion(f"The door you asked for. {REMEMBERS}{' | '.join(earlier)}"))


def records(story, kind):
    """The records of a kind at HEAD."""
    return [one.document for one in story.ledger.at().entries("runs") if kind_of(one.document) == kind]


def observed(story):
    """The observations by sample id."""
    return {one["sample"]["id"]: one for one in records(story, "observation")}


def start(story, *arguments) -> subprocess.Popen:
    """Start a command as a process of its own."""
    command = [sys.executable, "-m", "assay", *map(str, arguments)]
    return subprocess.Popen(command, cwd=story.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def kill(process: subprocess.Popen) -> None:
    """End it as `kill -9` does, without any chance to tidy up, and wait for the end."""
    process.kill()
    process.communicate()
