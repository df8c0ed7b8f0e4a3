"""rich, imported only when something is really painted: plain output never pays for it."""

from __future__ import annotations


def painted(text: str, style: str) -> str:
    """The text between the escape sequences of a style, for a terminal with sixteen colours."""
    from rich.color import ColorSystem
    from rich.style import Style

    return Style.parse(style).render(text, color_system=ColorSystem.STANDARD)
