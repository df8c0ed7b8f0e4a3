"""Lay a view out as GitHub-flavoured Markdown: for pull requests and notes, with nothing in it that comes alive."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.report.page import Block, Facts, Line, Table, View
from assay.report.safe import safe_text

_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;", "@": "&#64;"}
_SPECIAL = re.compile(r"[\\`*_\[\]|~#<>&@!$]")
_LINK = re.compile(r"(?i)(https?|ftp|mailto|xmpp|www)([:.])")
_BLOCK_START = re.compile(r"^( *)([-+](?=[\s+-]|$)|=|\d+(?=[.)](?:\s|$)))")


def render(view: View) -> str:
    """The view as Markdown: a bold result, then paragraphs, lists and tables."""
    parts = [f"**{escaped(view.headline.text)}**"]
    parts += ["\n".join(_lay_out(block)) for block in view.blocks]
    return "\n\n".join(part for part in parts if part) + "\n"


def escaped(text: str) -> str:
    """Text that Markdown shows literally: no markup, link, mention, reference or HTML."""
    shown = _SPECIAL.sub(lambda found: _ENTITIES.get(found.group(), "\\" + found.group()), safe_text(text))
    shown = _LINK.sub(lambda found: f"{found.group(1)}&#{ord(found.group(2))};", shown)
    return _BLOCK_START.sub(lambda found: f"{found.group(1)}&#{ord(found.group(2)[0])};{found.group(2)[1:]}", shown)


def _lay_out(block: Block) -> Iterator[str]:
    if isinstance(block, Line):
        yield escaped(block.text)
    elif isinstance(block, Facts):
        for fact in block.rows:
            todo = f" (next: {escaped(fact.todo)})" if fact.todo else ""
            yield f"- **{escaped(fact.label)}**: {escaped(fact.full or fact.text)}{todo}"
    else:
        yield from _table(block)


def _table(table: Table) -> Iterator[str]:
    yield _row([column.title for column in table.columns])
    yield "|" + "|".join(" ---: " if column.align == "right" else " --- " for column in table.columns) + "|"
    yield from (_row(row) for row in table.rows)


def _row(texts: tuple[str, ...] | list[str]) -> str:
    return "| " + " | ".join(escaped(text) for text in texts) + " |"
