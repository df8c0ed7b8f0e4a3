"""A new frozen failure from what a person answered: one line per finding, verdict computed, bytes ready to be checked.

Writing and committing is not done here; `draft` gives the path and the bytes, checked as any gold file is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from assay.errors import InputError
from assay.findings.catalogue import Catalogue
from assay.findings.fault import Fault, refuse
from assay.findings.gold import FOLDER, SCHEMA, Gold, check_gold
from assay.findings.provenance import Provenance
from assay.findings.severity import verdict_of
from assay.record.canonical import encode
from assay.record.names import slug
from assay.record.pins import Pin

FINDING_LINE = "file line rule severity owner"
EXAMPLE_LINE = "src/auth.py 41 SECURITY_SIGNATURE_UNVERIFIED BLOCKER correctness"


@dataclass(frozen=True)
class Draft:
    """A frozen failure that passed its checks, where it belongs and what to write there."""

    gold: Gold
    data: bytes

    @property
    def path(self) -> str:
        return self.gold.path


def finding_from_line(text: str) -> dict[str, Any]:
    """Read `src/auth.py 41 RULE_KEY BLOCKER correctness [SECOND_KEY]`; raise InputError that says what is expected."""
    words = text.split()
    number = next((at for at in range(len(words) - 1, 0, -1) if words[at].isdecimal()), None)
    if number is None or not 3 <= len(words) - number - 1 <= 4:
        raise InputError(f"expected: {FINDING_LINE} (got {text!r})", hint=EXAMPLE_LINE)
    file, (key, severity, owner, *dual) = " ".join(words[:number]), words[number + 1 :]
    finding = {
        "file": file,
        "line": int(words[number]),
        "rule_key": key,
        "severity": severity.upper(),
        "owner_reviewer": owner.lower(),
    }
    return {**finding, "dual_flaggable": dual[0]} if dual else finding


def draft(
    description: str,
    findings: Iterable[dict[str, Any]],
    *,
    provenance: Provenance,
    catalogue: Catalogue,
    name: str | None = None,
    supersedes: Pin | None = None,
) -> Draft:
    """Compose a frozen failure; the verdict is computed. Raise InputError listing every fault of the answers."""
    expected = list(findings)
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "source": provenance.source_path,
        "description": description,
        "expected_verdict": verdict_of(str(finding.get("severity")) for finding in expected),
        "findings": expected,
        "provenance": provenance.to_json(),
    }
    if supersedes is not None:
        document["supersedes"] = supersedes.to_json()
    data = encode(document)
    checked = check_gold(f"{FOLDER}/{name or slug(description)}.json", data, catalogue)
    if checked.gold is None:
        refuse("not a frozen failure yet", checked.faults)
    retired = list(retired_faults(checked.gold, catalogue))
    if retired:
        refuse("not a frozen failure yet", retired)
    return Draft(checked.gold, data)


def retired_faults(gold: Gold, catalogue: Catalogue) -> Iterator[Fault]:
    """Old files keep their keys; only a new one may not begin with a key that is no longer in force."""
    for position, finding in enumerate(gold.findings):
        rule = catalogue.rules[finding.rule_key]
        if rule.deprecated is not None:
            message = f"{rule.key} is deprecated since revision {rule.deprecated}"
            yield Fault(gold.path, f"$.findings[{position}].rule_key", "catalogue", message, "take a rule in force")
