"""Reading what pytest says it collected."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.findings.collected import read_collected


def test_every_listed_test_counts_for_its_file():
    tests = ["tests/test_a.py::test_x[1-::]", "tests/test_a.py::TestB::test_y", "assay.yaml::run[strict]"]
    listing = "\n".join([*tests, "", "3 tests collected in 0.1s", ""])

    found = read_collected(listing)

    assert found.tests == {"tests/test_a.py": 2, "assay.yaml": 1}
    assert found.total == 3


def test_the_short_form_gives_counts():
    found = read_collected("tests/test_a.py: 12\nassay.yaml: 1\n\n13 tests collected in 0.1s\n")

    assert found.tests == {"tests/test_a.py": 12, "assay.yaml": 1}
    assert found.total == 13


def test_deselected_tests_are_not_in_the_total():
    found = read_collected("tests/test_a.py::test_x\n\n1/40 tests collected (39 deselected) in 0.1s\n")

    assert found.total == 1


def test_the_total_is_what_pytest_says_and_no_sum():
    found = read_collected("tests/test_a.py::test_x\n\n== 1 test collected in 0.10s ==\n")

    assert found.total == 1
    assert read_collected("tests/test_a.py::test_x\n\n2 tests collected in 0.1s").total == 2


def test_a_text_that_lists_nothing_is_an_input_error():
    with pytest.raises(InputError, match="no list of collected tests"):
        read_collected("no tests ran in 0.01s\n")
