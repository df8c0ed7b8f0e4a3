"""What was proven is not proven again, and nothing that somebody does to the cache hides a fault."""

from __future__ import annotations

import hashlib
import hmac
import json

import pytest

from assay.verify import checkpoint
from assay.verify.check import Options, check
from assay.verify.checkpoint import Checkpoints
from verify import making
from verify.telling import recorded

EDITED = making.JUDGED[making.EVALUATION].replace(b'"met"', b'"violated"')
SECOND = making.evaluation(making.RUN, making.OBSERVED, act="judge-other-0000a1", evaluator=making.judge("other"))


@pytest.fixture
def kept(story, tmp_path):
    """Where proofs of a story are kept."""
    return Checkpoints(story.root / ".git/assay", tmp_path / "state/verify.key")


def judged(story, kept, **options):
    with story.ledger as ledger:
        return check(ledger, Options(**options), kept)


@pytest.fixture
def counted(monkeypatch):
    """How many commits were really judged, each time."""
    seen = []
    real = checkpoint.standing
    monkeypatch.setattr(
        checkpoint, "standing", lambda proven, touched: seen.append(proven.commits) or real(proven, touched)
    )
    return seen


def test_only_what_is_new_is_judged_and_the_report_is_the_same(story, kept, counted):
    recorded(story)
    first = judged(story, kept)
    story.commit("more", SECOND)

    second = judged(story, kept)

    assert counted == [5]
    assert (second.commits, second.records, second.problems) == (6, 5, ())
    assert second == judged(story, None)
    assert first.exit_code == second.exit_code == 0


def test_a_fault_in_what_is_new_is_named(story, kept, counted):
    recorded(story)
    judged(story, kept)
    edited = story.commit("edit", {making.EVALUATION: EDITED})

    report = judged(story, kept)

    assert counted == [5]
    assert [(p.rule, p.path, p.commit) for p in report.problems] == [("append-only", making.EVALUATION, edited)]
    assert report.problems == judged(story, None).problems


def test_nothing_broken_is_ever_kept_as_proven(story, kept, counted):
    recorded(story)
    story.commit("edit", {making.EVALUATION: EDITED})
    judged(story, kept)
    story.commit("more", SECOND)

    report = judged(story, kept)

    assert counted == []
    assert report.exit_code == 1


def test_notes_are_kept_and_a_contest_that_is_settled_goes(story, kept):
    recorded(story)
    other = making.evaluation(making.RUN, making.OBSERVED, act="judge-tests-0000c1", verdict="violated")
    story.commit("judge again", other)
    assert [p.weight for p in judged(story, kept).problems] == ["contested"]
    story.commit("elsewhere", making.run(making.FIXTURE, making.run_id("other", 2)))
    assert [p.weight for p in judged(story, kept).problems] == ["contested"]

    (path,) = other
    story.commit("decide", making.review(making.RUN, "review-0000c2", making.pin(other, path)))

    assert judged(story, kept).problems == judged(story, None).problems == ()


def forged(story, kept, key: bytes | None, **facts) -> None:
    """Write a proof as somebody without the user's key would."""
    file = story.root / ".git/assay/verified-1.json"
    body = json.loads(json.loads(file.read_text())["body"]) | facts
    text = json.dumps(body)
    seal = hmac.new(key or b"", text.encode(), hashlib.sha256).hexdigest() if key is not None else "0" * 64
    file.write_text(json.dumps({"body": text, "hmac": seal}))


POISONS = {
    "no key": None,
    "an empty key": b"",
    "another key": b"k" * 32,
}


@pytest.mark.parametrize("case", POISONS)
def test_a_forged_proof_hides_nothing(story, kept, counted, case):
    recorded(story)
    judged(story, kept)
    story.commit("edit", {making.EVALUATION: EDITED})
    forged(story, kept, POISONS[case], tip=story.head)

    report = judged(story, kept)

    assert counted == []
    assert [(p.rule, p.path) for p in report.problems] == [("append-only", making.EVALUATION)]


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"body": "{}", "hmac": 1}', b'{"body": 1, "hmac": ""}'])
def test_a_damaged_proof_is_ignored(story, kept, damage):
    recorded(story)
    judged(story, kept)
    (story.root / ".git/assay/verified-1.json").write_bytes(damage)

    assert judged(story, kept).problems == ()


def test_a_proof_by_other_rules_is_ignored(story, kept, counted, monkeypatch):
    recorded(story)
    judged(story, kept)
    monkeypatch.setattr(checkpoint, "rules", lambda: "other rules")

    judged(story, kept)

    assert counted == []


def test_a_proof_of_a_history_that_was_rewritten_is_not_used(story, kept, counted):
    recorded(story)
    judged(story, kept)
    story.git("reset", "-q", "--hard", "HEAD~2")
    edited = story.commit("edit", {"corpus/demo/0.1.0/source.yaml": b"a: 2\n"})

    report = judged(story, kept)

    assert counted == []
    assert [p.commit for p in report.problems] == [edited]


def test_what_was_seen_earlier_is_asked_even_when_all_is_proven(story, kept):
    recorded(story)
    judged(story, kept)

    report = judged(story, kept, expect=("12" * 20,))

    assert [p.rule for p in report.problems] == ["expect"]


def test_a_shallow_clone_proves_nothing_for_later(story, kept):
    recorded(story)
    shallow = story.clone("shallow", "--depth", "1")
    file = shallow.root / ".git/assay/verified-1.json"

    judged(shallow, Checkpoints(file.parent, story.root.parent / "key"))

    assert not file.exists()


def test_the_key_is_the_users_alone(story, kept, tmp_path):
    recorded(story)
    judged(story, kept)

    key = tmp_path / "state/verify.key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert len(key.read_bytes()) == 32
