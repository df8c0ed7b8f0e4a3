"""Run the deterministic checks on what an application said. Each answers with spans, or says why it cannot answer.

Words are compared without regard to case and only as whole words; a sentence is what ends with `.`, `!`, `?` or a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.acceptance.checks import Check, Citations, Constraint, Content, Quantities
from assay.acceptance.evidence import Evidence
from assay.acceptance.judging import Finding, scored, unavailable
from assay.acceptance.quantities import Quantity, is_restated, quantities_in, support
from assay.acceptance.spans import Span, at
from assay.contract.steps import Verdict

_SENTENCE = re.compile(r"[^\n.!?]*(?:(?<=\d)\.(?=\d)[^\n.!?]*)*[.!?]*(?:\s*\[\d+\])*", re.ASCII)
_CITATION = re.compile(r"\[(\d{1,4}(?:\s*,\s*\d{1,4})*)\]", re.ASCII)
_WORST_FIRST: tuple[tuple[str, Verdict], ...] = (
    ("contradicted", "violated"),
    ("invented", "violated"),
    ("unresolved", "partially_met"),
)
_WORDS = {
    "contradicted": "contradicted by the cited excerpt",
    "invented": "neither cited nor given by the user",
    "unresolved": "not found in the cited excerpt",
}
NEGATIONS = ("no", "not", "without", "never", "instead of", "rather than", "don't", "do not", "cannot", "lack", "avoid")


@dataclass(frozen=True)
class Heard:
    """What a check is given: the answer and where it is stored, what the user said, and what was retrieved."""

    artifact: str
    answer: str
    turns: tuple[str, ...]
    evidence: Evidence


def run(check: Check, heard: Heard) -> Finding:
    """Run one check."""
    if isinstance(check, Constraint):
        return _constraint(check, heard)
    if isinstance(check, Content):
        return _content(check, heard)
    return _citations(check, heard) if isinstance(check, Citations) else _quantities(check, heard)


def _constraint(check: Constraint, heard: Heard) -> Finding:
    """A sentence that needs what the user excluded, unless it says "if", "without" or the like."""
    user = heard.turns[check.said_in - 1]
    start = user.index(check.said)
    said = at(f"user:{check.said_in}", user, start, start + len(check.said))
    uses = []
    for begin, end in sentences(heard.answer):
        sentence = heard.answer[begin:end]
        if not any(_places((*check.unless, *NEGATIONS), sentence)):
            places = [
                Span(heard.artifact, begin + a, begin + b, sentence[a:b]) for a, b in _places(check.excluded, sentence)
            ]
            uses += places
    if uses:
        named = ", ".join(dict.fromkeys(span.quote for span in uses))
        return scored("violated", f"uses {named} although the user said {check.said!r}", [*uses, said])
    noticed = list(_places(check.noticed, heard.answer))
    if check.noticed and not noticed:
        return scored("partially_met", f"nothing shows that {check.said!r} was noticed", [_whole(heard), said])
    spans = [at(heard.artifact, heard.answer, *noticed[0])] if noticed else [_whole(heard)]
    return scored("met", f"keeps to {check.said!r}", [*spans, said])


def _content(check: Content, heard: Heard) -> Finding:
    forbidden = list(_places(check.forbidden, heard.answer))
    if forbidden:
        spans = [at(heard.artifact, heard.answer, *place) for place in forbidden]
        return scored("violated", f"says {', '.join(dict.fromkeys(span.quote for span in spans))}", spans)
    found = [next(_places(group, heard.answer), None) for group in check.required]
    spans = [at(heard.artifact, heard.answer, *place) for place in found if place is not None]
    absent = [" or ".join(group) for group, place in zip(check.required, found, strict=True) if place is None]
    if not absent:
        return scored("met", "says what is asked for and nothing that is not", spans or [_whole(heard)])
    words = f"does not say {'; '.join(absent)}"
    return scored("partially_met" if spans else "violated", words, spans or [_whole(heard)])


def _citations(check: Citations, heard: Heard) -> Finding:
    """Every citation resolves inside the declared evidence. No citation is nothing to judge, never a perfect score."""
    cited = list(citations(heard.answer))
    if not cited and check.none_is_met:
        return scored("met", "cites nothing, as it should", [_whole(heard)], _share(0, 0))
    if not cited:
        return unavailable("missing_evidence", "the answer cites nothing, so there is nothing to check", _share(0, 0))
    if not heard.evidence.is_known:
        return unavailable("missing_evidence", f"the evidence is {heard.evidence.capture}")
    known = {excerpt.number for excerpt in heard.evidence.excerpts}
    wrong = [(number, place) for number, place in cited if number not in known]
    spans = [at(heard.artifact, heard.answer, *place) for _, place in (wrong or cited)]
    value = _share(len(cited) - len(wrong), len(cited))
    if wrong:
        named = ", ".join(f"[{number}]" for number in dict.fromkeys(number for number, _ in wrong))
        return scored("violated", f"cites {named}, which is not among the excerpts", spans, value)
    return scored("met", "every citation names an excerpt", spans, value)


def _quantities(check: Quantities, heard: Heard) -> Finding:
    """Quantities that cite an excerpt against that excerpt. User quantities may be repeated; step numbers are none."""
    if not heard.evidence.is_known:
        return unavailable("missing_evidence", f"the evidence is {heard.evidence.capture}")
    given = [quantity for turn in heard.turns for quantity in quantities_in(turn)]
    passages = {excerpt.number: quantities_in(excerpt.text) for excerpt in heard.evidence.excerpts}
    claims = dict(_claims(heard.answer))
    judged = [(claim, _supported(claim, cited, passages, given)) for claim, cited in claims.items()]
    if check.cited_only:
        others = [claim for claim in quantities_in(heard.answer) if claim not in claims]
        judged += [(claim, "invented") for claim in others if not is_restated(claim, given)]
    if not judged and check.none_is_met:
        return scored("met", "states no quantity of its own", [_whole(heard)], _share(0, 0))
    if not judged:
        return unavailable(
            "missing_evidence", "no quantity cites an excerpt, so there is nothing to check", _share(0, 0)
        )
    value = _share(sum(1 for _, word in judged if word == "supported"), len(judged))
    for word, verdict in _WORST_FIRST:
        spans = [at(heard.artifact, heard.answer, claim.start, claim.end) for claim, found in judged if found == word]
        if spans:
            named = ", ".join(dict.fromkeys(span.quote for span in spans))
            return scored(verdict, f"{named}: {_WORDS[word]}", spans, value)
    spans = [at(heard.artifact, heard.answer, claim.start, claim.end) for claim, _ in judged]
    return scored("met", "every cited quantity is in its excerpt", spans, value)


def _supported(
    claim: Quantity, cited: Sequence[int], passages: Mapping[int, Sequence[Quantity]], given: Sequence[Quantity]
) -> str:
    if is_restated(claim, given):
        return "supported"
    if any(number not in passages for number in cited):
        return "contradicted"
    return support(claim, [quantity for number in cited for quantity in passages[number]])


def _claims(answer: str) -> Iterator[tuple[Quantity, tuple[int, ...]]]:
    """Each quantity with the citation that follows it in its sentence, or else with those that lead the sentence."""
    cited = list(citations(answer))
    found = quantities_in(answer)
    for begin, end in sentences(answer):
        inside = [(number, place) for number, place in cited if begin <= place[0] < end]
        claims = [claim for claim in found if begin <= claim.start < end]
        leading = [
            (number, place) for number, place in inside if place[0] < min((c.start for c in claims), default=end)
        ]
        for claim in claims:
            after = [(number, place) for number, place in inside if place[0] >= claim.end]
            numbers = [number for number, place in after if place == after[0][1]] or [number for number, _ in leading]
            if numbers:
                yield claim, tuple(numbers)


def citations(answer: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """Every cited number with the place of its brackets: `[2]`, `[2, 4]`."""
    for match in _CITATION.finditer(answer):
        for number in match.group(1).split(","):
            yield int(number), match.span()


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """The places of the sentences that hold a word."""
    for match in _SENTENCE.finditer(text):
        if match.group().strip():
            yield match.span()


def _places(terms: Sequence[str], text: str) -> Iterator[tuple[int, int]]:
    """Where one of the terms stands as whole words, in the order of the text."""
    if terms:
        words = "|".join(map(_whole_word, sorted(terms, key=len, reverse=True)))
        for match in re.finditer(words, text, re.IGNORECASE):
            yield match.span()


def _whole_word(term: str) -> str:
    """The pattern of a term; an edge that is a letter or digit is the edge of a word."""
    before, after = (r"(?<!\w)" if term[:1].isalnum() else "", r"(?!\w)" if term[-1:].isalnum() else "")
    return f"{before}{re.escape(term)}{after}"


def _whole(heard: Heard) -> Span:
    return at(heard.artifact, heard.answer, 0, len(heard.answer))


def _share(part: int, whole: int) -> dict[str, int | None]:
    """A count over its denominator; over nothing there is no share."""
    return {"supported": part if whole else None, "of": whole}
