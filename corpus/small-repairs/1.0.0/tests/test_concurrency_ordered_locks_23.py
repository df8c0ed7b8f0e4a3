# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("accounts")


class Recorder:
    def __init__(self, name, log, error=None):
        self.name, self.log, self.error = name, log, error

    def acquire(self):
        if self.error:
            raise self.error
        assert ("+" + self.name) not in self.log or self.log.index("+" + self.name) < self.log.index("-" + self.name)
        self.log.append("+" + self.name)

    def release(self):
        self.log.append("-" + self.name)


def recorded(*names):
    log = []
    return {name: Recorder(name, log) for name in names}, log


def test_one_order_for_both_directions():
    mod = load()
    for source, target in (("ann", "bob"), ("bob", "ann")):
        locks, log = recorded("ann", "bob")

        mod.transfer({"ann": 5, "bob": 5}, locks, source, target, 1)

        assert log == ["+ann", "+bob", "-bob", "-ann"]


def test_a_transfer_to_oneself():
    mod = load()
    locks, log = recorded("ann")
    balances = {"ann": 5}

    mod.transfer(balances, locks, "ann", "ann", 5)

    assert (balances, log) == ({"ann": 5}, ["+ann", "-ann"])


def test_a_refused_transfer_gives_its_locks_back():
    mod = load()
    locks, log = recorded("x", "y")
    balances = {"x": 2, "y": 0}

    with pytest.raises(ValueError):
        mod.transfer(balances, locks, "x", "y", 3)

    assert (balances, log) == ({"x": 2, "y": 0}, ["+x", "+y", "-y", "-x"])


def test_bad_arguments_touch_no_lock():
    mod = load()
    locks, log = recorded("x")

    with pytest.raises(ValueError):
        mod.transfer({"x": 2}, locks, "x", "nobody", 0)
    with pytest.raises(KeyError):
        mod.transfer({"x": 2}, locks, "x", "nobody", 1)

    assert log == []


def test_a_lock_that_cannot_be_taken():
    mod = load()
    locks, log = recorded("x", "y")
    locks["y"].error = InterruptedError("stop")
    balances = {"x": 2, "y": 0}

    with pytest.raises(InterruptedError):
        mod.transfer(balances, locks, "y", "x", 1)

    assert (balances, log) == ({"x": 2, "y": 0}, ["+x", "-x"])


class Watched(dict):
    def __init__(self, items, log):
        super().__init__(items)
        self.log = log

    def __getitem__(self, name):
        self.log.append("read")
        return super().__getitem__(name)

    def __setitem__(self, name, value):
        self.log.append("write")
        super().__setitem__(name, value)


def test_balances_are_looked_at_with_all_locks_held():
    mod = load()
    locks, log = recorded("x", "y")
    balances = Watched({"x": 2, "y": 0}, log)

    mod.transfer(balances, locks, "x", "y", 2)

    assert dict(balances) == {"x": 0, "y": 2}
    assert log[:2] == ["+x", "+y"]
    assert log[-2:] == ["-y", "-x"]
    assert {"read", "write"} == set(log[2:-2])
