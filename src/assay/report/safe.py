"""Text that others wrote, made harmless for a terminal and still recognisable: `\\x1b` is shown, never sent.

Escaped are controls (C0, DEL, C1), format characters (direction overrides, zero-width, soft hyphens), line and
paragraph separators, surrogates, noncharacters and letters that are drawn as nothing. Everything else stays.
"""

from __future__ import annotations

import unicodedata
from functools import cache

_CATEGORIES = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
_NAMED = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
# Default-ignorable code points outside category Cf (Unicode DerivedCoreProperties), and the blank Braille pattern.
_DRAWN_AS_NOTHING = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2060, 0x206F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0xE0000, 0xE0FFF),
)


def safe_text(text: str) -> str:
    """One line that is safe to print anywhere in a line; controls and invisible characters become escapes."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(char) if is_unsafe(char) else char for char in text)


def safe_lines(text: str) -> tuple[str, ...]:
    """The lines of a longer text, each safe. Only LF and CRLF end a line; tabs become four spaces."""
    lines = text.replace("\r\n", "\n").replace("\t", "    ").split("\n")
    return tuple(safe_text(line) for line in lines)


@cache
def is_unsafe(char: str) -> bool:
    """Whether a character could move the cursor, reorder or hide text, or is no character at all."""
    code = ord(char)
    if code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:
        return True
    if unicodedata.category(char) in _CATEGORIES:
        return True
    return any(first <= code <= last for first, last in _DRAWN_AS_NOTHING)


def _escaped(char: str) -> str:
    code = ord(char)
    if char in _NAMED:
        return _NAMED[char]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
