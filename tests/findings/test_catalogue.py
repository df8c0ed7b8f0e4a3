"""The rule catalogue: strict reading, nearest keys, and what a revision may change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.errors import InputError
from assay.findings.catalogue import Catalogue, Rule, changes, read_catalogue

RULE = {
    "key": "PATH_TRAVERSAL",
    "title": "A path from outside is opened unchecked",
    "default_severity": "BLOCKER",
    "owner": "correctness",
    "since": "1",
    "deprecated": None,
}


def catalogue_with(make, *rules):
    return make.bytes({"schema": "findings-catalogue/1", "rules": list(rules)})


def test_a_catalogue_knows_its_keys(catalogue):
    assert "PATH_TRAVERSAL" in catalogue
    assert "PATH_TRAVERSALS" not in catalogue
    assert ["PATH_TRAVERSAL"] not in catalogue


@pytest.mark.parametrize(
    ("wrong", "first"), [("path_traversal", "PATH_TRAVERSAL"), ("SILENT_EXCEPTION", "SILENT_EXCEPT"), ("ZZZ", None)]
)
def test_a_wrong_key_is_answered_with_the_nearest(wrong, first, catalogue):
    assert first == next(iter(catalogue.nearest(wrong)), None)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"key": "path-traversal"}, "$.rules[0].key"),
        ({"default_severity": "blocker"}, "$.rules[0].default_severity"),
        ({"owner": "nobody"}, "$.rules[0].owner"),
        ({"title": ""}, "$.rules[0].title"),
        ({"deprecated": 2}, "$.rules[0].deprecated"),
        ({"severity": "MAJOR"}, "$.rules[0].severity"),
    ],
)
def test_a_bad_rule_is_refused_by_field(make, change, where):
    with pytest.raises(InputError) as refusal:
        read_catalogue("c.json", catalogue_with(make, {**RULE, **change}))

    assert [fault.split(": ")[1] for fault in refusal.value.faults] == [where]


def test_a_key_given_twice_is_refused(make):
    with pytest.raises(InputError) as refusal:
        read_catalogue("c.json", catalogue_with(make, RULE, {**RULE, "title": "again"}))

    assert refusal.value.faults == ("c.json: $.rules[1].key: PATH_TRAVERSAL is also $.rules[0]",)


@pytest.mark.parametrize("document", [[], {"schema": "findings-catalogue/1"}, {"schema": "x", "rules": [3]}, None])
def test_what_is_no_catalogue_is_refused(make, document):
    with pytest.raises(InputError):
        read_catalogue("c.json", make.bytes(document))


def test_a_removed_key_is_not_allowed_between_revisions():
    old, new = Catalogue.of_keys(["A", "B"]), Catalogue.of_keys(["B", "C"])

    found = changes(old, new)

    assert [(change.key, change.allowed) for change in found] == [("A", False), ("C", True)]
    assert str(found[0]) == "A: removed: deprecate it instead (was present, is None)"


@pytest.mark.parametrize(
    ("before", "after", "allowed"),
    [
        ({"deprecated": None}, {"deprecated": "2"}, True),
        ({"deprecated": "2"}, {"deprecated": None}, False),
        ({"since": "1"}, {"since": "2"}, False),
        ({"default_severity": "MAJOR"}, {"default_severity": "MINOR"}, True),
    ],
)
def test_a_rule_may_be_deprecated_but_not_revived_or_backdated(before, after, allowed):
    rule = Rule("A", "a rule", "MAJOR", "correctness", "1")

    found = changes(Catalogue({"A": replace(rule, **before)}), Catalogue({"A": replace(rule, **after)}))

    assert [change.allowed for change in found] == [allowed]
