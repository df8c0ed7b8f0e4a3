"""One warm runner for the whole room."""

from __future__ import annotations

import pytest
from engine_stories import as_nobody, python_for_everybody

from assay.engine.isolation import probe
from assay.engine.runner import Runner


@pytest.fixture(scope="session")
def isolation():
    return probe()


@pytest.fixture(scope="session")
def runner(isolation):
    if not isolation.usable:
        pytest.skip("neither a sandbox nor an unprivileged user can be had here")
    with Runner(isolation) as running:
        yield running


@pytest.fixture
def isolated(isolation):
    if not isolation.isolated:
        pytest.skip(f"no sandbox here: {isolation.facts['not_obtained']}")
    return isolation


@pytest.fixture
def as_ordinary_user():
    """Run Python source as a user without rights and give back the finished process."""
    python = python_for_everybody()
    if python is None:
        pytest.skip("no Python here that an unprivileged user can read")
    return lambda source: as_nobody([*python, "-c", source])
