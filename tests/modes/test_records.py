"""Saved responses: what is read, and that every fault is named by line and field."""

from __future__ import annotations

import hashlib
import json

import pytest

from assay.errors import InputError
from assay.modes import prompts
from assay.modes.generate import build
from assay.modes.records import Options, read_responses
from assay.modes.splits import FrozenSplit

RECORD = {
    "id": "one",
    "level": 1,
    "domain": "countdown",
    "answer": {"verifier": "countdown", "numbers": [1, 2, 3], "target": 6},
    "responses": ["1+2+3", ""],
}
RUN = {"model": {"id": "m", "revision": "r"}, "generation": {"temperature": 1}, "prompt_condition": prompts.HINTS}


def lines(*records):
    return [(r if isinstance(r, bytes) else json.dumps(r).encode()) + b"\n" for r in records]


def faults(*records, **options):
    with pytest.raises(InputError) as caught:
        read_responses(lines(*records), Options(**options))
    return list(caught.value.faults)


def test_records_come_in_order_with_hashes_and_text_ids():
    data = lines(RECORD, b"", {**RECORD, "id": 0, "domain": "pantry_plan"} | {"domain": "countdown"})

    found = read_responses(data)

    assert [(r.line, r.id, r.responses) for r in found.records] == [(1, "one", ("1+2+3", "")), (3, "0", ("1+2+3", ""))]
    canonical = json.dumps(RECORD, sort_keys=True, separators=(",", ":")).encode()
    assert found.records[0].sha256 == hashlib.sha256(canonical).hexdigest()
    assert found.input_sha256 == hashlib.sha256(b"".join(data)).hexdigest()
    assert (found.run, found.coverage, found.draws) == (None, None, {2})


def test_a_byte_order_mark_and_crlf_are_read():
    data = [b"\xef\xbb\xbf" + json.dumps(RECORD).encode() + b"\r\n"]

    assert len(read_responses(data).records) == 1


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not JSON at character 2"),
        (b'{"id": 1, "id": 2}', "key 'id' is repeated"),
        (b'{"answer": {"a": 1, "a": 1}}', "key 'a' is repeated"),
        (b'{"id": NaN}', "NaN is not a JSON number"),
        (b'{"id": 1e999}', "1e999 is not a finite number"),
        (b"[1]", "expected a JSON object, got list"),
        (b"\xff", "not UTF-8 at byte 1"),
        (b"[" * 200_000, "nested too deeply"),
        (b" " * (16 * 1024 * 1024), "longer than 16,777,216 bytes"),
    ],
)
def test_a_line_that_is_no_strict_json_is_named(line, reason):
    (fault,) = faults(RECORD, line)

    assert fault.startswith(f"line 2: {reason}")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"model_id": 1, "extra": 2}, "unknown fields extra, model_id"),
        ({"id": " "}, "id: expected a nonblank text or an integer, got ' '"),
        ({"id": True}, "id: expected a nonblank text or an integer, got True"),
        ({"level": "Level1"}, "level: expected 1 to 5, or level1 to level5, got 'Level1'"),
        ({"domain": "Countdown"}, "domain: not a known domain (got 'Countdown')"),
        ({"answer": None}, "answer: a custom record needs its reference"),
        ({"answer": {"verifier": "mathir"}}, "answer: answer.verifier must be countdown for countdown"),
        ({"responses": []}, "responses: expected a nonempty list of texts"),
        ({"responses": ["a", 1]}, "responses[1]: expected a text, got int"),
        ({"responses": ["a"] * 4097}, "responses: 4097, at most 4,096"),
        ({"problem": " "}, "problem: problem must be a nonblank text"),
        ({"problem": "<|im_start|>"}, "problem: problem holds the chat marker <|im_start|>"),
        ({"dataset_sha256": "0" * 64}, "dataset_sha256: a custom record belongs to no dataset"),
    ],
)
def test_a_fault_names_line_prompt_and_field(change, reason):
    (fault,) = faults({**RECORD, "id": "first"}, {**RECORD, **change})

    name = "?" if "id" in change else "'one'"
    assert fault == f"line 2, prompt {name}: {reason}"


def test_all_faults_of_a_file_are_reported_together():
    found = faults({**RECORD, "level": 9, "domain": "x"}, b"{", {**RECORD, "id": 1}, {**RECORD, "id": "1"})

    assert [fault.split(":")[0] for fault in found] == ["line 1, prompt 'one'"] * 2 + ["line 2", "line 4, prompt '1'"]
    assert "occurs before" in found[-1]


def test_the_alias_of_a_domain_shares_its_ids():
    row = build.split(2, "pantry_plan", "alias", 1)[0]
    record = {"id": 1, "level": 2, "domain": "pantry", "answer": row.answer, "responses": ["x"]}

    (fault,) = faults(record, {**record, "domain": "pantry_plan"})

    assert "occurs before" in fault


