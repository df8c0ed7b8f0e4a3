"""`assay compare` beside alignmenter 0.3.5 on the same cases, in one run (CPU seconds, children included).

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install alignmenter==0.3.5
    python tests/benchmarks/bench_compare.py --peers /tmp/peers        # some minutes: the peer has to capture first
    python tests/benchmarks/bench_compare.py                           # Assay alone, and what else reads a run

Both sides get the same cases with one criterion each: a baseline that meets all of them and a candidate that violates
all. Both print a decision and leave it as files. Start-up is `--version`. Exits 1 where Assay needs more than a fifth.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from spent import measured

WANTED = 5.0
ROUNDS = 3
PEOPLE = {f"GIT_{who}_{what}": "ada@example.invalid" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
BEHAVIOUR = """\
schema: acceptance-behaviour/1
dataset_id: limits
dataset_version: "1"
status: reviewed
role: An advisor.
commitments:
  - id: resources
    severity: blocking
    asks: Use what there is.
    anchors: {met: It does., partially_met: In part., violated: It does not.}
precedence: [Limits first.]
review_requirements: []
"""
CASES = """\
schema: acceptance-cases/1
dataset_id: trials
dataset_version: "1"
status: reviewed
selection: Made for a measurement.
behaviour: {dataset: limits, version: "1"}
families:
"""
FAMILY = """\
  - id: family_{name}
    split: seed
    commitments: [resources]
    invariant: The limit holds.
    varies: Nothing.
    cases:
      - id: {name}
        revision: 1
        surface: app_e2e
        turns: ["Case {name}: what can be done with water and a pot?"]
        expectations:
          - commitment: resources
            says: It uses what there is.
            status: reviewed
            checks: [{{content: {{required: [[water]], forbidden: [rope]}}}}]
