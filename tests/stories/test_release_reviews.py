"""Reviews that a gate waits for: who reviewed, how many, whether signed; and chains that two clones forked."""

from __future__ import annotations

import subprocess

import pytest

from stories.release import BEHAVIOUR, MET, VIOLATED, cases, freeze, policy, tried

pytestmark = pytest.mark.slow
ALL_MET = {"a": MET, "b": MET, "c": MET}
DOMAIN = 'reviews: {reviewers: {domain_reviewer: ["Ada Example <ada@example.invalid>"]}}'
LAST = -1


@pytest.fixture
def be(monkeypatch):
    """Become somebody else: the next commits are theirs."""

    def become(name):
        for role in ("AUTHOR", "COMMITTER"):
            monkeypatch.setenv(f"GIT_{role}_NAME", f"{name} Example")
            monkeypatch.setenv(f"GIT_{role}_EMAIL", f"{name.lower()}@example.invalid")

    return become


@pytest.fixture
def label(story, assay):
    """Record a label; what the command says."""

    def add(run, sample, criterion, verdict, *more, expects=0):
        story.tick()
        added = assay("review", "add", run, sample, criterion, verdict, "--why", "read it", *more)
        assert added.code == expects, added.err
        return added

    return add


def test_a_hazard_decides_nothing_before_somebody_of_the_field_has_reviewed_it(story, assay, be, label, tmp_path):
    freeze(assay, tmp_path, behaviour=BEHAVIOUR, cases=cases(hazards=("c",)), policy=policy(DOMAIN))
    runs = tried(assay, tmp_path, **ALL_MET), tried(assay, tmp_path, "2", **{**ALL_MET, "c": VIOLATED})

    def decided():
        compared = assay("compare", *runs, "--policy", "release")
        return compared.code, compared.out.splitlines()[LAST]

    waiting = "Gate: hazard_in_step may not decide before 1 domain reviewer reviewed it (c)"
    found = [decided()]
    be("Bo")
    label(runs[1], "c.1", "hazard_in_step", "violated")
    found.append(decided())
    be("Ada")
    label(runs[0], "c.1", "hazard_in_step", "met")
    found.append(decided())

    assert found == [(3, waiting), (3, waiting), (1, "Gate: blocking violation observed (c)")]
    assert assay("verify").code == 0


def test_a_policy_can_demand_two_opinions_and_a_product_owner(story, assay, be, label, tmp_path):
    rules = """reviews:
  reviewers: {product_owner: [bo@example.invalid]}
  demands: [{minimum: 2}, {reviewer: product_owner, commitments: [respect_constraints]}]
"""
    freeze(assay, tmp_path, behaviour=BEHAVIOUR, cases=cases(), policy=policy(rules))
    runs = tried(assay, tmp_path, **ALL_MET), tried(assay, tmp_path, "2", **ALL_MET)
    found = []
    for name in ("Ada", "Bo"):
        found.append(assay("compare", *runs, "--policy", "release"))
        be(name)
        for case in "abc":
            label(runs[1], f"{case}.1", "respect_constraints", "met")

    assert [one.code for one in found] == [3, 3]
    assert found[1].out.splitlines()[-2:] == [
        "Gate: 3 labels do not have 2 reviewers behind them (a, b, c)",
        "Gate: 3 labels do not have 1 product owner behind them (a, b, c)",
    ]
    assert assay("compare", *runs, "--policy", "release", "--record").code == 0
    assert assay("verify", "--recompute").code == 0


@pytest.fixture
def signing(story, tmp_path):
    """Keys of Ada, whom the settings permit, and of a stranger; sign the next commits with one of them, or not."""

    def key(name):
        at = tmp_path / f"key-{name}"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(at)], check=True)
        return at.with_suffix(".pub").read_text().split(" ")[1]

    def sign(name):
        story.git("config", "commit.gpgSign", "true" if name else "false")
        story.git("config", "user.signingKey", str(tmp_path / f"key-{name}.pub"))

    story.git("config", "gpg.format", "ssh")
    lines = "".join(f'  - "{name}@example.invalid ssh-ed25519 {key(name)}"\n' for name in ("ada", "bo"))
    key("stranger")
    story.commit("permit", {"assay.yaml": f"assay: 1\nid: example\nsigners:\n{lines}"})
    return sign


