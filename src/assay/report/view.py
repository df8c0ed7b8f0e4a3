"""The views by name, for whoever needs several: every result as rows, rounded and ordered once.

A view is made here and only laid out elsewhere, so all formats agree on every number and on every order.
"""

from __future__ import annotations

from assay.report.views.comparison import comparison_view, gate_view
from assay.report.views.explanation import explain_view
from assay.report.views.fixtures import checks_view, fixture_diff_view, fixture_list_view, fixture_view, frozen_view
from assay.report.views.log import log_view
from assay.report.views.problems import problems_view
from assay.report.views.publication import publish_view
from assay.report.views.runs import plan_view, recorded_view, replay_view, runs_view
from assay.report.views.scans import scan_view
from assay.report.views.score import score_view

__all__ = [
    "checks_view",
    "comparison_view",
    "explain_view",
    "fixture_diff_view",
    "fixture_list_view",
    "fixture_view",
    "frozen_view",
    "gate_view",
    "log_view",
    "plan_view",
    "problems_view",
    "publish_view",
    "recorded_view",
    "replay_view",
    "runs_view",
    "scan_view",
    "score_view",
]
