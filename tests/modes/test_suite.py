"""The suite behind the contract: plan, draws, judgment, numbers, and what voids a run."""

from __future__ import annotations

from dataclasses import asdict, replace
from fractions import Fraction

import pytest

from assay.contract.steps import Answered, Ask, Done
from assay.contract.suite import Fixture
from assay.contract.summary import Row, Void
from assay.errors import InputError
from assay.modes import content, judge
from assay.modes.generate import build
from assay.modes.grade import grade_job
from assay.modes.splits import TaskRow
from assay.modes.suite import ModesSuite
from assay.record import canonical
from modes.answers import right

SUITE = ModesSuite()
TASKS = [
    TaskRow(f"level{row.level}_{domain}/{n}", row.level, domain, row.problem, row.answer, 0)
    for n, domain in enumerate(("countdown", "graph_coloring"))
    for row in build.split(1, domain, "suite", 1)
]
RECORD = {"dataset_id": "tasks", "dataset_version": "1", "format": content.TASKS_FORMAT}


def fixture(tasks=TASKS):
    files = {content.TASKS_FILE: content.encode_tasks(tasks)}
    return Fixture(RECORD, "sha256:0", "corpus/tasks/1/fixture.json", SUITE.load(RECORD, files))


def run(groups=(1,), **options):
    return {"options": {"draws": 4, **options}, "replicate": {"name": "group", "values": list(groups)}}


def observed(loaded, planned, sample, responses):
    """Drive one sample through `step` with the given responses."""
    events = []
    while isinstance(asked := SUITE.step(loaded, planned, sample, events), Ask):
        events.append(Answered(asked.turn, "completed", responses[asked.turn - 1], duration_ms=5))
    assert isinstance(asked, Done)
    return asked.product


def rows(answers, groups=(1,), **options):
    """Rows of a whole run: `answers` gives the responses of a sample by its item and group."""
    loaded, planned = fixture(), run(groups, **options)
    found = []
    for sample in SUITE.plan(loaded, {**planned["options"], "replicates": list(groups)}):
        product = observed(
            loaded, planned, sample, answers(loaded.content.tasks[sample.item], sample.replicate["group"])
        )
        observation = {"status": product.status, "output": product.output, "failure_owner": None}
        judged = SUITE.assess(loaded, planned, Row(sample, observation), []).product
        found.append(Row(sample, observation, {"results": [asdict(result) for result in judged.results]}))
    return loaded, planned, found


def test_every_task_is_planned_by_every_group():
    samples = SUITE.plan(fixture(), {"draws": 4, "replicates": [1, 2]})

    assert [(s.ordinal, s.id, s.replicate) for s in samples] == [
        (1, "level1_countdown/0.1", {"group": 1}),
        (2, "level1_countdown/0.2", {"group": 2}),
        (3, "level1_graph_coloring/1.1", {"group": 1}),
        (4, "level1_graph_coloring/1.2", {"group": 2}),
    ]


def test_items_can_be_chosen_and_unknown_ones_are_refused():
    assert [s.item for s in SUITE.plan(fixture(), {"items": "level1_graph_coloring/1"})] == ["level1_graph_coloring/1"]
    with pytest.raises(InputError, match="no item nowhere"):
        SUITE.plan(fixture(), {"items": ["nowhere"]})


def test_an_invalid_reference_is_found_before_anything_is_asked():
    broken = [replace(TASKS[0], answer={"verifier": "countdown"}), replace(TASKS[1], answer={"verifier": "x"})]

    with pytest.raises(InputError, match="2 references are invalid under assay-modes-1") as caught:
        SUITE.plan(fixture(broken), {})

    assert len(caught.value.faults) == 2


@pytest.mark.parametrize(
    "options",
    [{"contract": "x"}, {"draws": 0}, {"draws": 5000}, {"condition": "x"}, {"aggregation": "flat"}, {"colour": 1},
     {"min_defined_prompts": 0}, {"replicates": []}, {"replicates": ["a"]}, {"split": 3}],
)  # fmt: skip
def test_options_that_do_not_exist_or_fit_are_refused(options):
    with pytest.raises(InputError):
        SUITE.plan(fixture(), options)


def test_a_model_sees_the_prompt_and_never_the_reference():
    loaded = fixture()
    (sample, *_) = SUITE.plan(loaded, {})

    asked = SUITE.step(loaded, run(), sample, [])

    assert asked.input["messages"][1]["content"] == TASKS[0].problem
    assert "numbers" not in canonical.encode(dict(asked.input)).decode().replace("numbers ", "")
    assert (asked.turn, asked.input["draw"], asked.files) == (1, 1, {})


def test_a_draw_that_fails_ends_the_sample_without_an_answer():
    loaded = fixture()
    (sample, *_) = SUITE.plan(loaded, {})
    events = [Answered(1, "completed", "x"), Answered(2, "timed_out", None, failure_owner="harness")]

    done = SUITE.step(loaded, run(), sample, events)

    assert (done.product.status, done.product.failure_owner, done.product.output) == ("timed_out", "harness", None)


