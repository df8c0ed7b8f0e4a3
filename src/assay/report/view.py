"""Every result as rows, rounded and ordered once: the names that commands use.

A view is made here and only laid out elsewhere, so all formats agree on every number and on every order.
"""

from __future__ import annotations

from assay.report.act_views import log_view, plan_view, recorded_view, replay_view
from assay.report.fixture_views import (
    checks_view,
    fixture_diff_view,
    fixture_list_view,
    fixture_view,
    frozen_view,
    scan_view,
)
from assay.report.publish_view import publish_view
from assay.report.score_view import score_view
from assay.report.trust_views import explain_view, verify_view

__all__ = [
    "checks_view",
    "explain_view",
    "fixture_diff_view",
    "fixture_list_view",
    "fixture_view",
    "frozen_view",
    "log_view",
    "plan_view",
    "publish_view",
    "recorded_view",
    "replay_view",
    "scan_view",
    "score_view",
    "verify_view",
]
