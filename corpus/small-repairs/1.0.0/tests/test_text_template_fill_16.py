# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("template")


def test_values_are_not_scanned():
    mod = load()

    assert mod.render("{a}-{b}", {"a": "{b}", "b": "{{x}}"}) == "{b}-{{x}}"


def test_doubled_braces():
    mod = load()

    assert mod.render("{{a}} is {a}", {"a": "1"}) == "{a} is 1"
    assert mod.render("{{{{a}}}}", {"a": "1"}) == "{{a}}"
    assert mod.render("{{{a}}}", {"a": "1"}) == "{1}"


def test_a_missing_name_is_told():
    mod = load()

    with pytest.raises(KeyError):
        mod.render("Dear {who}", {})


def test_malformed_templates():
    mod = load()

    for template in ("{", "a}", "{}", "{1a}", "{a b}", "{a", "{a!r}", "{a.b}", "{ a}"):
        with pytest.raises(ValueError):
            mod.render(template, {"a": "x", "a b": "y", "1a": "z", "": "e", " a": "s"})


def test_the_first_fault_decides():
    mod = load()

    with pytest.raises(KeyError):
        mod.render("{gone} }", {})
    with pytest.raises(ValueError):
        mod.render("} {gone}", {})
