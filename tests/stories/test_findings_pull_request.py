"""A contributor's file on its way into a ledger: taken, or refused by hook and by verify in words to act on."""

from __future__ import annotations

import json

import pytest

from assay.flows.hooks import install
from stories.findings_ledger import CASES, FAILURES, freeze_all


@pytest.fixture
def guarded(assay, story):
    """A ledger with frozen failures whose commits are judged by the installed hooks."""
    freeze_all(assay)
    install(story.root)
    return assay


def bad(**changes):
    gold = json.loads(FAILURES[-1].read_text())
    return {
        **gold,
        "source": "docs/other.md",
        "provenance": {**gold["provenance"], "source_sha256": f"sha256:{'3' * 64}"},
        **changes,
    }


def attempt(story, name, document):
    story.write(f"corpus/failures/{name}.json", json.dumps(document, indent=2))
    story.git("add", "-A")
    story.tick()
    done = story.attempt("commit", "-q", "-m", f"add {name}")
    return done.returncode, done.stderr.decode()


def test_a_good_file_written_by_hand_passes_the_hook(guarded, story):
    code, told = attempt(story, "by-hand", bad())

    assert (code, told) == (0, "")
    assert guarded("verify").code == 0


def test_an_invented_rule_is_refused_by_the_hook_with_the_nearest_ones(guarded, story):
    finding = {**bad()["findings"][0], "rule_key": "ERROR_RETRIES_UNBOUNDED"}

    code, told = attempt(story, "invented", bad(findings=[finding]))

    assert code != 0
    assert "corpus/failures/invented.json: $.findings[0].rule_key: not in the rule catalogue" in told
    assert "nearest: ERROR_RETRY_UNBOUNDED" in told
    assert "write ERROR_RETRY_UNBOUNDED, or propose the rule for the next catalogue" in told


def test_a_verdict_that_does_not_follow_is_refused_with_the_right_one(guarded, story):
    code, told = attempt(story, "lenient", bad(expected_verdict="ALLOW"))

    assert code != 0
    assert "assay: recompute: corpus/failures/lenient.json: $.expected_verdict: expected WARN" in told
    assert "write WARN, or correct the severities" in told


def test_every_fault_of_a_file_is_told_in_one_go(guarded, story):
    finding = {"file": "/etc/passwd", "line": -1, "rule_key": "NO_SUCH", "severity": "Major", "owner_reviewer": "me"}

    code, told = attempt(story, "all-wrong", bad(findings=[finding]))

    assert code != 0
    assert told.count("corpus/failures/all-wrong.json: $.findings[0].") == 5


def test_a_pull_request_that_went_around_the_hook_is_refused_by_verify(guarded, story):
    before = story.head
    story.branch("failure/lenient")
    story.write("corpus/failures/lenient.json", json.dumps(bad(expected_verdict="ALLOW")))
    story.git("add", "-A")
    story.git("commit", "-q", "--no-verify", "-m", "add a failure")

    done = guarded("verify", f"{before}..HEAD")

    assert done.code == 1
    assert "expected WARN, which follows from" in " ".join(done.out.split())
    assert guarded("verify", before).code == 0


def test_two_pull_requests_with_one_case_contradict_each_other_after_the_merge(guarded, story):
    story.branch("one")
    assert attempt(story, "one", bad())[0] == 0
    story.switch("main")
    story.branch("two")
    assert attempt(story, "two", bad(description="the same once more"))[0] == 0

    story.git("merge", "-q", "--no-verify", "--no-ff", "-m", "merge", "one")

    done = guarded("verify")
    assert done.code == 1
    assert "the same case and findings as" in " ".join(done.out.split())


def test_two_pull_requests_with_different_cases_merge_in_any_order(guarded, story):
    story.branch("one")
    assert attempt(story, "one", bad())[0] == 0
    story.switch("main")
    story.branch("two")
    other = bad(source="docs/third.md", provenance={**bad()["provenance"], "source_sha256": f"sha256:{'4' * 64}"})
    assert attempt(story, "two", other)[0] == 0

    story.merge("one")

    assert guarded("verify").code == 0


def test_a_review_fixture_frozen_with_an_invented_rule_is_refused(guarded, story, tmp_path):
    folder = review_folder(tmp_path, lambda gold: gold["findings"][0].update(rule_key="SECURITY_SIGNATURE_FORGED"))

    done = guarded("freeze", folder)

    assert done.code == 1
    assert "SECURITY_SIGNATURE_UNVERIFIED" in done.err


def test_a_catalogue_without_a_key_of_the_old_one_is_refused_naming_it(guarded, story, tmp_path):
    folder = next_catalogue(tmp_path, lambda rules: rules.pop(0))

    done = guarded("freeze", folder)

    gone = json.loads((CASES / "review-rules/catalogue.json").read_text())["rules"][0]["key"]
    assert done.code == 1
    assert f"{gone}: removed: deprecate it instead" in done.err
    assert "set its `deprecated` to this revision" in done.err


def test_a_catalogue_cannot_lose_keys_by_not_saying_what_it_replaces(guarded, tmp_path):
    folder = next_catalogue(tmp_path, lambda rules: rules.pop(0), supersedes="")

    done = guarded("freeze", folder)

    assert done.code == 1
    assert "review-rules@1 is in force" in done.err
    assert "supersedes: 1" in done.err


def test_a_next_catalogue_deprecates_a_rule_and_new_failures_may_not_begin_with_it(guarded, tmp_path, story):
    folder = next_catalogue(tmp_path, lambda rules: deprecate(rules, "ERROR_RETRY_UNBOUNDED"))
    assert guarded("freeze", folder).code == 0
    (tmp_path / "late.json").write_text(json.dumps(bad()))

    done = guarded("failure", "add", tmp_path / "late.json")

    assert done.code == 2
    assert "ERROR_RETRY_UNBOUNDED is deprecated since revision 2" in done.err
    assert guarded("failure", "list").code == 0
    assert guarded("verify").code == 0


def review_folder(tmp_path, change):
    folder = tmp_path / "other-review"
    folder.mkdir()
    gold = json.loads((CASES / "jwt-review/gold.json").read_text())
    change(gold)
    manifest = "format: findings-review/1\ndataset_id: other-review\ndataset_version: 1\n"
    (folder / "findings.yaml").write_text(manifest)
    (folder / "gold.json").write_text(json.dumps(gold))
    return folder


def next_catalogue(tmp_path, change, supersedes="supersedes: 1\n"):
    folder = tmp_path / "review-rules"
    folder.mkdir()
    document = json.loads((CASES / "review-rules/catalogue.json").read_text())
    change(document["rules"])
    (folder / "catalogue.json").write_text(json.dumps(document))
    manifest = f"format: findings-catalogue/1\ndataset_id: review-rules\ndataset_version: 2\n{supersedes}"
    (folder / "findings.yaml").write_text(manifest)
    return folder


def deprecate(rules, key):
    next(rule for rule in rules if rule["key"] == key)["deprecated"] = "2"
