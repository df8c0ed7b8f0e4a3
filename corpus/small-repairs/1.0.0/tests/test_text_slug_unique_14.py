# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("slugs")


def test_accents_fall_away():
    mod = load()

    assert mod.slugify("Crème Brûlée", []) == "creme-brulee"


def test_runs_become_one_hyphen():
    mod = load()

    assert mod.slugify("  Rock & Roll -- live! ", []) == "rock-roll-live"


def test_numbers_go_on():
    mod = load()

    assert mod.slugify("News", ["news", "news-2", "news-3"]) == "news-4"


def test_the_limit_holds_with_a_number():
    mod = load()

    assert mod.slugify("abcdefghijkl", ["abcdefgh"], limit=8) == "abcdef-2"
    assert mod.slugify("abcde fghi", ["abcde-fg"], limit=8) == "abcde-2"


def test_a_cut_does_not_end_in_a_hyphen():
    mod = load()

    assert mod.slugify("abcdefg hij", [], limit=8) == "abcdefg"


def test_nothing_left():
    mod = load()

    assert mod.slugify("???", []) == "item"
    assert mod.slugify("\u4e16\u754c", ["item"]) == "item-2"
