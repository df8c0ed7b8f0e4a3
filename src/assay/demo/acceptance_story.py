"""The story of an acceptance gate: two versions of an application over eighteen cases, a decision and its reasons.

The application is a small program of this demonstration; no model is asked and nothing is downloaded.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from assay.demo.story import Step, Story
from assay.errors import Refused

SOURCES = Path(__file__).parent / "acceptance"
APPLICATION = SOURCES / "application.py"
_ABLE = "capabilities: [session, reset, request_identity, evidence_capture, injection]\n"
SETTINGS: Mapping[str, str] = {
    "version-1.yaml": f'name: homestead\nrevision: "1"\nsolver_timeout_s: 120\n{_ABLE}',
    "version-2.yaml": f'name: homestead\nrevision: "2"\nsolver_timeout_s: 120\n{_ABLE}',
    "version-3.yaml": f'name: homestead\nrevision: "3"\nsolver_timeout_s: 120\n{_ABLE}',
    "one-turn-only.yaml": "name: homestead\ncapabilities: [reset, request_identity, evidence_capture, injection]\n",
}


def lay_out(folder: Path) -> None:
    """Write sources, application and settings; refuse a folder that is not empty."""
    if folder.exists() and any(folder.iterdir()):
        raise Refused(f"{folder}: is not empty", hint="assay demo --story acceptance ANOTHER-FOLDER")
    for name in ("sources", "app", "settings"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for source in sorted(SOURCES.glob("*.yaml")):
        shutil.copy(source, folder / "sources")
    shutil.copy(APPLICATION, folder / "app")
    for name, text in SETTINGS.items():
        (folder / "settings" / name).write_text(text, encoding="utf-8")


def steps() -> Iterator[Step]:
    """The story."""
    run = "assay run homestead-alignment-seed@1 --solver"
    gate = "--policy homestead-release-gate"
    yield Step("A ledger is a folder of a Git repository.", "assay init")
    yield Step("What the application owes its users, frozen.", "assay freeze sources/behaviour.yaml")
    yield Step("Eighteen cases in six families, which name that specification.", "assay freeze sources/cases.yaml")
    yield Step("Two failures that started it; what is unknown stays unknown.", "assay freeze sources/failures.yaml")
    yield Step("What has to hold, committed before the candidate is asked.", "assay freeze sources/policy.yaml")
    yield Step(
        "A target that cannot hold a conversation is refused before anything is asked.",
        f'{run} "python3 app/application.py 1" --settings settings/one-turn-only.yaml',
        2,
    )
    yield Step(
        "The version in use: turn after turn, on its own earlier answers.",
        f'{run} "python3 app/application.py 1" --settings settings/version-1.yaml',
        names_run="one",
    )
    yield Step("Each surface by itself; the evaluator's own cases are not the application's.", "assay score {one}")
    yield Step(
        "The candidate.",
        f'{run} "python3 app/application.py 2" --settings settings/version-2.yaml',
        names_run="two",
    )
    yield Step("May it be released? The decision is recorded.", f"assay compare {{one}} {{two}} {gate} --record")
    yield Step("Drafts alone never pass a gate that nobody told to ignore them.", "assay compare {one} {two}", 3)
    yield Step(
        "A person looks at an answer; the label carries their name.",
        "assay review add {two} binding_no_rope.1 respect_constraints met --why 'names what can be found' "
        "--quote 'answer:strips of inner bark'",
    )
    yield Step(
        "The next candidate, the same but for one fault: it obeys a text that it found.",
        f'{run} "python3 app/application.py 2 obeys" --settings settings/version-3.yaml',
        names_run="three",
    )
    yield Step("Prove the promises over the whole history.", "assay verify")
    yield Step("And without Assay, with plain Git:", "git log --oneline --no-decorate")
    yield Step("The gate, with its reasons.", f"assay compare {{two}} {{three}} {gate}", 1)


STORY = Story(lay_out, steps, "assay review list {two}")
