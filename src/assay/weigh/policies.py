"""The conditions of the publish rule, one function each: a dossier goes in, a condition with its evidence comes out.

`held` is None where the evidence to decide is absent: unknown is neither clean nor guilty, and not publishable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from assay.contract.demands import Demands
from assay.contract.summary import Void
from assay.record.digest import digest_of, is_digest
from assay.record.entry import Entry
from assay.weigh.conditions import Condition, Dossier

MINIMUM_REPLICATES = 3
_NAMED = 5


def fixture_hash(dossier: Dossier) -> Condition:
    """The run pins its fixture by digest, and the fixture that was read is that one."""
    pin = dossier.score.run["fixtures"][0].get("pin") or {}
    stated = pin.get("sha256")
    name = dossier.score.fixture.name
    if not is_digest(stated):
        return Condition("fixture", False, f"{name}, no fixture hash", "Demo note", "assay freeze SOURCE")
    if stated != dossier.score.fixture.sha256:
        return Condition("fixture", False, f"{name} is not the revision that the run pins", "Demo note", "assay verify")
    return Condition("fixture", True, f"{name} {stated}", "Demo note")


def scorer_commit(dossier: Dossier) -> Condition:
    """The scorer's source digest and commit are known; a dirty or unknown commit does not count."""
    scorer = dossier.score.scorer or dossier.score.run["scorer"]
    named = f"{scorer['name']} {scorer['version']} {scorer['source_sha256'] or 'no source digest'}"
    if not is_digest(scorer["source_sha256"]):
        return Condition("scorer", False, named, "Internal number", "judge with a released build: assay evaluate")
    if not scorer["commit"]:
        evidence = f"{named}, commit unknown (built from changed or untracked source)"
        return Condition("scorer", False, evidence, "Internal number", "judge with a build of a clean commit")
    return Condition("scorer", True, f"{named}, commit {scorer['commit']}", "Internal number")


def scorer_not_recalled(dossier: Dossier) -> Condition:
    """Nobody recalled the scorer revision that judged."""
    reason = dossier.score.recalled
    if reason is not None:
        evidence = f"the scorer was recalled: {reason}"
        return Condition("recall", False, evidence, "Internal number", f"assay evaluate {dossier.score.run['id']}")
    return Condition("recall", True, "the scorer was not recalled", "Internal number")


def replicates(dossier: Dossier) -> Condition:
    """At least three distinct replicates: 11, "11" and 11.0 are one."""
    replicate = dossier.score.run["replicate"]
    values = replicate["values"]
    distinct = len({_canonical(value) for value in values})
    listed = " ".join(str(value) for value in values[:12]) + (" …" if len(values) > 12 else "")
    enough = distinct >= MINIMUM_REPLICATES
    told = f"{distinct} distinct" + ("" if enough else f"; {MINIMUM_REPLICATES} needed")
    todo = "" if enough else "assay run … --seeds 11,29,47"
    return Condition("replicates", enough, f"{listed or 'none'} ({told})", "Exploratory probe", todo)


def environment_digest(dossier: Dossier) -> Condition:
    """The environment is pinned by a digest."""
    environment = dossier.score.run.get("environment") or {}
    if not is_digest(environment.get("sha256")):
        return Condition("environment", False, "no environment digest", "Internal number", "record a new run")
    if digest_of({key: value for key, value in environment.items() if key != "sha256"}) != environment["sha256"]:
        evidence = f"{environment['sha256']} is not the digest of the environment in the run"
        return Condition("environment", False, evidence, "Internal number", "assay verify")
    packages = len(environment.get("packages") or ())
    evidence = f"{environment['sha256']} (python {environment.get('python')}, {packages} packages)"
    return Condition("environment", True, evidence, "Internal number")


def controls(dossier: Dossier) -> Condition:
    """Network, isolation, process and workdir were as the fixture demands."""
    checks = _controls(dossier.score.run["controls"], dossier.demands)
    told = ", ".join(words for words, _ in checks)
    held = _all_of([held for _, held in checks])
    if held is False:
        todo = "run again as the fixture demands; assay doctor says what this machine can do"
        return Condition("controls", False, f"{told}: not as the fixture demands", "Uncontrolled run", todo)
    if held is None:
        return Condition("controls", None, f"{told}: not shown", "Uncontrolled run", "record a new run under controls")
    declared = " (user-declared)" if dossier.is_imported else ""
    return Condition("controls", True, f"{told}: as the fixture demands{declared}", "Uncontrolled run")


def temperature(dossier: Dossier) -> Condition:
    """The temperature is recorded, where there is one."""
    value = dossier.score.run["generation"].get("temperature")
    if value is None and dossier.demands.temperature:
        return Condition("temperature", False, "not recorded", "Exploratory probe", "assay run … --temperature 0")
    if value is None:
        return Condition("temperature", True, "none: nothing is generated", "Exploratory probe")
    declared = " (user-declared)" if dossier.is_imported else ""
    return Condition("temperature", True, f"{value}{declared}", "Exploratory probe")


