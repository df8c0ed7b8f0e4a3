"""Two runs of tasks side by side: a prompt counts once, by all of its draws, and contracts are never mixed."""

from __future__ import annotations

import json

import pytest

from assay.demo.modes_story import TASKS
from stories.release import freeze, policy

RIGHT, OTHER, WRONG, _ = TASKS["countdown"][2]
LOST = [[RIGHT, WRONG], [OTHER, RIGHT], [RIGHT, WRONG], [WRONG, WRONG]]
FOUND = [[WRONG, RIGHT], [RIGHT, OTHER], [RIGHT, OTHER], [WRONG, RIGHT]]


@pytest.fixture
def bring(assay, tmp_path):
    """Import a run over four prompts with the given draws."""

    def run(name, draws, *options, level=1):
        records = [
            {"id": str(n), "level": level, "domain": "countdown", "answer": TASKS["countdown"][1], "responses": said}
            for n, said in enumerate(draws)
        ]
        file = tmp_path / f"{name}.jsonl"
        file.write_text("".join(json.dumps(record) + "\n" for record in records))
        done = assay("import", "modebench", file, *options)
        assert done.code == 0, done.err
        return done.run

    return run


def measures(compared):
    (cell,) = compared.json["measures"]
    return {one["measure"]: one for one in cell["measures"]}


def test_a_prompt_is_met_when_one_of_its_draws_is_right_wherever_it_stands(assay, bring):
    compared = assay("compare", bring("old", LOST), bring("new", FOUND))

    assert compared.code == 0
    assert "Criterion met among scored cases: 4 / 4 (100%)" in compared.out
    assert "improved: 1; unchanged: 3; regressed: 0" in compared.out


def test_without_a_policy_no_prompt_may_be_lost(assay, bring):
    compared = assay("compare", bring("old", FOUND), bring("new", LOST))

    assert compared.code == 1
    assert "1 regressed (at most 0 allowed): level1_countdown/3" in compared.out


def test_every_measure_is_compared_prompt_by_prompt(assay, bring):
    compared = assay("compare", bring("old", LOST), bring("new", FOUND), "--format", "json")

    found = measures(compared)
    assert {name: one["difference"] for name, one in found.items()} == {
        "accuracy": "1/4",
        "pass_at_k": "1/4",
        "distinct_at_k": "1/2",
        "pcmd": "0",
    }
    assert (found["accuracy"]["improved"], found["accuracy"]["regressed"]) == (2, 0)
    assert (found["pcmd"]["pairs"], found["pcmd"]["left_out"]) == (1, 3)
    assert "distinct@k" in assay("compare", bring("a", LOST), bring("b", FOUND)).out


def test_a_policy_of_its_own_decides(assay, bring, tmp_path):
    rules = "regressions: {max: 1, slices: {family: {countdown: 1}, tag: {level1: 1}}}\nmet_rate: {at_least: 0.5}"
    freeze(assay, tmp_path, tolerant=policy(rules, name="tolerant"))
    freeze(assay, tmp_path, strict=policy("met_rate: {at_least: 1}", name="strict"))
    old, new = bring("old", FOUND), bring("new", LOST)

    tolerant, strict = (assay("compare", old, new, "--policy", name, "--record") for name in ("tolerant", "strict"))

    assert (tolerant.code, strict.code) == (0, 1)
    assert "met 3 / 4 (at least 1.000 wanted)" in strict.out
    assert assay("verify", "--recompute").code == 0


def test_a_policy_can_be_about_one_domain(assay, bring, tmp_path):
    freeze(assay, tmp_path, apart=policy("population: {families: [mathir]}", name="apart"))

    refused = assay("compare", bring("old", LOST), bring("new", FOUND), "--policy", "apart")

    assert refused.code == 2
    assert "there is no family 'mathir' (there is countdown)" in refused.err


def test_verdicts_under_two_contracts_are_not_comparable(assay, bring):
    compared = assay("compare", bring("old", LOST), bring("new", FOUND, "--contract", "modebench-0.4.0"))

    assert compared.code == 3
    assert "not comparable: verifier contract is assay-modes-1 and modebench-0.4.0" in compared.out
    assert "Comparable pairs: 0 / 4" in compared.out
    assert "candidate minus baseline" not in compared.out


def test_other_numbers_of_draws_are_another_quantity(assay, bring):
    compared = assay("compare", bring("old", LOST), bring("new", [said * 2 for said in FOUND]), "--format", "json")

    assert compared.code == 3
    assert {pair["outcome"] for pair in compared.json["pairs"]} == {"missing"}
    assert "measures" not in compared.json


def test_a_prompt_with_another_reference_is_not_the_same_prompt(assay, bring, monkeypatch):
    old = bring("old", LOST)
    monkeypatch.setitem(TASKS["countdown"][1], "numbers", [1, 2, 3])

    compared = assay("compare", old, bring("new", FOUND))

    assert compared.code == 3
    assert "Comparable pairs: 0 / 4" in compared.out
