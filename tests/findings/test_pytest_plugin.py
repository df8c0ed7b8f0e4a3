"""The pytest plugin, run as a user runs it: a pytest process in a ledger's folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from assay.record.canonical import encode
from assay.record.digest import digest

RUN = "2026-11-30-reviewer-0a1b2c"


class Ledger:
    """A working folder with a rule catalogue, two frozen failures and one run of two recorded reviews."""

    def __init__(self, root, make, catalogue_bytes):
        self.root, self.make = root, make
        self.write("assay.yaml", b"assay: 1\nid: story\nsigners: []\n")
        self.write("corpus/review-rules/1/catalogue.json", catalogue_bytes)
        fixture = {"dataset_id": "review-rules", "dataset_version": "1", "format": "findings-catalogue/1"}
        self.write("corpus/review-rules/1/fixture.json", encode({**fixture, "supersedes": None}))
        self.gold("a-found", make.finding(), make.finding("CLOCK_IN_TEST", severity="MINOR"))
        self.gold("b-clean")

    def write(self, path, data):
        full = self.root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(data)

    def gold(self, name, *findings, **changes):
        self.write(f"corpus/failures/{name}.json", self.make.bytes(self.make.gold_document(*findings, **changes)))

    def pin(self, path):
        return {"path": path, "sha256": digest((self.root / path).read_bytes())}

    def record(self, **reviews):
        """Write a run whose recorded reviews are given by name as {failure: payloads}."""
        paths = ["corpus/review-rules/1/fixture.json", *(f"corpus/failures/{n}.json" for n in ("a-found", "b-clean"))]
        run = {
            "id": RUN,
            "suite": "findings",
            "options": {},
            "selection": "first_completed",
            "replicate": {"name": "recorded_run", "values": list(reviews)},
            "fixtures": [{"role": "part", "name": path, "pin": self.pin(path)} for path in paths],
        }
        self.write(f"runs/2026-11/{RUN}/run.json", encode(run))
        for review, said in reviews.items():
            for failure, payloads in said.items():
                self.observe(f"{failure}.{review}", payloads)

    def observe(self, sample, payloads):
        observation = {
            "schema": "assay/observation/1",
            "recorded_at": "2026-11-30T09:00:00Z",
            "sample": {"id": sample},
            "status": "completed",
            "failure_owner": None,
            "output": payloads,
        }
        self.write(f"runs/2026-11/{RUN}/capture-0a1b2c/{sample}.json", encode(observation))

    def test(self, *arguments):
        environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "assay.pytest_plugin",
            "-p",
            "no:cacheprovider",
            "-v",
            *arguments,
        ]
        done = subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True, check=False, timeout=120
        )
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def ledger(tmp_path, make, cases):
    return Ledger(tmp_path, make, (cases / "catalogue.json").read_bytes())


@pytest.fixture
def full(make):
    found = [make.review(make.finding(), make.finding("CLOCK_IN_TEST", severity="MINOR"))]
    return {"a-found": found, "b-clean": [make.review()]}


def test_every_gold_file_and_every_recorded_run_is_a_test(ledger, full):
    ledger.record(strict=full, terse=full)

    code, text = ledger.test()

    assert code == 0, text
    for line in (
        "corpus/failures/a-found.json::gold PASSED",
        "corpus/failures/b-clean.json::gold PASSED",
        f"assay.yaml::{RUN}[strict] PASSED",
        f"assay.yaml::{RUN}[terse] PASSED",
        "4 passed",
    ):
        assert line in text


def test_a_bad_gold_file_fails_alone_and_says_what_to_write(ledger, make):
    ledger.gold("c-bad", make.finding("PATH_TRAVERSALS", severity="BLOCKER"), source="docs/c.md")

    code, text = ledger.test()

    assert code == 1
    assert "2 passed" in text and "1 failed" in text
    assert "corpus/failures/c-bad.json: $.findings[0].rule_key: not in the rule catalogue" in text
    assert "write PATH_TRAVERSAL, or propose the rule for the next catalogue" in text
    assert "Traceback" not in text


def test_a_run_below_its_threshold_names_what_it_missed_and_invented(ledger, full, make):
    ledger.write("assay.yaml", b"assay: 1\nid: story\nfindings:\n  thresholds:\n    default: {recall_micro: 0.9}\n")
    worse = {"a-found": [make.review(make.finding(), make.finding("NAME_MISLEADS"))], "b-clean": [make.review()]}
    ledger.record(good=full, worse=worse)

    code, text = ledger.test()

    assert code == 1
    assert f"assay.yaml::{RUN}[good] PASSED" in text
    assert "recall_micro: 1/2, needs 9/10" in text
    assert "missed   CLOCK_IN_TEST in lib/mailer.py (a-found)" in text
    assert "spurious NAME_MISLEADS in lib/mailer.py (a-found)" in text


def test_a_named_run_has_its_own_threshold(ledger, full, make):
    settings = b"""assay: 1
