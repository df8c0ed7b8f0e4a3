r"""Spellings that mean the same answer: what `assay-modes-1` reads as if it had been typed plainly.

Only spellings that cannot change the meaning are touched: LaTeX wrappers and spacing, the Unicode minus, full-width
ASCII, a final full stop. Invisible and direction-changing characters are left in place, so that no answer is graded
as something else than a reader sees; they end as malformed.
"""

from __future__ import annotations

import re

_PLAIN_CHARACTERS = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    0x2212: "-",
    0x00A0: " ",
    0x2009: " ",
    0x202F: " ",
    0x3000: " ",
}
_TIMES = str.maketrans({"·": "*", "⋅": "*", "∗": "*"})
_NON_ASCII = re.compile(r"[^\x00-\x7f]")
_SPACING = re.compile(r"\\(?:left|right)(?![A-Za-z])|\\(?:q?quad)(?![A-Za-z])|\\[,;:! ]|~")
_ESCAPED = re.compile(r"\\([%_{}#&])")
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_WRAPPERS = (
    re.compile(r"\\(?:text|textbf|textit|texttt|mathrm|mathbf|mathtt|operatorname)\s*\{(?P<inner>[^{}]*)\}"),
    re.compile(r"\\\((?P<inner>.*)\\\)", re.DOTALL),
    re.compile(r"\\\[(?P<inner>.*)\\\]", re.DOTALL),
    re.compile(r"\$\$(?P<inner>[^$]*)\$\$"),
    re.compile(r"\$(?P<inner>[^$]*)\$"),
    re.compile(r"`(?P<inner>[^`]*)`"),
    re.compile(r"\*\*(?P<inner>[^*]*)\*\*"),
)


def characters(text: str) -> str:
    """Full-width ASCII, the Unicode minus and no-break blanks as their ASCII counterparts."""
    return text if text.isascii() else text.translate(_PLAIN_CHARACTERS)


def unwrapped(text: str) -> str:
    r"""The text inside `$..$`, `\(..\)`, `\text{..}` or back quotes, when one of them holds all of it."""
    text = text.strip()
    for _ in range(4):
        inner = next((found["inner"] for found in (w.fullmatch(text) for w in _WRAPPERS) if found), None)
        if inner is None:
            break
        text = inner.strip()
    return text


def latex(text: str) -> str:
    r"""LaTeX spacing as blanks, `\left` and `\right` gone, escaped signs (`\%`, `\_`) bare."""
    if "\\" not in text and "~" not in text:
        return text
    return _ESCAPED.sub(r"\1", _SPACING.sub(" ", text)).strip()


def fractions(text: str) -> str:
    r"""`\frac{a}{b}` as `((a)/(b))`, inner ones first."""
    while "frac" in text:
        text, changed = _FRACTION.subn(r"((\1)/(\2))", text)
        if not changed:
            break
    return text


def products(text: str) -> str:
    """The raised dots that stand for a product as `*`."""
    return text if text.isascii() else text.translate(_TIMES)


def without_period(text: str) -> str:
    """The text without one final full stop."""
    text = text.strip()
    return text[:-1].rstrip() if text.endswith(".") else text


def without_stop(text: str) -> str:
    """The text without one final full stop or semicolon."""
    text = text.strip()
    return text[:-1].rstrip() if text.endswith((".", ";")) else text
