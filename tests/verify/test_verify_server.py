"""Two people and a server: over file:// and git:// on loopback, with refused and accepted pushes, squash and revert."""

from __future__ import annotations

import socket
import subprocess
import time

import pytest

from assay.flows.hooks import install
from assay.verify.check import Options, check
from support.story import Story
from verify import making
from verify.telling import recorded

EDITED = making.JUDGED[making.EVALUATION].replace(b'"met"', b'"violated"')


@pytest.fixture
def daemon(story, tmp_path):
    """`git daemon` over the folder of the story, on a free port of loopback; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["--export-all", "--enable=receive-pack", "--reuseaddr", "--listen=127.0.0.1", f"--port={port}"]
    process = subprocess.Popen(["git", "daemon", *options, f"--base-path={story.root.parent}", str(story.root.parent)])
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
    yield f"git://127.0.0.1:{port}"
    process.terminate()
    process.wait()


def people(story, address: str) -> tuple[Story, Story]:
    """Two clones of a guarded server that has one recorded run."""
    server = story.bare("server.git")
    server.git("config", "receive.fsckObjects", "true")
    install(server.root)
    clones = []
    for name in ("ada", "ben"):
        clone = Story(story.root.parent / name, story.monkeypatch)
        story.git("clone", "-q", f"{address}/server.git", str(clone.root))
        clone.git("config", "gc.autoDetach", "false")
        clones.append(clone)
    recorded(clones[0])
    clones[0].git("push", "-q", "origin", "main")
    clones[1].git("pull", "-q", "--ff-only")
    return clones[0], clones[1]


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["file", "daemon"])
def test_two_people_record_merge_and_are_held_to_their_promises(story, request, transport):
    address = story.root.parent.as_uri() if transport == "file" else request.getfixturevalue("daemon")
    ada, ben = people(story, address)
    first, second = (making.run(making.FIXTURE, making.run_id(name, n)) for n, name in enumerate(("ada", "ben"), 2))

    ada.commit("record", first)
    ada.git("push", "-q", "origin", "main")
    ben.commit("record", second)
    assert ben.attempt("push", "-q", "origin", "main").returncode != 0
    ben.git("pull", "-q", "--no-rebase", "--no-edit")
    ben.git("push", "-q", "origin", "main")

    ada.git("pull", "-q", "--ff-only")
    ada.branch("feature")
    run = making.run_id("feature", 4)
    ada.commit("plan", making.run(making.FIXTURE, run))
    ada.commit("observe", making.observation(run, making.sample()))
    ada.git("push", "-q", "origin", "feature")
    ada.switch("main")
    ada.git("merge", "-q", "--squash", "feature")
    ada.commit("squash")
    ada.git("push", "-q", "origin", "main")

    ada.commit("edit", {making.EVALUATION: EDITED})
    told = ada.attempt("push", "-q", "origin", "main")
    assert told.returncode != 0 and making.EVALUATION in told.stderr.decode()
    ada.git("revert", "--no-edit", "HEAD")
    assert ada.attempt("push", "-q", "origin", "main").returncode != 0
    assert ada.attempt("push", "-q", "--force", "origin", "HEAD~4:main").returncode != 0

    ben.git("pull", "-q", "--ff-only")
    report = check(ben.ledger, Options())
    assert [(p.rule, p.weight) for p in report.problems] == [("planned-before-observed", "unproven")]
    assert report.exit_code == 0
