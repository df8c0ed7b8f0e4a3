"""Lay a view out as one self-contained HTML page: escaped by the standard library, no script, nothing loaded."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from assay.report.page import Block, Facts, Line, Table, View
from assay.report.safe import safe_text

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; }
h1 { font-size: 1.25rem; }
h1.good { color: #1a7f37; } h1.bad { color: #cf222e; } h1.unsure { color: #9a6700; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem; border-bottom: 1px solid #8884; text-align: left; vertical-align: top; }
.right { text-align: right; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
dt.bad { color: #cf222e; } dt.unsure { color: #9a6700; } .faint { opacity: .7; }
"""


def render(view: View) -> str:
    """The view as a page that works from a file, offline."""
    title = shown(view.headline.text)
    head = [
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>{_STYLE}</style>",
    ]
    body = [f'<h1 class="{view.headline.tone}">{title}</h1>']
    for block in view.blocks:
        body += _lay_out(block)
    lines = ["<!DOCTYPE html>", '<html lang="en">', "<head>", *head, "</head>", "<body>", *body, "</body>", "</html>"]
    return "\n".join(lines) + "\n"


def shown(text: str) -> str:
    """Text that a page shows literally, invisible characters as escapes."""
    return escape(safe_text(text), quote=True)


def _lay_out(block: Block) -> Iterator[str]:
    if isinstance(block, Line):
        yield f'<p class="{block.tone}">{shown(block.text)}</p>'
    elif isinstance(block, Facts):
        yield "<dl>"
        for fact in block.rows:
            todo = f" <code>{shown(fact.todo)}</code>" if fact.todo else ""
            yield f'<dt class="{fact.tone}">{shown(fact.label)}</dt><dd>{shown(fact.full or fact.text)}{todo}</dd>'
        yield "</dl>"
    else:
        yield from _table(block)


def _table(table: Table) -> Iterator[str]:
    classes = ["right" if column.align == "right" else "left" for column in table.columns]
    yield "<table>"
    yield _row("th", [column.title for column in table.columns], classes)
    yield from (_row("td", row, classes) for row in table.rows)
    yield "</table>"


def _row(tag: str, texts: tuple[str, ...] | list[str], classes: list[str]) -> str:
    inside = (f'<{tag} class="{name}">{shown(text)}</{tag}>' for name, text in zip(classes, texts, strict=True))
    return f"<tr>{''.join(inside)}</tr>"
