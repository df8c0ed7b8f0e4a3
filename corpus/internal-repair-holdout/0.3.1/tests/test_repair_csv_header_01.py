# canary: velvet-anvil-57-cobalt-heron-sextant
import importlib
import sys
from pathlib import Path

import pytest


def load_repair():
    sys.path.insert(0, str(Path.cwd()))
    return importlib.import_module("repair")


def test_names_are_lowered_and_stripped():
    mod = load_repair()

    out = mod.normalize_csv("Id , FULL  Name,e-mail\n7,Grace Hopper,gh@example.org\n")

    assert out == "id,full_name,e-mail\n7,Grace Hopper,gh@example.org\n"


def test_records_below_are_untouched():
    mod = load_repair()
    body = ' 1 ,"A ""quoted""\r\n, LINE",\n\n,,'

    assert mod.normalize_csv("A,B,C\r\n" + body) == "a,b,c\r\n" + body


def test_a_comma_inside_quotes_is_no_separator():
    mod = load_repair()

    assert mod.normalize_csv('"Last, First",Age') == '"last,_first",age'


def test_empty_and_repeated_names():
    mod = load_repair()

    assert mod.normalize_csv("x,,X,x_2, ,x\n") == "x,column_2,x_2,x_2_2,column_5,x_3\n"


def test_the_mark_at_the_start_goes():
    mod = load_repair()

    assert mod.normalize_csv("\ufeffName,Age\n") == "name,age\n"
    assert mod.normalize_csv("\ufeff") == ""


def test_broken_quotes_are_refused():
    mod = load_repair()

    for text in ('"open,x\ny', '"a"b,c\n'):
        with pytest.raises(ValueError):
            mod.normalize_csv(text)
