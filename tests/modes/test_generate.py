"""Generated tasks: deterministic, distinct, of the level's structure, with certified counts."""

from __future__ import annotations

from itertools import pairwise

import pytest

from assay.errors import InputError
from assay.modes.contracts import DOMAINS
from assay.modes.generate import build, certify, countdown, factors
from assay.modes.generate.lot import Lot
from assay.modes.grade import grade_prompt
from assay.modes.mathir import programs
from assay.modes.splits import encode_split

CELLS = [(level, domain) for domain in DOMAINS for level in range(1, 6)]


@pytest.mark.parametrize(("level", "domain"), CELLS)
def test_every_cell_has_certified_tasks(level, domain):
    rows = build.split(level, domain, "test", 2)

    for row in rows:
        audit = certify.audit(level, domain, row.answer)
        assert (audit.faults, len(audit.support)) == ((), row.mode_count)
        assert row.mode_count >= 2
        assert row.problem


@pytest.mark.parametrize(("level", "domain"), CELLS)
def test_the_structure_is_that_of_the_level(level, domain):
    for row in build.split(level, domain, "structure", 3):
        STRUCTURE[domain](level, row.answer, row)


def countdown_structure(level, answer, row):
    low, high = {1: (2, 12), 2: (2, 14), 3: (2, 99), 4: (2, 192), 5: (5, 188)}[level]
    assert len(answer["numbers"]) in {1: (3,), 3: (3, 4)}.get(level, (4,))
    assert all(low <= number <= high for number in answer["numbers"])


def graph_structure(level, answer, row):
    sizes = {1: range(4, 7), 2: range(5, 7), 3: range(5, 6), 4: range(5, 7), 5: range(6, 8)}
    assert answer["n"] in sizes[level]
    assert answer["partial_colors"].count(None) in {1: (3,), 2: (4,), 3: (3,)}.get(level, (3, 4))


def factor_structure(level, answer, row):
    low, high = {1: (6, 96), 2: (6, 192), 3: (60, 254), 4: (25, 998), 5: (48, 996)}[level]
    assert len(answer["cases"]) == (6 if level == 4 else 4)
    assert all(low <= case <= high for case in answer["cases"])
    assert level != 2 or max(answer["cases"]) > 96


def mathir_structure(level, answer, row):
    assert row.mode_count == 5
    assert len(answer["actions"]) == 6
    assert level != 3 or min(answer["bindings"].values()) > 0


def pantry_structure(level, answer, row):
    assert len(answer["ingredients"]) in ((6, 7, 8) if level in (3, 5) else (6,))
    assert answer["certified_mode_count"] == row.mode_count


STRUCTURE = {
    "countdown": countdown_structure,
    "graph_coloring": graph_structure,
    "python_factors": factor_structure,
    "mathir": mathir_structure,
    "pantry_plan": pantry_structure,
}


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_same_seed_gives_the_same_rows_and_another_gives_others(domain):
    assert build.split(1, domain, "eval", 2, seed=4) == build.split(1, domain, "eval", 2, seed=4)
    assert build.split(1, domain, "eval", 2, seed=4) != build.split(1, domain, "eval", 2, seed=5)


def test_a_known_row_never_changes():
    (row,) = build.split(1, "countdown", "eval", 1)

    assert (row.id, row.answer["numbers"], row.answer["target"], row.mode_count) == KNOWN


KNOWN = ("level1_countdown/eval/0", [9, 12, 2], 19, 5)


def test_no_task_occurs_in_two_splits():
    made = build.splits(1, "graph_coloring", sizes={"train": 30, "eval": 20})

    identities = [build.identity(row.answer) for rows in made.values() for row in rows]
    assert len(set(identities)) == 50


def test_the_diagnostic_split_has_a_single_answer_each():
    rows = build.unique_answer_split(4)

    assert {row.mode_count for row in rows} == {1}
    assert rows[0].id == "level1_graph_coloring_unique_answer/eval/0"
    assert "/unique_answer/" in encode_split("level1_graph_coloring_unique_answer", "eval", rows)[1].data_file


def test_an_impossible_number_of_rows_is_an_error(monkeypatch):
    monkeypatch.setattr(build, "PROPOSALS_PER_ROW", 1)

    with pytest.raises(InputError, match="only"):
        build.split(1, "pantry_plan", "eval", 30)


@pytest.mark.parametrize(("level", "domain"), [(6, "countdown"), (1, "chess")])
def test_there_are_five_levels_and_five_domains(level, domain):
    with pytest.raises(InputError, match="no generator"):
        build.split(level, domain, "eval", 1)


@pytest.mark.parametrize("level", range(1, 6))
def test_every_divisor_vector_has_a_witness_that_verifies(level):
    (row,) = build.split(level, "python_factors", "witness", 1)
    cases = row.answer["cases"]
    keys = certify.support("python_factors", row.answer)[::37]

    texts = [factors.witness(cases, [int(d) for d in key.split(":")[1].split(",")]) for key in keys]

    assert [g.key for g in grade_prompt("assay-modes-1", level, "python_factors", row.answer, texts)] == list(keys)


@pytest.mark.parametrize(
    ("numbers", "target", "keys"),
    [
        ([2, 5], 10, {"mul(2,5)"}),
        ([1, 2], 2, {"div(2,1)", "mul(1,2)"}),
        ([1, 2, 3], 7, {"add(1,mul(2,3))"}),
        ([5, 5], 0, {"sub(5,5)"}),
        ([5, 5], 3, set()),
    ],
)
def test_the_countdown_enumeration_is_complete_where_it_can_be_done_by_hand(numbers, target, keys):
    assert {f"countdown:{key}" for key in keys} == set(countdown.support(numbers, target))


@pytest.mark.slow
@pytest.mark.parametrize("level", range(1, 6))
def test_sympy_agrees_with_every_certified_trajectory(level):
    (row,) = build.split(level, "mathir", "sympy", 1)

    assert certify.second_opinion(row.answer) == ()


def test_an_audit_names_unsolvable_tasks_and_wrong_counts():
    nobody = {"verifier": "countdown", "numbers": [-1, 2], "target": 500}
    wrong = {"verifier": "countdown", "numbers": [1, 2, 3], "target": 7, "num_completions": 99}
    broken = {"verifier": "graph_coloring", "n": 2, "edges": [[1, 2]], "partial_colors": [1, 1]}

    assert certify.audit(1, "countdown", nobody).faults == ("no answer can be correct",)
    assert certify.audit(1, "countdown", wrong).faults[0].startswith("answer.num_completions states 99 modes")
    assert certify.audit(1, "graph_coloring", broken).faults == ("no answer can be correct",)
    assert certify.audit(1, "countdown", {}).faults[0].startswith("answer.verifier")


def test_open_and_large_supports_are_not_claimed():
    algebra = {
        "verifier": programs.ALGEBRA,
        "mathir_version": "linear-v0",
        "bindings": {"a": 2, "b": 3},
        "initial_lhs": "mul(a,x)",
        "initial_rhs": "b",
    }

    assert certify.audit(1, "mathir", algebra) == certify.Audit(None, ())
    assert certify.support("countdown", {"numbers": [1] * 6, "target": 6}) is None


def test_lots_are_fair_enough_and_stay_in_range():
    lot = Lot("fair")
    drawn = [lot.between(2, 5) for _ in range(400)]

    assert {2, 3, 4, 5} == set(drawn)
    assert min(drawn.count(n) for n in (2, 3, 4, 5)) > 60
    assert sorted(lot.shuffled("abcd")) == list("abcd")
    assert all(a != b for a, b in pairwise(sorted(lot.sample(range(9), 9))))
