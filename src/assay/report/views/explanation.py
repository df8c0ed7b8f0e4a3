"""The chain below a number, as lines: each record with what it says, its path, its digest and its commit."""

from __future__ import annotations

from fractions import Fraction

from assay.report.figures import figure, short_commit, short_digest
from assay.report.page import Block, Line, View
from assay.report.views.shown import Explained, Link


def explain_view(explained: Explained) -> View:
    """Every link in the order given; what stands further in lies further below the number."""
    number = None if explained.number is None else figure(Fraction(explained.number), "share")
    told = f"headline {number}" if number else "no number"
    blocks: list[Block] = []
    for link in explained.links:
        blocks.append(Line(f"{link.what}  {link.says}", indent=1 + 2 * link.depth))
        blocks.append(Line(_place(link), "faint", 3 + 2 * link.depth))
        digest = f"{short_digest(link.sha256)}  in commit {short_commit(link.commit)}"
        blocks.append(Line(digest, "faint", 3 + 2 * link.depth))
    blocks.append(Line("Check any of them: git show COMMIT:PATH | sha256sum", "faint"))
    data = {
        "run": explained.run,
        "headline": number,
        "links": [
            {
                "depth": link.depth,
                "what": link.what,
                "says": link.says,
                "path": link.path,
                "line": link.line,
                "sha256": link.sha256,
                "commit": link.commit,
            }
            for link in explained.links
        ],
    }
    title = f"run {explained.run}: {told}, resting on {len(explained.links)} records and files"
    return View("explain", Line(title), tuple(blocks), data)


def _place(link: Link) -> str:
    return link.path if link.line is None else f"{link.path}:{link.line}"
