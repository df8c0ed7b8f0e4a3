"""Results as JSON for other programs: the same numbers as everywhere, as text or integers; NaN cannot occur."""

from __future__ import annotations

import json
from typing import Any

from assay.report.page import View


def as_json(result: View | Any) -> str:
    """Spell a view's data (with the view's name) or a plain value: sorted keys, two spaces, ASCII only.

    Escapes keep control characters away from a terminal; a reader of JSON gets every text back unchanged.
    """
    value = {"view": result.name, **_members(result.data)} if isinstance(result, View) else result
    spelled = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=True, allow_nan=False)
    return spelled.replace("\x7f", "\\u007f") + "\n"


def _members(data: Any) -> dict[str, Any]:
    return dict(data) if isinstance(data, dict) else {"rows": data}
