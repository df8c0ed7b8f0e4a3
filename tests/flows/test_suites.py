"""The table of suites: everything in it is there, and what is not asked for is not loaded."""

from __future__ import annotations

import pytest

from assay.errors import Inconclusive
from assay.findings import freeze as findings
from assay.modes import freeze as modes
from assay.suites import BUILT_IN, MANIFESTS, suite_named


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_suite_answers_to_the_name_it_has_in_the_table(name):
    assert name == suite_named(name).name


def test_a_suite_that_nobody_registered_is_inconclusive():
    with pytest.raises(Inconclusive, match="suite 'weather' is not known"):
        suite_named("weather")


def test_the_manifests_of_the_table_are_those_of_the_suites_that_read_them():
    assert {findings.MANIFEST, modes.MANIFEST} == set(MANIFESTS)
