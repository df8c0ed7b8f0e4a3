"""Frozen splits in Parquet: bytes, rows and registry hold together or are refused."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from assay.errors import InputError
from assay.modes.generate import build, certify
from assay.modes.parquet import late
from assay.modes.splits import (
    SplitEntry,
    config_name,
    decode_split,
    encode_registry,
    encode_split,
    load_split,
    read_registry,
    support_sha256,
)

ROWS = build.split(2, "graph_coloring", "dev", 5)
DATA, ENTRY = encode_split(config_name(2, "graph_coloring"), "dev", ROWS)


def test_what_is_written_is_read_again():
    found = decode_split(DATA, ENTRY)

    assert found.rows == ROWS
    assert (found.name, found.sha256) == ("level2_graph_coloring/dev", ENTRY.parquet_sha256)
    assert [found.row(f"level2_graph_coloring/dev/{n}") for n in (0, 4, 5)] == [ROWS[0], ROWS[4], None]


@pytest.mark.parametrize("identity", [None, 3, "", "level2_graph_coloring/dev/-1", "level2_graph_coloring/eval/0", "0"])
def test_other_ids_name_no_row(identity):
    assert decode_split(DATA, ENTRY).row(identity) is None


def test_the_same_rows_give_the_same_bytes():
    assert encode_split(config_name(2, "graph_coloring"), "dev", ROWS) == (DATA, ENTRY)


def test_the_registry_is_in_order_and_read_again():
    other = encode_split("level1_countdown", "eval", build.split(1, "countdown", "eval", 2))[1]

    assert read_registry(encode_registry([ENTRY, other])) == (other, ENTRY)


def test_a_split_is_loaded_through_its_registry():
    found = load_split(encode_registry([ENTRY]), "level2_graph_coloring", "dev", {ENTRY.data_file: DATA}.__getitem__)

    assert found.rows == ROWS


def test_an_unknown_split_names_the_known_configurations():
    with pytest.raises(InputError, match="no split level9_x/eval") as caught:
        load_split(encode_registry([ENTRY]), "level9_x", "eval", dict.__getitem__)

    assert "level2_graph_coloring" in caught.value.hint


@pytest.mark.parametrize(
    ("data", "entry", "reason"),
    [
        (DATA + b"x", ENTRY, "sha256 "),
        (DATA, replace(ENTRY, rows=6), "5 rows, but the registry has 6"),
    ],
)
def test_bytes_and_rows_must_be_the_registered_ones(data, entry, reason):
    with pytest.raises(InputError, match=reason):
        decode_split(data, entry)


def of_bytes(data, rows=1):
    from hashlib import sha256

    return SplitEntry("c", "eval", 1, "countdown", rows, "data/c.parquet", sha256(data).hexdigest(), "0" * 64)


def test_what_is_no_parquet_is_an_input_error():
    with pytest.raises(InputError, match="not a readable Parquet file"):
        decode_split(b"PAR1", of_bytes(b"PAR1"))


def test_foreign_columns_are_ignored_and_missing_ones_named():
    full = {"problem": ["p"], "answer": ['{"verifier": "countdown"}'], "modebench_task": ["countdown"]}
    counted = {**full, "answer_mode_count": [3], "answer_mode_split": ["eval"], "family": ["x"]}
    good, bad = late.parquet_bytes(counted, {}), late.parquet_bytes({**full, "answer": ["{"]}, {})

    assert decode_split(good, of_bytes(good)).rows[0].answer == {"verifier": "countdown"}
    with pytest.raises(InputError, match="no answer_mode_count, answer_mode_split"):
        decode_split(bad, of_bytes(bad))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"data_file": "../x.parquet"}, "data_file"),
        ({"data_file": "/x.parquet"}, "data_file"),
        ({"level": True}, "level"),
        ({"domain": "x"}, "domain"),
        ({"split": "test"}, "split"),
        ({"rows": 0}, "rows"),
        ({"parquet_sha256": "0"}, "parquet_sha256"),
    ],
)
def test_a_registry_names_the_field_that_is_wrong(change, field):
    document = {"schema": "modebench-portable-data-v1", "splits": [{**vars(ENTRY), **change}]}

    with pytest.raises(InputError, match=rf"splits\[0\]: {field} is missing or wrong"):
        read_registry(json.dumps(document).encode())


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"schema": "x"}', b'{"schema": "assay-modes-data-1", "splits": []}'])
def test_what_is_no_registry_is_refused(data):
    with pytest.raises(InputError):
        read_registry(data)


def test_a_foreign_registry_with_more_fields_is_read():
    document = {"schema": "modebench-portable-data-v1", "splits": [{**vars(ENTRY), "level_admitted": True}]}

    assert read_registry(json.dumps(document).encode()) == (ENTRY,)


def test_the_support_hash_belongs_to_the_enumerated_keys():
    keys = certify.support("graph_coloring", ROWS[0].answer)

    assert ROWS[0].support_sha256 == support_sha256(keys[::-1])
