# canary: marble-thicket-83-saffron-plover-gimbal
import functools
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("version_order")


def test_a_release_is_newer_than_its_candidates():
    mod = load()

    assert mod.compare("1.4.0", "1.4.0-beta") == 1
    assert mod.compare("1.4.0-beta", "1.4.0") == -1


def test_numeric_identifiers_are_numbers():
    mod = load()

    assert mod.compare("3.1.0-alpha.12", "3.1.0-alpha.7") == 1


def test_a_whole_list_sorts():
    mod = load()
    expected = ["0.9.9", "1.0.0-a", "1.0.0-a.1", "1.0.0-a.b", "1.0.0-b", "1.0.0", "1.0.1", "1.10.0"]

    actual = sorted(reversed(expected), key=functools.cmp_to_key(mod.compare))

    assert expected == actual


def test_the_build_never_matters():
    mod = load()

    assert mod.compare("1.0.0+linux.001", "1.0.0") == 0


def test_malformed_versions_are_refused():
    mod = load()

    for bad in ("1.0", "01.0.0", "1.0.0-", "1.0.0-x..y", "1.0.0-01", "1.0.0+", "v1.0.0"):
        with pytest.raises(ValueError):
            mod.compare("1.0.0", bad)
