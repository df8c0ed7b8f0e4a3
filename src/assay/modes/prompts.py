"""Registered prompts: what a model is sent for a task, by level, domain and condition, each with its hash.

A prompt is two messages, system and user; the user's is the problem unchanged, except at level 1 of pantry, where the
answer asked for is a mask. It never holds the reference. The texts of this project are its own (`assay-hints-1`,
`assay-neutral-1`). Of ModeBench's registered prompts only names, lengths and hash prefixes are known here, so its
messages are recognised by their hash, and rendered only from an export the user has.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from assay.errors import InputError
from assay.modes.contracts import DOMAINS

HINTS, NEUTRAL = "assay-hints-1", "assay-neutral-1"
REGISTERED, REGISTERED_NEUTRAL = "registered_hints_v1", "python_level3_neutral_v1"
CONDITIONS = (HINTS, NEUTRAL, REGISTERED, REGISTERED_NEUTRAL)
ALLOCATION_REQUEST = "Answer with pairs ingredient_id=grams, separated by semicolons, in one \\boxed{}."
MASK_REQUEST = (
    "Answer with six binary digits, one per pantry row in the order above: 1 uses the row, 0 leaves it out. "
    "The amounts are chosen for you."
)
_CHAT_MARKERS = ("<|im_start|>", "<|im_end|>")
Message = Mapping[str, str]


@dataclass(frozen=True)
class Template:
    """A system message: its name, length and hash prefix, and its text where it is known."""

    name: str
    chars: int
    sha256_prefix: str
    system: str | None


@dataclass(frozen=True)
class Rendered:
    """A prompt ready to be sent."""

    template: Template
    messages: tuple[Message, Message]
    sha256: str


def _own(name: str, system: str) -> Template:
    return Template(name, len(system), hashlib.sha256(system.encode()).hexdigest()[:16], system)


_BARE = _own(
    "assay_bare_box",
    "Give the final answer only, as \\boxed{...}, with no explanation before or after it.",
)
_MASK = _own("assay_mask", "Give six binary digits and nothing else, one digit per pantry row.")
_WITH_HINTS = {
    "countdown": _own(
        "assay_countdown",
        "You may think briefly. End with one expression in \\boxed{...}. Use every given number exactly once, only "
        "+, -, *, / and parentheses, and check that its value is the target before you answer.",
    ),
    "python_factors": _own(
        "assay_factors",
        "You may think briefly. End with one line `lambda n: ...` in \\boxed{...}. Test small divisors such as 2, 3, "
        "5 and 7 first; where the inputs share none, tell them apart with conditional expressions on n.",
    ),
    "mathir": _own(
        "assay_mathir",
        "You may think briefly. End with the action letters in \\boxed{...}, separated by semicolons. Undo what "
        "stands around x from the outside inwards and choose the letters whose operations do that.",
    ),
    "pantry_plan": _own(
        "assay_pantry",
        "You may think briefly. End with ingredient_id=grams pairs in \\boxed{...}, separated by semicolons. Choose "
        "two to four ingredients, keep every amount on its step, and check each bound before you answer.",
    ),
}
_WITHOUT_HINTS = _own(
    "assay_neutral", "You may think briefly. End with the final answer in \\boxed{...}, in the form the task asks for."
)
_FOREIGN = {
    name: Template(name, chars, prefix, None)
    for name, chars, prefix in (
        ("qwen_boxed", 61, "f07c05a1727cb67b"),
        ("qwen_pantry_support_mask", 197, "e69633da5b08283e"),
        ("qwen_level2_countdown", 300, "b99647ecf681af19"),
        ("qwen_level2_python_factors", 406, "1d19be6e6b6c9c41"),
        ("qwen_level3_python_factors_neutral_v1", 203, "f8c41b66f561278f"),
        ("qwen_level2_mathir", 303, "e802c895711062a1"),
        ("qwen_level2_pantry", 308, "79de1c3d2883c677"),
    )
}
_FOREIGN_HINTS = {
    "countdown": "qwen_level2_countdown",
    "python_factors": "qwen_level2_python_factors",
    "mathir": "qwen_level2_mathir",
    "pantry_plan": "qwen_level2_pantry",
}


def template_for(level: int, domain: str, condition: str) -> Template:
    """The registered template of a level, domain and condition; raise InputError where none is registered."""
    if condition == REGISTERED_NEUTRAL and (level, domain) != (3, "python_factors"):
        raise InputError(f"{condition} is registered for level 3 python_factors only (got level {level} {domain})")
    if condition not in CONDITIONS:
        raise InputError(f"no prompt condition is called {condition!r}", hint=f"use one of {', '.join(CONDITIONS)}")
    if condition == REGISTERED_NEUTRAL:
        return _FOREIGN["qwen_level3_python_factors_neutral_v1"]
    own = condition in (HINTS, NEUTRAL)
    if domain == "pantry_plan" and level == 1:
        return _MASK if own else _FOREIGN["qwen_pantry_support_mask"]
    if level == 1 or domain == "graph_coloring":
        return _BARE if own else _FOREIGN["qwen_boxed"]
    if condition == NEUTRAL:
        return _WITHOUT_HINTS
    return _WITH_HINTS[domain] if own else _FOREIGN[_FOREIGN_HINTS[domain]]


def registered(condition: str) -> dict[tuple[int, str], Template]:
    """The template of every level and domain for which a condition has one."""
    asked_of = ((3, "python_factors"),) if condition == REGISTERED_NEUTRAL else product(range(1, 6), DOMAINS)
    return {(level, domain): template_for(level, domain, condition) for level, domain in asked_of}


def render(problem: str, level: int, domain: str, condition: str = HINTS) -> Rendered:
    """The messages for a problem; raise InputError where the template's text is not known or the problem unfit."""
    template = template_for(level, domain, condition)
    if template.system is None:
        raise InputError(
            f"the text of {template.name} is not part of this project",
            hint="send the messages that `modebench prepare` exports, or use the condition assay-hints-1",
        )
    content = masked(problem) if template is _MASK else problem
    fault = problem_fault(problem)
    if fault:
        raise InputError(fault)
    messages = ({"role": "system", "content": template.system}, {"role": "user", "content": content})
    return Rendered(template, messages, prompt_sha256(messages))


