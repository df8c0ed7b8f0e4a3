"""The ledger's files as they lie in the working folder: rule catalogue, gold files, recorded reviews, thresholds.

A test run judges what is about to be committed, so it reads files, not history. Promises over history are `verify`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from assay.contract.steps import Done, Judged
from assay.contract.suite import Fixture
from assay.contract.summary import Row, Summary, Void
from assay.errors import InputError
from assay.findings.catalogue import SCHEMA, Catalogue, read_catalogue
from assay.findings.corpus import Corpus, read_corpus
from assay.findings.gold import FOLDER
from assay.findings.revisions import Revision, in_force, revision_of, together
from assay.findings.suite import CATALOGUE_FILE, GOLD_FILE, FindingsSuite
from assay.findings.threshold import Thresholds, read_thresholds
from assay.record.canonical import NotCanonical, decode, decode_line
from assay.record.digest import digest, usual_cause
from assay.record.entry import Entry
from assay.record.strict_yaml import load, plain
from assay.weigh.select import selected

SUITE = FindingsSuite()


@dataclass(frozen=True)
class RecordedRun:
    """One recorded run (a replicate) within a run record of the findings suite."""

    run: Mapping[str, Any]
    replicate: str

    @property
    def name(self) -> str:
        return f"{self.run['id']}[{self.replicate}]"


class Worktree:
    """Lazy reader of one ledger folder; everything is read once."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @cached_property
    def thresholds(self) -> Thresholds:
        settings = plain(load((self.root / "assay.yaml").read_bytes(), "assay.yaml").checked())
        return read_thresholds(settings if isinstance(settings, dict) else {})

    @cached_property
    def gold_files(self) -> tuple[Path, ...]:
        """Every gold file: one per failure, and one inside each review fixture."""
        found = [*self.root.glob(f"{FOLDER}/*.json"), *self.root.glob(f"corpus/*/*/{GOLD_FILE}")]
        return tuple(sorted(found))

    @cached_property
    def catalogues(self) -> tuple[Revision, ...]:
        """Every frozen catalogue revision."""
        frozen = {
            self._relative(path): self._record(path) for path in sorted(self.root.glob("corpus/*/*/fixture.json"))
        }
        found = (revision_of(path, record) for path, record in frozen.items())
        return tuple(revision for revision in found if revision is not None)

    @cached_property
    def catalogue(self) -> Catalogue:
        """The rules of every revision that no other supersedes; raise InputError when there is none."""
        heads = in_force(self.catalogues)
        if not heads:
            raise InputError("no rule catalogue is frozen here", hint=f"freeze a {SCHEMA} fixture first")
        return together(self.catalogue_of(head.path) for head in heads)

    def catalogue_of(self, fixture: str) -> Catalogue:
        """The catalogue of one revision, by the path of its `fixture.json`."""
        path = fixture.replace("fixture.json", CATALOGUE_FILE)
        return read_catalogue(path, self._bytes(path))

    @cached_property
    def corpus(self) -> Corpus:
        return read_corpus({self._relative(path): path.read_bytes() for path in self.gold_files}, self.catalogue)

    @cached_property
    def runs(self) -> tuple[RecordedRun, ...]:
        """Every recorded run of the findings suite that nobody withdrew, by run id and replicate."""
        withdrawals = [self._record(path) for path in self.root.glob("runs/*/*/withdrawal.json")]
        gone = {one["subject"]["path"] for one in withdrawals}
        paths = [path for path in sorted(self.root.glob("runs/*/*/run.json")) if self._relative(path) not in gone]
        plans = [self._record(path) for path in paths]
        return tuple(
            RecordedRun(plan, str(value))
            for plan in plans
            if plan.get("suite") == SUITE.name
            for value in plan["replicate"]["values"]
        )

    def scored(self, recorded: RecordedRun) -> tuple[Summary | Void, Sequence[Row]]:
        """Judge a recorded run again from its observations and pinned gold; raise InputError where a pin fails."""
        run = recorded.run
        fixture = self._fixture(run)
        planned = SUITE.plan(fixture, {**run["options"], "replicates": run["replicate"]["values"]})
        chosen = selected(run, list(self._observations(run)))
        rows = []
        for sample in planned:
            if sample.replicate["recorded_run"] == recorded.replicate:
                entry = chosen.get(sample.id)
                row = Row(sample, None if entry is None else entry.document)
                rows.append(row if entry is None else Row(sample, row.observation, _judged(fixture, run, row)))
        return SUITE.summarize(fixture, run, rows), rows

    def _fixture(self, run: Mapping[str, Any]) -> Fixture:
        files: dict[str, bytes] = {}
        frozen: tuple[str, dict[str, Any], str] | None = None
        for used in run["fixtures"]:
            path, data = used["pin"]["path"], self._bytes(used["pin"]["path"])
            if digest(data) != used["pin"]["sha256"]:
                raise _not_as_committed(
                    path, data, f"differs from the pin of {run['id']}", _pinned(used["pin"]["sha256"])
                )
            record = self._record(self.root / path) if path.endswith("/fixture.json") else {}
            if record.get("format") == SCHEMA:
                frozen = path, record, used["pin"]["sha256"]
                files[CATALOGUE_FILE] = self._bytes(path.replace("fixture.json", CATALOGUE_FILE))
            elif not record:
                files[path] = data
        if frozen is None:
            raise InputError(f"{run['id']}: pins no rule catalogue")
        path, record, sha256 = frozen
        return Fixture(record, sha256, path, SUITE.load(record, files))

    def _observations(self, run: Mapping[str, Any]) -> Iterator[Entry]:
        folder = self.root / "runs" / run["id"][:7] / run["id"]
        found = (path for act in ("capture", "import") for path in folder.glob(f"{act}-*/**/*.json*"))
        for path in sorted(found):
            if "artifacts" in path.relative_to(folder).parts:
                continue
            for number, document in self._documents(path):
                if document["schema"].startswith("assay/observation/"):
                    yield Entry(self._relative(path), number, "", document)

    def _documents(self, path: Path) -> Iterator[tuple[int | None, dict[str, Any]]]:
        if path.suffix == ".json":
            yield None, self._record(path)
            return
        for number, line in enumerate(path.read_bytes().splitlines(keepends=True), 1):
            yield number, decode_line(line)

    def _record(self, path: Path) -> dict[str, Any]:
        data = path.read_bytes()
        try:
            return decode(data)
        except NotCanonical as error:
            raise _not_as_committed(self._relative(path), data, str(error), _is_canonical) from None

    def _bytes(self, path: str) -> bytes:
        full = self.root / path
        if not full.is_file():
            raise InputError(f"{path}: is not there", hint="assay verify")
        return full.read_bytes()

    def _relative(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()


def _not_as_committed(path: str, data: bytes, fault: str, fits: Callable[[bytes], bool]) -> InputError:
    """What is wrong with a file of the worktree, and why when a checkout made it so: history may well be right."""
    cause = usual_cause(data, fits)
    return InputError(f"{path}: {fault}{cause and f' ({cause})'}", hint="assay verify")


def _pinned(sha256: str) -> Callable[[bytes], bool]:
    return lambda data: digest(data) == sha256


def _is_canonical(data: bytes) -> bool:
    try:
        decode(data)
    except NotCanonical:
        return False
    return True


def _judged(fixture: Fixture, run: Mapping[str, Any], row: Row) -> Mapping[str, Any]:
    done = SUITE.assess(fixture, run, row, ())
    if not isinstance(done, Done) or not isinstance(done.product, Judged):
        raise InputError(f"{row.sample.id}: the suite did not judge")
    return asdict(done.product)
