"""Find holdout text where it must not be: the canary, overlapping runs of words, mentions of item ids. Method `scan/1`.

Words are runs of letters, digits and underscores after Unicode NFKC and case folding. A run of n words (8 by default)
of a prompt or test that occurs in a text is an overlap, unless it has fewer than n / 2 different words. Import lines of
tests are left out, because every test file in the world begins with them. An item id alone is a mention, no more.
Findings carry a digest of what matched, never the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.coding.content import Content
from assay.errors import InputError
from assay.record.digest import digest, digest_of_files

METHOD = "scan/1"
DEFAULT_WORDS = 8
MIN_WORDS = 3
MAX_FILE_BYTES = 8 * 1024 * 1024
_WORD = re.compile(r"\w+")
_IMPORT_LINE = re.compile(rb"^[ \t]*(?:import|from)[ \t][^\n]*$", re.MULTILINE)
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))

Kind = Literal["canary", "overlap", "mention"]


@dataclass(frozen=True)
class Hit:
    """One finding in one text. `words` is the length of what matched, in words."""

    line: int
    kind: Kind
    item: str | None
    words: int
    text_sha256: str

    def to_json(self, root: str, path: str) -> dict[str, Any]:
        """The finding as a scan record holds it."""
        return {
            "root": root,
            "path": path,
            "line": self.line,
            "kind": self.kind,
            "item": self.item,
            "words": self.words,
            "text_sha256": self.text_sha256,
        }


@dataclass(frozen=True)
class Holdout:
    """What to look for. `grams` maps a run of words to the only item that has it, or to None when several do."""

    words: int
    canary: str | None
    grams: Mapping[tuple[str, ...], str | None]
    starts: frozenset[str]
    mentions: re.Pattern[str] | None


@dataclass(frozen=True)
class Scanned:
    """One root after the search: its entry of the record, and its findings in the order of paths and lines."""

    root: dict[str, Any]
    findings: tuple[dict[str, Any], ...]


def holdout_of(content: Content, *, words: int = DEFAULT_WORDS) -> Holdout:
    """Prepare the search; raise InputError for runs too short to mean anything, Inconclusive for absent bodies."""
    if words < MIN_WORDS:
        raise InputError(f"words: expected at least {MIN_WORDS} words to an overlap, got {words}")
    grams: dict[tuple[str, ...], str | None] = {}
    for item in content.items:
        body = content.body(item)
        tests = (_IMPORT_LINE.sub(b"", data).decode("utf-8", "replace") for data in body.tests.values())
        for text in (body.prompt, *tests):
            for gram in _grams([word for word, _ in words_of(text)], words):
                grams[gram] = item if grams.get(gram, item) == item else None
    ids = sorted(content.items, key=len, reverse=True)
    mentions = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, ids))})(?![\w-])") if ids else None
    return Holdout(words, content.source.canary, grams, frozenset(gram[0] for gram in grams), mentions)


def words_of(text: str) -> list[tuple[str, int]]:
    """The words of a text, normalised, each with its line, counted from 1 by line feeds."""
    plain = unicodedata.normalize("NFKC", text.translate(_INVISIBLE)).casefold()
    return [(word, number) for number, line in enumerate(plain.split("\n"), 1) for word in _WORD.findall(line)]


def scan_text(holdout: Holdout, text: str) -> tuple[Hit, ...]:
    """Every finding in a text, by line; runs of one overlap are one finding."""
    hits = [*_canaries(holdout, text), *_overlaps(holdout, text), *_mentions(holdout, text)]
    return tuple(sorted(hits, key=lambda hit: (hit.line, hit.kind, hit.item or "", hit.text_sha256)))


def scan_root(holdout: Holdout, name: str, files: Iterable[tuple[str, bytes]]) -> Scanned:
    """Search the files of one folder, given by relative path; binary and very large files are counted as skipped."""
    read: dict[str, bytes] = {}
    skipped = 0
    findings: list[dict[str, Any]] = []
    for path, data in sorted(files):
        text = _text(data)
        if text is None:
            skipped += 1
            continue
        read[path] = data
        findings += (hit.to_json(name, path) for hit in scan_text(holdout, text))
    root = {"name": name, "files": len(read), "skipped": skipped, "sha256": digest_of_files(read)}
    return Scanned(root, tuple(findings))


def decision(findings: Iterable[Mapping[str, Any]]) -> Literal["clean", "contaminated"]:
    """`contaminated` as soon as there is a canary or an overlap; mentions alone leave it clean."""
    return "contaminated" if any(finding["kind"] != "mention" for finding in findings) else "clean"


def _text(data: bytes) -> str | None:
    """The text of a file in UTF-8 or, with a mark, UTF-16; None when it is binary or too large to read."""
    if len(data) > MAX_FILE_BYTES:
        return None
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return None if b"\0" in data[:8192] else data.decode("utf-8", "replace")


def _grams(words: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    for start in range(len(words) - size + 1):
        gram = tuple(words[start : start + size])
        if len(set(gram)) * 2 >= size:
            yield gram


def _canaries(holdout: Holdout, text: str) -> Iterator[Hit]:
    if holdout.canary is None:
        return
    sought = holdout.canary.casefold()
    words = len(_WORD.findall(sought))
    for number, line in enumerate(text.translate(_INVISIBLE).casefold().split("\n"), 1):
        if sought in line:
            yield Hit(number, "canary", None, words, digest(sought.encode()))


def _overlaps(holdout: Holdout, text: str) -> Iterator[Hit]:
    """Neighbouring matches joined: a copied paragraph is one finding of all its words."""
    placed, size = words_of(text), holdout.words
    words = [word for word, _ in placed]
    start, end, items = 0, -1, set[str]()
    for at, word in enumerate(words[: len(words) - size + 1]):
        gram = tuple(words[at : at + size]) if word in holdout.starts else ()
        if gram not in holdout.grams:
            continue
        if at > end:
            yield from _run(placed, start, end, items)
            start, items = at, set()
        end = at + size
        item = holdout.grams[gram]
        items |= {item} if item is not None else set()
    yield from _run(placed, start, end, items)


def _run(placed: Sequence[tuple[str, int]], start: int, end: int, items: set[str]) -> Iterator[Hit]:
    if end > start:
        matched = " ".join(word for word, _ in placed[start:end])
        item = next(iter(items)) if len(items) == 1 else None
        yield Hit(placed[start][1], "overlap", item, end - start, digest(matched.encode("utf-8", "replace")))


def _mentions(holdout: Holdout, text: str) -> Iterator[Hit]:
    if holdout.mentions is None:
        return
    for number, line in enumerate(text.split("\n"), 1):
        for match in holdout.mentions.finditer(line):
            item = match.group()
            yield Hit(number, "mention", item, len(_WORD.findall(item)), digest(item.encode()))
