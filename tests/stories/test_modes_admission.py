"""A level is admitted when all five domains hold their gates; the decision is a record that anybody can take again."""

from __future__ import annotations

import json

import pytest

from assay.demo.modes_story import TASKS
from assay.modes.contracts import DOMAINS
from assay.record import canonical
from verify.telling import broken

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


@pytest.fixture
def measured(assay, tmp_path):
    """Import a run over a level: by domain the right draws of each prompt, every prompt asked eight times."""

    def bring(name, level, right, *options):
        file = tmp_path / f"{name}.jsonl"
        records = (
            {
                "id": f"{domain}-{number}",
                "level": level,
                "domain": domain,
                "answer": TASKS[domain][1],
                "responses": [answer_of(domain, level)] * count + ["no"] * (8 - count),
            }
            for domain, counts in right.items()
            for number, count in enumerate(counts)
        )
        file.write_text("".join(json.dumps(record) + "\n" for record in records))
        done = assay("import", "modebench", file, *options)
        assert done.code == 0, done.err
        return done.run

    return bring


def answer_of(domain, level):
    """A right answer; recipes of level 1 are masks, of the others amounts."""
    return "oats=100,walnuts=100" if domain == "pantry_plan" and level > 1 else TASKS[domain][2][0]


def spread(right, over, prompts):
    """The right draws of every prompt: `right` of them, over `over` of `prompts` prompts."""
    least, more = divmod(right, over)
    return [least + (number < more) for number in range(over)] + [0] * (prompts - over)


SOME = {domain: spread(6, 3, 8) for domain in DOMAINS}


def test_one_domain_over_a_tolerance_keeps_the_whole_level_out(assay, rates):
    decided = assay("tasks", "admit", "4", "--rates", rates(LEVEL_4), "--format", "json")

    assert decided.code == 1
    assert decided.json["decision"] == "not_admitted"
    failed = [(d["domain"], c["evidence"]) for d in decided.json["domains"] for c in d["conditions"] if not c["held"]]
    assert failed == [("mathir", "|0.0864258 - 0.0437012| = 0.0427246")]


def test_all_five_domains_within_their_tolerances_are_admitted(assay, rates):
    assert assay("tasks", "admit", "4", "--rates", rates({**LEVEL_4, "mathir": ("0.08", "0.2")})).code == 0


def test_a_domain_that_was_not_measured_leaves_it_not_assessed(assay, rates):
    decided = assay("tasks", "admit", "4", "--rates", rates({d: LEVEL_4[d] for d in DOMAINS if d != "mathir"}))

    assert decided.code == 3
    assert "mathir is not assessed: level 4 was not measured" in decided.out


def test_stated_rates_are_never_recorded(assay, rates):
    refused = assay("tasks", "admit", "4", "--rates", rates(LEVEL_4), "--record")

    assert refused.code == 2
    assert "no evidence" in refused.err


@pytest.mark.slow
def test_the_published_failure_of_level_4_comes_out_of_the_draws_themselves(assay, story, measured):
    candidate = measured("new", 4, {**SOME, "mathir": spread(354, 107, 512)})
    reference = measured("old", 1, {**SOME, "mathir": spread(179, 123, 512)})

    done = assay("tasks", "admit", "4", "--candidate", candidate, "--reference", reference, "--record")

    assert done.code == 1
    assert "mathir          pass@1 within 0.04  |0.0864258 - 0.0437012| = 0.0427246  FAILED" in done.out
    (path,) = [line for line in story.git("ls-files", "runs").split("\n") if line.endswith("/admission.json")]
    record = canonical.decode(story.show(path))
    assert {d["domain"]: d["decision"] for d in record["domains"]} == {
        domain: "not_admitted" if domain == "mathir" else "admitted" for domain in DOMAINS
    }
    assert record["decision"] == "not_admitted"
    assert [run["run"] for run in record["runs"]] == [candidate, reference]
    assert assay("verify", "--recompute").code == 0


@pytest.fixture
def admitted(assay, measured):
    """Admit level 3 on record: the record, its candidate and its reference."""
    candidate, reference = measured("new", 3, SOME), measured("old", 1, SOME)
    asked = ("--candidate", candidate, "--reference", reference, "--record", "--format", "json")
    done = assay("tasks", "admit", 3, *asked)
    assert done.code == 0, done.out + done.err
    record = {name: member for name, member in done.json.items() if name not in ("view", "commit")}
    return record, candidate, reference


def test_a_recorded_admission_is_found_by_log_show_explain_and_the_card_of_its_tasks(assay, admitted):
    record, candidate, reference = admitted
    fixture = assay("score", candidate, "--format", "json").json["fixture"]["name"]

    logged = assay("log", "--kind", "admission", "--format", "json").json["commits"]
    explained = assay("explain", record["id"]).out
    card = assay("fixture", "card", fixture, "--format", "json").json["facts"]["admission"]

    assert [(entry["kind"], entry["decision"]) for entry in logged] == [("admission", "admitted")]
    assert "level 3 admitted" in explained and f"reference  {reference}" in explained
    assert "countdown, 8 prompts: pass@1 0.0937500, pass@8 0.3750000" in explained
    assert f"level 3 admitted with unreported ({record['id']})" == card
    assert json.loads(assay("show", record["id"]).out)["level"] == 3


