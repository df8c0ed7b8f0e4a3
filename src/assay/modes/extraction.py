"""Finding the final answer in a response: the last box, else the whole text as a plain answer.

A `Surface` is data: which boxes count, what a plain answer may look like, and how the found text is tidied before
the domain's verifier reads it. Both contracts are tables of surfaces over the functions here and in `tidy`.
All searches are linear in the length of the response, however hostile it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_BRACE = re.compile(r"[{}]")
_BOX_OR_BRACE = re.compile(r"\\(?:boxed|fbox)(?![A-Za-z])\s*\{|[{}]")
_LAMBDA = re.compile(r"\\lambda(?:\s+|\\,\s*)n\s*:\s*")


@dataclass(frozen=True)
class Found:
    """The outcome of looking for a box: `there` when the response uses boxes at all, `text` when one can be read."""

    there: bool
    text: str | None


NO_BOX = Found(False, None)
UNREADABLE_BOX = Found(True, None)
Boxes = Callable[[str], Found]
Tidy = Callable[[str], str]


@dataclass(frozen=True)
class Plain:
    """What an unboxed answer may look like: at most `max_chars` after stripping, one line, no angle brackets."""

    max_chars: int
    label: re.Pattern[str] | None = None
    fence: re.Pattern[str] | None = None
    one_line: bool = True
    angle_brackets: bool = False


@dataclass(frozen=True)
class Surface:
    """How a domain's answers are found. `max_boxed` bounds a boxed answer, where the contract has such a bound."""

    boxes: Boxes
    plain: Plain
    tidy: tuple[Tidy, ...] = ()
    label_in_box: bool = False
    max_boxed: int | None = None


def labels(*words: str) -> re.Pattern[str]:
    """The pattern of a leading label: `the final answer is`, `plan:`, `expression =`, for the given words."""
    alternatives = "|".join(words)
    return re.compile(rf"(?:the\s+)?(?:final\s+)?(?:{alternatives})\s*(?:is|=|:)\s*", re.IGNORECASE)


def any_label(*words: str) -> re.Pattern[str]:
    """A more tolerant label: `is`, `are`, `is:`, `:=`, `=` or `:` after one of the words."""
    alternatives = "|".join(words)
    return re.compile(rf"(?:the\s+)?(?:final\s+)?(?:{alternatives})\s*(?:(?:is|are)\s*[:=]?|:=|=|:)\s*", re.IGNORECASE)


def fenced(*tags: str) -> re.Pattern[str]:
    """The pattern of a text that is one whole code fence, tagged with one of `tags` or with none."""
    alternatives = "|".join(tags)
    return re.compile(rf"```(?:{alternatives})?(.*)```", re.IGNORECASE | re.DOTALL)


def extract(surface: Surface, response: str) -> str | None:
    """The final answer as text for the verifier, or None when the response holds no candidate."""
    found = surface.boxes(response)
    if not found.there:
        text = _plain(surface.plain, response)
    elif surface.label_in_box and found.text is not None:
        text = _without_label(surface.plain.label, found.text)
    else:
        text = found.text
    if text is None or not text:
        return None
    if found.there and surface.max_boxed is not None and len(text) > surface.max_boxed:
        return None
    for step in surface.tidy:
        text = step(text)
    return text or None


def last_box(response: str) -> Found:
    r"""The last `\boxed`, which must open with `{` at once and close; an earlier good box does not count."""
    at = response.rfind("\\boxed")
    if at < 0:
        return NO_BOX
    start = at + len("\\boxed{")
    if response[start - 1 : start] != "{":
        return UNREADABLE_BOX
    end = _closing(response, start)
    return UNREADABLE_BOX if end is None else Found(True, response[start:end])


def last_filled_box(response: str) -> Found:
    r"""The last `\boxed` or `\fbox` that closes and is not blank; blanks before the brace are allowed."""
    if "\\boxed" not in response and "\\fbox" not in response:
        return NO_BOX
    quick = last_box(response)
    if quick.text is not None and quick.text.strip() and "\\fbox" not in response:
        return quick
    opened: list[int | None] = []
    best = (-1, -1)
    seen = False
    for token in _BOX_OR_BRACE.finditer(response):
        sign = token.group()
        if sign == "}":
            start = opened.pop() if opened else None
            if start is not None and start > best[0] and response[start : token.start()].strip():
                best = (start, token.start())
        else:
            seen = seen or sign != "{"
            opened.append(None if sign == "{" else token.end())
    if not seen:
        return NO_BOX
    return Found(True, response[best[0] : best[1]]) if best[0] >= 0 else UNREADABLE_BOX


def lambda_spelled(text: str) -> str:
    r"""The text without blanks around it, a leading `\lambda n:` spelled as Python spells it."""
    text = text.strip()
    found = _LAMBDA.match(text)
    return f"lambda n: {text[found.end() :]}" if found else text


def _closing(text: str, start: int) -> int | None:
    """Where the brace opened just before `start` closes, or None."""
    depth = 1
    for brace in _BRACE.finditer(text, start):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return brace.start()
    return None


def _plain(rule: Plain, response: str) -> str | None:
    text = response.strip()
    if rule.fence is not None and text.startswith("```"):
        whole = rule.fence.fullmatch(text)
        text = whole.group(1).strip() if whole else text
    if len(text) > rule.max_chars:
        return None
    if rule.one_line and ("\n" in text or "\r" in text):
        return None
    if not rule.angle_brackets and ("<" in text or ">" in text):
        return None
    return _without_label(rule.label, text)


def _without_label(label: re.Pattern[str] | None, text: str) -> str:
    if label is None:
        return text
    text = text.strip()
    found = label.match(text)
    return text[found.end() :].strip() if found else text
