"""rich, HTML and JUnit, imported only when something is really painted or laid out so: plain output never pays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.report.page import View

if TYPE_CHECKING:
    from assay.findings.score import Tally


def painted(text: str, style: str) -> str:
    """The text between the escape sequences of a style, for a terminal with sixteen colours."""
    from rich.color import ColorSystem
    from rich.style import Style

    return Style.parse(style).render(text, color_system=ColorSystem.STANDARD)


def as_html(view: View) -> str:
    """The view as a page of HTML."""
    from assay.report import html

    return html.render(view)


def as_junit(view: View) -> str:
    """The view as JUnit XML."""
    from assay.report import junit

    return junit.render(view)


def tally_of(tp: int, fp: int, fn: int) -> Tally:
    """What was matched, spurious and missed; only scores of the findings suite have it."""
    from assay.findings.score import Tally

    return Tally(tp, fp, fn)
