# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys
import threading

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("flight")


def fail(error):
    raise error


def test_a_failed_key_can_be_asked_again():
    flight = load().SingleFlight()

    with pytest.raises(OSError):
        flight.do("k", lambda: fail(OSError("down")))

    assert flight.do("k", lambda: 5) == 5


def test_nothing_is_kept_after_success():
    flight = load().SingleFlight()

    assert [flight.do("k", lambda: 1), flight.do("k", lambda: 2)] == [1, 2]


def test_no_lock_is_held_while_computing():
    flight = load().SingleFlight()
    seen = []

    def other_key():
        seen.append(flight.do("b", lambda: "inner"))

    def compute():
        thread = threading.Thread(target=other_key, daemon=True)
        thread.start()
        thread.join(1)
        return list(seen)

    assert flight.do("a", compute) == ["inner"]


def together(mod, callers, outcome):
    arrivals = threading.Semaphore(0)
    flight = mod.SingleFlight(on_wait=lambda key: arrivals.release())
    leading, seen, leaders = threading.Event(), [], []

    def compute():
        leaders.append(threading.get_ident())
        leading.set()
        assert all(arrivals.acquire(timeout=1) for follower in range(1, callers))
        return outcome()

    def caller():
        try:
            seen.append(flight.do("k", compute))
        except (LookupError, AssertionError) as error:
            seen.append(error)

    crew = [threading.Thread(target=caller, daemon=True) for number in range(callers)]
    for member in crew:
        member.start()
        assert leading.wait(5)
    for member in crew:
        member.join(5)
    return leaders, seen


def test_followers_share_the_result():
    value = object()

    computed, results = together(load(), 4, lambda: value)

    assert len(computed) == 1
    assert [True] * 4 == [result is value for result in results]


def test_followers_share_the_exception():
    error = LookupError("gone")

    computed, results = together(load(), 3, lambda: fail(error))

    assert len(computed) == 1
    assert [True] * 3 == [result is error for result in results]
