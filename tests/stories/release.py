"""Three independent cases with one blocking criterion each, and how their application can be made to answer."""

from __future__ import annotations

import json
import sys
from pathlib import Path

APP = Path(__file__).parent / "told_app.py"
CASES = ("a", "b", "c")
MET, PARTLY, VIOLATED = "It holds.", "It may hold.", "It does not hold, break it."

BEHAVIOUR = """\
schema: acceptance-behaviour/1
dataset_id: limits
dataset_version: "1"
status: reviewed
role: An advisor.
commitments:
  - {id: respect_constraints, severity: blocking, evidence: true, asks: Keep to the limits., anchors:
      {met: It does., partially_met: In part., violated: It does not.}}
  - {id: hazard_in_step, severity: blocking_when_applicable, applies: reviewed_hazard, asks: Say the danger.,
     anchors: {met: It does., partially_met: In part., violated: It does not.}}
precedence: [Limits first.]
review_requirements:
  - A product owner reviews the commitments.
  - {reviewer: domain_reviewer, commitments: [hazard_in_step], says: The field says which hazards there are.}
"""
CASE = """\
  - id: family_{id}
    split: seed
    commitments: [respect_constraints, hazard_in_step]
    invariant: The limit holds.
    varies: The case.
    cases:
      - id: {id}
        revision: 1
        surface: app_e2e
        tags: [{tag}]
        turns: ["Case {id}?"]
        expectations:
          - commitment: {commitment}
            says: It holds.
            status: {status}
            checks: [{{content: {{required: [[holds]], forbidden: [break]}}}}]
            {more}
"""
HAZARD = "hazard: {action: Cutting., precaution: Cut away from the hand., reviewed: true}"


def cases(*, drafts=(), hazards=(), version="1"):
    """The source of the cases; `drafts` have an expectation that nobody reviewed, `hazards` are about a danger."""
    listed = [
        CASE.format(
            id=name,
            tag="wet" if name == "a" else "dry",
            commitment="hazard_in_step" if name in hazards else "respect_constraints",
            status="draft" if name in drafts else "reviewed",
            more=HAZARD if name in hazards else "",
        )
        for name in CASES
    ]
    head = f'schema: acceptance-cases/1\ndataset_id: trials\ndataset_version: "{version}"\nstatus: reviewed\n'
    return f'{head}selection: Chosen.\nbehaviour: {{dataset: limits, version: "1"}}\nfamilies:\n{"".join(listed)}'


def policy(rules="", name="release", version="1"):
    """A policy with further rules."""
    head = f'schema: acceptance-policy/1\ndataset_id: {name}\ndataset_version: "{version}"\nstatus: reviewed\n'
    return f"{head}{rules}\n"


def freeze(assay, folder, **sources):
    """Freeze sources by their file names."""
    for name, text in sources.items():
        file = folder / f"{name}.yaml"
        file.write_text(text)
        frozen = assay("freeze", file)
        assert frozen.code == 0, frozen.err


def tried(assay, folder, revision="1", repetitions=1, fixture="trials@1", **verdicts):
    """Run an application that answers each case as told, from the command line; the run's id.

    A list answers one repetition after the other; `timed_out` never answers, `unknown: …` does not capture.
    """
    told_folder = folder / "told"
    told_folder.mkdir(exist_ok=True)
    told_folder.chmod(0o755)
    answers = told_folder / f"{revision}.json"
    answers.write_text(json.dumps(verdicts))
    settings = folder / f"settings-{revision}.json"
    told = {"name": "told", "revision": revision, "cases": sorted(verdicts), "repetitions": repetitions}
    told |= {"capabilities": ["reset", "request_identity"], "solver_timeout_s": 1, "reads": [str(told_folder)]}
    settings.write_text(json.dumps(told))
    ran = assay("run", fixture, "--solver", f"{sys.executable} {APP} {answers}", "--settings", settings)
    assert ran.code in (0, 3), ran.err
    return ran.run
