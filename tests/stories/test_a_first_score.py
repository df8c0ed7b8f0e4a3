"""From a frozen source to a published score, and every way in which the publish rule says no."""

from __future__ import annotations

import json
import shutil

import pytest


def test_a_first_score_is_published_with_everything_it_rests_on(assay, story, frozen, solutions, released, tmp_path):
    run = assay("run", frozen, "--solutions", solutions / "good", "--temperature", "0").run
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "guide.md").write_text("How we evaluate: frozen fixtures and three seeds.\n")
    assert assay("scan", frozen, tmp_path / "docs").code == 0

    published = assay("publish", run, "--tag", "score-1")

    assert published.code == 0, published.out
    assert published.out.startswith("PUBLISHABLE as evidence, with variance")
    assert "11 29 47 (3 distinct)" in published.out
    assert story.git("tag", "--list") == "score-1"
    decision = story.git("log", "-1", "--format=%(trailers:key=Assay-Decision,valueonly)").strip()
    assert decision == "publishable"


def test_the_same_commit_gives_the_same_bytes_and_later_records_change_nothing(assay, story, frozen, solutions):
    run = assay("run", frozen, "--solutions", solutions / "good", "--seeds", "11", "--temperature", "0").run
    at = story.head
    before = assay("score", run, "--at", at, "--format", "json")
    assay("withdraw", run, "--reason", "the wrong folder was given")

    assert before.out == assay("score", run, "--at", at, "--format", "json").out
    assert assay("score", run).out != assay("score", run, "--at", at).out


def test_the_worktree_is_never_read(assay, story, frozen, solutions):
    run = assay("run", frozen, "--solutions", solutions / "good", "--seeds", "11", "--temperature", "0").run
    before = assay("score", run).out

    for path in (story.root / "runs").rglob("judge-*/*.json"):
        path.write_text(path.read_text().replace('"met"', '"violated"'))

    assert before == assay("score", run).out


@pytest.mark.parametrize(
    ("options", "settings", "row"),
    [
        (["--seeds", "11", "--temperature", "0"], None, "Exploratory probe"),
        (["--seeds", "11,29,47"], None, "Exploratory probe"),
        (["--seeds", "11", "--temperature", "0"], "solver_network: on\n", "Uncontrolled run"),
    ],
)
def test_what_is_not_evidence_is_named_for_what_it_is(
    assay, frozen, solutions, released, tmp_path, options, settings, row
):
    if settings:
        (tmp_path / "settings.yaml").write_text(settings)
        options = [*options, "--settings", tmp_path / "settings.yaml"]
    run = assay("run", frozen, "--solutions", solutions / "good", *options).run

    published = assay("publish", run)

    assert published.code == 1
    assert row in published.out.split("\n\n")[0]


def test_a_quoted_prompt_contaminates_every_score_of_the_fixture(assay, frozen, source, solutions, released):
    run = assay("run", frozen, "--solutions", solutions / "good", "--temperature", "0").run

    scan = assay("scan", frozen, source / "prompts")
    published = assay("publish", run)

    assert (scan.code, published.code) == (1, 1)
    assert "Contaminated run" in published.out
    assert "overlap" in scan.out


def test_an_item_id_alone_is_a_mention_and_no_contamination(assay, frozen, tmp_path):
    (tmp_path / "blog").mkdir()
    (tmp_path / "blog" / "post.md").write_text("We looked at keep-last-page-02 again this week.\n")

    scan = assay("scan", frozen, tmp_path / "blog", "--format", "json")

    assert scan.code == 0
    assert "mention" in scan.out


def test_cheats_are_not_met_and_the_forbidden_import_is_a_surface_violation(assay, frozen, solutions):
    run = assay("run", frozen, "--solutions", solutions / "cheating", "--temperature", "0").run

    explained = assay("explain", run).out

    verdicts = [line.strip() for line in explained.split("\n") if line.strip().startswith("evaluation")]
    assert len(verdicts) == 6
    assert sum("functional violated" in line for line in verdicts) == 5
    assert sum("functional met, surface violated" in line for line in verdicts) == 1


def test_a_flaky_solver_is_unstable_and_its_flip_is_named(assay, frozen, solutions):
    run = assay("run", frozen, "--solutions", solutions / "flaky", "--temperature", "0").run

    score = assay("score", run).out

    assert "0.833" in score and "1.00  1.00  0.50" in score
    assert "unstable" in score
    assert "keep-last-page-02 (met met violated)" in score


