"""How records hang together: plans, attempts, judgments, bases; what is contested, withdrawn, redacted, acknowledged.

Both verifiers are asked each time, and have to say the same.
"""

from __future__ import annotations

import subprocess

import pytest

from assay.errors import Inconclusive
from assay.record.canonical import decode, encode
from assay.record.digest import digest
from assay.verify.check import Options, check
from verify import making
from verify.telling import broken, findings, recorded, said, verified

RUN = making.RUN
OTHER = making.run_id("other", 2)


def only_record(files: making.Files) -> str:
    (path,) = (path for path in files if path.endswith((".json", ".jsonl")))
    return path


def observed(act: str, **changes) -> making.Files:
    return making.observation(RUN, making.sample(), act=act, status="error", **changes)


def with_samples(**changes) -> making.Files:
    plan = decode(making.run(making.FIXTURE, OTHER, seeds=(1, 2))[f"runs/2026-11/{OTHER}/run.json"])
    plan["samples"] |= changes
    plan["samples"]["sha256"] = (
        digest(encode(plan["samples"]["list"])) if plan["samples"]["list"] is not None else making.ZERO
    )
    return making.one(plan)


LINKS = {
    "a record of a run that was never planned": making.evaluation(OTHER, making.OBSERVED),
    "a record that names another run": observed("capture-0000a1", run=OTHER),
    "a sample that was not planned": observed("capture-0000a2", sample=making.sample(2, 12)),
    "a planned sample with another item": observed("capture-0000a3", sample=making.sample() | {"item": "two"}),
    "an attempt that nobody made": observed("capture-0000a4", attempt="a-1"),
    "an attempt of an unknown sample": making.shard(
        RUN, "capture-0000a5", "attempt", [making.attempt(RUN, "capture-0000a5", "one.99", "a-1")]
    ),
    "two attempts with one id": making.shard(
        RUN,
        "capture-0000a6",
        "attempt",
        [making.attempt(RUN, "capture-0000a6", "one.11", "a-1") | {"id": f"{RUN}/capture-0000a6/{n}"} for n in "12"],
    ),
    "a judgment of another sample": making.evaluation(RUN, making.OBSERVED, act="judge-x-0000a7", sample="one.12"),
    "a judgment of what is no observation": making.evaluation(
        RUN, making.OBSERVED, act="judge-x-0000a8", observation=making.pin(making.PLAN, making.PLANNED)
    ),
    "a count that is not that of the list": with_samples(count=7),
    "a sample twice in the plan": with_samples(count=2, list=[making.sample(1, 1), making.sample(2, 1)]),
    "an ordinal twice in the plan": with_samples(count=2, list=[making.sample(1, 1), making.sample(1, 2)]),
}


@pytest.mark.parametrize("case", LINKS)
def test_a_broken_link_is_named(story, case):
    recorded(story)
    commit = story.commit("record", LINKS[case])

    assert ("chain", only_record(LINKS[case]), commit) in broken(story)


def test_attempts_lead_to_their_observations(story):
    story.commit("freeze", making.FIXTURE)
    story.commit("plan", making.PLAN)
    act = "capture-0000b1"
    attempts = making.shard(RUN, act, "attempt", [making.attempt(RUN, act, "one.11", "a-1")])
    story.commit("observe", attempts | making.observation(RUN, making.sample(), act=act, attempt="a-1"))

    assert said(story) == set()


def test_a_large_run_keeps_its_records_in_shards(story):
    seeds = tuple(range(1, 1101))
    story.commit("freeze", making.FIXTURE)
    plan = decode(making.run(making.FIXTURE, RUN, seeds)[making.PLANNED])
    plan["samples"]["list"] = None
    story.commit("plan", making.one(plan))
    act, files = "capture-0000b2", {}
    documents = []
    for ordinal in seeds:
        sample = making.sample(ordinal, ordinal)
        record = decode(
            making.observation(RUN, sample, act=act)[f"runs/2026-11/{RUN}/{act}/{ordinal:04d}-one.{ordinal}.json"]
        )
        documents.append(record | {"artifacts": []})
    files |= making.shard(RUN, act, "observation", documents[:1024], 1)
    files |= making.shard(RUN, act, "observation", documents[1024:], 2)
    story.commit("observe", files)
    path = f"runs/2026-11/{RUN}/{act}/observations-0001.jsonl"
    line = files[path].split(b"\n")[6] + b"\n"
    pin = {"path": path, "line": 7, "sha256": digest(line)}
    story.commit("judge", making.evaluation(RUN, making.OBSERVED, act="judge-0000b3", sample="one.7", observation=pin))

    report = verified(story)

    assert report.problems == ()
    assert report.records == 1103


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda lines: lines + lines[:1], "name"),
        (lambda lines: [lines[0].replace("capture-0000b4", "capture-0000b5")], "name"),
        (lambda lines: [lines[0].rstrip("\n")], "canonical"),
        (lambda lines: [*lines, "\n"], "canonical"),
        (lambda lines: lines * 1025, "canonical"),
        (lambda lines: [lines[0].replace(",", ", ")], "canonical"),
        (lambda lines: [], "canonical"),
    ],
)
def test_a_shard_that_is_not_in_order_is_named(story, change, rule):
    recorded(story)
    act = "capture-0000b4"
    (path,), (data,) = zip(
        *making.shard(RUN, act, "attempt", [making.attempt(RUN, act, "one.11", "a-1")]).items(), strict=True
    )
    commit = story.commit("record", {path: "".join(change([data.decode()]))})

    assert (rule, path, commit) in broken(story)