def masked(problem: str) -> str:
    """A level-1 pantry problem with its closing request replaced by the one for a mask."""
    if problem.count(ALLOCATION_REQUEST) != 1 or not problem.endswith(ALLOCATION_REQUEST):
        raise InputError("a level-1 pantry problem must end with the registered request for an allocation, once")
    return problem.removesuffix(ALLOCATION_REQUEST) + MASK_REQUEST


def prompt_sha256(messages: Sequence[Message]) -> str:
    """SHA-256 of the messages as JSON with sorted keys, no blanks and ASCII escapes."""
    text = json.dumps([dict(message) for message in messages], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def problem_fault(problem: object) -> str | None:
    """Why a problem cannot be put into a prompt."""
    if not isinstance(problem, str) or not problem.strip():
        return "problem must be a nonblank text"
    marker = next((marker for marker in _CHAT_MARKERS if marker in problem), None)
    return f"problem holds the chat marker {marker}" if marker else None


def messages_fault(messages: object, problem: str, level: int, domain: str, condition: str) -> str | None:
    """Why messages are not the registered prompt of a problem; None when they are."""
    if not isinstance(messages, list) or [_role(message) for message in messages] != ["system", "user"]:
        return "messages must be one system and one user message"
    template = template_for(level, domain, condition)
    system, content = (message["content"] for message in messages)
    hashed = hashlib.sha256(system.encode("utf-8", "surrogatepass")).hexdigest()
    if len(system) != template.chars or not hashed.startswith(template.sha256_prefix):
        return f"the system message is not {template.name}"
    if domain == "pantry_plan" and level == 1:
        # The closing request differs by design; what precedes it must be the problem's.
        same = content.rpartition("\n")[0] == problem.rpartition("\n")[0]
    else:
        same = content == problem
    return None if same else "the user message is not the problem"


def _role(message: object) -> str | None:
    if not isinstance(message, dict) or message.keys() != {"role", "content"}:
        return None
    return message["role"] if isinstance(message["content"], str) else None
