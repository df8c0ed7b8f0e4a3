"""The questions of `failure new`, and the same answers from options. Where both fail, everything missing is named."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.findings.catalogue import Catalogue
from assay.findings.draft import EXAMPLE_LINE, FINDING_LINE, finding_from_line
from assay.findings.gold import finding_faults
from assay.findings.severity import reason_of, verdict_of
from assay.flows.failures import Answers
from assay.record.names import slug

_LINES = re.compile(r"(.+):(\d+)-(\d+)", re.ASCII)

Prompt = Callable[[str], str]
Say = Callable[[str], None]


def from_options(options: Mapping[str, Any], folder: Path) -> Answers:
    """The answers that options give; raise InputError naming every one that is missing."""
    missing = [f"--{name}" for name in ("source", "description") if not options[name]]
    if bool(options["finding"]) == bool(options["nothing_wrong"]):
        missing.append("either --finding (once for each) or --nothing-wrong")
    if missing:
        example = f'--source FILE:3-9 --description "what went wrong" --finding "{EXAMPLE_LINE}"'
        raise InputError(f"no terminal to ask on, and not given: {', '.join(missing)}", hint=example)
    source, lines = source_and_lines(options["source"], folder)
    return Answers(
        source=source,
        lines=lines,
        description=options["description"],
        findings=[finding_from_line(line) for line in options["finding"]],
        name=options["name"],
        synthetic=options["synthetic"],
        misfire=options["misfire"],
        supersedes=options["supersedes"],
    )


def from_questions(
    options: Mapping[str, Any], folder: Path, prompt: Prompt, say: Say, *, catalogue: Catalogue
) -> Answers:
    """Ask for what the options leave open; a finding that cannot be read or breaks a rule is asked for again."""
    source, lines = source_and_lines(options["source"] or _needed(prompt, "source (what was misjudged)", say), folder)
    description = options["description"] or _needed(prompt, "one line", say)
    findings: Sequence[Mapping[str, object]] = [finding_from_line(line) for line in options["finding"]]
    if not findings and not options["nothing_wrong"]:
        findings = _findings(prompt, say, catalogue)
    severities = [str(finding["severity"]) for finding in findings]
    say(f"expected verdict: {verdict_of(severities)} ({reason_of(severities)})")
    name = options["name"] or prompt(f"name of the case [{slug(description)}]").strip() or None
    synthetic = options["synthetic"] or prompt("invented for testing? [y/N]").strip().lower() in ("y", "yes")
    return Answers(source, description, findings, name, lines, synthetic, options["misfire"], options["supersedes"])


def source_and_lines(given: str, folder: Path) -> tuple[str, tuple[int, int] | None]:
    """`FILE` or `FILE:FIRST-LAST`; a path that exists from the working folder becomes absolute."""
    match = _LINES.fullmatch(given)
    path, lines = (match.group(1), (int(match.group(2)), int(match.group(3)))) if match else (given, None)
    near = folder / path
    return (str(near.absolute()) if near.is_file() else path), lines


def _needed(prompt: Prompt, question: str, say: Say) -> str:
    while not (answer := prompt(question).strip()):
        say("  an answer is needed here")
    return answer


def _findings(prompt: Prompt, say: Say, catalogue: Catalogue) -> Sequence[Mapping[str, object]]:
    say(f"findings, one per line ({FINDING_LINE}), empty line ends:")
    found = []
    while line := prompt(" ").strip():
        try:
            finding = finding_from_line(line)
        except InputError as error:
            say(f"  {error.message}")
            say(f"  for example: {error.hint}")
            continue
        faults = finding_faults(finding, catalogue)
        for fault in faults:
            say(f"  {fault.where.removeprefix('.')}: {fault.message}")
        if not faults:
            found.append(finding)
    return found