findings:
  thresholds:
    default: {f1_micro: 1}
    worse: {f1_micro: 1/2, verdict_matches: 1}
"""
    ledger.write("assay.yaml", settings)
    ledger.record(worse={"a-found": [make.review(make.finding())], "b-clean": [make.review()]})

    code, text = ledger.test()

    assert code == 0, text


def test_a_review_that_is_missing_is_never_green(ledger, full):
    del full["b-clean"]
    ledger.record(strict=full)

    code, text = ledger.test()

    assert code == 1
    assert "1 of 2 planned reviews are not judged" in text
    assert "no review of b-clean.strict" in text


def test_a_gold_file_that_changed_after_the_run_is_refused_by_its_pin(ledger, full):
    ledger.record(strict=full)
    ledger.gold("b-clean", description="other words")

    code, text = ledger.test()

    assert code == 1
    assert f"corpus/failures/b-clean.json: differs from the pin of {RUN}" in text


def test_a_threshold_of_no_measure_is_refused(ledger, full):
    ledger.write("assay.yaml", b"assay: 1\nfindings:\n  thresholds:\n    default: {recal_micro: 0.9, f1_micro: 2}\n")
    ledger.record(strict=full)

    code, text = ledger.test()

    assert code == 1
    assert "findings.thresholds.default.recal_micro: no such measure (did you mean recall_micro?)" in text
    assert "findings.thresholds.default.f1_micro: expected a number from 0 to 1 (got 2)" in text


def test_a_catalogue_revision_that_drops_a_key_fails(ledger):
    fixture = {"format": "findings-catalogue/1", "supersedes": ledger.pin("corpus/review-rules/1/fixture.json")}
    catalogue = json.loads((ledger.root / "corpus/review-rules/1/catalogue.json").read_bytes())
    dropped = catalogue["rules"].pop()["key"]
    ledger.write("corpus/review-rules/2/catalogue.json", ledger.make.bytes(catalogue))
    ledger.write("corpus/review-rules/2/fixture.json", encode(fixture))

    code, text = ledger.test()

    assert code == 1
    assert "2 passed" in text and "1 failed" in text
    assert f"corpus/review-rules/2/fixture.json: {dropped}: removed: deprecate it instead" in text


def test_one_gold_file_can_be_tested_by_its_path(ledger):
    code, text = ledger.test("corpus/failures/b-clean.json")

    assert code == 0, text
    assert "1 passed" in text


def test_tests_inside_payloads_are_not_run(ledger):
    ledger.write("corpus/holdout/1/tests/test_theirs.py", b"def test_theirs(): assert False\n")

    code, text = ledger.test()

    assert code == 0, text
    assert "test_theirs" not in text


def test_with_testpaths_the_ledger_is_added_and_a_named_path_stands_alone(ledger):
    ledger.write("pytest.ini", b"[pytest]\ntestpaths = tests\n")
    ledger.write("tests/test_own.py", b"def test_own(): pass\n")

    assert "3 passed" in ledger.test()[1]
    assert "1 passed" in ledger.test("tests")[1]


@pytest.mark.parametrize("path", ["corpus/failures/a-found.json", f"runs/2026-11/{RUN}/run.json"])
def test_line_endings_of_a_checkout_are_told_as_the_reason(ledger, full, path):
    ledger.record(strict=full)
    ledger.write(path, (ledger.root / path).read_bytes().replace(b"\n", b"\r\n"))

    code, text = ledger.test()

    assert code != 0
    assert path in text and "line endings were rewritten to CRLF" in text


def test_without_a_ledger_the_plugin_imports_nothing_and_collects_nothing(tmp_path, make, cases):
    source = """import sys
def test_light():
    loaded = {name for name in sys.modules if name.startswith("assay")}
    assert loaded == {"assay", "assay.pytest_plugin", "assay.pytest_plugin.late"}
    assert "sympy" not in sys.modules and "yaml" not in sys.modules
"""
    ledger = Ledger(tmp_path, make, b"{}")
    (tmp_path / "assay.yaml").unlink()
    ledger.write("test_light.py", source.encode())

    code, text = ledger.test("-c", os.devnull, "--rootdir", str(tmp_path))

    assert code == 0, text
    assert "1 passed" in text
