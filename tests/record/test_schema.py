"""Schemas: closed, described, frozen; date-times are checked; what is wrong is said with its place."""

from __future__ import annotations

import itertools
import json

import pytest

from assay.record import canonical, schema
from assay.record.kinds import KINDS

WITHDRAWAL = {
    "schema": "assay/withdrawal/1",
    "id": "2026-11-30-withdraw-x-000001/withdrawal",
    "recorded_at": "2026-11-30T09:00:00Z",
    "subject": {"path": "runs/2026-11/2026-11-29-a-000002/run.json", "sha256": "sha256:" + "0" * 64},
    "reason": "the grader was wrong",
    "replaced_by": None,
}


def objects_in(node, where="$"):
    if isinstance(node, dict):
        if node.get("type") == "object" or "properties" in node:
            yield where, node
        for key, member in node.items():
            yield from objects_in(member, f"{where}.{key}")
    elif isinstance(node, list):
        for position, member in enumerate(node):
            yield from objects_in(member, f"{where}[{position}]")


@pytest.mark.parametrize("name", sorted(schema.builtin()))
def test_every_property_of_every_schema_is_described_and_every_record_is_closed(name):
    document = json.loads(schema.builtin()[name])

    assert document["$id"] == name
    assert document["additionalProperties"] is False
    for where, node in objects_in(document):
        for key, member in node.get("properties", {}).items():
            if where.endswith((".if", ".then", ".else")):
                continue
            assert member.get("description"), f"{name} {where}.{key}"


@pytest.mark.parametrize("name", sorted(schema.builtin()))
def test_schema_files_are_canonical_themselves(name):
    assert canonical.decode(schema.builtin()[name])


def test_the_table_of_kinds_and_the_schemas_agree():
    assert {kind.schema for kind in KINDS.values()} <= set(schema.builtin())


@pytest.mark.parametrize(
    "when", ["yesterday", "2026-13-40T00:00:00Z", "2026-09-03T10:00:00", "2026-09-03 10:00:00Z", ""]
)
def test_what_is_no_instant_is_refused_wherever_a_date_time_is_due(when):
    assert (f"$.recorded_at: {when!r} is not a 'date-time'",) == schema.faults(WITHDRAWAL | {"recorded_at": when})


@pytest.mark.parametrize("when", ["2026-09-03T10:00:00Z", "2026-09-03T23:30:00-02:00", "2026-06-30T23:59:60Z"])
def test_instants_with_an_offset_are_accepted(when):
    assert schema.faults(WITHDRAWAL | {"recorded_at": when}) == ()


def test_all_faults_are_named_not_only_the_first():
    broken = WITHDRAWAL | {"reason": "", "surprise": 1, "subject": {"path": "x", "sha256": "latest"}}

    faults = schema.faults(broken)

    assert [fault.split(":")[0] for fault in faults] == ["$", "$.reason", "$.subject.sha256"]


def test_true_is_not_a_count():
    attempt = {
        "schema": "assay/attempt/1",
        "id": "2026-11-30-a-000001/capture-000001/0001-x",
        "recorded_at": "2026-11-30T09:00:00Z",
        "run": "2026-11-30-a-000001",
        "attempt": "a1",
        "sample": "x",
        "ordinal": True,
        "requests": [],
        "lease": None,
        "reserved": None,
    }

    assert schema.faults(attempt) == ("$.ordinal: True is not of type 'integer'",)


@pytest.mark.parametrize("month", range(14))
def test_the_quick_look_at_an_instant_accepts_only_what_the_schema_accepts(month):
    for rest in ("01T00:00:00Z", "28T23:59:59Z", "29T12:00:00Z", "31T24:00:00Z", "00T09:00:60Z", "05T09:00:00+02:00"):
        for year in ("2023", "2024", "0000", "9999"):
            document = WITHDRAWAL | {"recorded_at": f"{year}-{month:02d}-{rest}"}

            assert schema.is_valid(document["schema"], document) == schema.compiled(document["schema"]).is_valid(
                document
            )


@pytest.mark.parametrize("year", [2023, 2024])
def test_every_day_of_a_year_and_no_other_is_passed_by_the_narrow_look(year):
    for month, day in itertools.product(range(14), range(33)):
        when = f"{year}-{month:02d}-{day:02d}T09:00:00Z"
        document = WITHDRAWAL | {"recorded_at": when}
        is_day = not schema.faults(document)

        assert not schema.are_valid(WITHDRAWAL["schema"], [document]) or is_day, when
        assert schema.are_valid(WITHDRAWAL["schema"], [document]) or not is_day or when[5:10] == "02-29"
