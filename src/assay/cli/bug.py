"""Turn a bug into a log that is already formatted as a report, and into one line that says where it is."""

from __future__ import annotations

import platform
import sys
import tempfile
import traceback

import assay


def report_bug() -> str:
    """Write what a bug report needs to a file, from the exception being handled; the line to show the user."""
    what, found = "assay: this is a bug in Assay; please report it", traceback.format_exc()
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="assay-bug-", suffix=".log", delete=False, encoding="utf-8", errors="backslashreplace"
        ) as log:
            log.write(f"assay {assay.__version__}, Python {platform.python_version()}, {platform.platform()}\n")
            log.write(f"command: {' '.join(sys.argv)}\n\n{found}")
    except OSError as error:
        return f"{what}; no log could be written ({error.strerror}): {found.splitlines()[-1]}"
    return f"{what} with the log {log.name}"
