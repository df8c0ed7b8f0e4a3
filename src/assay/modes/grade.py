"""Grading one response, or all responses to one prompt, under a named contract. Pure: text in, a value out.

`prepare` reads and validates a reference once; the `Task` it gives then grades any number of responses. `grade` and
`grade_prompt` take plain JSON and names only, so that they can be called in another process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from assay.modes import countdown, factors, graph_coloring
from assay.modes.contracts import DOMAINS, Contract, named
from assay.modes.extraction import extract
from assay.modes.mathir import programs
from assay.modes.outcome import BadReference, Grade, Judgment, Status, malformed
from assay.modes.pantry_plan import allocation, projection
from assay.modes.pantry_plan import reference as pantry

MAX_ANSWER_BYTES = 65_536
VERIFIERS: Mapping[str, tuple[str, ...]] = {
    "countdown": ("countdown",),
    "graph_coloring": ("graph_coloring",),
    "python_factors": ("python_factor_function",),
    "mathir": (programs.ALGEBRA, programs.MENU),
    "pantry_plan": ("pantry_plan",),
}
_ALIASES = {"pantry": "pantry_plan"}
_LEVELS = {str(n): n for n in range(1, 6)} | {f"level{n}": n for n in range(1, 6)}
_NO_CANDIDATE = malformed("the response holds no final answer")

Job = tuple[str, object, object, object, Sequence[str]]
Compact = tuple[Status, str | None, str | None, str | None]
Judge = Callable[[str], Judgment]
Extract = Callable[[str], str | None]


@dataclass(frozen=True)
class Task:
    """A validated reference with its two steps, or the `fault` that makes every grade an `invalid_reference`."""

    contract: Contract
    extract: Extract
    judge: Judge
    fault: str | None = None

    def grade(self, response: object) -> Grade:
        """Grade one response; anything but a text is malformed."""
        limit = self.contract.max_response_chars
        if limit is not None and isinstance(response, str) and len(response) > limit:
            return Grade("resource_limit", None, "", f"the response has more than {limit:,} characters")
        text = response if isinstance(response, str) else ""
        if self.fault is not None:
            return Grade("invalid_reference", None, text, self.fault)
        if not isinstance(response, str):
            return Grade("malformed", None, "", "the response is not a text")
        candidate = self.extract(response)
        judged = _NO_CANDIDATE if candidate is None else self.judge(candidate)
        graded = response if judged.graded_text is None else judged.graded_text
        return Grade(judged.status, judged.key, graded, judged.detail)


def level_of(stated: object) -> int | None:
    """The level 1 to 5 that a spelling means (`3`, `"3"`, `"level3"`), or None."""
    if type(stated) is int:
        return stated if 1 <= stated <= 5 else None
    return _LEVELS.get(stated) if isinstance(stated, str) else None


def domain_of(stated: object) -> str | None:
    """The domain a name means (`pantry` is `pantry_plan`), or None. Names are case-sensitive."""
    if not isinstance(stated, str):
        return None
    name = _ALIASES.get(stated, stated)
    return name if name in DOMAINS else None


def prepare(contract: str, level: object, domain: object, answer: object) -> Task:
    """Read and validate a reference. Never raises for a bad one: the task then carries the fault."""
    rules = named(contract)
    try:
        known_level, known_domain = level_of(level), domain_of(domain)
        if answer is None:
            raise BadReference("there is no answer")
        if known_level is None:
            raise BadReference("the level must be 1 to 5 or level1 to level5")
        if known_domain is None:
            raise BadReference(f"the domain must be one of {', '.join(DOMAINS)}")
        steps = _task(rules, known_level, known_domain, _decoded(answer))
    except BadReference as fault:
        return Task(rules, lambda _: None, lambda _: _NO_CANDIDATE, str(fault))
    return Task(rules, *steps)


def grade(contract: str, level: object, domain: object, answer: object, response: object) -> Grade:
    """Grade one response against one reference under the contract of that name."""
    return prepare(contract, level, domain, answer).grade(response)


def grade_prompt(
    contract: str, level: object, domain: object, answer: object, responses: Sequence[object]
) -> list[Grade]:
    """Grade all responses to one prompt in order; the reference is read once."""
    task = prepare(contract, level, domain, answer)
    return [task.grade(response) for response in responses]


def grade_job(job: Job) -> list[Compact]:
    """`grade_prompt` for a pool of processes: a plain tuple in, plain tuples out, the responses never sent back."""
    contract, level, domain, answer, responses = job
    return [
        (g.status, g.key, None if g.graded_text == response else g.graded_text, g.detail)
        for g, response in zip(grade_prompt(contract, level, domain, answer, responses), responses, strict=True)
    ]


def unpacked(compact: Compact, response: str) -> Grade:
    """The grade that `grade_job` packed for a response."""
    status, key, graded_text, detail = compact
    return Grade(status, key, response if graded_text is None else graded_text, detail)


def _decoded(answer: object) -> Mapping[str, Any]:
    """The reference as an object, from an object or a JSON text; raise BadReference."""
    try:
        if isinstance(answer, str):
            size = len(json.dumps(answer)) if len(answer) * 6 > MAX_ANSWER_BYTES else 0
            answer = json.loads(answer, object_pairs_hook=_unique, parse_constant=_no_constant)
        else:
            size = 0 if _is_small(answer) else len(json.dumps(answer, allow_nan=False))
    except (ValueError, TypeError, RecursionError) as error:
        raise BadReference(f"answer is not strict JSON: {type(error).__name__}") from None
    if size > MAX_ANSWER_BYTES:
        raise BadReference(f"answer is over {MAX_ANSWER_BYTES:,} bytes of JSON")
    if not isinstance(answer, dict):
        raise BadReference("answer must be a JSON object")
    return answer


def _is_small(answer: object) -> bool:
    """Whether a fast spelling shows that the plain one is finite and within the limit: it is at most six times as long.

    The fast one writes `null` for a number that is not finite, so any `null` sends the answer down the plain path.
    """
    try:
        fast = orjson.dumps(answer)
    except TypeError:
        return False
    return len(fast) * 6 <= MAX_ANSWER_BYTES and b"null" not in fast


def _task(rules: Contract, level: int, domain: str, answer: Mapping[str, Any]) -> tuple[Extract, Judge]:
    verifier = answer.get("verifier")
    if verifier not in VERIFIERS[domain]:
        raise BadReference(f"answer.verifier must be {' or '.join(VERIFIERS[domain])} for {domain}")
    if domain == "pantry_plan" and level == 1:
        return _mask_task(rules, answer)
    surface = rules.surfaces[domain]
    return (lambda response: extract(surface, response)), _JUDGES[domain](rules, answer)


def _mask_task(rules: Contract, answer: Mapping[str, Any]) -> tuple[Extract, Judge]:
    reference = pantry.read_reference(answer, rows=projection.MASK_BITS)
    projection.check_decidable(reference, rules.pantry)
    surface = rules.mask

    def candidate(response: str) -> str | None:
        return response if surface is None else extract(surface, response) or ""

    return candidate, lambda text: projection.judge_mask(reference, text, rules.pantry)


def _countdown(rules: Contract, answer: Mapping[str, Any]) -> Judge:
    reference = countdown.read_reference(answer)
    return lambda text: countdown.judge(reference, text, rules.countdown)


def _graph(rules: Contract, answer: Mapping[str, Any]) -> Judge:
    reference = graph_coloring.read_reference(answer)
    return lambda text: graph_coloring.judge(reference, text, rules.graph)


def _factors(_rules: Contract, answer: Mapping[str, Any]) -> Judge:
    reference = factors.read_reference(answer)
    return lambda text: factors.judge(reference, text)


def _mathir(rules: Contract, answer: Mapping[str, Any]) -> Judge:
    reference = programs.read_reference(answer, rules.mathir)
    return lambda text: programs.judge(reference, text, rules.mathir)


def _pantry(rules: Contract, answer: Mapping[str, Any]) -> Judge:
    reference = pantry.read_reference(answer, rows=None)
    return lambda text: allocation.judge(reference, text, rules.pantry)


_JUDGES: Mapping[str, Callable[[Contract, Mapping[str, Any]], Judge]] = {
    "countdown": _countdown,
    "graph_coloring": _graph,
    "python_factors": _factors,
    "mathir": _mathir,
    "pantry_plan": _pantry,
}


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key is repeated")
    return members


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
