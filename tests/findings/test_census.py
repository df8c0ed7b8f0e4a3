"""The census of tests: three groups, each file in exactly one, and a sum that must be right."""

from __future__ import annotations

from assay.findings.census import Belongs, TestFile, count_tests, take_census

GROUPS = {
    "gold evaluations": Belongs(("tests/**/test_gold_*.py",), frozenset({"gold"})),
    "documentation pins": Belongs(("tests/docs/**",)),
    "behaviour": Belongs(("tests/engine/*.py",)),
}
FILES = {
    "tests/engine/test_pool.py": TestFile(5),
    "tests/docs/deep/test_readme.py": TestFile(2),
    "tests/findings/test_gold_eval.py": TestFile(3),
}


def test_three_groups_add_up_to_what_was_collected():
    census = take_census(FILES, GROUPS, collected=10)

    assert census.tests == {"behaviour": 5, "documentation pins": 2, "gold evaluations": 3}
    assert (census.total, census.holds) == (10, True)


def test_a_sum_that_is_off_is_a_fault():
    census = take_census(FILES, GROUPS, collected=11)

    assert census.faults == (
        "the sum is off: 5 behaviour + 2 documentation pins + 3 gold evaluations = 10, collected 11",
    )


def test_a_file_in_two_groups_is_a_fault_and_counts_in_none():
    census = take_census({**FILES, "tests/engine/test_x.py": TestFile(1, frozenset({"gold"}))}, GROUPS)

    assert census.faults == ("tests/engine/test_x.py: belongs to 2 groups (behaviour, gold evaluations)",)
    assert census.total == 10


def test_a_file_in_no_group_is_a_fault():
    census = take_census({"tests/other/test_y.py": TestFile(4)}, GROUPS)

    assert census.faults == ("tests/other/test_y.py: belongs to no group (4 tests)",)


def test_one_star_stays_within_its_folder():
    assert not take_census({"tests/engine/deep/test_z.py": TestFile(1)}, GROUPS).holds


def test_tests_of_a_file_are_counted_with_its_markers():
    source = """
import pytest
pytestmark = [pytest.mark.gold, pytest.mark.slow]
def test_one(): ...
async def test_two(): ...
def helper(): ...
class TestMore:
    def test_three(self): ...
    def setup_method(self): ...
"""

    assert count_tests(source) == TestFile(3, frozenset({"gold", "slow"}))


def test_a_glob_may_say_which_character_and_which_not():
    behaviour = Belongs(("tests/**/test_[!d]*.py", "tests/**/test_d[!o]*.py"))
    documentation = Belongs(("tests/**/test_[d]ocs.py",))
    paths = ("tests/a/test_docs.py", "tests/a/test_score.py", "tests/test_digest.py")

    claimed = [(behaviour.claims(path, TestFile(1)), documentation.claims(path, TestFile(1))) for path in paths]

    assert claimed == [(False, True), (True, False), (True, False)]
