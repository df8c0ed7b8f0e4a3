"""Evidence spans: pointers into what was stored, in Unicode code points from 0, end exclusive.

A quote that is not there is no evidence, whoever wrote it. A quote without a place is accepted where it occurs once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.acceptance.conversation import answers_of
from assay.acceptance.evidence import evidence_of
from assay.record.canonical import Json


@dataclass(frozen=True)
class Span:
    """A stretch of a stored text: `answer`, `turn:<n>`, `user:<n>`, `passage:<n>` or the name of a file."""

    artifact: str
    start: int
    end: int
    quote: str

    def to_json(self) -> dict[str, Json]:
        return {"artifact": self.artifact, "start": self.start, "end": self.end, "quote": self.quote}

    @property
    def is_of_user(self) -> bool:
        return self.artifact.startswith("user:")

    @property
    def is_of_answer(self) -> bool:
        return self.artifact == "answer" or self.artifact.startswith("turn:")


def texts_of(
    observation: Mapping[str, Any], turns: Sequence[str], files: Mapping[str, bytes] | None = None
) -> dict[str, str]:
    """Every stored text that a span may point into, by its name."""
    texts = {f"user:{number}": text for number, text in enumerate(turns, 1)}
    answers = answers_of(observation)
    texts |= {f"turn:{number}": text for number, text in enumerate(answers, 1) if text is not None}
    if answers and answers[-1] is not None:
        texts["answer"] = answers[-1]
    texts |= {f"passage:{excerpt.number}": excerpt.text for excerpt in evidence_of(observation).excerpts}
    for name, data in (files or {}).items():
        try:
            texts.setdefault(name, data.decode("utf-8"))
        except UnicodeDecodeError:
            continue
    return texts


def read_spans(said: Any, texts: Mapping[str, str]) -> tuple[tuple[Span, ...], tuple[str, ...]]:
    """The spans that resolve, and a fault for each that does not."""
    if not isinstance(said, list | tuple):
        return (), (f"spans: expected a list (got {type(said).__name__})",)
    spans, faults = [], []
    for number, one in enumerate(said, 1):
        found = resolve(one, texts) if isinstance(one, Mapping) else "is no object"
        if isinstance(found, Span):
            spans.append(found)
        else:
            faults.append(f"span {number}: {found}")
    return tuple(spans), tuple(faults)


def resolve(said: Mapping[str, Any], texts: Mapping[str, str]) -> Span | str:
    """The span, or in words why it is none."""
    artifact, quote = said.get("artifact"), said.get("quote")
    if not isinstance(artifact, str) or artifact not in texts:
        return f"there is no {artifact!r} here (there is {', '.join(sorted(texts)) or 'nothing'})"
    if not isinstance(quote, str) or not quote:
        return f"quotes nothing of {artifact}"
    text = texts[artifact]
    start, end = said.get("start"), said.get("end")
    if start is None and end is None:
        return _by_quote(artifact, text, quote)
    if type(start) is not int or type(end) is not int or not 0 <= start < end:
        return f"expected 0 <= start < end in {artifact} (got {start!r} and {end!r})"
    if end > len(text):
        return f"ends at {end}, but {artifact} has {len(text)} characters"
    if text[start:end] != quote:
        return f"{artifact} has {text[start:end]!r} at {start}..{end}, not {quote!r}"
    return Span(artifact, start, end, quote)


def at(artifact: str, text: str, start: int, end: int) -> Span:
    """The span of a place in a text."""
    return Span(artifact, start, end, text[start:end])


def _by_quote(artifact: str, text: str, quote: str) -> Span | str:
    count = text.count(quote)
    if count != 1:
        return f"{quote!r} occurs {count} times in {artifact}; give its place" if count else _absent(artifact, quote)
    start = text.index(quote)
    return Span(artifact, start, start + len(quote), quote)


def _absent(artifact: str, quote: str) -> str:
    return f"{quote!r} is not in {artifact}"
