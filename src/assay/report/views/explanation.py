"""The chain below a number, as lines: each record with what it says, its path, its digest and its commit."""

from __future__ import annotations

from collections.abc import Sequence

from assay.report.figures import counted, short_commit, short_digest
from assay.report.page import Block, Line, View
from assay.report.shown import Link


def explain_view(title: str, links: Sequence[Link], *, commit: str) -> View:
    """Every link in the order given; what stands further in lies further below the number."""
    blocks: list[Block] = []
    for link in links:
        indent = 1 + 2 * link.depth
        blocks.append(Line(f"{link.kind}  {link.text}", indent=indent))
        blocks.append(Line(_place(link), "faint", indent + 2))
        digest = f"{short_digest(link.sha256)}  in commit {short_commit(link.commit)}"
        blocks.append(Line(digest, "faint", indent + 2))
    blocks.append(Line(f"{counted(len(links), 'link')}; check any: git show {commit[:7]}:PATH | sha256sum", "faint"))
    data = {
        "title": title,
        "commit": commit,
        "links": [
            {
                "depth": link.depth,
                "kind": link.kind,
                "text": link.text,
                "path": link.path,
                "line": link.line,
                "sha256": link.sha256,
                "commit": link.commit,
            }
            for link in links
        ],
    }
    return View("explain", Line(title), tuple(blocks), data)


def _place(link: Link) -> str:
    return link.path if link.line is None else f"{link.path}:{link.line}"
