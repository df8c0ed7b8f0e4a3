"""What acts bring, as rows: plans, runs and replays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.report.figures import counted, limit, short_commit, thousands
from assay.report.page import Block, Case, Column, Fact, Facts, Line, Table, View
from assay.report.shown import Planned, RecordedRun, Replayed


def plan_view(plan: Planned) -> View:
    """What an act would add: its commit message and every new file with its size."""
    rows = tuple((path, thousands(len(data))) for path, data in sorted(plan.files.items()))
    size = sum(len(data) for data in plan.files.values())
    blocks: list[Block] = [Line(f"{name}: {value}", indent=2) for name, value in plan.trailers]
    blocks.append(Table((Column("new file"), Column("bytes", "right")), rows))
    blocks.append(Line(f"{counted(len(rows), 'file')}, {thousands(size)} bytes; nothing was written."))
    data = {
        "subject": plan.subject,
        "trailers": [[name, value] for name, value in plan.trailers],
        "files": [{"path": path, "bytes": len(content)} for path, content in sorted(plan.files.items())],
    }
    return View("plan", Line(f"would commit: {plan.subject}"), tuple(blocks), data)


def recorded_view(recorded: RecordedRun) -> View:
    """A run that was carried to its end: under which controls, and in which commits it lies."""
    run = recorded.run
    last = recorded.judged_in or recorded.captured_in or recorded.planned_in
    headline = f"run {run['id']} recorded in commit {last[:7]}" if last else f"run {run['id']}: nothing was left to do"
    commits = (
        ("planned", recorded.planned_in),
        ("captured", recorded.captured_in),
        ("judged", recorded.judged_in),
    )
    lies = ", ".join(f"{word} {short_commit(commit)}" for word, commit in commits if commit)
    facts = [Fact("isolation", controls_words(run["controls"]))]
    if lies:
        facts.append(Fact("commits", lies))
    next_step = Line(f"Next: assay score {run['id']}", "faint")
    data = {"run": run["id"], **dict(commits), "controls": dict(run["controls"])}
    return View("run", Line(headline), (Facts(tuple(facts)), next_step), data)


def controls_words(controls: Mapping[str, Any]) -> str:
    """`bubblewrap, uid 65534, network off, 8 s, 1024 MiB`."""
    network = controls["network"]
    same = network["solver"] == network["judge"]
    net = f"network {network['solver']}" if same else f"network solver {network['solver']}, judge {network['judge']}"
    told = [str(controls["isolation"]), *([f"uid {controls['uid']}"] if controls["uid"] is not None else []), net]
    told.append(limit(controls["timeout_ms"]))
    if controls["memory_mib"] is not None:
        told.append(f"{thousands(controls['memory_mib'])} MiB")
    return ", ".join(told)


def replay_view(replayed: Replayed) -> View:
    """Sample by sample, whether judging again gave the recorded verdicts; differences first."""
    differing = [row for row in replayed.rows if not row.agrees]
    agreeing = [row for row in replayed.rows if row.agrees]
    total = len(replayed.rows)
    if differing:
        headline = Line(f"run {replayed.run}: {len(differing)} of {counted(total, 'verdict')} differ", "bad")
    else:
        headline = Line(f"run {replayed.run}: all {counted(total, 'verdict')} agree", "good")
    ordered = [*differing, *agreeing]
    columns = (Column("sample"), Column("criterion"), Column("recorded"), Column("now"), Column(""))
    rows = tuple(
        (row.sample, row.criterion, row.recorded, row.now, "agrees" if row.agrees else "DIFFERS") for row in ordered
    )
    cases = tuple(
        Case(
            f"replay {replayed.run}",
            f"{row.sample} {row.criterion}",
            "passed" if row.agrees else "failed",
            f"recorded {row.recorded}, now {row.now}",
        )
        for row in ordered
    )
    data = {
        "run": replayed.run,
        "verdicts": total,
        "differing": len(differing),
        "rows": [
            {"sample": r.sample, "criterion": r.criterion, "recorded": r.recorded, "now": r.now, "agrees": r.agrees}
            for r in ordered
        ],
    }
    return View("replay", headline, (Table(columns, rows),) if rows else (), data, cases)