def test_an_empty_file_is_a_fault():
    assert faults(b"") == ["the file holds no record"]


def test_a_shared_run_covers_records_without_one():
    found = read_responses(lines(RECORD, {**RECORD, "id": 2, "run": RUN}), Options(run=RUN))

    assert found.run == RUN


@pytest.mark.parametrize(
    ("runs", "reason"),
    [
        ([RUN, {**RUN, "note": 1}], "line 2: run: differs from the shared run"),
        ([RUN, None], "line 2: run: missing here, but other records state one"),
        ([{**RUN, "model": {"id": "m"}}] * 2, "run.model.revision: expected a nonblank text"),
        ([{**RUN, "generation": {}}] * 2, "run.generation: expected a nonempty object"),
        ([{**RUN, "prompt_condition": "own"}] * 2, "run.prompt_condition: expected one of"),
        ([{**RUN, "generation": {"draws_per_prompt": 0}}] * 2, "run.generation.draws_per_prompt: expected an integer"),
        (
            [{**RUN, "generation": {"draws_per_prompt": 3}}] * 2,
            "line 1, prompt '0': responses: 2, but the run states 3",
        ),
    ],
)
def test_run_metadata_is_one_and_complete(runs, reason):
    records = [{**RECORD, "id": n} | ({"run": run} if run else {}) for n, run in enumerate(runs)]

    assert faults(*records)[0].startswith(reason)


def rendered(problem="Make 6 of 1, 2 and 3."):
    return prompts.render(problem, 1, "countdown")


def test_a_registered_prompt_is_recognised_by_messages_and_hash():
    prompt = rendered()
    record = {**RECORD, "problem": prompt.messages[1]["content"], "messages": list(prompt.messages)}

    found = read_responses(lines({**record, "prompt_sha256": prompt.sha256}), Options(run=RUN))

    assert found.records[0].prompt_sha256 == prompt.sha256


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"prompt_sha256": "0" * 64}, "prompt_sha256: expected "),
        (
            {"messages": [{"role": "user", "content": "x"}]},
            "messages: messages must be one system and one user message",
        ),
        ({"problem": "Make 7."}, "prompt_sha256: expected "),
    ],
)
def test_another_prompt_is_a_fault(change, reason):
    record = {**RECORD, "problem": "Make 6 of 1, 2 and 3.", "prompt_sha256": rendered().sha256, **change}

    (fault,) = faults(record, run=RUN)

    assert f": {reason}" in fault


ROWS = build.split(1, "countdown", "eval", 3)
FROZEN = FrozenSplit("level1_countdown/eval", ROWS, "f" * 64)


def answered(n, **more):
    return {"id": f"level1_countdown/eval/{n}", "responses": ["1", "2"], **more}


def test_frozen_rows_bring_their_reference_and_their_problem():
    records = [answered(2), answered(0, level="1", dataset_sha256="f" * 64), answered(1, problem=ROWS[1].problem)]

    found = read_responses(lines(*records), Options(run=RUN, frozen=FROZEN))

    assert [r.answer for r in found.records] == [ROWS[2].answer, ROWS[0].answer, ROWS[1].answer]
    assert (found.coverage.complete, found.coverage.selected[0]) == (True, "level1_countdown/eval/0")


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"answer": {}}, "answer: the reference of a frozen row is never brought along"),
        ({"level": 2}, "level: expected 1, got 2"),
        ({"domain": "mathir"}, "domain: expected countdown, got 'mathir'"),
        ({"problem": "x"}, "problem: differs from the frozen row"),
        ({"dataset_sha256": "0"}, "dataset_sha256: expected ffff"),
        ({"id": "level1_countdown/eval/3"}, "id: not a row of level1_countdown/eval"),
        ({"id": "level1_countdown/eval/01"}, "id: not a row of level1_countdown/eval"),
    ],
)
def test_what_differs_from_the_frozen_row_is_a_fault(more, reason):
    found = faults(answered(0, **more), answered(1), answered(2), run=RUN, frozen=FROZEN)

    assert f": {reason}" in found[0]


def test_every_row_is_needed_unless_parts_are_allowed():
    (fault,) = faults(answered(1), run=RUN, frozen=FROZEN)
    partial = read_responses(lines(answered(1)), Options(run=RUN, frozen=FROZEN, allow_partial=True))

    assert "2 of 3 rows of level1_countdown/eval are missing" in fault
    assert partial.coverage.missing == ("level1_countdown/eval/0", "level1_countdown/eval/2")


def test_frozen_records_need_run_metadata_and_equal_counts():
    without = faults(answered(0), answered(1), answered(2), frozen=FROZEN)
    unequal = faults(answered(0), answered(1), {**answered(2), "responses": ["1"]}, run=RUN, frozen=FROZEN)

    assert without == ["run: responses to a frozen split need run metadata"]
    assert unequal == ["responses: a frozen split needs equal counts in every record (got [1, 2])"]
