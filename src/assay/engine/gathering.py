"""How much a target may leave behind in its workdir and have taken as its answer, and words for what was not taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

MOST_FILES = 512
MOST_BYTES = 16 << 20


def remark(skipped: Sequence[Mapping[str, Any]]) -> str | None:
    """One sentence about entries that are no regular files, or None."""
    if not skipped:
        return None
    named = ", ".join(f"{entry['path'][:100]} ({entry['why']})" for entry in skipped[:5])
    return f"not taken: {named}" + (f" and {len(skipped) - 5} more" if len(skipped) > 5 else "")
