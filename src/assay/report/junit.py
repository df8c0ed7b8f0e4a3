"""Lay a view's cases out as JUnit XML 1.0. What XML cannot hold is shown as an escape, never dropped."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from assay.report.page import Case, View
from assay.report.safe import safe_lines, safe_text

_TAGS = {"failed": "failure", "error": "error", "skipped": "skipped"}


def render(view: View) -> str:
    """One test suite per group, one test case per case, in the view's order within a group."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(f"<testsuites {_attributes(view.headline.text, view.cases)}>")
    for name, cases in groupby(sorted(view.cases, key=_group), key=_group):
        suite = tuple(cases)
        lines.append(f"  <testsuite {_attributes(name, suite)}>")
        lines += [line for case in suite for line in _case(case)]
        lines.append("  </testsuite>")
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _group(case: Case) -> str:
    return case.group


def _case(case: Case) -> list[str]:
    opening = f"    <testcase classname={_quoted(case.group)} name={_quoted(case.name)}"
    if case.outcome == "passed":
        return [f"{opening}/>"]
    tag = _TAGS[case.outcome]
    detail = escape("\n".join(safe_lines(case.detail)))
    return [f"{opening}>", f"      <{tag} message={_quoted(case.message)}>{detail}</{tag}>", "    </testcase>"]


def _attributes(name: str, cases: tuple[Case, ...]) -> str:
    counts = Counter(case.outcome for case in cases)
    numbers = {
        "tests": len(cases),
        "failures": counts["failed"],
        "errors": counts["error"],
        "skipped": counts["skipped"],
    }
    return f"name={_quoted(name)} " + " ".join(f'{key}="{number}"' for key, number in numbers.items())


def _quoted(text: str) -> str:
    return quoteattr(safe_text(text))