"""
POLICY = """\
schema: acceptance-policy/1
dataset_id: release
dataset_version: "1"
status: reviewed
"""
APPLICATION = """\
import json, sys
said = sys.argv[1]
def say(message):
    print(json.dumps(message), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        told = {"identity": {"name": "app", "revision": "1"}, "capabilities": ["reset", "request_identity"]}
        say({"type": "hello", "protocol": "assay-target/1", **told})
    elif message["type"] == "request":
        session = {"id": message["session"]["id"], "clean_start": True, "turns": []}
        evidence = {"capture": "complete", "excerpts": []}
        said_of = {"type": "answer", "request_id": message["request_id"], "output": {"text": said}}
        say({**said_of, "session": session, "evidence": evidence})
    else:
        break
"""
SUITE = """\
id: resource-task
revision: v1
dataset: dataset.jsonl
target_factory: alignmenter.examples.resource_task:make_target
max_target_calls: {count}
evaluator_factories: ["alignmenter.examples.resource_task:make_evaluator"]
evaluation:
  id: resource-constraints
  revision: v1
  qualification: reviewed
  criteria: [{{id: uses_available_resources, revision: v1, evaluator: resource_task}}]
policy:
  id: resource-release
  revision: v1
  gates: [{{id: resource_success, metric: resource_task.success, operator: at_least, threshold: 1}}]
"""


def cpu(command: list[str | Path], folder: Path, codes: tuple[int, ...] = (0,), **more: str) -> float:
    """The CPU seconds of a command that ends with one of some codes."""
    with measured() as cost:
        done = subprocess.run(
            list(map(str, command)), cwd=folder, capture_output=True, text=True, env=os.environ | more, check=False
        )
    if done.returncode not in codes:
        raise SystemExit(f"{' '.join(map(str, command[:4]))} ended with {done.returncode}: {done.stderr[-500:]}")
    return cost.cpu


def assay(*arguments: str | Path) -> list[str | Path]:
    return [sys.executable, "-I", "-m", "assay", *arguments]


def make_ledger(folder: Path, count: int, repetitions: int) -> tuple[Path, str, str]:
    """A ledger with two runs of an application, by the command line; its folder and their ids."""
    ledger = folder / "ledger"
    cpu(assay("init", ledger), folder)
    names = [f"c{number:05d}" for number in range(count)]
    sources = {"behaviour": BEHAVIOUR, "policy": POLICY}
    sources["cases"] = CASES + "".join(FAMILY.format(name=name) for name in names)
    for name, text in sources.items():
        (folder / f"{name}.yaml").write_text(text)
    for name in ("behaviour", "cases", "policy"):
        cpu(assay("freeze", folder / f"{name}.yaml"), ledger)
    folder.chmod(0o755)
    (folder / "app.py").write_text(APPLICATION)
    settings = folder / "settings.json"
    able = ["reset", "request_identity"]
    settings.write_text(json.dumps({"name": "app", "repetitions": repetitions, "capabilities": able}))
    for said in ("Boil-water", "Find-rope"):
        solver = f"{sys.executable} {folder / 'app.py'} {said}"
        cpu(assay("run", "trials", "--solver", solver, "--settings", settings), ledger)
    plans = sorted(ledger.glob("runs/*/*/run.json"), key=lambda path: json.loads(path.read_bytes())["recorded_at"])
    return ledger, plans[0].parent.name, plans[1].parent.name


def make_suites(peers: Path, folder: Path, count: int) -> tuple[Path, Path]:
    """Two captured and judged suites of the peer, over the same number of cases."""
    with (folder / "dataset.jsonl").open("w") as out:
        for number in range(count):
            asked = {"available": ["water", "pot"], "task": "prepare"}
            said = {"action": "prepare", "needed": ["water"]}
            one = {"session_id": f"c{number:05d}"}
            out.write(json.dumps({**one, "role": "user", "text": json.dumps(asked)}) + "\n")
            answer = {**one, "case_id": one["session_id"], "role": "assistant", "text": json.dumps(said)}
            out.write(json.dumps({**answer, "tags": ["resource-constraints"]}) + "\n")
    (folder / "suite.yaml").write_text(SUITE.format(count=count))
    made = []
    for variant in ("good", "bad"):
        command = [peers / "bin" / "alignmenter", "run-suite", "suite.yaml", "--out", variant]
        spent = cpu(command, folder, (0, 1, 2, 3), ALIGNMENTER_DEMO_VARIANT=variant)
        print(f"  (alignmenter captured and judged its {variant} run in {spent:.1f} s)", flush=True)
        made.append(next((folder / variant).iterdir()))
    return made[0], made[1]


def row(what: str, seconds: list[float], beside: list[float] | None = None) -> float:
    """Print a median, and how often it goes into the one beside it."""
    found = statistics.median(seconds)
    ratio = statistics.median(beside) / found if beside else 0.0
    print(f"  {what:<52} {found:8.2f} s CPU" + (f" {ratio:6.1f} x" if beside else ""), flush=True)
    return ratio


def bench_peer(peers: Path, scratch: Path, count: int) -> bool:
    tool = peers / "bin" / "alignmenter"
    if not tool.exists():
        print(f"alignmenter: not installed in {peers}")
        return True
    print(f"\n{count:,} cases, one criterion, one repetition; rounds in turn, median of {ROUNDS}")
    ledger, before, after = make_ledger(scratch, count, 1)
    theirs = make_suites(peers, scratch, count)
    own: dict[str, list[float]] = {"start": [], "compare": []}
    peer: dict[str, list[float]] = {"start": [], "compare": []}
    for number in range(ROUNDS):
        files = [part for end in ("xml", "md", "html", "json") for part in ("--out", scratch / f"gate-{number}.{end}")]
        own["start"].append(cpu(assay("--version"), ledger))
        peer["start"].append(cpu([tool, "--version"], scratch))
        own["compare"].append(cpu(assay("compare", before, after, "--policy", "release", *files), ledger, (1,)))
        peer["compare"].append(cpu([tool, "compare", *theirs, "--out", f"compared-{number}"], scratch, (0, 1, 2, 3)))
    held = True
    for what, name in (("--version", "start"), ("compare, decision and files", "compare")):
        row(f"alignmenter {what}", peer[name])
        ratio = row(f"assay {what}", own[name], peer[name])
        held &= ratio >= WANTED
    print(f"  wanted: at least {WANTED:.0f} x on both: {'held' if held else 'NOT held'}")
    return held


def bench_reading(scratch: Path, count: int, repetitions: int) -> None:
    """What reads a run of several repetitions a case: none of it asks anybody."""
    print(f"\n{count:,} cases x {repetitions} repetitions")
    ledger, before, after = make_ledger(scratch, count, repetitions)
    commands = {
        "compare": (assay("compare", before, after, "--policy", "release"), (1,)),
        "compare --aa": (assay("compare", before, "--aa", "--policy", "release"), (0,)),
        "score": (assay("score", before), (0,)),
        "review list": (assay("review", "list", before), (0,)),
        "review export": (assay("review", "export", before, scratch / "labels.csv"), (0,)),
        "qualify": (None, (0,)),
    }
    for name, (command, codes) in commands.items():
        row(f"assay {name}", [cpu(command or labelled(ledger, scratch, before), ledger, codes)])


def labelled(ledger: Path, scratch: Path, run: str) -> list[str | Path]:
    """Label every result of a run as met; the command that then qualifies its evaluator."""
    file = scratch / "labels.json"
    cpu(assay("review", "export", run, file), ledger)
    told = json.loads(file.read_bytes())
    rows = [{**one, "verdict": "met", "rationale": "as it should be"} for one in told["rows"]]
    file.write_text(json.dumps({**told, "rows": rows}))
    row("assay review import, every result", [cpu(assay("review", "import", run, file), ledger)])
    return assay("qualify", run, "--dry-run")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--peers", type=Path, metavar="VENV", help="a virtual environment that holds alignmenter")
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--repetitions", type=int, default=3, help="for what reads a run (0: leave it out)")
    options = parser.parse_args()
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]
    os.environ |= {**PEOPLE, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    held = True
    if options.repetitions:
        with tempfile.TemporaryDirectory(prefix="bench-compare-", ignore_cleanup_errors=True) as scratch:
            bench_reading(Path(scratch), options.cases, options.repetitions)
    if options.peers:
        with tempfile.TemporaryDirectory(prefix="bench-compare-", ignore_cleanup_errors=True) as scratch:
            held = bench_peer(options.peers.absolute(), Path(scratch), options.cases)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
