"""jsonschema, imported only when an error needs words: it costs more start-up time than the rest of this room."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator


def explaining_validator(schema: Mapping[str, Any], is_instant: Callable[[object], bool]) -> Draft202012Validator:
    """A validator whose errors have paths and sentences; date-times are checked by the given function."""
    from jsonschema import Draft202012Validator, FormatChecker

    checker = FormatChecker(formats=())
    checker.checks("date-time")(is_instant)
    return Draft202012Validator(schema, format_checker=checker)
