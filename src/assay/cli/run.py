"""`run`, `resume`, `evaluate` and `replay`: make evidence, and continue it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import click

from assay.cli import application, draws
from assay.cli.bench import bench_of
from assay.cli.judge import (
    JUDGE,
    MORE_JUDGE_CALLS,
    given_judge,
    judge_means,
    met,
    planned_judge,
    tell_calls,
    tell_open_pairs,
)
from assay.cli.named_target import absolute
from assay.cli.output import WORKERS, at_option, dry_run_option, emit, format_option, here, show
from assay.cli.target import as_obtained, decoding_of, request_of, settings_of, settings_of_run, target_of
from assay.cli.typed import SEEDS, decimal_in, seeds_in
from assay.cli.unjudged import tell_unjudged
from assay.contract.evaluators import planned_evaluator
from assay.errors import Interrupted
from assay.flows.application import prepare as prepare_application
from assay.flows.budget import Calls
from assay.flows.evaluate import evaluate as evaluate_run
from assay.flows.fixtures import suite_at
from assay.flows.judge_means import remember_judge
from assay.flows.judges import evaluator_of
from assay.flows.local import Means, recall_means, remember_means
from assay.flows.pairs import judge_pairs
from assay.flows.replay import replay as replay_run
from assay.flows.run import prepare, start
from assay.flows.run import resume as resume_run
from assay.flows.runs import run_record
from assay.flows.settings import Settings, refuse_foreign
from assay.report.views.runs import plan_view, recorded_view, replay_view

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("fixture")
@click.option("--solver", metavar="COMMAND", help="A sandboxed command (assay-target/1), openai:URL or replay:PATH.")
@click.option("--solutions", type=FOLDER, help="A folder of saved solutions: <item>/<seed or any>/….")
@click.option("--seeds", type=seeds_in, metavar=SEEDS, default="11,29,47", show_default=True, help="Distinct integers.")
@click.option("--temperature", type=decimal_in, metavar="DECIMAL", help="Temperature of the target; unset is unknown.")
@click.option("--repair-loops", type=click.IntRange(0, 20), default=0, show_default=True, help="Tries on feedback.")
@click.option("--settings", "settings_file", type=FILE, help="YAML file of further settings (docs/coding.md).")
@click.option("--sealed-bodies", type=FOLDER, help="Folder with the bodies of a sealed fixture.")
@JUDGE
@WORKERS
@dry_run_option
@click.pass_context
def run(ctx: click.Context, /, fixture: str, seeds: tuple[int, ...], workers: int, dry_run: bool, **asked: Any) -> int:
    """Run a target over a fixture: items x seeds, each in a fresh process and workdir, every step recorded.

    Exit code 3 when something could not be judged by a fault of the harness; it is recorded so.

    An application is run over cases x repetitions instead, in sessions: a command, a chat endpoint (its model and the
    variable with its key stand in the settings file) or what was saved of an earlier run (docs/acceptance.md).

    Example: assay run two-repairs@1.0.0 --solutions solutions/good --temperature 0
    """
    ledger = here(ctx)
    settings = settings_of(asked["settings_file"])
    path, suite = suite_at(ledger.at(), fixture)
    sessions = suite == application.SUITE
    refuse_foreign(settings, suite)
    if sessions:
        application.refuse_options(ctx)
        workers = application.workers_of(ctx, workers, settings.capabilities)
    means = means_of(asked, settings)
    bench = bench_of(workers, means.sealed_bodies)
    settings = as_obtained(settings, means, bench.isolation)
    decoding = decoding_of(asked["temperature"], settings)
    target = target_of(means, bench.isolation, settings, asked["repair_loops"], suite=suite, decoding=decoding)
    request = request_of(target, seeds, settings, bench.isolation, asked)
    request = draws.request_of(request, settings, asked) if suite == draws.SUITE else request
    judged_by = judge_means(asked["judge"] or settings.judge, settings, suite)
    with closing(target), met(bench, judged_by) as bench:
        if sessions:
            wanted = application.request_of(request, settings, bench.judge)
            record, plan = prepare_application(ledger, fixture, wanted, target, bench, device=settings.device)
        else:
            record, plan = prepare(ledger, path, request, target, bench)
        if dry_run:
            show(plan_view(plan), "text")
            return 0
        remember_means(ledger, record["id"], means)
        remember_judge(ledger, record["id"], judged_by)
        with _resumable(record["id"]):
            show(recorded_view(start(ledger, record, plan, target, bench)), "text")
    tell_calls(ledger, record)
    return tell_unjudged(ledger, record["id"], planned_evaluator(record))


@click.command()
@click.argument("run")
@click.option("--solver", metavar="COMMAND", help="How to reach the target, in a clone that does not know it.")
@click.option("--solutions", type=FOLDER, help="A folder of saved solutions.")
@click.option("--settings", "settings_file", type=FILE, help="The settings file of the run, in such a clone.")
@click.option("--sealed-bodies", type=FOLDER, help="Folder with the bodies of a sealed fixture.")
@click.option("--more-calls", type=click.IntRange(min=1), metavar="N", help="Raise its budget by N calls, on record.")
@JUDGE
@MORE_JUDGE_CALLS
@WORKERS
@click.pass_context
def resume(ctx: click.Context, /, run: str, workers: int, more_calls: int | None, **asked: Any) -> int:
    """Continue a run exactly where it stopped; finished samples are never dispatched again.

    Example: assay resume 2026-11-30-agent-7f3a21
    """
    ledger = here(ctx)
    record = run_record(ledger.at(), run)
    settings = settings_of(asked["settings_file"])
    told = means_of(asked, settings)
    means = told if told.solver or told.solutions else recall_means(ledger, record["id"])
    sessions = record["suite"] == application.SUITE
    if sessions:
        workers = application.workers_of_run(workers, record)
    bench = bench_of(workers, told.sealed_bodies or means.sealed_bodies)
    recorded = settings_of_run(record)
    target = target_of(means, bench.isolation, recorded, suite=record["suite"], decoding=record["generation"])
    asked_for: dict[Calls, int | None] = {"target_calls": more_calls, "judge_calls": asked["more_judge_calls"]}
    more = {resource: calls for resource, calls in asked_for.items() if calls}
    judged_by = planned_judge(ledger, record, asked["judge"], settings)
    with _resumable(record["id"]), closing(target), met(bench, judged_by) as bench:
        show(recorded_view(resume_run(ledger, record, target, bench, more=more)), "text")
    tell_calls(ledger, record)
    return tell_unjudged(ledger, record["id"], planned_evaluator(record))


@click.command()
@click.argument("run")
@JUDGE
@click.option("--settings", "settings_file", type=FILE, help="YAML file with the settings of the judge.")
@MORE_JUDGE_CALLS
@click.option("--against", metavar="BASELINE", help="Ask the judge which of the two runs answered better, in pairs.")
@click.option("--sealed-bodies", type=FOLDER, help="Folder with the bodies of a sealed fixture.")
@WORKERS
@click.pass_context
def evaluate(ctx: click.Context, /, run: str, workers: int, more_judge_calls: int | None, **asked: Any) -> int:
    """Judge a run's stored observations with today's scorer, where it has not judged them yet.

    What no check decides is put to the judge that the run's plan names, or to another one that is given. With --against
    it is asked which of two answers is better, in both orders: recorded beside the verdicts, in place of none. Exit
    code 3 when something could not be judged: then no number is given.

    Example: assay evaluate 2026-11-30-agent-7f3a21
    """
    ledger = here(ctx)
    record = run_record(ledger.at(), run)
    settings = settings_of(asked["settings_file"])
    refuse_foreign(settings, record["suite"])
    bodies, against = asked["sealed_bodies"], asked["against"]
    bench = bench_of(workers, str(bodies) if bodies else None)
    with met(bench, given_judge(ledger, record, asked["judge"], settings)) as bench:
        declared = application.budget_of(settings)
        by = evaluator_of(bench.judge)["source_sha256"]
        if against is None:
            judged_in = evaluate_run(ledger, record, bench, declared=declared, more_judge_calls=more_judge_calls)
        else:
            judged_in = judge_pairs(
                ledger, record, against, bench, declared=declared, more_judge_calls=more_judge_calls
            )
    tell_calls(ledger, record)
    code = tell_unjudged(ledger, record["id"], by) if against is None else tell_open_pairs(ledger, against, record, by)
    nothing = "nothing new was judged" if code else "nothing left to judge: this scorer has judged everything"
    emit(f"judged in commit {judged_in[:7]}" if judged_in else nothing)
    return code


@click.command()
@click.argument("run")
@click.option("--sealed-bodies", type=FOLDER, help="Folder with the bodies of a sealed fixture.")
@WORKERS
@at_option
@format_option
@click.pass_context
def replay(ctx: click.Context, run: str, sealed_bodies: Path | None, workers: int, rev: str, form: str) -> int:
    """Judge the stored solutions again in the sandbox and say, sample by sample, whether the verdicts agree.

    Exit code 1 when a verdict differs. Records nothing.

    Example: assay replay 2026-11-30-agent-7f3a21
    """
    replayed = replay_run(here(ctx), run, rev, bench_of(workers, str(sealed_bodies) if sealed_bodies else None))
    show(replay_view(replayed), form)
    return replayed.exit_code


@contextmanager
def _resumable(run: str) -> Iterator[None]:
    """Whoever interrupts a run is told how to continue it."""
    try:
        yield
    except (KeyboardInterrupt, Interrupted):
        raise Interrupted("interrupted; what was finished is kept", hint=f"assay resume {run}") from None


def means_of(asked: Mapping[str, Any], settings: Settings) -> Means:
    """How the target is reached, paths made absolute so that `resume` works from anywhere."""
    solutions, bodies = asked["solutions"], asked["sealed_bodies"]
    return Means(
        solver=absolute(asked["solver"]),
        solutions=str(solutions.resolve()) if solutions else None,
        pass_env=settings.pass_env,
        reads=tuple(str(Path(folder).resolve()) for folder in settings.reads),
        sealed_bodies=str(bodies.resolve()) if bodies else None,
        model=settings.model,
        system=settings.system,
        api_key_env=settings.api_key_env,
    )
