# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("pointer")


DOCUMENT = {"a/b": {"m~n": [10, [20, 21], {"": "deep"}]}, "~1": "tilde one", "": {"x": None}, "flag": True}


def test_escapes_are_read_once():
    mod = load()

    assert mod.resolve(DOCUMENT, "/a~1b/m~0n/0") == 10
    assert mod.resolve(DOCUMENT, "/~01") == "tilde one"


def test_empty_tokens_are_keys():
    mod = load()

    assert mod.resolve(DOCUMENT, "//x") is None
    assert mod.resolve(DOCUMENT, "/a~1b/m~0n/2/") == "deep"
    assert mod.resolve(DOCUMENT, "") == DOCUMENT


def test_what_is_missing_is_told_apart():
    mod = load()

    with pytest.raises(KeyError):
        mod.resolve(DOCUMENT, "/nowhere")
    with pytest.raises(IndexError):
        mod.resolve(DOCUMENT, "/a~1b/m~0n/3")
    with pytest.raises(TypeError):
        mod.resolve(DOCUMENT, "/flag/x")


def test_positions_are_plain_digits():
    mod = load()

    for token in ("-1", "01", "+0", "-", " 0", "0_0"):
        with pytest.raises(ValueError):
            mod.resolve([1, 2], "/" + token)


def test_bad_pointers_are_refused_before_the_lookup():
    mod = load()

    for pointer in ("flag", "/nowhere/~2", "/~"):
        with pytest.raises(ValueError):
            mod.resolve(DOCUMENT, pointer)
