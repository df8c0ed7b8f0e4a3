"""Make calls in the candidate's modules and spell what comes back. Expected values are not known here."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from assay.contract.values import Unrepresentable, decode_value, encode_value
from assay.engine.inside.capture import Captured, limit_behind
from assay.engine.inside.channel import Channel


def make_calls(calls: Sequence[dict[str, Any]], channel: Channel) -> int:
    """Make every call in order and send its outcome; the arguments of each are fresh objects."""
    broken: dict[str, BaseException] = {}
    for call in calls:
        outcome = _outcome(call, broken)
        channel.send({"call": call["id"], **outcome})
    channel.send({"end": 0})
    return 0


def _outcome(call: dict[str, Any], broken: dict[str, BaseException]) -> dict[str, Any]:
    returned: list[object] = []
    with Captured() as captured:
        function = getattr(_module(call["module"], broken), call["function"])
        arguments = [decode_value(argument) for argument in call["args"]]
        named = {name: decode_value(argument) for name, argument in call["kwargs"].items()}
        returned.append(function(*arguments, **named))
    if captured.error is not None:
        return {"outcome": {"raised": type(captured.error).__name__}, "limit": limit_behind(captured.error)}
    return {"outcome": _spelled(returned[0]), "limit": None}


def _module(name: str, broken: dict[str, BaseException]) -> Any:
    """Import once; a module that failed to import fails every call the same way."""
    if name not in broken:
        with Captured() as captured:
            return importlib.import_module(name)
        broken[name] = captured.error or ImportError(name)
    raise broken[name]


def _spelled(value: object) -> dict[str, Any]:
    with Captured() as captured:
        return {"value": encode_value(value)}
    error = captured.error
    return {"unrepresentable": error.type_name if isinstance(error, Unrepresentable) else type(value).__name__}
