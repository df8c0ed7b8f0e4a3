"""The frozen failures as they stand at one commit, and what somebody wants to add to them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from assay.errors import InputError
from assay.findings.catalogue import Catalogue
from assay.findings.corpus import Corpus, admission_faults, read_corpus
from assay.findings.draft import retired_faults
from assay.findings.fault import Fault, refuse
from assay.findings.gold import FOLDER, Gold, check_gold
from assay.findings.provenance import Provenance, still_says
from assay.record.names import slug

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?", re.ASCII)


@dataclass(frozen=True)
class Stock:
    """The rules in force, every gold file by path, and what they say together."""

    catalogue: Catalogue
    files: Mapping[str, bytes]

    @cached_property
    def corpus(self) -> Corpus:
        return read_corpus(self.files, self.catalogue)

    def named(self, name: str) -> Gold:
        """A readable failure by its name or path; raise InputError with the likeliest names."""
        found = {gold.name: gold for gold in self.corpus.golds.values()}
        found |= {gold.path: gold for gold in self.corpus.golds.values()}
        if name in found:
            return found[name]
        near = difflib.get_close_matches(name, sorted(found), n=3, cutoff=0.5)
        hint = f"did you mean {', '.join(near)}?" if near else "assay failure list"
        raise InputError(f"{name}: no such frozen failure", hint=hint)


def refuse_faulty(new: Mapping[str, bytes], stock: Stock, texts: Mapping[str, bytes]) -> None:
    """Raise InputError with every fault of the gold files that somebody wants to add.

    `texts` are the sources that can be read, by the path that provenance names: their lines must still have the digest.
    """
    faults = [*_place_faults(new, stock), *admission_faults(new, stock.files, stock.catalogue)]
    golds = [gold for path, data in new.items() if (gold := check_gold(path, data, stock.catalogue).gold)]
    for gold in golds:
        faults += [*retired_faults(gold, stock.catalogue), *_origin_faults(gold, texts)]
    if faults:
        refuse("not frozen", faults)


def origin_of(path: str, data: bytes, catalogue: Catalogue) -> Provenance | None:
    """The provenance that a readable gold file gives, or None."""
    gold = check_gold(path, data, catalogue).gold
    return gold.provenance if gold else None


def _place_faults(new: Mapping[str, bytes], stock: Stock) -> Iterator[Fault]:
    for path in new:
        name = path.removeprefix(f"{FOLDER}/").removesuffix(".json")
        if not _NAME.fullmatch(name) or not path.endswith(".json") or name == "gold":
            todo = f"rename it to {slug(name)}.json"
            yield Fault(path, "$", "shape", "expected a name of a-z, 0-9, points and hyphens, ending in .json", todo)
        if path in stock.files:
            todo = f"a correction is a new file of another name that supersedes {path}"
            yield Fault(path, "$", "duplicate", "a failure of this name is frozen already", todo)


def _origin_faults(gold: Gold, texts: Mapping[str, bytes]) -> Iterator[Fault]:
    origin = gold.provenance
    text = texts.get(origin.source_path) if origin else None
    if origin and text is not None and not still_says(origin, text):
        first, last = origin.lines or (1, "$")
        message = f"is not the digest of these lines of {origin.source_path} (got {origin.source_sha256})"
        todo = f"sed -n {first},{last}p {origin.source_path} | sha256sum"
        yield Fault(gold.path, "$.provenance.source_sha256", "contradiction", message, todo)
