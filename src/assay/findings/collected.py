"""What pytest collected, read from `pytest --collect-only -q`: how many tests lie in each file, and how many in all.

The total is pytest's own closing line, not a sum made here, so that a sum that is off can be seen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from assay.errors import InputError

_TEST = re.compile(r"(?P<file>[^:\n]+?\.[a-z]+)::(?P<test>.+)")
_TOTAL = re.compile(r"(?:=+ )?(?:(?P<kept>\d+)/)?(?P<all>\d+) tests? collected.*")
_COUNTED = re.compile(r"(?P<file>[^:\n]+?\.[a-z]+): (?P<tests>\d+)")


@dataclass(frozen=True)
class Collected:
    """Tests by file, and the total that pytest states."""

    tests: Mapping[str, int]
    total: int


def read_collected(text: str) -> Collected:
    """Read a listing (`-q`) or its short form (`-qq`); raise InputError when it states no total."""
    tests: Counter[str] = Counter()
    total = None
    for line in text.splitlines():
        if found := _TOTAL.fullmatch(line.strip()):
            total = int(found["kept"] or found["all"])
        elif found := _TEST.fullmatch(line):
            tests[found["file"]] += 1
        elif found := _COUNTED.fullmatch(line):
            tests[found["file"]] += int(found["tests"])
    if total is None and not tests:
        raise InputError("no list of collected tests", hint="pytest --collect-only -q | assay failure census -")
    return Collected(dict(tests), sum(tests.values()) if total is None else total)
