# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("allocation")


def test_missing_cents_go_to_the_greatest_fractions():
    mod = load()

    assert mod.allocate(100, [1, 1, 1]) == [34, 33, 33]
    assert mod.allocate(10, [6, 3, 2]) == [5, 3, 2]


def test_the_last_share_is_not_the_dustbin():
    mod = load()

    assert mod.allocate(5, [1, 1, 1, 1, 1, 1, 0]) == [1, 1, 1, 1, 1, 0, 0]


def test_negative_totals_mirror_positive_ones():
    mod = load()

    assert mod.allocate(-100, [1, 1, 1]) == [-34, -33, -33]


def test_large_totals_keep_every_cent():
    mod = load()
    total = 10**30 + 7

    shares = mod.allocate(total, [3, 3, 1])

    assert sum(shares) == total
    assert shares == [428571428571428571428571428575, 428571428571428571428571428574, 142857142857142857142857142858]


def test_impossible_weights():
    mod = load()

    for weights in ([], [0, 0], [3, -1, 4]):
        with pytest.raises(ValueError):
            mod.allocate(0, weights)
