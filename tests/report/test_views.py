"""The smaller views: what acts bring, fixtures, scans, problems and the chain below a number."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import pytest

from assay.record.digest import digest
from assay.record.pins import Pin
from assay.record.problem import Problem
from assay.report import junit, markdown, terminal
from assay.report.json_view import as_json
from assay.report.safe import safe_text
from assay.report.shown import Link
from assay.report.views.explanation import explain_view
from assay.report.views.fixtures import checks_view, fixture_diff_view, fixture_list_view, fixture_view, frozen_view
from assay.report.views.log import log_view
from assay.report.views.problems import problems_view
from assay.report.views.runs import plan_view, recorded_view, replay_view
from assay.report.views.scans import scan_view
from weigh.story import CONTROLS, RUN, scan, story

COMMIT = "4be21c7" + "1" * 33


@dataclass(frozen=True)
class Check:
    item: str
    reference: str | None = "met"
    stub: str | None = "violated"
    fault: str = ""


@dataclass(frozen=True)
class Frozen:
    record: dict
    sha256: str = digest(b"fixture")
    source_sha256: str = digest(b"source")
    checks: tuple[Check, ...] = (Check("header"), Check("window", stub=None))
    commit: str | None = COMMIT
    existed: bool = False


@dataclass(frozen=True)
class Row:
    sample: str
    criterion: str
    recorded: str
    now: str

    @property
    def agrees(self):
        return self.recorded == self.now


@dataclass(frozen=True)
class Replay:
    run: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Recorded:
    run: dict
    planned_in: str | None
    captured_in: str | None
    judged_in: str | None


@dataclass(frozen=True)
class Brought:
    commit: str
    at: str = "2026-11-30T09:15:04Z"
    author: str = "Ada Example"
    email: str = "ada@example.invalid"
    subject: str = f"record: 6 observations, two-repairs 0.3.1, run {RUN}"
    run: str = RUN
    kind: str = "observation"
    count: str = "6"
    decision: str = ""
    signed: bool = False


@dataclass(frozen=True)
class Scanned:
    record: dict
    commit: str | None = COMMIT


@dataclass(frozen=True)
class Planned:
    subject: str
    files: dict
    trailers: tuple = (("Assay-Kind", "scan"),)


def record(version="0.3.1", files=("tests/test_window.py", "prompts/window.md"), **changed):
    base = {
        "dataset_id": "two-repairs",
        "dataset_version": version,
        "suite": "coding",
        "format": "coding-eval/v1",
        "frozen_at": "2026-09-03",
        "holdout_policy": "never-in-prompts",
        "supersedes": None,
        "item_count": 2,
        "items": [{"id": "header", "files": []}, {"id": "window", "files": []}],
        "files": [{"path": path, "bytes": 1203, "sha256": digest(path.encode())} for path in sorted(files)],
    }
    return {**base, **changed}


def text_of(view):
    return terminal.render(view)


def test_a_freeze_shows_the_hash_before_any_score():
    text = text_of(frozen_view(Frozen(record())))

    assert text.startswith(f"two-repairs 0.3.1 · 2 items · 3 files\n  {digest(b'fixture')}\n")
    assert "header  reference passes, stub fails" in text
    assert "window  reference passes, no stub" in text
    assert text.endswith("Frozen in commit 4be21c7. The hash is now public before any score.\n")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"commit": None}, "Nothing was written."),
        ({"commit": None, "existed": True}, "Was frozen before with the same"),
    ],
)
def test_a_freeze_that_wrote_nothing_says_so(change, expected):
    assert expected in text_of(frozen_view(replace(Frozen(record()), **change)))


def test_an_item_that_does_not_discriminate_comes_first():
    useless = Check("window", stub="met", fault="the known-bad stub is met")

    view = checks_view((Check("header"), useless))

    assert text_of(view).split("\n")[:2] == [
        "1 of 2 items do not discriminate",
        " window  NOT DISCRIMINATING: the known-bad stub is met",
    ]
    assert [case.outcome for case in view.cases] == ["failed", "passed"]


def test_fixtures_are_listed_by_path():
    newer, older = record("0.3.2"), record("0.3.1")

    view = fixture_list_view((("corpus/two-repairs/0.3.2/fixture.json", newer), ("corpus/two-repairs/0.3.1/x", older)))

    assert [row[0] for row in view.rows] == ["two-repairs@0.3.1", "two-repairs@0.3.2"]


def test_an_empty_ledger_says_what_to_do():
    assert "Next: assay freeze SOURCE" in text_of(fixture_list_view(()))


def test_a_revision_shows_its_files_and_marks_sealed_ones():
    sealed = record(files=[])
    sealed["files"] = [{"path": "tests/t.py", "bytes": 5, "sha256": digest(b"t"), "sealed": True, "salt": "0" * 32}]

    text = text_of(fixture_view(sealed, Pin("corpus/two-repairs/0.3.1/fixture.json", digest(b"f"))))

    assert "tests/t.py (sealed)" in text
    assert digest(b"f") in text


def test_a_difference_names_changed_added_and_removed_files_and_counts_the_rest():
    new = record("0.3.2", files=("tests/test_window.py", "prompts/header.md"))
    new["files"][1]["sha256"] = digest(b"changed")

    view = fixture_diff_view(record(), new)

    assert [row[:2] for row in view.rows] == [
        ("prompts/header.md", "added"),
        ("prompts/window.md", "removed"),
        ("tests/test_window.py", "changed"),
    ]
    assert view.headline.text == "two-repairs 0.3.1 -> 0.3.2: 3 files differ, 0 the same"


def test_equal_revisions_have_no_rows():
    view = fixture_diff_view(record(), record())

    assert view.rows == ()
    assert "no file differs, 2 the same" in view.headline.text


def test_a_run_shows_its_controls_and_what_comes_next():
    run = {"id": RUN, "controls": dict(CONTROLS)}

    text = text_of(recorded_view(Recorded(run, COMMIT, COMMIT, "91d0aa3" + "0" * 33)))

    assert text.split("\n")[:2] == [
        f"run {RUN} recorded in commit 91d0aa3",
        "  isolation  bubblewrap, uid 65534, network off, 8 s, 1,024 MiB",
    ]
    assert f"Next: assay score {RUN}" in text
    assert "nothing was left to do" in text_of(recorded_view(Recorded(run, None, None, None)))


def test_a_replay_shows_differences_first():
    rows = (Row("header.11", "functional", "met", "met"), Row("window.47", "functional", "violated", "met"))

    view = replay_view(Replay(RUN, rows))

    assert view.headline.text == f"run {RUN}: 1 of 2 verdicts differ"
    assert [row[0] for row in view.rows] == ["window.47", "header.11"]
    assert "all 1 verdict agree" in replay_view(Replay(RUN, rows[:1])).headline.text


def test_a_plan_lists_every_file_with_its_size():
    text = text_of(plan_view(Planned("scan: clean", {"runs/b": b"12", "runs/a": b"1" * 2000})))

    assert text.split("\n")[0] == "would commit: scan: clean"
    assert " runs/a    2,000\n runs/b        2\n" in text
    assert "2 files, 2,002 bytes; nothing was written." in text


def test_the_log_has_a_line_for_a_commit_with_author_decision_and_signature():
    brought = Brought(COMMIT, decision="not_publishable", signed=True)

    text = text_of(log_view((brought, Brought(COMMIT, author=""))))

    lines = text.splitlines()
    assert lines[0] == "2 commits with records, newest first"
    assert lines[1].split("  ")[:2] == [" 4be21c7", "2026-11-30"]
    assert f"Ada Example          {brought.subject}  not publishable, signed" in lines[1]
    assert lines[2].endswith(brought.subject) and "ada@example.invalid" in lines[2]
    assert text_of(log_view(())) == "nothing is recorded here yet\n"
    assert text_of(log_view((), kind="scan")) == "no commit says that it brought a record of kind scan\n"


def test_the_log_keeps_addresses_in_json():
    (told,) = json.loads(as_json(log_view((Brought(COMMIT),))))["commits"]

    assert told["author"] == "Ada Example <ada@example.invalid>"


@pytest.mark.parametrize("subject", ["record: 日本語" + " 本" * 60, "x" * 300, "\x1b[2J" * 40, "short"])
def test_on_a_terminal_long_subjects_and_names_of_the_log_end_in_an_ellipsis(subject):
    view = log_view((Brought(COMMIT, author="\x1b]0;" + "n" * 90, subject=subject, decision="publishable"),))

    (_, line), whole = terminal.render(view, cut=True).splitlines(), text_of(view)

    assert terminal.cells(line) <= 80 and line.endswith("  publishable")
    assert line.count("…") == (1 if subject == "short" else 2)
    assert "\\x1b]0;nn" in line and "\x1b" not in line + whole
    assert safe_text(subject) in whole and "…" not in whole


def test_a_clean_scan_says_how_much_was_read():
    assert text_of(scan_view(Scanned(dict(scan().document)))) == (
        "clean   212 files, no canary, no overlap over 8 words\nRecorded in commit 4be21c7.\n"
    )


def test_a_contaminated_scan_says_where():
    text = text_of(scan_view(Scanned(dict(scan("contaminated").document))))

    assert text.startswith("CONTAMINATED   1 finding in 212 files\n")
    assert "blog/post.md:3  canary  window" in text


BROKEN = Problem(
    rule="append-only",
    weight="broken",
    path=f"runs/2026-11/{RUN}/judge-tests-4be1aa/0005-window.29.json",
    message="changed; first recorded in 91d0aa3",
    commit="5d1e77a" + "0" * 33,
    author="Jo Example",
    expected="sha256:7b20",
    got="sha256:f1c4",
    todo="git show 5d1e77a",
)


def test_problems_say_how_many_in_how_much_worst_first():
    note = Problem("lint", "note", "runs/x.json", "holds a home path")

    view = problems_view((note, BROKEN), commits=214, records=1803)

    lines = text_of(view).split("\n")
    assert lines[0] == "1 broken promise, 1 note in 214 commits, 1,803 records"
    assert lines[1:3] == ["broken  append-only", f"  {BROKEN.path}"]
    assert "        in 5d1e77a by Jo Example" in lines
    assert "        expected sha256:7b20, got sha256:f1c4" in lines
    assert json.loads(as_json(view))["exit_code"] == 1


def test_nothing_found_is_verified():
    view = problems_view((), commits=1, records=2, verdicts={"recomputed": 6})

    assert text_of(view) == "verified: every promise held in 1 commit, 2 records\nverdicts: 6 recomputed\n"


def test_problems_are_cases_of_their_rules():
    text = junit.render(problems_view((BROKEN,), commits=1, records=1))

    assert 'classname="append-only"' in text and 'failures="1"' in text


def test_the_chain_goes_down_to_path_digest_and_commit():
    pin = story().material.observations[0].pin
    links = (
        Link(0, "plan", "6 samples", "runs/2026-11/x/run.json", digest(b"p"), COMMIT),
        Link(1, "observation header.11", "completed", pin.path, pin.sha256, None, line=3),
    )

    view = explain_view(f"{RUN}: 0.833333", links, commit=COMMIT)

    text = text_of(view)
    assert f"{pin.path}:3" in text
    assert "in commit 4be21c7" in text and "in commit unknown" in text
    assert "git show 4be21c7:PATH | sha256sum" in text
    assert json.loads(as_json(view))["links"][1]["sha256"] == pin.sha256


def test_every_view_has_a_name_and_markdown():
    views = [
        frozen_view(Frozen(record())),
        log_view((Brought(COMMIT),)),
        problems_view((BROKEN,), commits=1, records=1),
    ]

    assert [view.name for view in views] == ["freeze", "log", "verify"]
    assert all(markdown.render(view).startswith("**") for view in views)
