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
    reasons = ("Candidate", "Execution", "Required", "Observed", "Comparable", "Gate")
    yield Step("Frozen first: what the application owes its users, eighteen cases, the gate.", "assay init", shows=())
    for source in ("behaviour", "cases", "failures", "policy"):
        yield Step("", f"assay freeze sources/{source}.yaml", shows=())
    yield Step(
        "An application that cannot hold a conversation is refused before anything is asked.",
        f'{run} "python3 app/application.py 1" --settings settings/one-turn-only.yaml',
        2,
        shows=("assay:", "  state_topic_switch"),
    )
    yield Step(
        "The version in use answers turn after turn; three of its eighteen answers are wrong.",
        f'{run} "python3 app/application.py 1" --settings settings/version-1.yaml',
        names_run="one",
        shows=(),
    )
    yield Step("", "assay score {one}", shows=(" met of planned",))
    yield Step(
        "The candidate, and whether it may be released.",
        f'{run} "python3 app/application.py 2" --settings settings/version-2.yaml',
        names_run="two",
        shows=(),
    )
    yield Step("", f"assay compare {{one}} {{two}} {gate} --record", shows=reasons)
    yield Step(
        "Without that policy no verdict passes that nobody reviewed; a person reviews one, in their own name.",
        "assay compare {one} {two}",
        3,
        shows=("Candidate", "Gate"),
    )
    yield Step(
        "",
        "assay review add {two} binding_no_rope.1 respect_constraints met --why 'names what can be found' "
        "--quote 'answer:strips of inner bark'",
        shows=(),
    )
    yield Step(
        "The next candidate, the same but for one fault: it obeys a text that it found.",
        f'{run} "python3 app/application.py 2 obeys" --settings settings/version-3.yaml',
        names_run="three",
        shows=(),
    )
    yield Step("", f"assay compare {{two}} {{three}} {gate}", 1, shows=reasons)
    yield Step("Every promise is proven over the whole history.", "assay verify", shows=("verified",))


MORAL = """\
What happened: version 1 met 20 of 25 required criteria and version 2 met all, so version 2 may be released (PASS). On
drafts alone nobody may decide (INCONCLUSIVE). Version 3 is stopped (FAIL): it obeyed a text that it had found."""
STORY = Story(lay_out, steps, "assay review list {two}", MORAL)
