"""The deterministic checks that an expectation may name, as a source states them. Running them is done elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from assay.acceptance.fields import Slot

CHECKS = ("constraint", "content", "citations", "quantities")


@dataclass(frozen=True)
class Constraint:
    """What the user said they lack must not be used: a sentence with an excluded term violates, unless conditional.

    `said_in` is the turn in which the user excludes it, `said` the user's words there: both spans are evidence.
    """

    excluded: tuple[str, ...]
    unless: tuple[str, ...]
    said: str
    said_in: int
    noticed: tuple[str, ...] = ()
    """Words of which one shows that the limit was noticed; without any of them it is partially met."""


@dataclass(frozen=True)
class Content:
    """Groups of alternatives that must occur, and terms that must not."""

    required: tuple[tuple[str, ...], ...] = ()
    forbidden: tuple[str, ...] = ()


@dataclass(frozen=True)
class Citations:
    """Every `[n]` names an excerpt of the declared evidence selection.

    `none_is_met` where citing nothing is what is asked for; otherwise there is nothing to judge then.
    """

    none_is_met: bool = False


@dataclass(frozen=True)
class Quantities:
    """Every quantity that cites an excerpt is in it: same physical value, same comparator.

    `cited_only` where a quantity that neither cites nor repeats the user is invented.
    """

    none_is_met: bool = False
    cited_only: bool = False


Check = Constraint | Content | Citations | Quantities


def read_check(slot: Slot) -> Check | None:
    """Read `{name: {settings}}` with exactly one name."""
    fields = slot.fields((), CHECKS)
    if len(fields) != 1:
        slot.fault(f"expected one check of {', '.join(CHECKS)}, got {len(fields)}")
        return None
    (name, settings) = next(iter(fields.items()))
    if name == "constraint":
        return _constraint(settings)
    if name == "content":
        return _content(settings)
    flags = settings.fields((), ("none_is_met",) if name == "citations" else ("none_is_met", "cited_only"))
    given = {key: flag.flag() for key, flag in flags.items()}
    return Citations(**given) if name == "citations" else Quantities(**given)


def _constraint(slot: Slot) -> Constraint:
    fields = slot.fields(("excluded", "said", "said_in"), ("unless", "noticed"))
    return Constraint(
        excluded=fields["excluded"].texts(least=1) if "excluded" in fields else (),
        unless=fields["unless"].texts() if "unless" in fields else (),
        said=fields["said"].text() if "said" in fields else "",
        said_in=fields["said_in"].whole(1, 100) if "said_in" in fields else 1,
        noticed=fields["noticed"].texts() if "noticed" in fields else (),
    )


def _content(slot: Slot) -> Content:
    fields = slot.fields((), ("required", "forbidden"))
    if not fields:
        slot.fault("expected required or forbidden, got neither")
    groups = fields["required"].items(least=1) if "required" in fields else []
    required = [group.texts(least=1) if isinstance(group.value, list) else (group.text(),) for group in groups]
    return Content(tuple(required), fields["forbidden"].texts(least=1) if "forbidden" in fields else ())