# Order


def test_a_plan_in_the_commit_of_its_fixture_is_unproven(story):
    commit = story.commit("all at once", making.FIXTURE | making.PLAN)
    story.commit("observe", making.OBSERVED)

    assert said(story) == {("unproven", "frozen-before-run", making.PLANNED, commit)}
    assert verified(story).exit_code == 0


def test_observations_in_the_commit_of_their_plan_are_unproven(story):
    story.commit("freeze", making.FIXTURE)
    commit = story.commit("plan and observe", making.PLAN | making.OBSERVED)

    assert said(story) == {("unproven", "planned-before-observed", making.PLANNED, commit)}


# Contested


def judged_again(act: str, **changes) -> making.Files:
    return making.evaluation(RUN, making.OBSERVED, act=act, **changes)


def review(act: str, evaluation: making.Files, **changes) -> making.Files:
    path = only_record(evaluation)
    return making.review(RUN, act, making.pin(evaluation, path), **changes)


def test_two_clones_that_judge_one_sample_merge_and_are_contested_until_somebody_decides(story):
    recorded(story)
    other = judged_again("judge-tests-0000c1", verdict="violated")
    story.branch("side")
    story.commit("judge elsewhere", other)
    story.switch("main")
    story.commit("go on", making.run(making.FIXTURE, OTHER))
    story.merge("side")
    contested = ("contested", "chain", making.OBSERVATION, "")
    assert said(story) == {contested}
    assert verified(story).exit_code == 0

    story.commit("an opinion", review("review-0000c2", other, role="opinion"))
    assert said(story) == {contested}

    decision = review("review-0000c3", other)
    story.commit("decide", decision)
    assert said(story) == set()

    story.commit("decide otherwise", review("review-0000c4", making.JUDGED))
    assert said(story) == {contested}

    rival = review("review-0000c4", making.JUDGED)
    heads = [making.pin(files, only_record(files)) for files in (decision, rival)]
    story.commit("settle", review("review-0000c5", other, supersedes=heads))
    assert said(story) == set()


def test_another_evaluator_or_another_criterion_is_no_contest(story):
    recorded(story)
    story.commit("another", judged_again("judge-other-0000c6", evaluator=making.judge("other")))
    results = decode(making.JUDGED[making.EVALUATION])["results"]
    story.commit("surface", judged_again("judge-x-0000c7", results=[results[0] | {"criterion": "surface"}]))

    assert said(story) == set()


def test_a_withdrawn_judgment_is_no_contest(story):
    recorded(story)
    other = judged_again("judge-tests-0000c8", verdict="violated")
    story.commit("judge again", other)
    story.commit("withdraw", making.withdrawal(making.pin(other, only_record(other))))

    assert said(story) == set()


def test_two_reviews_that_supersede_one_are_contested_until_one_supersedes_both(story):
    recorded(story)
    first = review("review-0000d1", making.JUDGED, role="opinion")
    older = [making.pin(first, only_record(first))]
    story.commit("review", first)
    heads = [review(f"review-0000d{n}", making.JUDGED, role="opinion", supersedes=older) for n in (2, 3)]
    story.commit("two corrections", heads[0] | heads[1])
    assert said(story) == {("contested", "chain", only_record(first), "")}

    pins = [making.pin(files, only_record(files)) for files in heads]
    story.commit("one for both", review("review-0000d4", making.JUDGED, role="opinion", supersedes=pins))
    assert said(story) == set()


def test_two_adjudications_of_one_judgment_are_contested_until_one_supersedes_the_other(story):
    recorded(story)
    decisions = [review(f"review-0000d{n}", making.JUDGED) for n in (5, 6)]
    story.commit("decide twice", decisions[0] | decisions[1])
    assert said(story) == {("contested", "chain", making.OBSERVATION, "")}

    pins = [making.pin(files, only_record(files)) for files in decisions]
    story.branch("withdrawn")
    story.commit("withdraw one", making.withdrawal(pins[0]))
    assert said(story) == set()
    story.switch("main")

    story.commit("decide about both", review("review-0000d7", making.JUDGED, supersedes=pins))
    assert said(story) == set()


