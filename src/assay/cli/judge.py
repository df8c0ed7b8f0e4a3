"""Turn options and settings into the judge of a run, met and ready to be asked."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from assay.cli.output import tell
from assay.cli.typed import words_in
from assay.contract.jobs import Limits, Network
from assay.engine.judge_target import JudgeTarget
from assay.errors import InputError
from assay.flows.budget import judge_calls
from assay.flows.judge_means import JudgeMeans, recall_judge
from assay.flows.judges import is_planned, meet
from assay.flows.preferences import preferences
from assay.flows.settings import Settings
from assay.flows.work import Bench
from assay.store.ledger import Ledger

JUDGE = click.option("--judge", metavar="COMMAND", help="A command that judges what no check decides.")
MORE_JUDGE_CALLS = click.option(
    "--more-judge-calls",
    type=click.IntRange(min=1),
    metavar="N",
    help="Let its judge be asked N times more, on record.",
)


SUITE = "acceptance"


def judge_means(named: str | None, settings: Settings, suite: str) -> JudgeMeans | None:
    """How a judge is reached by the command that names it; None where none is named."""
    if named is None:
        return None
    if suite != SUITE:
        raise InputError(f"--judge: a run of the {suite} suite leaves nothing to a judge", hint="leave it out")
    words = words_in(named)
    if not words or shutil.which(words[0]) is None:
        raise InputError(f"--judge: {words[0] if words else 'nothing'}: command not found", hint="give its path")
    return JudgeMeans(
        command=named,
        name=settings.judge_name,
        revision=settings.judge_revision,
        network=settings.judge_network,
        pass_env=settings.judge_pass_env,
        reads=tuple(str(Path(folder).resolve()) for folder in settings.judge_reads),
        timeout_s=settings.judge_timeout_s,
        memory_mib=settings.memory_mib,
        bound=settings.judge_cost_micros_per_call,
    )


def given_judge(ledger: Ledger, run: Mapping[str, Any], command: str | None, settings: Settings) -> JudgeMeans | None:
    """How the judge is reached that is given, or else the one that the run's plan names, as this clone remembers it."""
    given = judge_means(command or settings.judge, settings, run["suite"])
    return given or (recall_judge(ledger, run["id"]) if is_planned(run) else None)


def planned_judge(ledger: Ledger, run: Mapping[str, Any], command: str | None, settings: Settings) -> JudgeMeans | None:
    """How the judge is reached that the run's plan names; in a clone that does not know it somebody has to say so."""
    known = recall_judge(ledger, run["id"]) if is_planned(run) else None
    if known is not None:
        return replace(known, command=command or known.command)
    options, network = run["options"], run["controls"]["network"]["judge"]
    named = {name: getattr(settings, name) or options.get(name) for name in ("judge_name", "judge_revision")}
    told = replace(settings, **named, judge_network=network)
    return judge_means(command or settings.judge, told, run["suite"])


def tell_calls(ledger: Ledger, run: Mapping[str, Any]) -> None:
    """Say on stderr what the run's judges were asked so far, and what is left of the budget; nothing for nothing."""
    if run["suite"] != SUITE:
        return
    found = judge_calls(ledger, run)
    if found.made or found.reused:
        left = "" if found.left is None else f"; {max(found.left, 0)} left"
        unknown = f" (unknown for {found.unknown})" if found.unknown else ""
        tell(f"judge calls: {found.made} made, {found.reused} replies used again{left}")
        if found.unknown < found.made:
            tell(f"cost stated by judges: {found.cost_micros} micros{unknown}")


def tell_open_pairs(ledger: Ledger, baseline: str, candidate: Mapping[str, Any], evaluator: str) -> int:
    """Say on stderr what one evaluator prefers between two runs; 3 when pairs are open or there is none, else 0."""
    found = [one for one in preferences(ledger, baseline, candidate["id"]) if one.source_sha256 == evaluator]
    if not found:
        tell("no pair to ask about: both runs must have completed a case of equal input in the same repetition")
        return 3
    (one,) = found
    tell(f"preferred: candidate {one.candidate}, baseline {one.baseline}, neither {one.neither}; open {one.open}")
    return 3 if one.open else 0


@contextmanager
def met(bench: Bench, means: JudgeMeans | None) -> Iterator[Bench]:
    """The bench with the judge at it, which was met and asked nothing yet; ended afterwards."""
    if means is None:
        yield bench
        return
    network: Network = "on" if means.network == "on" or not bench.isolation.isolated else "off"
    limits = Limits(timeout_ms=means.timeout_s * 1000, memory_mib=means.memory_mib, network=network)
    target = JudgeTarget(
        words_in(means.command),
        bench.isolation,
        network=network,
        pass_env=means.pass_env,
        reads=tuple(Path(folder) for folder in means.reads),
        name=means.name,
        revision=means.revision,
    )
    with closing(target):
        yield replace(bench, judge=meet(target, limits, means.bound))
