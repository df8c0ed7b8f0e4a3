"""Nothing that is committed can be changed, removed or renamed without being named, wherever it is hidden."""

from __future__ import annotations

from verify import making
from verify.telling import recorded, verified


def test_an_honest_ledger_is_verified(story):
    recorded(story)

    report = verified(story)

    assert report.problems == ()
    assert report.exit_code == 0
    assert (report.commits, report.records) == (5, 4)


def test_a_late_edit_is_named_with_what_it_was_and_what_it_is(story):
    commits = recorded(story)
    edited = story.commit(
        "tidy", {making.EVALUATION: making.JUDGED[making.EVALUATION].replace(b'"met"', b'"violated"')}
    )

    report = verified(story)

    (problem,) = report.problems
    assert ("append-only", "broken", making.EVALUATION, edited) == (
        problem.rule,
        problem.weight,
        problem.path,
        problem.commit,
    )
    assert problem.expected.startswith("sha256:") and problem.got.startswith("sha256:")
    assert commits["judged"][:12] in problem.message
    assert report.exit_code == 1