def test_a_missing_solution_is_neither_a_timeout_nor_a_wrong_answer(assay, frozen, solutions, story):
    shutil.rmtree(solutions / "good" / "keep-last-page-02" / "29")
    run = assay("run", frozen, "--solutions", solutions / "good", "--temperature", "0").run

    observation = json.loads(story.show(_path(story, run, "0005-keep-last-page-02.29.json", "capture")))
    evaluation = json.loads(story.show(_path(story, run, "0005-keep-last-page-02.29.json", "judge")))

    assert observation["detail"] == "no solution for item keep-last-page-02 seed 29"
    assert (evaluation["results"][0]["verdict"], evaluation["results"][0]["value"]) == ("violated", "missing_solution")
    assert "met of planned 5 / 6" in assay("score", run).out


def test_one_saved_answer_is_one_draw_and_not_three_seeds(assay, frozen, solutions):
    for item in ("keep-last-page-02", "tidy-export-header-01"):
        (solutions / "good" / item / "11").rename(solutions / "good" / item / "any")
        for seed in ("29", "47"):
            shutil.rmtree(solutions / "good" / item / seed)

    refused = assay("run", frozen, "--solutions", solutions / "good", "--temperature", "0")
    one = assay("run", frozen, "--solutions", solutions / "good", "--temperature", "0", "--seeds", "11")

    assert refused.code == 2
    assert "one saved answer is one draw, not 3" in refused.err
    assert one.code == 0


@pytest.mark.parametrize("seeds", ["11,11,11", "11,29,29"])
def test_a_repeated_seed_is_one_seed(assay, frozen, solutions, seeds):
    refused = assay("run", frozen, "--solutions", solutions / "good", "--seeds", seeds)

    assert refused.code == 2
    assert "more than once" in refused.err


def test_replay_agrees_with_what_was_recorded(assay, frozen, solutions):
    run = assay("run", frozen, "--solutions", solutions / "flaky", "--temperature", "0").run

    replayed = assay("replay", run)

    assert replayed.code == 0
    assert "12" in replayed.out


def test_a_plan_can_be_looked_at_without_recording_anything(assay, story, frozen, solutions):
    before = story.head

    planned = assay("run", frozen, "--solutions", solutions / "good", "--dry-run")

    assert (0, before) == (planned.code, story.head)
    assert "run.json" in planned.out


def _path(story, run: str, name: str, act: str) -> str:
    listed = story.git("ls-files", f"runs/*/{run}/{act}-*").split("\n")
    return next(path for path in listed if path.endswith(name))


def test_a_record_is_shown_by_its_path_its_id_or_its_run(assay, story, frozen, solutions):
    run = assay("run", frozen, "--solutions", solutions / "good", "--seeds", "11", "--temperature", "0").run
    path = _path(story, run, "0001-tidy-export-header-01.11.json", "capture")
    record_id = path.split("/", 2)[2].removesuffix(".json")

    by_path, by_id = assay("show", path), assay("show", record_id)
    plan, attempt = assay("show", run), assay("show", f"{path.rpartition('/')[0]}/attempts-0001.jsonl:2")

    assert by_path.out == by_id.out == story.show(path).decode()
    assert '"schema": "assay/run/1"' in plan.out
    assert '"sample":"keep-last-page-02.11"' in attempt.out


def test_a_run_is_named_by_a_part_of_its_id_when_only_one_fits(assay, frozen, solutions):
    one = assay("run", frozen, "--solutions", solutions / "good", "--seeds", "11").run
    assay("run", frozen, "--solutions", solutions / "flaky", "--seeds", "11")

    assert assay("score", one).out == assay("score", "good").out == assay("score", one[-6:]).out
    assert "flaky" in assay("score", "latest").out
    assert "fits several runs" in assay("score", "2026").err


def test_many_runs_are_overlooked_from_an_index_that_is_only_a_convenience(assay, story, frozen, solutions):
    assay("run", frozen, "--solutions", solutions / "good", "--seeds", "11")
    assay("run", frozen, "--solutions", solutions / "cheating", "--seeds", "11")
    first = assay("log", "--runs", "--format", "json").json["runs"]

    for file in (story.root / ".git" / "assay" / "index").iterdir():
        file.write_bytes(b"not an index")
    again = assay("log", "--runs", "--format", "json").json["runs"]

    assert first == again
    assert [run["verdicts"] for run in sorted(again, key=lambda run: run["target"])] == [{"violated": 2}, {"met": 2}]
