"""Play a complete story in a fresh ledger by running the very commands that it prints."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.errors import Inconclusive, Refused

DATASET = Path(__file__).parent / "dataset"
_RUN = re.compile(r"\d{4}-\d\d-\d\d-[a-z0-9-]+-[0-9a-f]{6}")

SETTINGS = {
    "open-network.yaml": "name: open\nsolver_network: on\n",
}


@dataclass(frozen=True)
class Step:
    """A sentence, the command that does it, and the exit code that the story expects (None: any).

    `shows` are the beginnings of the lines of output that matter here; None is all of it.
    """

    says: str
    command: str
    exit_code: int | None = 0
    names_run: str = ""
    shows: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Story:
    """What is laid out first, the steps, a command to look around with afterwards, and what it all came to."""

    lay_out: Callable[[Path], None]
    steps: Callable[[], Iterable[Step]]
    look: str
    moral: str = ""


def steps() -> Iterator[Step]:
    """The story. `{good}` and the like stand for the id of a run that an earlier step recorded."""
    yield Step("A ledger is a folder of a Git repository.", "assay init")
    yield Step("Freeze a dataset: its hash is public before any score.", "assay freeze sources/v1.0.0.yaml")
    run = "assay run two-repairs@1.0.0"
    yield Step(
        "Three seeds, a fresh process each, under controls.",
        f"{run} --solutions solutions/good --seeds 11,29,47 --temperature 0",
        names_run="good",
    )
    yield Step("The number, with its denominator and its spread.", "assay score {good}", None)
    yield Step("Look for the holdout where people and models can read it.", "assay scan two-repairs@1.0.0 docs")
    yield Step("Is it evidence? Every condition is printed with what shows it.", "assay publish {good}", None)
    yield Step(
        "A solver that is right by luck on some seeds.",
        f"{run} --solutions solutions/flaky --seeds 11,29,47 --temperature 0",
        names_run="flaky",
    )
    yield Step("The spread shows what a mean would hide.", "assay score {flaky}", None)
    yield Step(
        "A solver that cheats: exits early, overrides the test tool, compares equal to everything, copies the tests.",
        f"{run} --solutions solutions/cheating --seeds 11,29,47 --temperature 0",
        names_run="cheating",
    )
    yield Step("No cheat is met; honest code with a forbidden import leaves the surface.", "assay score {cheating}")
    yield Step(
        "One seed, temperature not recorded: an exploratory probe.",
        f"{run} --solutions solutions/good --seeds 11",
        names_run="probe",
    )
    yield Step("", "assay publish {probe}", 1)
    yield Step(
        "The network was open on a task that forbids it: an uncontrolled run.",
        f"{run} --solutions solutions/good --temperature 0 --settings settings/open-network.yaml",
        names_run="open",
    )
    yield Step("", "assay publish {open}", 1)
    yield Step(
        "A number without a frozen fixture is a demo note: there is nothing to pin.",
        "assay run two-repairs@9.9 --solutions solutions/good",
        2,
    )
    yield Step("Somebody quotes a prompt in a blog post.", "assay scan two-repairs@1.0.0 blog", 1)
    yield Step("From then on, scores of this fixture are contaminated.", "assay publish {flaky}", 1)
    yield Step("Prove the promises over the whole history.", "assay verify")
    yield Step("And without Assay, with plain Git:", "git log --oneline --no-decorate")


def play(folder: Path, say: Callable[[str], None], told: Story) -> int:
    """Play a story in a new folder; 0 when every step ended as told. Raise Refused when the folder is taken."""
    told.lay_out(folder)
    _found_repository(folder)
    say(f"A demonstration in {folder}. Every line that begins with $ can be repeated there by hand.")
    runs: dict[str, str] = {}
    for step in told.steps():
        command = step.command.format(**runs)
        say(f"\n{step.says}\n$ {command}" if step.says else f"\n$ {command}" if step.shows is None else f"$ {command}")
        ended = _run(command, folder)
        as_told = step.exit_code in (None, ended.returncode)
        if told_out := _told(ended, step.shows if as_told else None):
            say(told_out)
        if ended.returncode:
            say(f"(exit code {ended.returncode})")
        if not as_told:
            # Later steps build on this one; going on would only bury the reason.
            raise Inconclusive(
                f"the story stopped: {command}: exit code {ended.returncode}, expected {step.exit_code}",
                hint="assay doctor",
            )
        if step.names_run and (found := _RUN.search(ended.stdout)):
            runs[step.names_run] = found.group()
    if told.moral:
        say(f"\n{told.moral}")
    say(f"\nEverything is in {folder}: cd there and look around (assay log, {told.look.format(**runs)}).")
    return 0


def _told(ended: subprocess.CompletedProcess[str], shows: tuple[str, ...] | None) -> str:
    """What a command said, or the lines of it that matter."""
    said = ended.stdout.rstrip("\n") + (f"\n{ended.stderr.rstrip()}" if ended.returncode and ended.stderr else "")
    if shows is None:
        return said
    return "\n".join(line for line in said.split("\n") if line.startswith(shows))


def furnish(folder: Path) -> None:
    """Lay out sources, solutions, settings, a docs folder that is clean and a blog that quotes a prompt.

    Raise Refused when the folder is not empty.
    """
    if folder.exists() and any(folder.iterdir()):
        raise Refused(f"{folder}: is not empty", hint="assay demo ANOTHER-FOLDER")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(DATASET, folder / "sources", ignore=shutil.ignore_patterns("solutions", "__pycache__"))
    shutil.copytree(DATASET / "solutions", folder / "solutions", ignore=shutil.ignore_patterns("__pycache__"))
    prompt = next((DATASET / "prompts").glob("*.md")).read_text(encoding="utf-8")
    for name, text in {
        "docs/guide.md": "# Guide\n\nHow we evaluate: frozen fixtures, three seeds, published hashes.\n",
        "blog/post.md": f"# What we asked the model\n\n{prompt}\n",
        **{f"settings/{name}": text for name, text in SETTINGS.items()},
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def _found_repository(folder: Path) -> None:
    """A repository to play in; where the user has no identity yet, it gets one of its own."""
    _run("git init --quiet --initial-branch=main", folder)
    if _run("git config user.email", folder).returncode:
        _run("git config user.name 'Assay Demo'", folder)
        _run("git config user.email demo@example.invalid", folder)


def _run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command line of the story; `assay` is this very installation."""
    program, *arguments = shlex.split(command)
    argv = [sys.executable, "-I", "-m", "assay"] if program == "assay" else [program]
    variables = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(
        [*argv, *arguments], cwd=folder, env=variables, capture_output=True, encoding="utf-8", check=False
    )


STORY = Story(furnish, steps, "assay explain {good}")
