"""Take the census of a repository's tests at a commit, from its files or from what pytest collected."""

from __future__ import annotations

import re
from collections.abc import Mapping

from assay.errors import InputError
from assay.findings.census import Census, TestFile, count_tests, take_census
from assay.findings.collected import read_collected
from assay.findings.gold import FOLDER
from assay.findings.groups import read_groups
from assay.store.snapshot import Snapshot

_TEST_FILE = re.compile(r"(?:.*/)?(?:test_[^/]*|[^/]*_test)\.py")
_GOLD_FILE = re.compile(rf"{FOLDER}/[^/]+\.json|corpus/[^/]+/[^/]+/gold\.json")


def census_at(snapshot: Snapshot, collected: str | None = None) -> Census:
    """The census at a commit; raise InputError when `assay.yaml` describes no groups.

    Without `collected`, test functions are counted in the committed files (parametrised ones once) and every gold file
    is one gold evaluation. With it, tests and total are pytest's.
    """
    groups = read_groups(snapshot.settings)
    files = _committed(snapshot)
    if collected is None:
        return take_census(files, groups)
    listed = read_collected(collected)
    told = {path: TestFile(tests, _markers(files, path)) for path, tests in listed.tests.items()}
    return take_census(told, groups, collected=listed.total)


def _markers(files: Mapping[str, TestFile], path: str) -> frozenset[str]:
    return files[path].markers if path in files else frozenset()


def _committed(snapshot: Snapshot) -> dict[str, TestFile]:
    paths = snapshot.paths()
    files = {path: TestFile(1) for path in paths if _GOLD_FILE.fullmatch(path)}
    tests = [p for p in paths if _TEST_FILE.fullmatch(p) and not p.startswith(("corpus/", "runs/"))]
    for path, data in snapshot.read_many(tests):
        try:
            files[path] = count_tests(data.decode("utf-8"))
        except (SyntaxError, UnicodeDecodeError, ValueError) as error:
            raise InputError(f"{path}: cannot be read as Python ({error})") from None
    return {path: file for path, file in files.items() if file.tests}
