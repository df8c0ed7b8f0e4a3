"""The conformance corpus holds under both contracts, a second judge agrees with it, and faulty verifiers are caught."""

from __future__ import annotations

import json
from functools import cache

import pytest

from assay.modes.grade import grade, prepare
from modes import referee
from modes.corpus import ASSAY, DOMAINS, PEER, cases, tasks

JUDGED_AGAIN = [pytest.param(d, marks=pytest.mark.slow if d == "mathir" else ()) for d in DOMAINS]


@cache
def second_judgments(domain):
    """(status, fingerprint) of every case by name."""
    judge = getattr(referee, domain)
    return {
        (case.name, case.response): judge(case.answer, case.response, *[case.level] * (domain == "pantry_plan"))
        for case in cases(domain)
    }


def judged_again(case):
    return second_judgments(case.domain)[case.name, case.response]


@pytest.mark.parametrize("contract", [ASSAY, PEER])
@pytest.mark.parametrize("domain", DOMAINS)
def test_every_answer_has_its_status_and_key(domain, contract):
    wrong = []

    for case in cases(domain):
        found = grade(contract, case.level, domain, case.answer, case.response)
        if (found.status, found.key) != case.expected[contract]:
            wrong.append((case.name, case.response, found.status, found.key))

    assert wrong == []


@pytest.mark.parametrize("domain", JUDGED_AGAIN)
def test_a_second_judge_agrees_on_every_status(domain):
    disagreed = [
        (case.name, case.response) for case in cases(domain) if judged_again(case)[0] != case.expected[ASSAY][0]
    ]

    assert disagreed == []


@pytest.mark.parametrize("domain", JUDGED_AGAIN)
def test_a_second_judge_agrees_which_answers_share_a_mode(domain):
    for task in tasks(domain):
        pairs = {(judged_again(case)[1], case.expected[ASSAY][1]) for case in task if case.expected[ASSAY][1]}

        assert len(pairs) == len({fingerprint for fingerprint, _ in pairs}) == len({key for _, key in pairs})


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_level_has_a_task_with_two_modes_among_its_answers(domain):
    modes = [(task[0].level, {case.expected[ASSAY][1] for case in task} - {None}) for task in tasks(domain)]

    assert {level for level, keys in modes if len(keys) > 1} == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_corpus_covers_every_level_with_enough_answers_of_every_kind(domain):
    found = cases(domain)

    assert {case.level for case in found} == {1, 2, 3, 4, 5}
    assert len(found) >= 40
    assert {case.expected[ASSAY][0] for case in found} == {"correct", "incorrect", "malformed"}


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_reference_as_json_text_grades_as_the_object(domain):
    for case in cases(domain)[:30]:
        as_text = grade(ASSAY, case.level, domain, json.dumps(case.answer), case.response)

        assert (as_text.status, as_text.key) == case.expected[ASSAY]


@pytest.mark.parametrize("domain", DOMAINS)
def test_one_prepared_task_grades_as_many_single_calls(domain):
    for task in tasks(domain):
        prepared = prepare(ASSAY, task[0].level, domain, task[0].answer)

        together = [prepared.grade(case.response) for case in task]
        apart = [grade(ASSAY, case.level, domain, case.answer, case.response) for case in reversed(task)]

        assert together == apart[::-1]