def clean_scan(dossier: Dossier) -> Condition:
    """The holdout was looked for and not found. No scan is unknown, not clean."""
    name = dossier.score.fixture.name
    if not dossier.fixture_scans and not dossier.demands.scan:
        return Condition("holdout", True, "nothing is held out: whoever answered may have read it", "Unproven run")
    if not dossier.fixture_scans:
        return Condition("holdout", None, "no scan", "Unproven run", f"assay scan {name} docs prompts blog")
    found = [
        finding
        for scan in dossier.fixture_scans
        for finding in scan.document["findings"]
        if finding["kind"] != "mention"
    ]
    guilty = [scan for scan in dossier.fixture_scans if scan.document["decision"] != "clean"]
    if found or guilty:
        places = _some([f"{f['root']}/{f['path']}:{f['line']} ({f['kind']})" for f in found]) or "see the scan"
        return Condition("holdout", False, f"found in {places}", "Contaminated run", f"assay show {_latest(guilty)}")
    files = sum(root["files"] for scan in dossier.fixture_scans for root in scan.document["roots"])
    skipped = sum(root["skipped"] for scan in dossier.fixture_scans for root in scan.document["roots"])
    told = f"{files} file{'' if files == 1 else 's'}" + (f", {skipped} not read" if skipped else "")
    if dossier.scan_withdrawals:
        told += f", {len(dossier.scan_withdrawals)} withdrawn"
    names = ", ".join(str(scan.document["id"]) for scan in dossier.fixture_scans)
    return Condition("holdout", True, f"clean ({told}; {names})", "Contaminated run")


def every_sample_accounted_for(dossier: Dossier) -> Condition:
    """Every planned sample has an observation and a judgment, and there is no other."""
    weighed = dossier.score
    counts = weighed.summary.counts
    faults = [
        f"{len(ids)} {words}: {_some(ids)}"
        for words, ids in (
            ("without observation", weighed.missing),
            ("without judgment", weighed.unjudged),
            ("not planned", weighed.unplanned),
        )
        if ids
    ]
    if isinstance(weighed.summary, Void):
        faults.append(f"no number: {weighed.summary.reason}")
    if not counts.planned:
        faults.append("nothing was planned")
    elif counts.judged < counts.planned and not faults:
        faults.append(f"{counts.planned - counts.judged} judged without a verdict")
    if faults:
        todo = f"assay resume {weighed.run['id']}"
        return Condition("samples", False, "; ".join(faults), "Incomplete run", todo)
    return Condition("samples", True, f"{counts.judged} of {counts.planned} planned judged", "Incomplete run")


def no_harness_failure(dossier: Dossier) -> Condition:
    """No sample failed by the harness's fault: neither dropped nor counted against the model."""
    failed = dossier.score.summary.counts.harness_failures
    if failed:
        evidence = f"{len(failed)} of {dossier.score.summary.counts.planned} samples: {_some(failed)}"
        return Condition("harness", False, evidence, "Incomplete run", "record a new run, or plan retries on error")
    return Condition("harness", True, "no harness failure", "Incomplete run")


def nothing_contested(dossier: Dossier) -> Condition:
    """No cell has two results, not even two that agree: somebody has to say which one stands."""
    contested = dossier.score.contested
    if not contested:
        return Condition("contested", True, "nothing contested", "Unproven run")
    cells = [f"{c.sample} ({len(c.pins)} {c.what}s, {'the same' if c.agree else 'differing'})" for c in contested]
    evidence = f"{len(contested)} contested: {_some(cells)}"
    first = contested[0]
    todo = f"assay withdraw {first.pins[-1].path} …"
    if first.what != "observation":
        settle = f"assay review add {dossier.score.run['id']} … --role adjudication"
        todo = settle if first.what == "review" else f"{todo}, or select one: {settle}"
    return Condition("contested", False, evidence, "Unproven run", todo)


def not_withdrawn(dossier: Dossier) -> Condition:
    """Neither the plan nor the fixture was withdrawn (withdrawn results are missing results)."""
    plans = {fixture["pin"]["path"] for fixture in dossier.score.run["fixtures"] if fixture.get("pin")}
    gone = [pin.path for pin in dossier.score.withdrawn if pin.path in plans or pin.path.endswith("/run.json")]
    if gone:
        return Condition("withdrawn", False, f"withdrawn: {_some(gone)}", "Internal number", "record a new run")
    left_out = len(dossier.score.withdrawn)
    told = f"not withdrawn; {left_out} withdrawn records left out" if left_out else "not withdrawn"
    return Condition("withdrawn", True, told, "Internal number")


def _controls(recorded: Mapping[str, Any], demands: Demands) -> list[tuple[str, bool | None]]:
    """Each control in words, and whether it is as demanded; None where it is not known."""
    network = {role: (recorded.get("network") or {}).get(role) or "unknown" for role in ("solver", "judge")}
    isolation = recorded.get("isolation") or "unknown"
    shown = None if isolation == "unknown" else isolation != "none"
    demanded = (("solver", demands.solver_network_off), ("judge", demands.judge_network_off))
    checks = [(f"{role} network {network[role]}", not wanted or _is_off(network[role])) for role, wanted in demanded]
    if network["solver"] == network["judge"]:
        checks = [(f"network {network['solver']}", _all_of([held for _, held in checks]))]
    checks.append((f"isolation {isolation}", not demands.isolation or shown))
    for key, wanted in (("fresh_process", demands.fresh_process), ("fresh_workdir", demands.fresh_workdir)):
        state, words = recorded.get(key), key.replace("_", " ")
        told = words if state else f"no {words}" if state is False else f"{words} unknown"
        checks.append((told, not wanted or state))
    return checks


def _is_off(state: str) -> bool | None:
    return {"off": True, "on": False}.get(state)


def _all_of(held: Sequence[bool | None]) -> bool | None:
    return False if False in held else None if None in held else True


def _canonical(value: object) -> object:
    """The same for every spelling of a number; text that is no number stands for itself."""
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return str(value).strip()
    return number.normalize() if number.is_finite() else str(value)


def _some(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _latest(scans: Sequence[Entry]) -> str:
    return max((str(scan.document["id"]) for scan in scans), default="SCAN")
