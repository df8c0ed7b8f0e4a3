"""Saved responses become tasks, options and observations; folders of tasks become fixtures."""

from __future__ import annotations

import json

import pytest

from assay.contract.suite import Fixture
from assay.contract.summary import Row
from assay.errors import InputError
from assay.modes import content, freeze, prompts
from assay.modes.bring_in import imported
from assay.modes.generate import build
from assay.modes.records import Options, read_responses
from assay.modes.splits import FrozenSplit, TaskRow, config_name, encode_registry, encode_split
from assay.modes.suite import ModesSuite
from assay.record import canonical
from assay.record.schema import faults

ANSWER = {"verifier": "countdown", "numbers": [1, 2, 3], "target": 6}
RECORD = {"id": "one", "level": 1, "domain": "countdown", "answer": ANSWER, "responses": ["1+2+3", "\ud800"]}
RUN = {
    "model": {"id": "model-7", "revision": "r2"},
    "generation": {"temperature": 0.7, "top_p": 1, "max_tokens": 192, "seed": 43, "big": 2**60},
    "prompt_condition": prompts.REGISTERED,
}
SUITE = ModesSuite()


def responses(*records, **options):
    return read_responses([json.dumps(r).encode() + b"\n" for r in records], Options(**options))


def test_custom_records_bring_their_tasks_and_are_judged_as_imported():
    found = imported(responses(RECORD, {**RECORD, "id": 2, "answer": json.dumps(ANSWER)}), "assay-modes-1")
    record = {"dataset_id": "t", "dataset_version": "1", "format": content.TASKS_FORMAT}
    loaded = Fixture(record, "sha256:0", "p", SUITE.load(record, {"tasks.jsonl": content.encode_tasks(found.rows)}))

    samples = SUITE.plan(loaded, {**found.options, "replicates": [1]})

    assert (
        [sample.id for sample in samples]
        == list(found.observations)
        == ["level1_countdown/one.1", "level1_countdown/2.1"]
    )
    run = {"options": dict(found.options), "replicate": {"values": [1]}}
    product = found.observations[samples[0].id]
    judged = SUITE.assess(loaded, run, Row(samples[0], {"output": product.output}), []).product
    assert [result.value for result in judged.results] == ["correct", "malformed"]
    assert canonical.encode({"output": product.output})


def test_what_is_declared_is_kept_and_what_is_not_stays_null():
    found = imported(responses(RECORD, run=RUN), "assay-modes-1")

    assert (found.target["name"], found.target["revision"], found.target["kind"]) == ("model-7", "r2", "imported")
    assert found.target["config"]["generation"] == {
        "temperature": "0.7",
        "top_p": 1,
        "max_tokens": 192,
        "seed": 43,
        "big": str(2**60),
    }
    assert found.generation == {
        "temperature": "0.7",
        "top_p": "1",
        "max_tokens": 192,
        "decoding_constraint": None,
        "collected_from": None,
        "collected_until": None,
        "prompt_condition": prompts.REGISTERED,
    }
    canonical.encode(dict(found.target))


def test_unreported_metadata_is_unreported():
    found = imported(responses(RECORD), "assay-modes-1")

    assert (found.target["name"], found.target["revision"]) == ("unreported", None)
    assert set(found.generation.values()) == {None}


def test_records_with_different_counts_have_no_common_number_of_draws():
    found = imported(responses(RECORD, {**RECORD, "id": 2, "responses": ["x"]}), "assay-modes-1")

    assert found.options["draws"] is None


def test_a_partial_split_names_its_items():
    rows = build.split(1, "countdown", "eval", 3)
    frozen = FrozenSplit("level1_countdown/eval", rows, "0" * 64)
    read = responses({"id": rows[1].id, "responses": ["x"]}, run=RUN, frozen=frozen, allow_partial=True)

    found = imported(read, "assay-modes-1", split=frozen.name)

    assert found.rows is None
    assert found.options["items"] == [rows[1].id]
    assert list(found.observations) == [f"{rows[1].id}.1"]


def test_a_very_long_id_gives_way_to_its_digest():
    item = content.item_of(1, "countdown", "x" * 1000)

    assert item.startswith("level1_countdown/sha256-")
    assert len(item) < 120


class Folder:
    """A tree of files in memory."""

    def __init__(self, files):
        self.files = files

    def read(self, path):
        return self.files.get(path)

    def listing(self, folder):
        return sorted(self.files)


def source(form, **files):
    manifest = f"format: {form}\ndataset_id: small-tasks\ndataset_version: 1.0.0\nsource: made for a test\n".encode()
    return manifest, Folder({"modes.yaml": manifest, **files})


