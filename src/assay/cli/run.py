"""`run`, `resume`, `evaluate` and `replay`: make evidence, and continue it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from assay.cli import application
from assay.cli.bench import bench_of
from assay.cli.output import WORKERS, at_option, dry_run_option, emit, format_option, here, show
from assay.cli.target import as_obtained, request_of, settings_of, settings_of_run, target_of
from assay.cli.typed import SEEDS, decimal_in, seeds_in
from assay.cli.unjudged import tell_unjudged
from assay.errors import Interrupted
from assay.flows.acceptance import prepare as prepare_application
from assay.flows.evaluate import evaluate as evaluate_run
from assay.flows.fixtures import suite_at
from assay.flows.local import Means, recall_means, remember_means
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
@click.option("--solver", metavar="COMMAND", help="A command that speaks assay-target/1, in a sandbox.")
@click.option("--solutions", type=FOLDER, help="A folder of saved solutions: <item>/<seed or any>/….")
@click.option("--seeds", type=seeds_in, metavar=SEEDS, default="11,29,47", show_default=True, help="Distinct integers.")
@click.option("--temperature", type=decimal_in, metavar="DECIMAL", help="Temperature of the target; unset is unknown.")
@click.option("--repair-loops", type=click.IntRange(0, 20), default=0, show_default=True, help="Tries on feedback.")
@click.option("--settings", "settings_file", type=FILE, help="YAML file of further settings (docs/coding.md).")
@click.option("--sealed-bodies", type=FOLDER, help="Folder with the bodies of a sealed fixture.")
@WORKERS
@dry_run_option
@click.pass_context
def run(ctx: click.Context, /, fixture: str, seeds: tuple[int, ...], workers: int, dry_run: bool, **asked: Any) -> int:
    """Run a target over a fixture: items x seeds, each in a fresh process and workdir, every step recorded.

    Exit code 3 when something could not be judged by a fault of the harness; it is recorded so.

    An application is run over cases x repetitions instead, in sessions of one process; its capabilities stand in the
    settings file (docs/acceptance.md).

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
    target = target_of(means, bench.isolation, settings, asked["repair_loops"], sessions=sessions)
    request = request_of(target, seeds, settings, bench.isolation, asked)
    if sessions:
        record, plan = prepare_application(ledger, fixture, application.request_of(request, settings), bench)
    else:
        record, plan = prepare(ledger, path, request, target, bench)
    if dry_run:
        show(plan_view(plan), "text")
        return 0
    remember_means(ledger, record["id"], means)
    with _resumable(record["id"]):
        show(recorded_view(start(ledger, record, plan, target, bench)), "text")
    return tell_unjudged(ledger, record["id"])


@click.command()
@click.argument("run")
@click.option("--solver", metavar="COMMAND", help="How to reach the target, in a clone that does not know it.")
@click.option("--solutions", type=FOLDER, help="A folder of saved solutions.")
@click.option("--sealed-bodies", type=FOLDER, help="Folder with the bodies of a sealed fixture.")
@click.option("--more-calls", type=click.IntRange(min=1), metavar="N", help="Raise its budget by N calls, on record.")
@WORKERS
@click.pass_context
def resume(ctx: click.Context, /, run: str, workers: int, more_calls: int | None, **asked: Any) -> int:
    """Continue a run exactly where it stopped; finished samples are never dispatched again.

    Example: assay resume 2026-11-30-agent-7f3a21
    """
    ledger = here(ctx)
    record = run_record(ledger.at(), run)
    told = means_of(asked, Settings())
    means = told if told.solver or told.solutions else recall_means(ledger, record["id"])
    sessions = record["suite"] == application.SUITE
    if sessions:
        workers = application.workers_of_run(workers, record)
    bench = bench_of(workers, told.sealed_bodies or means.sealed_bodies)
    target = target_of(means, bench.isolation, settings_of_run(record), sessions=sessions)
    with _resumable(record["id"]):
        show(recorded_view(resume_run(ledger, record, target, bench, more_calls=more_calls)), "text")
    return tell_unjudged(ledger, record["id"])


@click.command()
@click.argument("run")
@click.option("--sealed-bodies", type=FOLDER, help="Folder with the bodies of a sealed fixture.")
@WORKERS
@click.pass_context
def evaluate(ctx: click.Context, run: str, sealed_bodies: Path | None, workers: int) -> int:
    """Judge a run's stored observations with today's scorer, where it has not judged them yet.

    Exit code 3 when something could not be judged: then no number is given.

    Example: assay evaluate 2026-11-30-agent-7f3a21
    """
    ledger = here(ctx)
    record = run_record(ledger.at(), run)
    judged_in = evaluate_run(ledger, record, bench_of(workers, str(sealed_bodies) if sealed_bodies else None))
    emit(
        f"judged in commit {judged_in[:7]}" if judged_in else "nothing left to judge: this scorer has judged everything"
    )
    return tell_unjudged(ledger, record["id"])


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
        solver=asked["solver"],
        solutions=str(solutions.resolve()) if solutions else None,
        pass_env=settings.pass_env,
        reads=tuple(str(Path(folder).resolve()) for folder in settings.reads),
        sealed_bodies=str(bodies.resolve()) if bodies else None,
    )
