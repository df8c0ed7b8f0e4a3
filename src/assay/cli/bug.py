"""Turn a bug into a log that is already formatted as a report, and into one line that says where it is."""

from __future__ import annotations

import platform
import sys
import tempfile
import traceback

import assay


def report_bug() -> str:
    """Write what a bug report needs to a file, from the exception being handled; the line to show the user."""
    with tempfile.NamedTemporaryFile("w", prefix="assay-bug-", suffix=".log", delete=False, encoding="utf-8") as log:
        log.write(f"assay {assay.__version__}, Python {platform.python_version()}, {platform.platform()}\n")
        log.write(f"command: {' '.join(sys.argv)}\n\n{traceback.format_exc()}")
    return f"assay: this is a bug in Assay; please report it with the log {log.name}"