def test_a_folder_of_custom_tasks_is_frozen():
    tasks = content.encode_tasks(build.split(1, "mathir", "eval", 2))
    manifest, tree = source(content.TASKS_FORMAT, **{"tasks.jsonl": tasks})

    record, payloads = freeze.read_source(manifest, "modes.yaml", tree).freeze(superseded=None, secret=None)

    assert faults(record) == ()
    assert set(payloads) == {"modes.yaml", "tasks.jsonl"}
    assert (record["item_count"], record["items"][0]["id"]) == (2, "level1_mathir/eval/0")


def test_a_folder_of_splits_is_frozen_and_planned_by_split():
    files, entries = {}, []
    for name in ("dev", "eval"):
        data, entry = encode_split(config_name(1, "countdown"), name, build.split(1, "countdown", name, 2))
        files[entry.data_file] = data
        entries.append(entry)
    manifest, tree = source("assay-modes-data-1", **files, **{"manifest.json": encode_registry(entries)})

    draft = freeze.read_source(manifest, "modes.yaml", tree)
    record, payloads = draft.freeze(superseded=None, secret=None)

    assert faults(record) == ()
    loaded = Fixture(record, "sha256:0", "p", SUITE.load(record, payloads))
    planned = SUITE.plan(loaded, {"split": "level1_countdown/eval"})
    assert [sample.item for sample in planned] == ["level1_countdown/eval/0", "level1_countdown/eval/1"]
    with pytest.raises(InputError, match="no split level1_countdown/train"):
        SUITE.plan(loaded, {"split": "level1_countdown/train"})


def test_a_task_nobody_can_solve_is_named_among_the_limitations():
    (row,) = build.split(1, "countdown", "eval", 1)
    impossible = content.TaskRow("a", 1, "countdown", "p", {**row.answer, "target": 10**6}, 0)
    manifest, tree = source(content.TASKS_FORMAT, **{"tasks.jsonl": content.encode_tasks([impossible])})

    record, _ = freeze.read_source(manifest, "modes.yaml", tree).freeze(superseded=None, secret=None)

    assert record["provenance"]["limitations"] == ["a: no answer can be correct"]


def test_a_skipped_audit_is_a_limitation_of_its_own():
    (row,) = build.split(1, "countdown", "eval", 1)
    manifest, tree = source(content.TASKS_FORMAT, **{"tasks.jsonl": content.encode_tasks([row])})

    record, _ = freeze.read_source(manifest + b"audit: skipped\n", "modes.yaml", tree).freeze(
        superseded=None, secret=None
    )

    assert [limit.endswith("were not audited") for limit in record["provenance"]["limitations"]] == [True]
    with pytest.raises(InputError, match="not a source"):
        freeze.read_source(manifest + b"audit: maybe\n", "modes.yaml", tree)


def test_a_manifest_names_all_its_faults():
    manifest = b"format: other\ndataset_id: Big\ncolour: red\nlimitations: none\n"

    with pytest.raises(InputError) as caught:
        freeze.read_source(manifest, "modes.yaml", Folder({}))

    assert len(caught.value.faults) == 5


def test_damaged_splits_are_all_named():
    data, entry = encode_split(config_name(1, "countdown"), "dev", build.split(1, "countdown", "dev", 2))
    files = {"manifest.json": encode_registry([entry]), entry.data_file: data[:-1]}

    with pytest.raises(InputError, match="1 faults in the splits"):
        SUITE.load({"format": "assay-modes-data-1"}, files)
    with pytest.raises(InputError, match="none of the 1 splits"):
        SUITE.load({"format": "assay-modes-data-1"}, {"manifest.json": files["manifest.json"]})
    with pytest.raises(InputError, match=r"manifest\.json is missing"):
        SUITE.load({"format": "assay-modes-data-1"}, {})


def test_the_tasks_of_a_file_are_the_source_that_their_manifest_describes():
    tasks = content.encode_tasks(build.split(1, "countdown", "eval", 2))

    draft = freeze.custom("responses-0a1b2c", tasks)

    assert draft == freeze.read_source(draft.files["modes.yaml"], "modes.yaml", Folder(draft.files))


def test_tasks_are_read_one_by_one_and_in_the_order_of_their_file():
    rows = [
        TaskRow(f"level1_countdown/{n}", 1, "countdown", "", {"numbers": [n]}, 0)
        for n in range(3 * content.BLOCK_LINES + 1)
    ]

    tasks = content.read_tasks(b"\n" + content.encode_tasks(rows))

    assert list(tasks.values()) == rows
    assert [tasks[row.id] for row in reversed(rows)] == rows[::-1]
    assert (len(tasks), "level1_countdown/0" in tasks, "other" in tasks) == (len(rows), True, False)
