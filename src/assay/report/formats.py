"""The formats by name. Every one lays out the same view, so they agree on every number."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from assay.report import json_view, late, markdown, terminal
from assay.report.page import View

FORMATS: Mapping[str, Callable[[View], str]] = {
    "text": terminal.render,
    "json": json_view.as_json,
    "markdown": markdown.render,
    "html": late.as_html,
    "junit": late.as_junit,
}
