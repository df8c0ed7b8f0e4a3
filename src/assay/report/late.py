"""rich, HTML and JUnit, imported only when something is really painted or laid out so: plain output never pays."""

from __future__ import annotations

from assay.report.page import View


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