TWICE = {"max_attempts": 2, "on": ["error"]}
AGAIN = {
    # the plan's policy; status and minute of each observation in the order of the acts; which of them is contested
    "answered twice": (TWICE, [("completed", 1), ("completed", 2)], 0),
    "a timeout that is not retried": (TWICE, [("timed_out", 1), ("completed", 2)], 0),
    "a failure that is retried": (TWICE, [("error", 1), ("completed", 2)], None),
    "more often than allowed": (TWICE, [("error", 1), ("error", 2), ("completed", 3)], 1),
    "in the order of time": (TWICE, [("completed", 2), ("error", 1)], None),
    "a late answer": (TWICE, [("timed_out", 1), ("late", 2)], None),
    "no retry at all": ({"max_attempts": 1, "on": ["error"]}, [("error", 1), ("error", 1)], 0),
}


@pytest.mark.parametrize("case", AGAIN)
def test_an_observation_beyond_the_retry_policy_is_contested_until_one_is_left(story, case):
    retry, told, contested = AGAIN[case]
    story.commit("freeze", making.FIXTURE)
    story.commit("plan", making.run(making.FIXTURE, RUN, retry=retry))
    recordings = [
        making.observation(RUN, making.sample(), f"capture-00000{n}", status=s, recorded_at=f"2026-11-30T09:0{at}:00Z")
        for n, (s, at) in enumerate(told)
    ]
    for files in recordings:
        story.commit("observe", files)
    expected = only_record(recordings[contested]) if contested is not None else None
    assert said(story) == ({("contested", "chain", expected, "")} if expected else set())

    for number, files in enumerate(recordings[:-1] if expected else ()):
        story.commit("withdraw", making.withdrawal(making.pin(files, only_record(files)), number))
    assert said(story) == set()


# What rests on what


def test_a_publication_rests_on_its_own_run_and_on_nothing_withdrawn(story):
    recorded(story)
    basis = [making.pin(making.PLAN, making.PLANNED), making.pin(making.JUDGED, making.EVALUATION)]
    story.commit("publish", making.publication(RUN, "publish-0000e1", basis))
    assert said(story) == set()

    story.commit("withdraw", making.withdrawal(basis[1]))
    late = making.publication(RUN, "publish-0000e2", basis)
    bare = making.publication(RUN, "publish-0000e3", basis[1:])
    two = story.commit("publish again", late)
    three = story.commit("publish without plan", bare)

    assert broken(story) == {("chain", only_record(late), two), ("chain", only_record(bare), three)}


def test_a_publication_on_another_runs_evidence_is_named(story):
    recorded(story)
    plan = making.run(making.FIXTURE, OTHER)
    story.commit("plan", plan)
    basis = [making.pin(plan, only_record(plan)), making.pin(making.JUDGED, making.EVALUATION)]
    files = making.publication(OTHER, "publish-0000e4", basis)
    commit = story.commit("publish", files)

    assert broken(story) == {("chain", only_record(files), commit)}


# Redaction


def test_a_tombstone_stands_where_a_redaction_explains_it(story):
    secret = b"key: hunter2\n"
    files = making.fixture(payloads={"source.yaml": secret})
    path = "corpus/demo/0.1.0/source.yaml"
    commit = story.commit("freeze, rewritten", files | {path: making.tombstone(secret)})
    assert broken(story) == {("pin", "corpus/demo/0.1.0/fixture.json", commit)}

    story.commit("redact", making.redaction(path, secret, "1" * 40))
    assert said(story) == set()


def test_a_redaction_explains_nothing_but_its_own_tombstone(story):
    secret = b"key: hunter2\n"
    path = "corpus/demo/0.1.0/source.yaml"
    files = making.fixture(payloads={"source.yaml": secret})
    commit = story.commit("freeze, edited", files | {path: b"key: none\n"})
    story.commit("redact", making.redaction(path, secret, None))

    assert broken(story) == {("pin", "corpus/demo/0.1.0/fixture.json", commit)}


# Signatures and acknowledgments


@pytest.fixture
def signing(story, tmp_path):
    """A story whose settings permit one SSH key, and a function that signs the next commits with it or another."""

    def key(name: str) -> str:
        at = tmp_path / name
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(at)], check=True)
        story.git("config", "gpg.format", "ssh")
        return at.with_suffix(".pub").read_text().split(" ")[1]

    def sign(name: str | None) -> None:
        story.git("config", "commit.gpgSign", "true" if name else "false")
        story.git("config", "user.signingKey", str(tmp_path / f"{name}.pub"))

    lines = f'signers:\n  - "ada@example.invalid ssh-ed25519 {key("permitted")}"\n'
    key("stranger")
    story.commit("permit", {"assay.yaml": f"assay: 1\nid: example\n{lines}"})
    return sign


