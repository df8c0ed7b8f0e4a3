"""The columnar index: the same answers as reading everything, made again whenever it cannot be trusted."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from assay.record import canonical
from assay.store import index as index_module
from assay.store.index import KEPT, Row, index_of
from assay.store.late import arrow
from assay.store.ledger import Plan
from benchmarks import synthetic
from support.story import Story

RUN = "runs/2026-11/2026-11-30-demo-0a1b2c"


def record(kind: str, **fields) -> bytes:
    return canonical.encode({"schema": f"assay/{kind}/1", "run": "r1", "recorded_at": "2026-11-30T09:00:00Z", **fields})


OBSERVED = record("observation", sample={"id": "a.1"}, status="completed")
SCORED = {"status": "scored", "verdict": "met"}
JUDGED = record("evaluation", sample="a.1", evaluator={"name": "tests"}, results=[SCORED])
FILES = {
    f"{RUN}/run.json": record("run", id="r1", target={"name": "agent"}),
    f"{RUN}/capture-00000a/0001-a.1.json": OBSERVED,
    f"{RUN}/judge-tests-00000b/0001-a.1.json": JUDGED,
    f"{RUN}/capture-00000a/attempts-0001.jsonl": b'{"schema":"assay/attempt/1"}\nnot json\n',
    f"{RUN}/capture-00000a/artifacts/aa/{'a' * 64}": b"{}",
}


@pytest.fixture
def recorded(story):
    story.commit("records", FILES)
    return story


@pytest.fixture
def counted(monkeypatch):
    """How many records were parsed."""
    parsed = []
    real = index_module._row
    monkeypatch.setattr(index_module, "_row", lambda *facts: parsed.append(facts[0]) or real(*facts))
    return parsed


def ask(story: Story, *, key: bytes = b"", rev: str = "HEAD"):
    ledger = story.ledger
    return index_of(ledger.at(rev), ledger.state, arrow(), key=key)


def stored(story: Story) -> list[Path]:
    return sorted((story.root / ".git/assay/index").iterdir())


def test_rows_are_the_records_and_shard_lines_with_what_they_say(recorded):
    rows = ask(recorded).select()

    blob = recorded.git("rev-parse", f"HEAD:{RUN}/run.json")
    assert [row.path.removeprefix(f"{RUN}/") for row in rows] == [
        "capture-00000a/0001-a.1.json",
        "capture-00000a/attempts-0001.jsonl",
        "capture-00000a/attempts-0001.jsonl",
        "judge-tests-00000b/0001-a.1.json",
        "run.json",
    ]
    assert [row.line for row in rows] == [0, 1, 2, 0, 0]
    assert [row.kind for row in rows] == ["observation", "attempt", "", "evaluation", "run"]
    assert rows[-1] == Row(f"{RUN}/run.json", 0, blob, "run", "r1", "", "", "", "", "agent", "2026-11-30T09:00:00Z")
    assert (rows[0].sample, rows[0].status, rows[3].status) == ("a.1", "completed", "scored")
    assert (rows[3].sample, rows[3].verdict, rows[3].evaluator) == ("a.1", "met", "tests")


def test_rows_are_selected_and_counted_by_their_columns(recorded):
    index = ask(recorded)

    assert [row.kind for row in index.select(run="r1", status="scored")] == ["evaluation"]
    assert index.count("kind", run="r1") == {("evaluation",): 1, ("observation",): 1, ("run",): 1}
    assert index.count("kind", "verdict", kind="evaluation") == {("evaluation", "met"): 1}
    assert (index.select(kind="nothing"), index.count("kind", kind="nothing")) == ((), {})


def test_a_stored_index_is_read_and_not_made_again(recorded, counted):
    first = ask(recorded).select()
    made = len(counted)

    assert (ask(recorded).select(), len(counted)) == (first, made)


def test_a_later_commit_reads_only_what_was_added(recorded, counted):
    ask(recorded)
    counted.clear()
    recorded.ledger.append(Plan("more", {f"{RUN}/capture-00000a/0002-b.1.json": OBSERVED}))

    index = ask(recorded)

    assert counted == [f"{RUN}/capture-00000a/0002-b.1.json"]
    assert index.count("kind")[("observation",)] == 2
    recorded.git("update-ref", "refs/heads/elsewhere", "HEAD")
    assert {row.path for row in index.select()} == {e for e in FILES if "artifacts" not in e} | set(counted)


def test_an_edited_or_older_history_is_indexed_anew(recorded):
    before = ask(recorded).select()
    recorded.commit("edit", {f"{RUN}/run.json": record("run", id="r1", target={"name": "other"})})

    assert [row.name for row in ask(recorded).select(kind="run")] == ["other"]
    assert ask(recorded, rev="HEAD~1").select() == before


def test_a_ledger_without_records_has_an_empty_index_made_and_stored(story):
    story.found()

    for index in (ask(story), ask(story)):
        assert (len(index), index.select(), index.count("run", "kind")) == (0, (), {})
        assert (index.select(kind="run"), index.count("kind", kind="run")) == ((), {})


@pytest.mark.parametrize("how", ["truncated", "emptied", "changed", "renamed"])
def test_a_damaged_or_doctored_index_is_made_again_without_a_word(recorded, how, counted):
    expected = ask(recorded).select()
    (file,) = stored(recorded)
    data = file.read_bytes()
    changed = {"truncated": data[:-9], "emptied": b"", "changed": data.replace(b"completed", b"timed_out")}
    file.write_bytes(changed.get(how, data))
    if how == "renamed":
        recorded.commit("empty")
        file.rename(str(file).replace(recorded.git("rev-parse", "HEAD~1"), recorded.head))
    counted.clear()

    assert ask(recorded).select() == expected
    assert counted


def test_an_index_sealed_with_another_key_is_not_believed(recorded, counted):
    ask(recorded, key=b"somebody else's")
    counted.clear()

    ask(recorded, key=b"mine")

    assert len(counted) == 5


def test_only_the_latest_few_indexes_are_kept(recorded):
    for n in range(KEPT + 2):
        recorded.commit(str(n), {f"{RUN}/capture-00000a/{n:04d}-x.json": OBSERVED})
        ask(recorded)

    assert len(stored(recorded)) == KEPT


def test_a_synthetic_ledger_is_valid_and_indexed_whole(tmp_path, monkeypatch):
    made = synthetic.write(tmp_path / "ledger", runs=3, samples=20)
    ledger = Story(made.folder, monkeypatch).ledger

    index = index_of(ledger.at(), ledger.state, arrow())

    kinds = Counter(entry.document["schema"].split("/")[1] for entry in ledger.at().entries())
    assert len(index) == made.records == 1 + 3 * 41
    assert index.count("kind") == {(kind,): n for kind, n in sorted(kinds.items())}
    ledger.close()


def test_pyarrow_is_not_imported_by_reading_or_appending(story):
    code = (
        "import sys; from pathlib import Path; from assay.store.ledger import Ledger, Plan\n"
        f"with Ledger.open(Path({str(story.root)!r})) as ledger: ledger.append(Plan('x', {{'runs/x': b''}}))\n"
        "print([name for name in ('pyarrow', 'yaml', 'git', 'jsonschema') if name in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert done.stdout == b"[]\n"


ALONE = """
import sys
from pathlib import Path
from assay.store.index import index_of
from assay.store.late import arrow_alone
from assay.store.ledger import Ledger
{before}
with Ledger.open(Path({folder!r})) as ledger:
    print(len(index_of(ledger.at(), ledger.state, arrow_alone()).select(kind="run")), "numpy" in sys.modules)
import numpy, pyarrow
print(pyarrow.array([1]).to_numpy(zero_copy_only=False).tolist() if {before!r} else numpy.__name__)
"""


@pytest.mark.parametrize(
    ("before", "shown"),
    [("", b"1 False\nnumpy\n"), ("import numpy", b"1 True\n[1]\n"), ("import pyarrow", b"1 True\n[1]\n")],
)
def test_a_question_leaves_numpy_out_unless_it_is_there_already(recorded, before, shown):
    """Whoever imports NumPy or PyArrow for work of their own gets both whole."""
    code = ALONE.format(folder=str(recorded.root), before=before)

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert done.stdout == shown
