"""`tasks …`: grade one answer, make, fetch and prepare tasks, decide on a level. Only the last reads a ledger."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from assay.cli.output import at_option, emit, format_option, here, show
from assay.errors import InputError
from assay.flows.admission import admit_rates, admit_runs
from assay.flows.record import record_plan
from assay.flows.tasks import REGISTRY, Wanted, split_at
from assay.flows.tasks import generate as generate_folder
from assay.flows.tasks import prepare as prepare_file
from assay.flows.tasks_in import Source, fetch_tasks
from assay.modes.admission import Decision
from assay.modes.contracts import CONTRACTS, DEFAULT, DOMAINS
from assay.modes.grade import grade as grade_answer
from assay.modes.outcome import Grade, Status
from assay.modes.prompts import CONDITIONS, HINTS, registered
from assay.report.page import Column, Fact, Facts, Line, Table, Tone, View
from assay.report.views.admission import admission_view

EXIT: dict[Status, int] = {"correct": 0, "incorrect": 1, "malformed": 1, "invalid_reference": 2}
ADMITTED: dict[Decision, int] = {"admitted": 0, "not_admitted": 1, "not_assessed": 3}
TONES: dict[Status, Tone] = {"correct": "good", "incorrect": "bad", "malformed": "bad"}


@click.group()
def tasks() -> None:
    """Tasks with several right answers: five domains, five levels, exact verifiers.

    Example: assay tasks generate my-tasks --level 1 --domain countdown
    """


@tasks.command("grade")
@click.argument("response")
@click.option("--domain", required=True, help=f"One of {', '.join(DOMAINS)}.")
@click.option("--level", default="1", show_default=True, help="1 to 5.")
@click.option("--answer", required=True, metavar="JSON|@FILE", help="The task's reference.")
@click.option("--contract", type=click.Choice(list(CONTRACTS)), default=DEFAULT, show_default=True, help="Rules.")
@format_option
def tasks_grade(response: str, domain: str, level: str, answer: str, contract: str, form: str) -> int:
    """Grade one RESPONSE (or - for standard input) against a reference.

    Exit code 0: correct; 1: incorrect or malformed; 2: the reference is unfit; 3: it could not be graded.

    Example: assay tasks grade "1+2+3" --domain countdown --answer
    '{"verifier":"countdown","numbers":[1,2,3],"target":6}'
    """
    text = sys.stdin.read() if response == "-" else response
    found = grade_answer(contract, level, domain, _reference(answer), text)
    show(_grade_view(found, contract), form)
    return EXIT.get(found.status, 3)


@tasks.command("generate")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--level", "levels", multiple=True, type=click.IntRange(1, 5), help="A level; repeatable.  [default: all]"
)
@click.option("--domain", "domains", multiple=True, type=click.Choice(DOMAINS), help="Repeatable.  [default: all]")
@click.option("--rows", type=click.IntRange(1), help="Rows of every split.  [default: 384, 128, 128]")
@click.option("--seed", default=0, show_default=True, help="Another seed gives other tasks.")
@click.option("--id", "dataset_id", default="modes-tasks", show_default=True, help="Dataset.")
@click.option("--version", "dataset_version", default="1.0.0", show_default=True, help="Version.")
@format_option
def tasks_generate(
    folder: Path,
    levels: tuple[int, ...],
    domains: tuple[str, ...],
    rows: int | None,
    seed: int,
    dataset_id: str,
    dataset_version: str,
    form: str,
) -> int:
    """Make a new FOLDER of tasks with certified mode counts, ready for `assay freeze FOLDER/modes.yaml`.

    The same seed gives the same files. All 72 splits take some minutes.

    Example: assay tasks generate my-tasks --level 1 --rows 20
    """
    chosen = tuple(domain for domain in DOMAINS if not domains or domain in domains)
    wanted = Wanted(sorted(set(levels)) or [1, 2, 3, 4, 5], chosen, seed, rows, dataset_id, dataset_version)
    entries = generate_folder(folder, wanted, lambda line: click.echo(line, err=True))
    total = sum(entry.rows for entry in entries)
    headline = Line(f"{len(entries)} splits, {total:,} rows in {folder}", "good")
    data = {"folder": str(folder), "splits": [vars(entry) for entry in entries]}
    show(View("tasks", headline, (Line(f"Next: assay freeze {folder / 'modes.yaml'}", "faint"),), data), form)
    return 0


@tasks.command("prepare")
@click.argument("root", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--config", required=True, help="For example level1_countdown.")
@click.option("--split", default="eval", show_default=True, help="train, dev or eval.")
@click.option("--condition", type=click.Choice(CONDITIONS), default=HINTS, show_default=True, help="Prompt condition.")
@click.option("--output", required=True, type=click.Path(path_type=Path), help="A new JSON Lines file.")
def tasks_prepare(root: Path, config: str, split: str, condition: str, output: Path) -> int:
    """Write the requests of a split of ROOT: id, messages and hashes, never the reference.

    ROOT is a folder with a registry `manifest.json`, made here or by ModeBench; its bytes are verified.

    Example: assay tasks prepare my-tasks --config level1_countdown --output requests.jsonl
    """
    count = prepare_file(split_at(root, config, split), condition, output)
    emit(f"{count} requests in {output}")
    return 0


@tasks.command("prompts")
@click.option("--condition", type=click.Choice(CONDITIONS), default=HINTS, show_default=True, help="Prompt condition.")
@format_option
def tasks_prompts(condition: str, form: str) -> int:
    """List the registered prompts of a condition: the system message of every level and domain, with its hash.

    Texts of ModeBench are not part of this project: of them only names, lengths and hashes are known.

    Example: assay tasks prompts --condition assay-neutral-1
    """
    found = registered(condition)
    rows = tuple(
        (str(level), domain, template.name, str(template.chars), template.sha256_prefix)
        for (level, domain), template in found.items()
    )
    columns = (Column("level"), Column("domain"), Column("template"), Column("chars", "right"), Column("sha256"))
    data = [{"level": level, "domain": domain, **vars(template)} for (level, domain), template in found.items()]
    show(
        View("prompts", Line(f"{len(found)} prompts of {condition}"), (Table(columns, rows),), {"prompts": data}), form
    )
    return 0


@tasks.command("fetch")
@click.argument("url")
@click.option("--commit", required=True, metavar="ID", help="The full id of the commit.")
@click.option("--sha256", "registry_sha256", required=True, metavar="HEX", help="Digest of the registry file.")
@click.option("--registry", default=REGISTRY, show_default=True, metavar="PATH", help="The registry in the repository.")
@click.option("--config", "configs", multiple=True, help="A configuration; repeatable.  [default: all]")
@click.option("--cache-dir", type=click.Path(file_okay=False, path_type=Path), help="[default: ~/.cache/assay/tasks]")
@click.option("--offline", is_flag=True, help="Use the cache alone.")
@format_option
def tasks_fetch(url: str, commit: str, configs: tuple[str, ...], offline: bool, form: str, **said: Any) -> int:
    """Fetch frozen splits from a Git repository into a cache, pinned by commit and sha256 and verified at each use.

    Prints the data root, which `assay tasks prepare` reads. Exit code 1 when bytes are not what was pinned, 3 when
    something cannot be had.

    Example: assay tasks fetch https://example.org/tasks.git --commit 5d1e77a… --sha256 9c1c9e…
    """
    source = Source(url, commit, said["registry_sha256"], said["registry"])
    fetched = fetch_tasks(said["cache_dir"] or _cache(), source, configs, offline=offline)
    rows = sum(entry.rows for entry in fetched.splits)
    headline = Line(f"{len(fetched.splits)} splits, {rows:,} rows, verified in {fetched.root}", "good")
    told = f"{fetched.downloaded} files downloaded" if fetched.downloaded else "everything was in the cache"
    data = {"data_root": str(fetched.root), "verified": True, "downloaded": fetched.downloaded}
    splits = [{"split": entry.name, "rows": entry.rows, "sha256": entry.parquet_sha256} for entry in fetched.splits]
    show(View("tasks", headline, (Line(told, "faint"),), {**data, "splits": splits}), form)
    return 0


@tasks.command("admit")
@click.argument("level", type=click.IntRange(2, 5))
@click.option("--candidate", "candidates", multiple=True, metavar="RUN", help="A run over the level; repeatable.")
@click.option("--reference", "references", multiple=True, metavar="RUN", help="A run over level 1; repeatable.")
@click.option("--rates", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Stated rates, JSON.")
@click.option("--record", is_flag=True, help="Record the decision with the runs it rests on.")
@at_option
@format_option
@click.pass_context
def tasks_admit(
    ctx: click.Context, /, level: int, rates: Path | None, record: bool, rev: str, form: str, **runs: Any
) -> int:
    """Decide whether LEVEL may be called admitted, from runs with eight draws a prompt (or, 3 to 5, stated rates).

    Level 2: pass@8 in 0.10 to 0.90 and below the reference, mode counts matched, tasks disjoint. Levels 3 to 5: within
    0.04 at pass@1 and 0.08 at pass@8. All five domains must hold. Exit code 1: not admitted; 3: not assessed.

    Example: assay tasks admit 4 --candidate RUN --reference RUN --record
    """
    if (rates is None) == (not runs["candidates"] or not runs["references"]):
        raise InputError("what is to be decided on?", hint="--candidate RUN --reference RUN, or --rates FILE")
    if rates is not None and level == 2:
        raise InputError("level 2 is decided on the tasks too", hint="--candidate RUN --reference RUN")
    if rates is not None and record:
        raise InputError("stated rates are no evidence to record", hint="--candidate RUN --reference RUN --record")
    if rates is not None:
        found = admit_rates(rates, level)
        show(admission_view(found.to_json()), form)
        return ADMITTED[found.decision]
    ledger = here(ctx)
    decided = admit_runs(ledger.at(rev), level, **runs)
    commit = record_plan(ledger, decided.plan) if record else None
    show(admission_view(decided.document, commit=commit), form)
    return ADMITTED[decided.found.decision]


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "assay" / "tasks"


def _reference(answer: str) -> str:
    if not answer.startswith("@"):
        return answer
    try:
        return Path(answer[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{answer[1:]}: cannot be read as UTF-8 text ({type(error).__name__})") from None


def _grade_view(found: Grade, contract: str) -> View:
    facts = [("key", found.key), ("why", found.detail), ("contract", contract)]
    rows = tuple(Fact(label, text) for label, text in facts if text)
    headline = Line(found.status.replace("_", " "), TONES.get(found.status, "unsure"))
    return View("grade", headline, (Facts(rows),), {**found.to_json(), "contract": contract})
