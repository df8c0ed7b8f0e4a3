"""The modes suite behind the one contract: prompts by groups of k draws, judged by exact verifiers, pure throughout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.contract.demands import Demands
from assay.contract.inspect import Card, Inspected
from assay.contract.pooled import Outcome
from assay.contract.steps import Answered, Ask, Done, Event, Execute, Judged, Observed, Sample
from assay.contract.suite import Fixture
from assay.contract.summary import Row, Summary, Void
from assay.errors import InputError
from assay.modes import content, judge, late, prompts
from assay.modes.grade import Job, prepare
from assay.modes.options import Options, options_of, read_options
from assay.record.canonical import Json

RESPONSES_A_JOB = 32


class ModesSuite:
    """Correctness and mode diversity. The replicate is the group of draws. Implements `Suite` and `PooledSuite`."""

    name = "modes"
    formats = content.FORMATS
    replicate = "group"
    evaluator = "modes"
    pool_function = "assay.modes.grade:grade_job"

    def load(self, record: Mapping[str, Any], files: Mapping[str, bytes]) -> content.Content:
        """Read the tasks; hashes, row counts and references' JSON are checked, references themselves in `plan`."""
        return content.load(record, files)

    def plan(self, fixture: Fixture, options: Mapping[str, Json]) -> Sequence[Sample]:
        """Every task by every group, tasks in the fixture's order. Every reference is validated under the contract.

        The option `split` names some splits only, `items` some tasks only, as lists or as text with commas.
        """
        read = read_options(options)
        loaded: content.Content = fixture.content
        chosen = _chosen(loaded, read)
        _check_references(loaded, chosen, read.contract)
        groups = [(group, {"group": group}) for group in read.groups]
        cells = ((item, group, replicate) for item in chosen for group, replicate in groups)
        return tuple(
            Sample(ordinal, sample_id(item, group), item, replicate)
            for ordinal, (item, group, replicate) in enumerate(cells, 1)
        )

    def step(
        self, fixture: Fixture, run: Mapping[str, Any], sample: Sample, events: Sequence[Event]
    ) -> Ask | Execute | Done:
        """Ask for one draw after the other; every draw is a fresh question. A draw that fails ends the sample."""
        options = options_of(run)
        answers = [event for event in events if isinstance(event, Answered)]
        if answers and answers[-1].status != "completed":
            return Done(_observed(answers, answers[-1]))
        if len(answers) >= (options.draws or 1):
            return Done(_observed(answers, answers[-1]))
        task = fixture.content.tasks[sample.item]
        try:
            messages: list[Json] = [
                dict(message)
                for message in prompts.render(task.problem, task.level, task.domain, options.condition).messages
            ]
        except InputError as error:
            return Done(Observed("error", "fixture", None, None, detail=error.message))
        return Ask(len(answers) + 1, {"messages": messages, "draw": len(answers) + 1})

    def assess(
        self, fixture: Fixture, run: Mapping[str, Any], row: Row, events: Sequence[Event]
    ) -> Ask | Execute | Done:
        """Grade every response of a stored observation here and now; the flows prefer the pool."""
        return Done(judge.judged(_job(fixture, run, row)))

    def pool_jobs(self, fixture: Fixture, run: Mapping[str, Any], row: Row, *, singly: bool) -> Sequence[Job]:
        """The responses of an observation in small lots."""
        return judge.cut(_job(fixture, run, row), 1 if singly else RESPONSES_A_JOB)

    def pool_judged(
        self, fixture: Fixture, run: Mapping[str, Any], row: Row, done: Sequence[tuple[Job, Outcome]]
    ) -> Judged:
        """Put the lots together. Responses of a lot that came to nothing have its status, and no verdict."""
        packed = [
            compact
            for job, outcome in done
            for compact in (
                outcome.value if outcome.status == "done" else judge.unscored(job, outcome.status, outcome.detail)
            )
        ]
        return judge.judged_from(_job(fixture, run, row), packed)

    def summarize(self, fixture: Fixture, run: Mapping[str, Any], rows: Sequence[Row]) -> Summary | Void:
        """pass@k, accuracy, distinct@k and PCMD; cells in the details; Void when any draw could not be scored."""
        return late.summarize(fixture.content, options_of(run), rows)

    def card(self, fixture: Fixture) -> Card:
        """The splits with their sizes and mode counts."""
        return late.card(fixture.content)

    def inspect(self, fixture: Fixture, item: str | None) -> Inspected:
        """One task as it is asked, its reference apart."""
        return late.inspected(fixture.content, item)

    def demands(self, fixture: Fixture) -> Demands:
        """Answers are text and nothing of them is run; tasks are public, so there is nothing to scan for."""
        return Demands(
            solver_network_off=False,
            judge_network_off=False,
            isolation=False,
            fresh_process=False,
            fresh_workdir=False,
            scan=False,
        )


def sample_id(item: str, group: int) -> str:
    """`<item>.<group>`; injective, because a group is a number."""
    return f"{item}.{group}"


def _job(fixture: Fixture, run: Mapping[str, Any], row: Row) -> Job:
    return judge.job_of(options_of(run).contract, fixture.content.tasks[row.sample.item], row.observation or {})


def _chosen(loaded: content.Content, options: Options) -> tuple[str, ...]:
    items = loaded.items(options.splits)
    unknown = [item for item in options.items if item not in loaded.tasks]
    if unknown:
        raise InputError(
            f"the fixture has no item {unknown[0]}", faults=[f"items: {item} is unknown" for item in unknown]
        )
    return tuple(item for item in items if not options.items or item in set(options.items))


def _check_references(loaded: content.Content, items: Sequence[str], contract: str) -> None:
    """Find every unfit reference before anything is dispatched or graded."""
    faults = []
    sound = loaded.sound.setdefault(contract, set())
    for item in items:
        if item in sound:
            continue
        task = loaded.tasks[item]
        fault = prepare(contract, task.level, task.domain, task.answer).fault
        if fault is None:
            sound.add(item)
        else:
            faults.append(f"{item}: {fault}")
    if faults:
        raise InputError(f"{len(faults)} references are invalid under {contract}, first {faults[0]}", faults=faults)


def _observed(answers: Sequence[Answered], last: Answered) -> Observed:
    """All responses so far; how it ended is how the last draw ended."""
    spent = [answer.duration_ms for answer in answers if answer.duration_ms is not None]
    completed: list[Json] = [judge.stored(answer.output) for answer in answers if answer.status == "completed"]
    return Observed(
        status=last.status,
        failure_owner=last.failure_owner,
        duration_ms=sum(spent) if spent else None,
        output={"responses": completed} if last.status == "completed" else None,
        usage=last.usage,
        detail=last.detail,
    )