def test_a_task_without_a_problem_cannot_be_asked():
    loaded = fixture([replace(TASKS[0], problem="")])
    (sample,) = SUITE.plan(loaded, {})

    done = SUITE.step(loaded, run(), sample, [])

    assert (done.product.status, done.product.failure_owner) == ("error", "fixture")


def test_text_that_is_not_unicode_is_stored_as_base64_and_graded_as_itself():
    _, _, found = rows(lambda task, group: ["\ud800", right(task), "", "no"])

    assert canonical.encode(dict(found[0].observation))
    assert found[0].observation["output"]["responses"][0] == {"base64": "7aCA"}
    assert [r["value"] for r in found[0].evaluation["results"]] == ["malformed", "correct", "malformed", "malformed"]


def test_statuses_become_results_with_verdict_part_and_key():
    _, _, found = rows(lambda task, group: [right(task), "9/0" if task.domain == "countdown" else "111111", "x", ""])

    results = found[0].evaluation["results"]

    assert [(r["part"], r["status"], r["verdict"], r["value"]) for r in results] == [
        ("1", "scored", "met", "correct"),
        ("2", "scored", "violated", "incorrect"),
        ("3", "scored", "violated", "malformed"),
        ("4", "scored", "violated", "malformed"),
    ]
    assert results[0]["key"].startswith("countdown:")


def test_the_numbers_of_a_run():
    loaded, planned, found = rows(
        lambda task, group: [right(task)] * 2 + ["", ""] if task.domain == "countdown" else [""] * 4
    )

    summary = SUITE.summarize(loaded, planned, found)

    assert {m.name: m.value for m in summary.measures} == {
        "pass_at_k": Fraction(1, 2),
        "accuracy": Fraction(1, 4),
        "distinct_at_k": Fraction(1, 2),
        "pcmd": 0,
    }
    assert (summary.counts.planned, summary.counts.judged, summary.counts.met) == (2, 2, 1)
    assert [cell["domain"] for cell in summary.details["cells"]] == ["countdown", "graph_coloring"]
    assert summary.details["cells"][0]["estimated_pass_at"] == {"1": "1/2", "2": "5/6", "3": "1", "4": "1"}
    assert summary.details["cells"][0]["pcmd"]["reportable"] is False
    canonical.encode(summary.details)


def test_groups_stay_groups():
    loaded, planned, found = rows(lambda task, group: [right(task) if group == 1 else ""] + [""] * 3, groups=(1, 2))

    summary = SUITE.summarize(loaded, planned, found)

    assert summary.measures[0].value == Fraction(1, 2)
    assert summary.measures[0].by_replicate == (("1", 1), ("2", 0))
    assert summary.flips == {"level1_countdown/0": ("2",), "level1_graph_coloring/1": ("2",)}
    assert {cell["k"] for cell in summary.details["cells"]} == {4}


def test_what_was_not_judged_counts_in_the_headline_only():
    loaded, planned, found = rows(lambda task, group: [right(task)] * 4)

    summary = SUITE.summarize(loaded, planned, [found[0], Row(found[1].sample)])

    assert [m.value for m in summary.measures[:2]] == [Fraction(1, 2), 1]
    assert summary.counts.missing == ("level1_graph_coloring/1.1",)
    assert any("1 planned samples were not judged" in note for note in summary.notes)


@pytest.mark.parametrize("status", ["timeout", "worker_failure", "resource_limit"])
def test_one_unscorable_draw_voids_every_aggregate(status):
    loaded, planned, found = rows(lambda task, group: [right(task)] * 4)
    job = judge.job_of("assay-modes-1", TASKS[1], found[1].observation)
    failed = judge.judged_from(job, judge.unscored(job, status, "it broke"))
    broken = replace(found[1], evaluation={"results": [asdict(result) for result in failed.results]})

    summary = SUITE.summarize(loaded, planned, [found[0], broken])

    assert isinstance(summary, Void)
    assert "4 draws could not be scored, first level1_graph_coloring/1.1 draw 1" in summary.reason
    assert {result.verdict for result in failed.results} == {None}


def test_a_run_without_any_judgment_is_void():
    loaded, planned, found = rows(lambda task, group: [""] * 4)

    assert isinstance(SUITE.summarize(loaded, planned, [Row(row.sample) for row in found]), Void)


def test_a_job_for_a_pool_gives_the_same_judgment():
    _, _, found = rows(lambda task, group: [right(task), "x", "\ud800", ""])

    job = judge.job_of("assay-modes-1", TASKS[0], found[0].observation)
    assert judge.judged_from(job, grade_job(job)) == judge.judged(job)
    assert [asdict(r) for r in judge.judged(job).results] == found[0].evaluation["results"]


def test_other_faults_of_a_tasks_file_are_all_named():
    data = b'{"id": "a", "level": 1, "domain": "countdown", "answer": {}}\n' * 2 + b"[]\n" + b'{"id": 1}\n'

    with pytest.raises(InputError) as caught:
        SUITE.load(RECORD, {content.TASKS_FILE: data})

    assert [fault.split(":")[0] for fault in caught.value.faults] == ["line 2", "line 3", "line 4"]
