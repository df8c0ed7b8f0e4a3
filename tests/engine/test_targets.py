"""Targets over assay-target/1: a tiny solver from the documentation, and a peer that misbehaves in every named way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from engine_stories import living

from assay.contract.jobs import Limits
from assay.contract.steps import Ask, Sample
from assay.engine.isolation import Isolation
from assay.engine.targets import CommandTarget, FolderTarget, SessionTarget
from assay.errors import InputError

SAMPLE = Sample(1, "fix-window.11", "fix-window", {"seed": 11})
ASK = Ask(1, {"prompt": "Write window.py", "expected_files": ["window.py"]}, files={"notes.txt": b"read me\n"})
LIMITS = Limits(10_000)

PEER = r"""
import json, os, sys, time

def say(**message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()

def hello():
    say(type="hello", protocol="assay-target/1", identity={"name": "peer", "revision": "7"}, capabilities=["session"])

def requests():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            hello()
        elif message["type"] == "request":
            yield message

def answer(message, output="ok", **more):
    say(type="answer", request_id=message["request_id"], output=output, **more)

"""


@pytest.fixture
def command(isolation, tmp_path):
    """Make a CommandTarget of Python source that is put after the peer's prelude."""
    if not isolation.usable:
        pytest.skip("neither a sandbox nor an unprivileged user can be had here")
    targets = []

    def make(source: str, kind=CommandTarget, **more):
        script = tmp_path / f"peer{len(targets)}.py"
        script.write_text(PEER + source)
        tmp_path.chmod(0o755)
        target = kind(["python3", str(script)], isolation, **more)
        targets.append(target)
        return target

    yield make
    for target in targets:
        target.close()


def test_the_solver_of_the_documentation_solves(isolation, tmp_path):
    text = (Path(__file__).parents[2] / "docs" / "target-protocol.md").read_text(encoding="utf-8")
    (tmp_path / "solver.py").write_text(re.search(r"```python\n(.*?)```", text, re.DOTALL).group(1))
    target = CommandTarget(["python3", str(tmp_path / "solver.py")], isolation)

    answered = target.ask(SAMPLE, ASK, limits=LIMITS)
    target.close()

    assert (answered.status, answered.output, answered.usage) == ("completed", "done", {"calls": 1})
    assert answered.files["window.py"] == b"def answer():\n    return 42\n"
    assert answered.failure_owner is None


def test_a_solver_sees_its_prompt_and_files_and_nothing_of_this_machine(command, isolated, tmp_path, monkeypatch):
    (tmp_path / "ledger.json").write_text("{}")
    monkeypatch.setenv("TOKEN_PASSED", "yes")
    monkeypatch.setenv("TOKEN_KEPT", "no")
    source = (
        f"for m in requests(): answer(m, dict(cwd=sorted(os.listdir('.')), ledger=os.path.exists({str(tmp_path)!r}),"
        " passed=os.environ.get('TOKEN_PASSED'), kept=os.environ.get('TOKEN_KEPT'), path=sys.argv[0]))"
    )

    answered = command(source, pass_env=["TOKEN_PASSED"]).ask(SAMPLE, ASK, limits=LIMITS)

    assert answered.output == {
        "cwd": ["notes.txt", "prompt.md"],
        "ledger": False,
        "passed": "yes",
        "kept": None,
        "path": "/opt/target/0/peer0.py",
    }


def test_only_regular_files_come_back_and_links_are_named(command):
    source = (
        "for m in requests():\n"
        "    os.mkdir('d'); open('d/a.bin', 'wb').write(b'\\xff')\n"
        "    os.symlink('/etc/hostname', 'link'); os.mkfifo('pipe')\n"
        "    answer(m)\n"
    )

    answered = command(source).ask(SAMPLE, ASK, limits=LIMITS)

    assert answered.status == "completed"
    assert set(answered.files) == {"d/a.bin", "notes.txt", "prompt.md"}
    assert answered.files["d/a.bin"] == b"\xff"
    assert "link (a symbolic link)" in answered.detail
    assert "pipe (a pipe)" in answered.detail


def test_a_later_turn_starts_from_what_the_last_one_left(command):
    target = command("for m in requests():\n    open(f'turn{m[\"turn\"]}', 'w'); answer(m, sorted(os.listdir('.')))\n")

    first = target.ask(SAMPLE, ASK, limits=LIMITS)
    second = target.ask(SAMPLE, Ask(2, {"feedback": "again"}), limits=LIMITS)

    assert "turn1" in first.files
    assert second.output == ["notes.txt", "prompt.md", "turn1", "turn2"]


def test_numbers_with_a_fraction_keep_their_digits(command):
    source = "for m in requests(): answer(m, {'cost': 0.10}, usage={'cost_usd': 0.25, 'tokens': 3})"

    answered = command(source).ask(SAMPLE, ASK, limits=LIMITS)

    assert answered.output == {"cost": "0.1"}
    assert answered.usage == {"cost_usd": "0.25", "tokens": 3}


def test_folders_too_deep_to_walk_are_named_and_do_no_harm(command):
    source = "for m in requests():\n    [(os.mkdir('d'), os.chdir('d')) for _ in range(1500)]\n    answer(m)\n"

    answered = command(source).ask(SAMPLE, ASK, limits=LIMITS)

    assert answered.status == "completed"
    assert "a folder too deep" in answered.detail


TROUBLES = {
    "silence": ("for m in requests(): time.sleep(60)", "timed_out", "model"),
    "silence: it does not read": ("time.sleep(60)", "timed_out", "model"),
    "early exit: exit code 3": ("next(requests()); print('no key', file=sys.stderr); sys.exit(3)", "error", "model"),
    "early exit: signal 9": ("next(requests()); os.kill(os.getpid(), 9)", "error", "model"),
    "garbage: a line that is not JSON": ("for m in requests(): print('working on it', flush=True)", "error", "model"),
    "garbage: a line with a repeated key": ('print(\'{"type":1,"type":2}\', flush=True)', "error", "model"),
    "garbage: a line that is not UTF-8": ("os.write(1, b'\\xff\\n')", "error", "model"),
    "garbage: unknown type": ("say(type='progress')", "error", "model"),
    "garbage: hello for protocol": ("say(type='hello', protocol='assay-target/9')", "error", "model"),
    "garbage: a second hello": ("for m in requests(): hello()", "error", "model"),
    "garbage: usage is": ("for m in requests(): answer(m, usage=[1])", "error", "model"),
    "garbage: a line that no record can hold": ("print('[' * 70 + ']' * 70, flush=True)", "error", "model"),
    "no hello": ("say(type='answer', request_id='x', output=1)", "error", "model"),
    "wrong id": ("for m in requests(): say(type='answer', request_id='other', output=1)", "error", "model"),
    "duplicate": ("for m in requests(): answer(m); answer(m)", "error", "model"),
    "long line": ("for m in requests(): os.write(1, b'x' * (9 << 20))", "limit", "model"),
    "output flood": ("for m in requests():\n  while True: os.write(1, b' ' * 65535 + b'\\n')", "limit", "model"),
    "stderr flood": ("for m in requests():\n  while True: os.write(2, b'x' * 65536)", "limit", "model"),
    "refused: not this": ("for m in requests(): ERROR(m, 'refused', 'not this')", "refused", "model"),
    "unavailable: down": ("for m in requests(): ERROR(m, 'unavailable', 'down')", "error", "model"),
    "left more than": (
        "for m in requests():\n  [open(f'f{i}', 'w') for i in range(600)]\n  answer(m)",
        "limit",
        "model",
    ),
}
ERROR = "ERROR = lambda m, code, text: say(type='error', request_id=m['request_id'], code=code, message=text)\n"


@pytest.mark.parametrize("words", TROUBLES)
def test_every_trouble_has_its_own_outcome(command, words):
    source, status, owner = TROUBLES[words]
    limits = Limits(1_200 if status == "timed_out" else 20_000)

    answered = command(ERROR + source).ask(SAMPLE, ASK, limits=limits)

    assert (answered.status, answered.failure_owner) == (status, owner), answered.detail
    assert words.split(": it does")[0] in answered.detail
    assert answered.files == {}


def test_the_last_words_on_stderr_are_quoted(command):
    source = "next(requests()); print('no API key', file=sys.stderr); sys.exit(3)"

    assert "no API key" in command(source).ask(SAMPLE, ASK, limits=LIMITS).detail


def test_a_command_that_cannot_be_started_is_the_harness_users_matter(isolation):
    target = CommandTarget(["no-such-program-anywhere"], isolation)

    answered = target.ask(SAMPLE, ASK, limits=LIMITS)
    target.close()

    assert (answered.status, answered.failure_owner) == ("error", "harness")
    assert "not started" in answered.detail


def test_an_empty_command_or_a_missing_folder_is_refused_at_once(isolation, tmp_path):
    with pytest.raises(InputError, match="empty"):
        CommandTarget([], isolation)
    with pytest.raises(InputError, match="do not exist"):
        CommandTarget(["python3"], isolation, reads=[tmp_path / "gone"])


def test_a_folder_in_reads_is_seen_and_cannot_be_written(command, tmp_path, isolated):
    folder = tmp_path / "agent"
    folder.mkdir(mode=0o755)
    (folder / "neighbour.py").write_text("WORD = 'seen'\n")
    (folder / "main.py").write_text(
        PEER + "import neighbour\nfor m in requests():\n"
        "    answer(m, [neighbour.WORD, os.access('/opt/target/0/agent', os.W_OK)])\n"
    )
    target = CommandTarget(["python3", str(folder / "main.py")], isolated, reads=[folder])

    answered = target.ask(SAMPLE, ASK, limits=LIMITS)
    target.close()

    assert answered.output == ["seen", False]


def test_a_child_of_a_solver_does_not_survive_the_answer(command):
    source = (
        "import subprocess\nsleeper = [sys.executable, '-c', 'import time; time.sleep(40)', 'MARK-SOLVER']\n"
        "for m in requests():\n"
        "    subprocess.Popen(sleeper, start_new_session=True)\n"
        "    answer(m)\n"
    )

    answered = command(source).ask(SAMPLE, ASK, limits=LIMITS)

    assert answered.status == "completed"
    assert living("MARK-SOLVER") == []


def test_the_identity_names_the_command_without_paths_of_this_machine(command, tmp_path):
    identity = command("", revision="r1").identity()

    assert (identity["name"], identity["revision"], identity["kind"]) == ("peer0.py", "r1", "command")
    assert str(tmp_path) not in str(identity)


@pytest.mark.parametrize("nested", [False])
def test_a_solver_works_in_a_sandbox_of_its_own_too(isolated, tmp_path, nested):
    script = tmp_path / "peer.py"
    script.write_text(PEER + "for m in requests(): open('window.py', 'w').write('x'); answer(m)")
    weaker = Isolation(isolated.name, isolated.uid, nested, isolated.facts)
    target = CommandTarget(["python3", str(script)], weaker)

    answered = target.ask(SAMPLE, ASK, limits=LIMITS)
    target.close()

    assert (answered.status, answered.files["window.py"]) == ("completed", b"x")


COUNTS = (
    "seen = {}\nfor m in requests():\n    s = m['session']\n    if s['start']: seen[s['id']] = 0\n"
    "    seen[s['id']] += 1\n    answer(m, [os.getpid(), seen[s['id']], m['input'].get('files')])\n"
)


def other(name: str) -> Sample:
    return Sample(2, name, "i", {"seed": 1})


def test_a_session_target_keeps_one_process_for_turns_and_sessions(command):
    target = command(COUNTS, kind=SessionTarget)

    answers = [
        target.ask(other(name), Ask(turn, {}, files={"a": b"x"}), limits=LIMITS)
        for name, turn in (("a", 1), ("b", 1), ("a", 2))
    ]

    assert [answer.output[1] for answer in answers] == [1, 1, 2]
    assert len({answer.output[0] for answer in answers}) == 1
    assert answers[0].output[2] == {"a": "x"}
    assert target.identity()["name"] == "peer"
    assert target.identity()["capabilities"] == ["session"]


STALE = "last = None\nfor m in requests():\n    answer(last or m)\n    last = m\n"


def test_an_answer_to_an_earlier_request_is_stale_and_the_next_session_gets_a_new_process(command):
    target = command(STALE, kind=SessionTarget)

    first, second, third = (target.ask(other(name), Ask(1, {}), limits=LIMITS) for name in "abc")

    assert first.status == "completed"
    assert second.detail.startswith("stale id")
    assert third.status == "completed"


def test_a_second_answer_is_noticed_at_the_next_request(command):
    target = command("for m in requests(): answer(m); answer(m); time.sleep(0.05)", kind=SessionTarget)

    first = target.ask(other("a"), Ask(1, {}), limits=LIMITS)
    second = target.ask(other("a"), Ask(2, {}), limits=LIMITS)

    assert first.status == "completed"
    assert second.status == "error"
    assert second.detail.startswith(("duplicate", "stale id"))


def test_a_session_that_falls_silent_times_out_and_the_next_one_works(command):
    source = "for m in requests():\n    if m['input'].get('hang'): time.sleep(60)\n    answer(m)\n"
    target = command(source, kind=SessionTarget)

    hung = target.ask(other("a"), Ask(1, {"hang": True}), limits=Limits(700))
    fine = target.ask(other("b"), Ask(1, {}), limits=LIMITS)

    assert (hung.status, fine.status) == ("timed_out", "completed")


def test_a_hello_is_heard_before_anything_is_asked(command):
    target = command("for m in requests(): answer(m, os.getpid())", kind=SessionTarget)

    target.greet(limits=LIMITS)
    told = target.identity()

    assert (told["name"], told["revision"], told["capabilities"]) == ("peer", "7", ["session"])
    assert told["config"]["capabilities"] == ["session"]
    assert told["config"]["identity"] == {"name": "peer", "revision": "7"}
    assert target.ask(other("a"), Ask(1, {}), limits=LIMITS).status == "completed"
    assert target.identity() == told


def test_a_command_that_gives_no_hello_is_named_with_what_it_did(command):
    target = command("print('usage: peer FILE', file=sys.stderr); sys.exit(2)", kind=SessionTarget)

    with pytest.raises(InputError, match=r"peer0.py: early exit: exit code 2 .*usage: peer FILE"):
        target.greet(limits=LIMITS)


CHANGES = (
    "def hello(): say(type='hello', protocol='assay-target/1', identity={'started': time.time_ns()}, capabilities=[])\n"
    "for m in requests():\n    answer(m)\n    sys.exit()\n"
)


def test_a_process_that_is_started_anew_has_to_be_the_target_that_was_met(command):
    target = command(CHANGES, kind=SessionTarget)
    target.greet(limits=LIMITS)

    answers = [target.ask(other(name), Ask(1, {}), limits=LIMITS) for name in "abc"]

    assert answers[0].status == "completed"
    assert "another target: its hello is not the one that it gave first" in {one.detail for one in answers[1:]}


@pytest.fixture
def solutions(tmp_path):
    for path, text in {"one/11/a.py": "11", "one/any/a.py": "any", "one/any/sub/b.py": "b"}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return FolderTarget(tmp_path)


@pytest.mark.parametrize(("seed", "files"), [(11, {"a.py": b"11"}), (29, {"a.py": b"any", "sub/b.py": b"b"})])
def test_a_folder_answers_with_the_solution_of_the_seed_or_of_any(solutions, seed, files):
    answered = solutions.ask(Sample(1, "one", "one", {"seed": seed}), ASK, limits=LIMITS)

    assert (answered.status, answered.files) == ("completed", files)


@pytest.mark.parametrize("item", ["two", "../one", ".", "a/b"])
def test_a_missing_solution_is_an_answer_without_files_that_names_item_and_seed(solutions, item):
    answered = solutions.ask(Sample(1, "s", item, {"seed": 3}), ASK, limits=LIMITS)

    assert (answered.status, answered.files) == ("completed", {})
    assert answered.detail == f"no solution for item {item} seed 3"


def test_a_changed_solution_is_a_changed_target(solutions, tmp_path):
    before = solutions.identity()["config"]
    (tmp_path / "one" / "any" / "a.py").write_text("other")

    assert solutions.identity()["config"] != before


def test_a_folder_that_does_not_exist_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="no such folder"):
        FolderTarget(tmp_path / "gone")