def acknowledged(story, edited: str) -> making.Files:
    before, after = (story.git("rev-parse", f"{edited}{up}:{making.EVALUATION}") for up in ("~1", ""))
    violation = {"rule": "append-only", "path": making.EVALUATION, "commit": edited, "old": before, "new": after}
    return making.acknowledgment([violation])


EDITED = making.JUDGED[making.EVALUATION].replace(b'"met"', b'"violated"')


def test_an_acknowledgment_by_a_permitted_key_makes_a_known_violation_a_note(story, signing):
    recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    files = acknowledged(story, edited)
    signing("permitted")
    story.commit("acknowledge", files)

    report = verified(story)

    assert [(p.weight, p.rule, p.commit) for p in report.problems] == [("note", "append-only", edited)]
    assert report.exit_code == 0


@pytest.mark.parametrize("name", ["stranger", None])
def test_an_acknowledgment_by_anybody_else_does_not_count(story, signing, name):
    recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    files = acknowledged(story, edited)
    signing(name)
    story.commit("acknowledge", files)

    assert broken(story) == {("append-only", making.EVALUATION, edited)}
    assert "does not count" in verified(story).problems[0].message


def test_a_key_that_permits_itself_does_not_count(story, signing, tmp_path):
    recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    own = (tmp_path / "stranger.pub").read_text().split(" ")[1]
    settings = f'assay: 1\nid: example\nsigners:\n  - "ada@example.invalid ssh-ed25519 {own}"\n'
    signing("stranger")
    story.commit("acknowledge", {"assay.yaml": settings} | acknowledged(story, edited))

    assert broken(story) == {("append-only", making.EVALUATION, edited)}


def test_nobody_acknowledges_what_the_same_change_did(story, signing):
    commits = recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    files = acknowledged(story, edited)
    signing("permitted")
    said_in = story.commit("acknowledge", files)

    assert broken(story, base=commits["judged"]) == {
        ("append-only", making.EVALUATION, edited),
        ("acknowledgment", only_record(files), said_in),
    }


def test_an_acknowledgment_counts_for_exactly_the_violation_it_names(story, signing):
    recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    again = story.commit("edit again", {making.EVALUATION: EDITED + b"\n"})
    signing("permitted")
    story.commit("acknowledge", acknowledged(story, edited))

    assert broken(story) == {("append-only", making.EVALUATION, again)}


def test_commits_are_judged_by_the_signers_that_their_parent_permits(story, signing):
    signing("permitted")
    good = story.commit("freeze", making.FIXTURE)
    signing("stranger")
    bad = story.commit("plan", making.PLAN)
    story.commit("elsewhere", {"src/a.py": b"1\n"})

    with story.ledger as ledger:
        report = check(ledger, Options(signatures=True))

    first, permit = story.git("rev-list", "--reverse", "main").split("\n")[:2]
    assert findings(report) == {
        ("not provable", "signature", "", first),
        ("not provable", "signature", "", permit),
        ("broken", "signature", "", bad),
    }
    assert good not in {p.commit for p in report.problems}


# Notes


def test_home_folders_and_keys_in_records_are_notes(story):
    recorded(story)
    story.commit("oops", observed("capture-0000f1", detail="/home/ada/project: AKIA" + "A" * 16))

    (problem,) = (problem for problem in verified(story).problems if problem.rule == "lint")

    assert problem.weight == "note"
    assert "ada" not in problem.message


# Recomputation


def published(story) -> tuple[str, str]:
    recorded(story)
    basis = [making.pin(making.PLAN, making.PLANNED), making.pin(making.JUDGED, making.EVALUATION)]
    files = making.publication(RUN, "publish-0000f2", basis)
    return only_record(files), story.commit("publish", files)


def test_what_a_record_states_differently_from_its_basis_is_named_at_its_commit(story):
    path, commit = published(story)

    report = check(story.ledger, Options(recompute=lambda document: [f"decision of {document['run']} is another"]))

    (problem,) = report.problems
    assert (problem.weight, problem.rule, problem.path, problem.commit) == ("broken", "recompute", path, commit)
    assert check(story.ledger, Options(recompute=lambda document: [])).problems == ()


def test_what_cannot_be_recomputed_here_is_not_provable(story):
    path, commit = published(story)

    def unknown(document):
        raise Inconclusive("the method is not known here", hint="update assay")

    report = check(story.ledger, Options(recompute=unknown))

    assert findings(report) == {("not provable", "recompute", path, commit)}
    assert report.exit_code == 3
