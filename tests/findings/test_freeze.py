"""Folders that can be frozen: a manifest and everything beside it, a pure function of the bytes."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.findings.freeze import read_source
from assay.record.digest import digest
from assay.record.pins import Pin
from assay.record.schema import faults

CATALOGUE = b"""format: findings-catalogue/1
dataset_id: review-rules
dataset_version: 1
frozen_at: 2026-11-30
source: own wording
limitations: [small]
"""
REVIEW = b"format: findings-review/1\ndataset_id: mailer-review\ndataset_version: 1.2\n"


class Tree:
    def __init__(self, **files):
        self.files = {name.replace("__", "."): data for name, data in files.items()}

    def read(self, path):
        return self.files.get(path)

    def listing(self, folder):
        return sorted(self.files)


@pytest.fixture
def rules(cases):
    return (cases / "catalogue.json").read_bytes()


def test_a_catalogue_is_frozen_with_its_manifest_and_a_valid_record(rules):
    draft = read_source(CATALOGUE, "findings.yaml", Tree(catalogue__json=rules))

    record, payloads = draft.freeze(superseded=None, secret=None)

    assert faults(record) == ()
    assert payloads == {"catalogue.json": rules, "findings.yaml": CATALOGUE}
    assert (record["item_count"], record["dataset_version"], record["frozen_at"]) == (6, "1", "2026-11-30")
    assert record["files"][0] == {"path": "catalogue.json", "sha256": digest(rules), "bytes": len(rules)}


def test_a_review_is_one_item_named_after_its_revision(make):
    gold = make.bytes(make.gold_document(make.finding()))

    record, _ = read_source(REVIEW, "findings.yaml", Tree(gold__json=gold, diff__patch=b"+")).freeze(
        superseded=None, secret=None
    )

    assert faults(record) == ()
    assert record["items"] == [{"id": "mailer-review@1.2", "files": ["diff.patch", "gold.json"]}]


def test_sources_are_one_item_each():
    manifest = REVIEW.replace(b"findings-review", b"findings-sources")

    record, _ = read_source(manifest, "findings.yaml", Tree(a__md=b"# A", b__md=b"# B")).freeze(
        superseded=None, secret=None
    )

    assert [item["id"] for item in record["items"]] == ["a", "b"]


def test_a_revision_names_what_it_supersedes(rules):
    manifest = CATALOGUE.replace(b"version: 1", b"version: 2") + b"supersedes: 1\n"
    pin = Pin("corpus/review-rules/1/fixture.json", f"sha256:{'1' * 64}")
    draft = read_source(manifest, "findings.yaml", Tree(catalogue__json=rules))

    record, _ = draft.freeze(superseded=pin, secret=None)

    assert (draft.supersedes, record["supersedes"]) == ("1", pin.to_json())
    with pytest.raises(InputError, match="supersedes: expected 1, got None"):
        draft.freeze(superseded=None, secret=None)


@pytest.mark.parametrize(
    ("manifest", "phrase"),
    [
        (b"dataset_id: x\n", "format: is missing"),
        (b"format: [a]\n", "format: expected one of"),
        (REVIEW.replace(b"mailer-review", b"Mailer Review"), "dataset_id: expected lower case"),
        (REVIEW + b"dataset_versio: 2\n", "no such field (did you mean dataset_version?)"),
        (REVIEW + b"limitations: none\n", "limitations: expected a list of texts"),
        (REVIEW, "gold.json: is missing beside the manifest"),
        (b"- a\n", "expected `key: value` lines"),
    ],
)
def test_a_folder_that_cannot_be_frozen_says_why(manifest, phrase):
    with pytest.raises(InputError) as refusal:
        read_source(manifest, "findings.yaml", Tree())

    assert any(phrase in fault for fault in refusal.value.faults)


def test_gold_is_never_sealed(rules):
    draft = read_source(CATALOGUE, "findings.yaml", Tree(catalogue__json=rules))

    with pytest.raises(InputError, match="frozen in the open"):
        draft.freeze(superseded=None, secret=b"x" * 32)
