"""Commands in a process group of their own, ended from outside without any chance to tidy up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress


def start(story, *arguments) -> subprocess.Popen:
    command = [sys.executable, "-m", "assay", *map(str, arguments)]
    return subprocess.Popen(command, cwd=story.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0)


def killed_after(process: subprocess.Popen, seconds: float) -> bool:
    """End the process and whatever it started; whether it had not ended by itself."""
    timer = threading.Timer(seconds, _kill, (process.pid,))
    timer.start()
    process.communicate()
    timer.cancel()
    timer.join()
    return process.returncode == -signal.SIGKILL


def _kill(group: int) -> None:
    # The process may have ended by itself at this very moment.
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
