# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("leases")


def test_a_late_holder_cannot_release_its_successor():
    leases = load().Leases()

    assert leases.acquire("disk", 0, 10) == 1
    assert leases.acquire("disk", 10, 10) == 2
    assert leases.release("disk", 1, 11) is False
    assert leases.acquire("disk", 12, 10) is None


def test_a_lease_that_is_over_cannot_be_renewed():
    leases = load().Leases()
    token = leases.acquire("disk", 0, 5)

    assert leases.renew("disk", token, 4, 5) is True
    assert leases.renew("disk", token, 9, 5) is False


def test_tokens_are_never_given_twice():
    leases = load().Leases()
    tokens = []

    for now in range(4):
        tokens.append(leases.acquire("disk", now, 9))
        assert leases.release("disk", tokens[-1], now) is True

    assert tokens == [1, 2, 3, 4]


def test_refusals_use_up_no_token():
    leases = load().Leases()

    assert [leases.acquire(name, 0, 5) for name in ("a", "a", "b")] == [1, None, 2]


def test_old_tokens_cannot_write_after_newer_ones():
    leases = load().Leases()
    old = leases.acquire("disk", 0, 1)
    new = leases.acquire("disk", 1, 1)

    assert leases.may_write("disk", old) is True
    assert leases.may_write("disk", new) is True
    assert leases.may_write("disk", old) is False
    assert leases.may_write("disk", new) is True
    assert leases.may_write("disk", 99) is False


def test_a_renewal_may_shorten():
    leases = load().Leases()
    token = leases.acquire("disk", 0, 100)

    assert leases.renew("disk", token, 1, 2) is True
    assert leases.acquire("disk", 3, 1) == 2
