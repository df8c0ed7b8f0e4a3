"""Events and observations survive the journal unchanged, bytes and all."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.contract.jobs import JobOutcome
from assay.contract.steps import Answered, Executed, Observed
from assay.engine.events import event_from_json, event_to_json, observed_from_json, observed_to_json


@given(st.dictionaries(st.text("abc/.", min_size=1), st.binary(max_size=40), max_size=3))
def test_an_answer_comes_back_as_it_was(files):
    answer = Answered(2, "completed", output={"a": [1, None]}, files=files, usage={"calls": 3}, detail="d")

    assert event_from_json(orjson.loads(orjson.dumps(event_to_json(answer)))) == answer


@pytest.mark.parametrize(
    "outcome",
    [JobOutcome("finished", 12, tests={"t": "passed"}, exit_code=0, isolation={"name": "none"}), {"plain": [1]}, None],
)
def test_an_execution_comes_back_as_it_was(outcome):
    event = Executed("tests", outcome)

    assert event_from_json(orjson.loads(orjson.dumps(event_to_json(event)))) == event


def test_an_observation_comes_back_as_it_was():
    observed = Observed("error", "model", None, None, {"a.bin": b"\xff"}, None, ({"loop": 1},), "gone")

    assert observed_from_json(orjson.loads(orjson.dumps(observed_to_json(observed)))) == observed


def test_text_stays_readable():
    assert event_to_json(Answered(1, "completed", files={"a.py": b"x = 1\n"}))["files"] == {"a.py": "x = 1\n"}


def test_what_is_no_event_is_refused():
    with pytest.raises(ValueError, match="expected answered or executed"):
        event_from_json({"event": "dreamt"})
