"""Registered prompts: one per level, domain and condition, each with its hash, never with the reference."""

from __future__ import annotations

import hashlib
import json

import pytest

from assay.errors import InputError
from assay.modes import prompts
from assay.modes.contracts import DOMAINS
from assay.modes.generate import build

CELLS = [(level, domain) for level in range(1, 6) for domain in DOMAINS]


@pytest.mark.parametrize("condition", [prompts.HINTS, prompts.NEUTRAL])
@pytest.mark.parametrize(("level", "domain"), CELLS)
def test_every_cell_has_a_prompt_that_shows_the_problem_only(level, domain, condition):
    (row,) = build.split(level, domain, "prompt", 1)

    prompt = prompts.render(row.problem, level, domain, condition)

    assert [message["role"] for message in prompt.messages] == ["system", "user"]
    if (level, domain) != (1, "pantry_plan"):
        assert prompt.messages[1]["content"] == row.problem
    assert "verifier" not in str(prompt.messages)
    text = json.dumps(list(prompt.messages), sort_keys=True, separators=(",", ":"))
    assert prompt.sha256 == hashlib.sha256(text.encode()).hexdigest()


def test_the_templates_of_this_project_are_frozen():
    shown = [prompts.registered(condition).values() for condition in (prompts.HINTS, prompts.NEUTRAL)]

    assert {template.name: template.sha256_prefix for found in shown for template in found} == FROZEN


@pytest.mark.parametrize(
    ("condition", "count"), [*((name, 25) for name in prompts.CONDITIONS[:3]), ("python_level3_neutral_v1", 1)]
)
def test_every_level_and_domain_of_a_condition_has_its_template(condition, count):
    assert len(prompts.registered(condition)) == count


FROZEN = {
    "assay_bare_box": "a95f1b2546bde7a5",
    "assay_mask": "89279318af70f22f",
    "assay_countdown": "008133dadd9a7606",
    "assay_factors": "7fd1fcc9a5d79f50",
    "assay_mathir": "51748ce9cf748dc3",
    "assay_pantry": "17870e4237ac7f2b",
    "assay_neutral": "b32533e262b6876e",
}


def test_level_1_pantry_asks_for_a_mask():
    (row,) = build.split(1, "pantry_plan", "prompt", 1)

    asked = prompts.render(row.problem, 1, "pantry_plan").messages[1]["content"]

    assert asked.endswith(prompts.MASK_REQUEST)
    assert prompts.ALLOCATION_REQUEST not in asked


@pytest.mark.parametrize("problem", ["no request", f"{prompts.ALLOCATION_REQUEST} twice {prompts.ALLOCATION_REQUEST}"])
def test_a_level_1_pantry_problem_must_end_with_its_request_once(problem):
    with pytest.raises(InputError, match="must end with"):
        prompts.render(problem, 1, "pantry_plan")


def test_neutral_prompts_hold_no_hints():
    hinted = prompts.render("p", 3, "python_factors").messages[0]["content"]
    neutral = prompts.render("p", 3, "python_factors", prompts.NEUTRAL).messages[0]["content"]

    assert "divisors such as" in hinted
    assert "divisors" not in neutral


@pytest.mark.parametrize(
    ("level", "domain", "condition", "name"),
    [
        (1, "mathir", prompts.REGISTERED, "qwen_boxed"),
        (5, "graph_coloring", prompts.REGISTERED, "qwen_boxed"),
        (1, "pantry_plan", prompts.REGISTERED, "qwen_pantry_support_mask"),
        (2, "pantry_plan", prompts.REGISTERED, "qwen_level2_pantry"),
        (4, "countdown", prompts.REGISTERED, "qwen_level2_countdown"),
        (3, "python_factors", prompts.REGISTERED_NEUTRAL, "qwen_level3_python_factors_neutral_v1"),
    ],
)
def test_foreign_templates_are_known_by_name_and_hash_only(level, domain, condition, name):
    template = prompts.template_for(level, domain, condition)

    assert (template.name, template.system) == (name, None)
    with pytest.raises(InputError, match="not part of this project"):
        prompts.render("p", level, domain, condition)


def test_the_neutral_condition_of_the_peer_is_for_one_cell_only():
    with pytest.raises(InputError, match="level 3 python_factors only"):
        prompts.template_for(2, "python_factors", prompts.REGISTERED_NEUTRAL)


def test_an_unknown_condition_names_the_known_ones():
    with pytest.raises(InputError, match="no prompt condition is called 'x'"):
        prompts.template_for(1, "mathir", "x")


def test_messages_are_recognised_by_their_hash():
    messages = [dict(message) for message in prompts.render("p", 2, "mathir").messages]

    assert prompts.messages_fault(messages, "p", 2, "mathir", prompts.HINTS) is None
    assert "the user message" in prompts.messages_fault(messages, "q", 2, "mathir", prompts.HINTS)
    assert "the system message" in prompts.messages_fault(messages, "p", 2, "mathir", prompts.REGISTERED)
    assert "one system and one user" in prompts.messages_fault(messages[:1], "p", 2, "mathir", prompts.HINTS)
    assert "one system and one user" in prompts.messages_fault([1, 2], "p", 2, "mathir", prompts.HINTS)


def test_a_mask_prompt_is_recognised_by_what_precedes_the_request():
    (row,) = build.split(1, "pantry_plan", "prompt", 1)
    messages = [dict(message) for message in prompts.render(row.problem, 1, "pantry_plan").messages]

    assert prompts.messages_fault(messages, row.problem, 1, "pantry_plan", prompts.HINTS) is None
    assert prompts.messages_fault(messages, "x\n" + row.problem, 1, "pantry_plan", prompts.HINTS)