def test_a_policy_can_demand_that_reviews_are_signed_by_a_permitted_key_of_the_reviewer(
    story, assay, label, signing, tmp_path
):
    freeze(assay, tmp_path, behaviour=BEHAVIOUR, cases=cases(), policy=policy("reviews: {signed: true}"))
    runs = tried(assay, tmp_path, **ALL_MET), tried(assay, tmp_path, "2", **ALL_MET)
    found = {}
    for signer in (None, "stranger", "bo", "ada"):
        signing(signer)
        label(runs[1], "a.1", "respect_constraints", "met", "--role", "adjudication", "--quote", f"answer:{MET}")
        signing(None)
        compared = assay("compare", *runs, "--policy", "release")
        found[signer] = compared.code, " ".join(compared.out.splitlines()[7:])
        # Say something else in between, so that the next one is a label of its own.
        signing("ada")
        label(runs[1], "a.1", "respect_constraints", "partially_met", "--role", "adjudication")

    unsigned = "1 labels are not signed by a permitted key of their reviewer (Ada Example"
    assert [code for code, _ in found.values()] == [3, 3, 3, 0]
    assert all(unsigned in told for signer, (_, told) in found.items() if signer != "ada"), found


def test_a_withdrawn_label_counts_for_nothing_and_nothing_new_rests_on_it(story, assay, label, tmp_path):
    freeze(assay, tmp_path, behaviour=BEHAVIOUR, cases=cases(), policy=policy())
    runs = tried(assay, tmp_path, **ALL_MET), tried(assay, tmp_path, "2", **ALL_MET)
    for verdict in ("violated", "met"):
        story.branch(verdict, "main")
        label(runs[1], "a.1", "respect_constraints", verdict, "--role", "adjudication")
    story.switch("main")
    story.merge("met")
    story.merge("violated")
    paths = [path for path in story.ledger.at().paths("runs") if "/review-" in path]
    wrong = next(path for path in paths if b'"verdict": "violated"' in story.show(path))
    assert assay("compare", *runs, "--policy", "release").code == 3

    story.tick()
    assert assay("withdraw", wrong, "--reason", "read the wrong case").code == 0
    story.tick()
    compared = assay("compare", *runs, "--policy", "release", "--record")

    assert (compared.code, len(assay("score", runs[1], "--format", "json").json["contested"])) == (0, 0)
    assert assay("review", "list", runs[1], "--format", "json").json["states"] == {"adjudicated": 1, "unreviewed": 2}
    verified = assay("verify", "--recompute")
    assert (verified.code, "contested" in verified.out) == (0, False)


def test_chains_that_two_clones_forked_are_contested_until_somebody_settles_them(story, assay, be, label, tmp_path):
    freeze(assay, tmp_path, behaviour=BEHAVIOUR, cases=cases(), policy=policy())
    runs = tried(assay, tmp_path, **ALL_MET), tried(assay, tmp_path, "2", **ALL_MET)
    label(runs[1], "a.1", "respect_constraints", "met")
    before = story.head
    story.branch("theirs")
    label(runs[1], "a.1", "respect_constraints", "violated")
    story.switch("main")
    label(runs[1], "a.1", "respect_constraints", "met", "--quote", f"answer:{MET}")
    story.merge("theirs")

    def said():
        states = assay("review", "list", runs[1], "--format", "json").json["states"]
        scored = assay("score", runs[1], "--format", "json").json
        noted = "supersede it" in assay("verify").out
        return states, assay("compare", *runs, "--policy", "release").code, len(scored["contested"]), noted

    forked = said()
    be("Cy")
    label(runs[1], "a.1", "respect_constraints", "met", "--role", "adjudication")
    settled = said()

    assert forked == ({"contested": 1, "unreviewed": 2}, 3, 1, True)
    assert settled == ({"adjudicated": 1, "unreviewed": 2}, 0, 0, False)
    assert assay("compare", *runs, "--policy", "release", "--at", before).code == 0
    assert assay("verify").code == 0
