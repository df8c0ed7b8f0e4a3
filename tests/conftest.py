"""Shared guards: no test sees the developer's Git settings or writes as the developer."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from support.story import Story

# A property is judged by what it finds, never by how long a shared machine took for it.
settings.register_profile("assay", deadline=None)
settings.load_profile("assay")

LONG = "--long"

PINNED_GIT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "Ada Example",
    "GIT_AUTHOR_EMAIL": "ada@example.invalid",
    "GIT_COMMITTER_NAME": "Ada Example",
    "GIT_COMMITTER_EMAIL": "ada@example.invalid",
    "TZ": "UTC",
}


def pytest_addoption(parser):
    parser.addoption(LONG, action="store_true", help="also run the tests that take minutes")


def pytest_collection_modifyitems(config, items):
    """Tests marked `long` repeat what a shorter test shows, hundreds of times; they run when asked for."""
    if not config.getoption(LONG):
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(pytest.mark.skip(reason=f"takes minutes; pytest {LONG}"))


@pytest.fixture(autouse=True)
def only_our_git(monkeypatch):
    """Remove every GIT_* variable of the machine and pin identity, so the same story gives the same commits."""
    for name in [n for n in os.environ if n.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, value in PINNED_GIT.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def blank(tmp_path, monkeypatch):
    """A story that has not begun: no repository in its folder yet."""
    story = Story(tmp_path / "repo", monkeypatch)
    yield story
    story.end()


@pytest.fixture
def story(blank):
    """A story whose repository is a ledger with one commit."""
    blank.init().found()
    return blank


@pytest.fixture
def ledger(story):
    """The opened ledger of `story`."""
    return story.ledger