def test_without_a_record_a_card_says_not_assessed(assay, measured):
    run = measured("new", 3, {"countdown": [1]})
    fixture = assay("score", run, "--format", "json").json["fixture"]["name"]

    card = assay("fixture", "card", fixture, "--format", "json").json

    assert card["facts"]["admission"].startswith("not assessed")


def test_a_withdrawn_admission_leaves_the_card(assay, admitted):
    record, candidate, _ = admitted
    path = f"runs/{record['id'][:7]}/{record['id']}.json"
    assert assay("withdraw", path, "--reason", "measured with other prompts").code == 0
    fixture = assay("score", candidate, "--format", "json").json["fixture"]["name"]

    card = assay("fixture", "card", fixture, "--format", "json").json

    assert card["facts"]["admission"].startswith("not assessed")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda record: record.update(decision="not_admitted"), "decision"),
        (lambda record: record["domains"][0]["candidate"].update(pass_1="0.0900000"), "domains"),
        (lambda record: record["tolerances"].update(pass_1_difference="0.05"), "tolerances"),
        (lambda record: record["runs"].reverse(), "runs"),
    ],
)
def test_a_record_that_its_runs_do_not_give_is_named(assay, story, admitted, change, said):
    record, _, _ = admitted
    change(record)
    record["id"] = f"{record['id'].rpartition('-')[0]}-0000aa/admission"
    path = f"runs/{record['id'][:7]}/{record['id']}.json"
    story.git("config", "core.hooksPath", "/nowhere")
    story.commit("a claim of admission", {path: canonical.encode(record)})

    plain, again = assay("verify"), assay("verify", "--recompute")

    assert (plain.code, again.code) == (0, 1)
    assert path in again.out and f"{said} is not what its basis gives" in again.out.replace("\n", " ")


def test_both_verifiers_know_the_record_and_that_it_belongs_to_no_run(story, admitted):
    record, candidate, _ = admitted
    assert broken(story) == set()
    record["id"] = f"{candidate}/qualify-0000aa/admission"
    path = f"runs/{record['id'][:7]}/{record['id']}.json"
    story.git("config", "core.hooksPath", "/nowhere")
    commit = story.commit("an admission in a run", {path: canonical.encode(record)})

    assert broken(story) == {("name", path, commit)}


def test_runs_under_two_contracts_are_not_held_against_each_other(assay, measured):
    candidate = measured("new", 3, SOME, "--contract", "modebench-0.4.0")
    reference = measured("old", 1, SOME)

    decided = assay("tasks", "admit", 3, "--candidate", candidate, "--reference", reference)

    assert decided.code == 3
    assert "are not comparable" in decided.out.replace("\n", " ")


def test_level_2_needs_tasks_of_its_own(assay, measured):
    candidate, reference = (
        measured("new", 2, {"countdown": spread(6, 3, 8)}),
        measured("old", 1, {"countdown": spread(8, 4, 8)}),
    )

    decided = assay("tasks", "admit", 2, "--candidate", candidate, "--reference", reference, "--format", "json").json

    held = {c["rule"]: c["held"] for d in decided["domains"] for c in d["conditions"]}
    assert held == {
        "pass@8 within 0.10 to 0.90": True,
        "pass@8 below its level-1 reference": True,
        "support histograms matched": True,
        "prompts disjoint": False,
    }
    assert decided["domains"][1]["candidate"]["supports"] == [{"modes": 3, "prompts": 8}]


def test_a_run_that_asked_with_other_numbers_of_draws_measures_nothing(assay, tmp_path):
    def run(level, draws):
        record = {"id": "1", "level": level, "domain": "countdown", "answer": TASK, "responses": ["3+6+9"] * draws}
        file = tmp_path / f"{level}.jsonl"
        file.write_text(json.dumps(record) + "\n")
        return assay("import", "modebench", file).run

    decided = assay("tasks", "admit", 3, "--candidate", run(3, 4), "--reference", run(1, 8))

    assert decided.code == 3
    assert "level 3 was not measured with 8 draws" in decided.out.replace("\n", " ")


@pytest.mark.parametrize(
    "text", ["[]", "{", '{"candidate": {"mathir": {"pass@1": "2", "pass@8": "0"}}, "reference": {}}']
)
def test_rates_that_cannot_be_read_are_refused(assay, tmp_path, text):
    file = tmp_path / "rates.json"
    file.write_text(text)

    assert assay("tasks", "admit", "4", "--rates", file).code == 2
    assert assay("tasks", "admit", "4").code == 2
