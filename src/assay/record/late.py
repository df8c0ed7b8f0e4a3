"""jsonschema, jsonschema-rs and PyYAML, imported only when needed: they cost more start-up time than this room."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import jsonschema_rs
    from jsonschema import Draft202012Validator


def explaining_validator(schema: Mapping[str, Any], is_instant: Callable[[object], bool]) -> Draft202012Validator:
    """A validator whose errors have paths and sentences; date-times are checked by the given function."""
    from jsonschema import Draft202012Validator, FormatChecker

    checker = FormatChecker(formats=())
    checker.checks("date-time")(is_instant)
    return Draft202012Validator(schema, format_checker=checker)


def compiled_validator(
    schema: dict[str, Any], is_instant: Callable[[object], bool]
) -> jsonschema_rs.Draft202012Validator:
    """A compiled validator that only says whether; date-times are checked by the given function."""
    import jsonschema_rs

    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True, formats={"date-time": is_instant})


def occurrence(pattern: str) -> Callable[[str], bool]:
    """Whether a pattern occurs in a text, by the engine of `jsonschema_rs`."""
    import jsonschema_rs

    engine = jsonschema_rs.RegexOptions()
    found: Callable[[str], bool] = jsonschema_rs.Draft202012Validator(
        {"pattern": pattern}, pattern_options=engine
    ).is_valid
    return found


def yaml_events(text: str) -> Iterator[tuple[str, int, Any]]:
    """The parser events of a YAML text as (name, line from 1, event); a syntax error is the last one, `Error`."""
    import yaml

    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            mark = event.start_mark
            yield type(event).__name__.removesuffix("Event"), mark.line + 1 if mark else 1, event
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        yield "Error", mark.line + 1 if mark else 1, f"not YAML: {error.problem or error.context}"
    except yaml.reader.ReaderError as error:
        line = text.encode().count(b"\n", 0, error.position) + 1
        yield "Error", line, f"character U+{int(error.character):04X} is not allowed in YAML"
