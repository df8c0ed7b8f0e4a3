"""A level is admitted when all five domains hold their gates; the decision names its numbers."""

from __future__ import annotations

import json

import pytest

from assay.modes.contracts import DOMAINS

# The stated rates of the fixed level-1 reference and of the level-4 candidate, pass@1 and pass@8.
REFERENCE = {
    "graph_coloring": ("0.2078", "0.5625"),
    "countdown": ("0.0127", "0.0859"),
    "python_factors": ("0.2109", "0.7695"),
    "mathir": ("0.0437012", "0.2402"),
    "pantry_plan": ("0.0586", "0.2598"),
}
LEVEL_4 = {
    "graph_coloring": ("0.2102", "0.5352"),
    "countdown": ("0.0205", "0.0879"),
    "python_factors": ("0.2236", "0.7715"),
    "mathir": ("0.0864258", "0.2090"),
    "pantry_plan": ("0.0872", "0.1953"),
}
TASK = {"verifier": "countdown", "numbers": [3, 6, 9], "target": 18}
OTHER = {"verifier": "countdown", "numbers": [2, 5, 8], "target": 15}


@pytest.fixture
def rates(tmp_path):
    def write(candidate):
        sides = {"candidate": candidate, "reference": REFERENCE}
        stated = {s: {d: {"pass@1": one, "pass@8": eight} for d, (one, eight) in r.items()} for s, r in sides.items()}
        file = tmp_path / "rates.json"
        file.write_text(json.dumps(stated))
        return file

    return write


def test_one_domain_over_a_tolerance_keeps_the_whole_level_out(assay, rates):
    decided = assay("tasks", "admit", "4", "--rates", rates(LEVEL_4), "--format", "json")

    assert decided.code == 1
    assert decided.json["decision"] == "not admitted"
    assert [(g["domain"], g["numbers"]) for g in decided.json["gates"] if not g["held"]] == [
        ("mathir", "|0.0864258 - 0.0437012| = 0.0427246")
    ]


def test_all_five_domains_within_their_tolerances_are_admitted(assay, rates):
    assert assay("tasks", "admit", "4", "--rates", rates({**LEVEL_4, "mathir": ("0.08", "0.2")})).code == 0


def test_a_domain_that_was_not_measured_leaves_it_undecided(assay, rates):
    decided = assay("tasks", "admit", "4", "--rates", rates({d: LEVEL_4[d] for d in DOMAINS if d != "mathir"}))

    assert decided.code == 3
    assert "not measured: mathir" in decided.out


@pytest.mark.parametrize("level", [2, 3])
def test_recorded_runs_are_decided_on(assay, tmp_path, level):
    def run(at, task, right):
        record = {
            "id": "1",
            "level": at,
            "domain": "countdown",
            "answer": task,
            "responses": right + ["no"] * (8 - len(right)),
        }
        file = tmp_path / f"{at}.jsonl"
        file.write_text(json.dumps(record) + "\n")
        return assay("import", "modebench", file).run

    candidate, reference = run(level, TASK, []), run(1, OTHER, ["2+5+8"])

    decided = assay("tasks", "admit", level, "--candidate", candidate, "--reference", reference, "--format", "json")

    held = {gate["gate"]: gate["held"] for gate in decided.json["gates"]}
    assert decided.code == 1
    assert set(decided.json["missing"]) == set(DOMAINS) - {"countdown"}
    if level == 2:
        assert held["prompt ids disjoint"] and held["pass@8 below the paired level-1 reference"]
        assert not held["pass@8 within 0.10 to 0.90"]
    else:
        assert held == {"|pass@1 difference| <= 0.04": False, "|pass@8 difference| <= 0.08": False}


@pytest.mark.parametrize(
    "text", ["[]", "{", '{"candidate": {"mathir": {"pass@1": "2", "pass@8": "0"}}, "reference": {}}']
)
def test_rates_that_cannot_be_read_are_refused(assay, tmp_path, text):
    file = tmp_path / "rates.json"
    file.write_text(text)

    assert assay("tasks", "admit", "4", "--rates", file).code == 2
    assert assay("tasks", "admit", "4").code == 2
