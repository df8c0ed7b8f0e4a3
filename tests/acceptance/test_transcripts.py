"""Saved transcripts: answers as they were, everything unsaved named, nothing turned into a score of ours."""

from __future__ import annotations

import json

import pytest

from acceptance.making import source
from assay.acceptance.behaviour import behaviour_of
from assay.acceptance.cases import read_cases
from assay.acceptance.evidence import evidence_of
from assay.acceptance.fields import read_source
from assay.acceptance.transcripts import as_cases, claim_record, read_transcripts
from assay.errors import InputError
from assay.record import schema
from assay.record.canonical import encode
from assay.record.digest import digest


def question(case, text):
    return {"session_id": case, "role": "user", "text": text}


def answer(case, text, **more):
    return {"session_id": case, "role": "assistant", "text": text, **more}


def lines(*messages):
    return b"".join(json.dumps(one).encode() + b"\n" for one in messages)


def legacy():
    """Forty saved cases of one turn each; the thirty-first has more beside its answer."""
    messages = []
    for number in range(1, 41):
        more = (
            {"excerpts": ["a"] * 5, "cited": [], "usage": {"prompt_tokens": 1037, "completion_tokens": 173}}
            if number == 31
            else {}
        )
        more |= (
            {"latency_ms": 29832, "thermal": "serious", "stop": "eos", "scores": {"faithful": 0.4}}
            if number == 31
            else {}
        )
        messages += [
            question(f"q{number}", f"Question {number}?"),
            answer(f"q{number}", f"  Answer {number}.\u2028 ", **more),
        ]
    return read_transcripts(lines(*messages), "old.jsonl")


def test_forty_cases_keep_their_answers_to_the_last_blank():
    found = legacy()

    assert len(found) == 40
    assert found[30].observed.output == {"answers": ["  Answer 31.\u2028 "]}
    assert found[30].lines == (61, 62)
    assert found[30].observed.files["transcript.jsonl"].count(b"\n") == 2


def test_what_was_not_saved_is_listed_and_never_filled_in():
    rich, poor = legacy()[30], legacy()[0]

    assert rich.missing == (
        *("request_id", "prompt", "configuration", "commit"),
        *("case revision", "clean start of the session", "completeness of the capture"),
    )
    assert {"usage", "duration_ms", "excerpts", "device"} <= set(poor.missing)
    assert (poor.observed.usage, poor.observed.duration_ms, poor.observed.device) == (None, None, None)
    assert rich.observed.session["clean_start"] is None


def test_saved_excerpts_prove_no_complete_capture_and_their_absence_is_no_empty_one():
    rich, poor = legacy()[30].observed, legacy()[0].observed

    assert evidence_of({"evidence": rich.evidence}).capture == "unknown"
    assert evidence_of({"evidence": poor.evidence}).capture == "absent"
    assert rich.events == ({"event": "saved", "excerpts": 5, "cited": [], "ended": "eos"},)


def test_evaluators_that_cannot_run_are_named_with_their_reason():
    behaviour = behaviour_of(read_source(source("behaviour.yaml"), "behaviour.yaml"))

    told = legacy()[30].cannot_run(behaviour)

    assert [one.split(":")[0] for one in told] == [
        "evidence_integrity",
        "uncertainty",
        "continuity",
        "citations",
        "quantities",
    ]


def test_old_scores_are_claims_spelled_as_they_were():
    run = "2026-11-30-legacy-0a1b2c"
    place = {"id": f"{run}/import-0a1b2c/claim", "run": run, "recorded_at": "2026-11-30T09:00:00Z"}
    claims = legacy()[30].claims

    record = claim_record(
        claims, place=place, tool={"name": "old harness"}, source={"name": "old.jsonl", "sha256": digest(b"x")}
    )

    assert schema.faults(record) == ()
    assert record["statements"] == [{"subject": "q31", "metric": "faithful", "value": "0.4"}]
    assert record["tool"]["version"] is None


def test_labels_that_came_along_are_drafts():
    (found,) = read_transcripts(
        lines(question("q", "Why?"), answer("q", "So.", labels={"task_match": "violated", "mood": "great"})), "x.jsonl"
    )

    assert [(label.commitment, label.verdict, label.status) for label in found.labels] == [
        ("task_match", "violated", "draft")
    ]


def test_fields_that_nothing_here_understands_are_named():
    (found,) = read_transcripts(lines(question("q", "Why?"), answer("q", "So.", persona="p", beam=4)), "x.jsonl")

    assert found.not_read == ("beam", "persona")


def test_a_question_without_an_answer_has_an_unknown_outcome():
    (found,) = read_transcripts(lines(question("q", "One?"), answer("q", "Yes."), question("q", "Two?")), "x.jsonl")

    assert (found.observed.status, found.observed.output) == ("unknown_outcome", {"answers": ["Yes.", None]})


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (lines(question("q", "a"))[:-9], "x.jsonl: line 1: not JSON"),
        (lines(question("q", "a")) + b'{"torn": \n' + lines(question("q", "b")), "x.jsonl: line 2: not JSON"),
        (b'{"role": "user"}\n', "line 1: case is missing"),
        (lines({"session_id": "q", "role": "system", "text": "x"}), "role: expected user or assistant"),
        (b"", "expected messages, got none"),
    ],
)
def test_a_file_that_cannot_be_read_names_its_lines(data, told):
    with pytest.raises(InputError) as caught:
        read_transcripts(data, "x.jsonl")

    assert told in "\n".join([caught.value.message, *caught.value.faults])


def test_other_line_separators_inside_a_text_do_not_split_it():
    text = "a\u0085b\u2028c\u2029d\x0b\x0c\x1e"
    raw = json.dumps(answer("q", text), ensure_ascii=False).encode()

    (found,) = read_transcripts(lines(question("q", "Why?")) + raw + b"\n", "x.jsonl")

    assert found.observed.output == {"answers": [text]}


def test_imported_conversations_become_a_source_of_drafts():
    written = encode(as_cases(legacy(), dataset_id="legacy", version="1", behaviour="homestead-reference-behaviour@1"))

    cases = read_cases(written, "legacy.json")

    assert len(cases.cases) == 40
    assert {one.status for case in cases.cases for one in case.expectations} == {"draft"}
    assert cases.cases[30].turns == ("Question 31?",)
