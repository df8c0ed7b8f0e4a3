"""Recorded reviews that somebody wants to import: which file is the review of which failure, and what is missing.

One folder is one recorded run; a file in it is named after the failure it reviews. Nothing is read from disk here.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from assay.contract.steps import Observed
from assay.errors import InputError
from assay.findings.payloads import payload_faults
from assay.findings.suite import RECORDED_RUN, observed, sample_id
from assay.record.canonical import NotCanonical, parse

Folders = Mapping[str, Mapping[str, bytes]]
"""Recorded run -> file name (`<failure>.json`) -> bytes."""

AS_IS = "--as-is records such files as they are: not judged, and every expected finding counts as missed"


@dataclass(frozen=True)
class Recording:
    """What will be imported: the recorded runs, the failures they all review, and every observation by sample id."""

    runs: tuple[str, ...]
    failures: tuple[str, ...]
    observations: Mapping[str, Observed]


def recording_of(folders: Folders, failures: Set[str], *, partial: bool = False, as_is: bool = False) -> Recording:
    """Match files with failures; raise InputError naming every file and failure that does not fit.

    Every recorded run must review every failure; `partial` plans only those that every run reviews. A file that holds
    no reviewer payloads is a fault, unless `as_is` keeps it as a review that cannot be judged.
    """
    faults = [*_name_faults(folders), *_stranger_faults(folders, failures)]
    if not as_is:
        faults += _payload_faults(folders)
    reviewed = [{file.removesuffix(".json") for file in files} for files in folders.values()]
    common = set(failures).intersection(*reviewed) if reviewed else set()
    if not partial:
        faults += _missing_faults(folders, failures)
    elif not common and not faults:
        faults.append("no failure is reviewed by every recorded run")
    if faults:
        raise InputError("the recorded reviews do not fit the frozen failures", faults=faults, hint=_hint(faults))
    planned = tuple(sorted(common if partial else failures))
    return Recording(
        tuple(folders),
        planned,
        {sample_id(f, run): _observed(f"{f}.json", folders[run][f"{f}.json"]) for run in folders for f in planned},
    )


def _observed(name: str, data: bytes) -> Observed:
    try:
        return observed(name, data)
    except InputError:
        return Observed("completed", None, None, data.decode("utf-8", "replace"), {name: data})


def _name_faults(folders: Folders) -> Iterator[str]:
    for run in folders:
        if not RECORDED_RUN.fullmatch(run):
            yield f"{run}: a recorded run is named with lower case letters, digits and hyphens (--run NAME)"
    if not folders:
        yield "there is no recorded review"


def _stranger_faults(folders: Folders, failures: Set[str]) -> Iterator[str]:
    for run, files in folders.items():
        for file in sorted(files):
            name = file.removesuffix(".json")
            if name in failures and file != name:
                continue
            near = difflib.get_close_matches(name, sorted(failures), n=1)
            guess = f"; did you mean {near[0]}.json?" if near else ""
            yield f"{run}/{file}: no frozen failure {name}{guess}"


def _missing_faults(folders: Folders, failures: Set[str]) -> Iterator[str]:
    for run, files in folders.items():
        missing = sorted(failures - {file.removesuffix(".json") for file in files})
        if missing:
            more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
            yield f"{run}: reviews {len(files)} files, none of {', '.join(missing[:5])}{more}"


def _payload_faults(folders: Folders) -> Sequence[str]:
    faults = []
    for run, files in folders.items():
        for file, data in sorted(files.items()):
            try:
                faults += [str(fault) for fault in payload_faults(f"{run}/{file}", parse(data))]
            except NotCanonical as error:
                faults.append(f"{run}/{file}: {error}")
    return faults


def _hint(faults: Sequence[str]) -> str | None:
    if any(": reviews " in fault for fault in faults):
        return "--partial plans only the failures that every recorded run reviews"
    return AS_IS if any(": $" in fault or "not JSON" in fault for fault in faults) else None
