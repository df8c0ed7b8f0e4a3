"""Run pytest once, in a process that will never be used again, and send what happened phase by phase.

The candidate's folder is neither pytest's root nor above the tests, so its conftest.py and configuration files are
never looked at; plug-ins of the environment are not loaded; `-c /dev/null` leaves no configuration at all.
"""

from __future__ import annotations

import sys
from typing import Any

import pytest

from assay.engine.inside.capture import limit_behind
from assay.engine.inside.channel import Channel

QUIET = ["-q", "--color=no", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-c", "/dev/null"]


class Reporter:
    """A plug-in that tells the channel which tests were found and how each phase of each ended."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.outcome != "passed":
            self._channel.send({"collector": report.nodeid, "outcome": report.outcome})

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._channel.send({"collected": [item.nodeid for item in session.items]})

    def pytest_exception_interact(self, call: pytest.CallInfo[Any]) -> None:
        limit = limit_behind(call.excinfo.value) if call.excinfo else None
        if limit:
            self._channel.send({"limit": limit})

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._channel.send({"test": report.nodeid, "when": report.when, "outcome": report.outcome})


def run_tests(root: str, paths: list[str], channel: Channel, *, conftest: bool, capture: str = "fd") -> int:
    """Run the given test files under `root`; the exit code is pytest's. Capturing needs a folder to write in."""
    sys.argv = ["pytest"]
    hidden = ["--confcutdir", root] if conftest else ["--noconftest"]
    arguments = [*QUIET, *hidden, "--continue-on-collection-errors", f"--rootdir={root}", f"--capture={capture}"]
    code = int(pytest.main([*arguments, *(f"{root}/{path}" for path in paths)], plugins=[Reporter(channel)]))
    channel.send({"end": code})
    return code
