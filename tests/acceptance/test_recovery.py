"""Budgets, leases and restarts: what may be done follows from what was recorded, never from a guess."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.acceptance.budget import (
    Cached,
    Reconciled,
    Released,
    Reserved,
    call_events,
    ceiling_of,
    cost_in,
    fold,
    heads_of,
    turns_sent,
)
from assay.acceptance.cases import CAPABILITIES
from assay.acceptance.lease import Denied, Granted, Lease, acquire, arrival, as_arrived
from assay.acceptance.restart import unheard
from assay.record.entry import Entry

CALLS = {"target_calls": 3, "judge_calls": 1, "cost_micros": None}
ONE = {"target_calls": 1}


def test_what_is_reserved_is_charged_until_its_cost_is_known():
    state = fold(CALLS, [Reserved("a", ONE), Reserved("b", ONE), Reconciled("a", ONE)])

    assert (state.actual["target_calls"], state.committed("target_calls"), state.left("target_calls")) == (1, 2, 1)
    assert state.refuses(ONE) is None
    assert state.refuses({"target_calls": 2}) == "target_calls: 2 wanted, 1 of 3 left"


def test_retries_and_resumes_share_one_budget():
    before = [Reserved("a", ONE), Reconciled("a", ONE), Reserved("a again", ONE)]
    after = [*before, Reserved("b", ONE)]

    assert fold(CALLS, before).refuses(ONE) is None
    assert fold(CALLS, after).refuses(ONE) == "target_calls: 1 wanted, 0 of 3 left"


def test_a_top_up_is_an_explicit_revision_and_what_was_spent_stays_spent():
    events = [Reserved(name, ONE) for name in "abc"]
    topped = fold({**CALLS, "target_calls": 5}, events)

    assert fold(CALLS, events).refuses(ONE)
    assert (topped.left("target_calls"), topped.refuses(ONE)) == (2, None)


def test_an_unknown_cost_is_unknown_and_keeps_its_reservation():
    money = {"target_calls": None, "judge_calls": None, "cost_micros": 100}
    state = fold(money, [Reserved("a", {"cost_micros": 40}), Reconciled("a", {"cost_micros": None})])

    assert (state.actual["cost_micros"], state.left("cost_micros")) == (0, 60)
    assert state.unknown == ("a",)
    assert "the call has no bound" in state.refuses({"cost_micros": None})


def test_a_call_that_took_more_than_its_bound_blocks_what_follows():
    money = {"target_calls": None, "judge_calls": None, "cost_micros": 100}
    state = fold(money, [Reserved("a", {"cost_micros": 40}), Reconciled("a", {"cost_micros": 130})])

    assert state.left("cost_micros") == -30
    assert state.refuses({"cost_micros": 0})


def test_two_evaluators_never_share_the_last_judge_call():
    state = fold(CALLS, [Reserved("judge 1", {"judge_calls": 1})])

    assert state.refuses({"judge_calls": 1}) == "judge_calls: 1 wanted, 0 of 1 left"
    assert fold(CALLS, [Reserved("judge 1", {"judge_calls": 1}), Reserved("judge 1", {"judge_calls": 1})]).faults == (
        "judge 1 is reserved twice",
    )


def test_a_saved_reply_is_free_and_what_was_never_dispatched_is_given_back():
    state = fold(CALLS, [Cached("a"), Reserved("b", ONE), Released("b")])

    assert (state.cached, state.left("target_calls")) == (1, 3)


calls = st.sampled_from("abcdef")
amounts = st.fixed_dictionaries({"target_calls": st.integers(0, 3)})
events = st.lists(
    st.builds(Reserved, calls, amounts) | st.builds(Reconciled, calls, amounts) | st.builds(Released, calls)
)


@given(events)
def test_no_call_is_counted_without_its_own_reservation(found):
    state = fold(CALLS, found)

    reserved = sum(isinstance(one, Reserved) for one in found) - sum(
        "reserved twice" in fault for fault in state.faults
    )
    reconciled = sum(isinstance(one, Reconciled) for one in found) - sum(
        "reconciled" in fault for fault in state.faults
    )
    most = sum(one.amounts["target_calls"] for one in found if isinstance(one, Reconciled))
    assert reconciled + len(state.reserved) <= reserved
    assert 0 <= state.actual["target_calls"] <= most


RUN = {"budget": {"target_calls": 3, "judge_calls": 1, "cost_micros": None}}


def revision(name, revises, at="10:00:00", **budget):
    document = {
        "recorded_at": f"2026-11-30T{at}Z",
        "revises": {"path": revises.path if revises else "runs/run.json", "sha256": f"sha256:{'0' * 64}"},
        "budget": {**RUN["budget"], **budget},
    }
    return Entry(f"runs/{name}.json", None, f"sha256:{'0' * 64}", document)


def test_the_ceiling_in_force_is_that_of_the_revision_that_no_other_revises():
    first = revision("z", None, at="11:00:00", target_calls=9)
    second = revision("a", first, at="10:00:00", target_calls=5)

    assert ceiling_of(RUN)["target_calls"] == 3
    assert ceiling_of(RUN, [first])["target_calls"] == 9
    assert ceiling_of(RUN, [first, second])["target_calls"] == 5
    assert ceiling_of({"budget": None})["target_calls"] is None


def test_of_two_revisions_of_one_ceiling_the_lower_counts_until_both_are_revised():
    high, low = revision("a", None, target_calls=9), revision("b", None, target_calls=6, judge_calls=4)
    raised = revision("c", low, target_calls=8)

    assert ceiling_of(RUN, [high, low]) == {"target_calls": 6, "judge_calls": 1, "cost_micros": None}
    assert heads_of([high, low]) == (low, high)
    assert ceiling_of(RUN, [high, low, raised])["target_calls"] == 8
    assert ceiling_of(RUN, [high, revision("d", None, target_calls=None)])["target_calls"] == 9


def lease(holder, start, end, nonce=None, resource="device-1"):
    return Lease(resource, holder, nonce or holder, f"2026-11-30T{start}Z", f"2026-11-30T{end}Z")


def test_one_device_has_one_active_run():
    first = lease("a", "10:00:00", "10:10:00")

    assert acquire(lease("b", "10:05:00", "10:15:00"), [first]) == Denied(first)
    assert acquire(lease("b", "10:05:00", "10:15:00", resource="device-2"), [first]).takes_over is None


def test_an_expired_lease_is_taken_over_and_named_to_be_reconciled():
    first, second = lease("a", "10:00:00", "10:10:00"), lease("b", "10:10:00", "10:20:00")

    assert acquire(second, [first]) == Granted(second, first)
    assert acquire(lease("c", "10:05:00", "10:20:00"), [first], closed=["a"]) == Granted(
        lease("c", "10:05:00", "10:20:00"), None
    )


@pytest.mark.parametrize(
    ("answered", "expected"),
    [("10:09:59", "in_time"), ("10:10:00", "late"), ("11:00:00", "late"), ("09:59:59", "late")],
)
def test_whether_an_answer_is_late_follows_from_recorded_times(answered, expected):
    assert arrival(lease("a", "10:00:00", "10:10:00"), f"2026-11-30T{answered}Z") == expected


def test_expiry_compares_instants_not_spellings():
    odd = Lease("d", "a", "a", "2026-11-30T12:00:00+02:00", "2026-11-30T12:10:00+02:00")

    assert arrival(odd, "2026-11-30T10:05:00Z") == "in_time"
    assert arrival(odd, "2026-11-30T12:05:00Z") == "late"


def test_a_late_answer_is_kept_whole_and_never_selected():
    first, second = lease("a", "10:00:00", "10:10:00"), lease("b", "10:10:00", "10:20:00")
    observation = {"status": "completed", "output": {"answers": ["twisted bark"]}, "detail": None}

    found = as_arrived(observation, first, "2026-11-30T10:12:00Z")

    assert (found["status"], found["output"]) == ("late", observation["output"])
    assert as_arrived(observation, first, "2026-11-30T10:05:00Z") == observation
    assert arrival(first, "2026-11-30T10:12:00Z", [second]) == "late"


@pytest.mark.parametrize(
    ("turns", "answered", "capabilities", "expected"),
    [
        (0, 0, [], "new_attempt"),
        (1, 0, [], "unknown_outcome"),
        (1, 0, ["reset"], "unknown_outcome"),
        (1, 0, ["reset", "idempotency"], "same_attempt"),
        (2, 0, ["session", "reset"], "unknown_outcome"),
        (2, 1, ["session"], "unknown_outcome"),
        (2, 1, ["session", "reset"], "new_attempt"),
        (2, 1, ["session", "reset", "idempotency"], "same_attempt"),
    ],
)
def test_what_may_be_done_with_a_question_that_nobody_heard_the_answer_of(turns, answered, capabilities, expected):
    assert unheard(turns, answered, capabilities) == expected


@given(st.integers(1, 5), st.sets(st.sampled_from([name for name in CAPABILITIES if name != "idempotency"])))
def test_a_first_question_is_never_sent_twice_on_a_guess(turns, capabilities):
    assert unheard(turns, 0, capabilities) == "unknown_outcome"


def test_a_holder_that_is_known_to_be_dead_is_taken_over_before_its_lease_ends():
    first, second = lease("a", "10:00:00", "10:10:00"), lease("b", "10:05:00", "10:15:00")

    assert acquire(second, [first], dead=["a"]) == Granted(second, first)


def test_a_lease_is_read_as_it_was_stated_with_its_nonce_behind_the_holder():
    first = lease("2026-11-30-app-0a1b2c", "10:00:00", "10:10:00", nonce="77beef")

    assert first.to_json()["holder"] == "2026-11-30-app-0a1b2c#77beef"
    assert Lease.from_json(first.to_json()) == first


def test_what_did_not_complete_is_no_late_answer():
    timed_out = {"status": "timed_out", "output": None, "detail": "after 5 s"}

    assert as_arrived(timed_out, lease("a", "10:00:00", "10:10:00"), "2026-11-30T10:12:00Z") == timed_out


def observed(status, answers, events=()):
    return {"status": status, "output": {"answers": answers}, "events": [{"event": one} for one in events]}


@pytest.mark.parametrize(
    ("observation", "sent"),
    [
        (observed("completed", ["a", "b", "c"]), 3),
        (observed("timed_out", [None, None, None]), 1),
        (observed("error", ["a", None, None]), 2),
        (observed("refused", ["a", "b", None]), 3),
        (observed("error", [], ["preflight"]), 0),
        (observed("unknown_outcome", ["a", None, None]), None),
        ({"status": "error", "output": None, "events": []}, None),
    ],
)
def test_turns_after_the_first_unanswered_one_were_never_sent(observation, sent):
    assert turns_sent(observation, 3) == sent


def call(**said):
    reserved = {"judge_calls": 1, "cost_micros": 40}
    return {"reserved": reserved, "cached": None, "status": "completed", "cost_micros": None, **said}


def test_judge_calls_charge_what_they_state_or_else_their_bound():
    ceiling = {"target_calls": None, "judge_calls": 9, "cost_micros": 500}
    calls = {
        "stated": call(cost_micros=10),
        "silent": call(),
        "lost": call(status="unknown_outcome"),
        "under way": call(status=None),
        "again": call(cached={"path": "x"}, reserved={"judge_calls": 0, "cost_micros": 0}),
    }

    state = fold(ceiling, [event for name, one in calls.items() for event in call_events(name, one)])

    assert (state.committed("judge_calls"), state.committed("cost_micros"), state.cached) == (4, 10 + 3 * 40, 1)
    assert state.unknown == ("silent",)


def test_after_a_call_above_its_bound_no_bound_is_believed():
    state = fold(
        {"target_calls": None, "judge_calls": None, "cost_micros": 500},
        call_events("dear", call(cost_micros=90)),
    )

    assert "dear cost more than its declared bound" in state.refuses({"judge_calls": 1, "cost_micros": 40})


@pytest.mark.parametrize("usage", [None, {}, {"cost_micros": None}, {"cost_micros": "10"}, {"cost_micros": -1}])
def test_a_cost_that_cannot_be_added_up_is_unknown(usage):
    assert cost_in(usage) is None
