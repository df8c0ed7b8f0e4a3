"""Expected files, extra files and languages; the spellings of imports are in test_imports."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.coding.folding import MAX_LENGTH, Names, fold
from assay.coding.imports import modules_reached
from assay.coding.surface import Surface, check, judged_files
from assay.record.canonical import encode

EXPECTED = ("window.py",)


def look(files, expected=EXPECTED, forbidden=("numpy",), language="python"):
    return check(files, expected, forbidden, language=language)


def rules(findings):
    return [(finding.rule, finding.file) for finding in findings]


def test_a_missing_expected_file_is_a_violation():
    surface = look({"notes.txt": b"nothing here"})

    assert rules(surface.violations) == [("missing_file", "window.py")]
    assert surface.missing == ("window.py",)


def test_a_folder_in_place_of_an_expected_file_is_a_violation():
    surface = look({"window.py/keep.txt": b"x"})

    assert rules(surface.violations) == [("not_a_file", "window.py")]


def test_an_empty_expected_file_is_noted_and_judged():
    surface = look({"window.py": b""})

    assert (surface.violations, rules(surface.notes)) == ((), [("empty_file", "window.py")])


def test_an_extra_file_is_named_and_stays_out_of_judging():
    files = {"window.py": b"x = 1\n", "other.py": b"import numpy\n"}

    surface = look(files)

    assert (surface.violations, rules(surface.notes)) == ((), [("ignored_file", "other.py")])
    assert judged_files(files, EXPECTED) == {"window.py": b"x = 1\n"}


@pytest.mark.parametrize(
    "name",
    [
        *("conftest.py", "pkg/conftest.py", "pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml", "evil.pth"),
        *("sitecustomize.py", "usercustomize.py", "pytest.py", "pytest/__init__.py", "_pytest/main.py", "pluggy.py"),
    ],
)
def test_a_file_that_would_steer_the_test_tool_is_a_violation_and_stays_out(name):
    files = {"window.py": b"x = 1\n", name: b"x"}

    assert rules(look(files).violations) == [("unexpected_file", name)]
    assert name not in judged_files(files, EXPECTED)


def test_what_cannot_be_parsed_is_undecided():
    surface = look({"window.py": b"def f(:\n"})

    assert surface.violations == () and "cannot be parsed" in surface.undecided[0].what


def test_nothing_is_undecided_where_nothing_is_forbidden():
    assert look({"window.py": b"__import__(input())\n"}, forbidden=()).undecided == ()


def test_a_dotted_name_forbids_the_submodule_by_every_way_to_it():
    spellings = ["import os.path", "from os import path", "import os\nos.path.join('a')", "from os.path import join"]

    surfaces = [look({"window.py": text.encode()}, forbidden=("os.path",)) for text in spellings]

    assert all(surface.violations for surface in surfaces)
    assert look({"window.py": b"import os\nos.getcwd()\n"}, forbidden=("os.path",)).violations == ()


def test_findings_name_file_line_and_spelling():
    (finding,) = look({"window.py": b"x = 1\n\nfrom numpy import array as a\n"}).violations

    assert finding.words == "window.py:3: forbidden import numpy: from numpy import …"


def test_imports_do_not_apply_to_other_languages():
    surface = look({"Window.java": b"import numpy;\n"}, expected=("Window.java",), forbidden=(), language="java")

    assert (surface.imports, surface.violations, surface.undecided) == ("not_applicable", (), ())


def test_a_surface_survives_its_spelling():
    surface = look({"window.py": b"import numpy\nexec(input())\n", "a.py": b"", "conftest.py": b""})

    assert Surface.from_json(surface.to_json()) == surface


def test_names_that_no_record_can_hold_are_spelled_out():
    surface = look({"window.py": b"import numpy\ngetattr(numpy, '\\ud800' * 400)\n"})

    assert encode({"surface": surface.to_json()})
    assert all(len(finding.what) <= 300 for finding in surface.violations)


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_candidate_breaks_the_check(data):
    modules_reached(data)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000,
        "-" * 5000 + "1",
        "f" + "()" * 3000,
        "a" + ".b" * 3000,
        "1" + "+1" * 5000,
        "x = ''\n" + "".join(f"x{n} = x{n - 1} + x{n - 1}\n" for n in range(1, 60)).replace("x0", "x"),
        "a0 = __import__\n" + "".join(f"a{n} = a{n - 1} if a{n - 1} else a{n - 1}\n" for n in range(1, 80)),
        "__import__('a' * 10**9)",
        "__import__('{:999999999}'.format('a'))",
        "__import__('" + "a" * 900 + "'.replace('a', '" + "b" * 900 + "'))",
        "exec('exec(\"' * 3)",
    ],
    ids=lambda text: text[:18],
)
def test_code_made_to_exhaust_the_check_does_not(text):
    modules_reached(text.encode())


def test_code_nested_deeper_than_can_be_followed_is_undecided():
    (finding,) = look({"window.py": b"x = y" + b".z" * 200}).undecided

    assert "nested too deep" in finding.what


def test_folded_constants_stay_bounded():
    node = ast.parse(f"'a' * {MAX_LENGTH + 1}", mode="eval").body

    assert fold(node, Names()) is None
