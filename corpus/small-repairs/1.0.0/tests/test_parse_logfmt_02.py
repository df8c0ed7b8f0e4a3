# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("logline")


def test_quoted_values_keep_their_spaces():
    mod = load()

    assert mod.parse_line('user="Ada  L." id=7') == {"user": "Ada  L.", "id": "7"}


def test_escapes_inside_quotes():
    mod = load()

    assert mod.parse_line(r'say="a \"b\" \\ c\nd"') == {"say": 'a "b" \\ c\nd'}


def test_bare_keys_and_empty_values():
    mod = load()

    assert mod.parse_line("  dry-run out=  q=x=y ") == {"dry-run": True, "out": "", "q": "x=y"}


def test_unfinished_quote_is_an_error():
    mod = load()

    with pytest.raises(ValueError):
        mod.parse_line('msg="open')


def test_text_after_the_closing_quote_is_an_error():
    mod = load()

    with pytest.raises(ValueError):
        mod.parse_line('a="b"c=d')


def test_keys_are_checked():
    mod = load()

    for line in ("=x", "ke/y=1", 'a"b=1'):
        with pytest.raises(ValueError):
            mod.parse_line(line)
