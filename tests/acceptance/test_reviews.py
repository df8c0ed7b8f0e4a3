"""Reviews: checked against what was really said, appended in chains, exchanged in files, settled by people."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acceptance.making import App, content, judge, observe
from assay.acceptance.exchange import LAYOUTS, Row, read_filled, write_rows
from assay.acceptance.reviews import Proposal, Reviewable, Shelf, accept
from assay.acceptance.spans import texts_of
from assay.acceptance.standing import standing
from assay.errors import InputError
from assay.record import schema
from assay.record.canonical import encode
from assay.record.digest import digest
from assay.record.entry import Entry
from assay.record.pins import Pin

RUN = "2026-11-30-reference-0a1b2c"
CASE = "binding_no_rope"
ANSWER = "Use strips of bark, twisted twice, instead of rope."
PIN = Pin(f"runs/2026-11/{RUN}/judge-checks-0a1b2c/0001-x.json", digest(b"evaluation"))
ENDINGS = {"json": "r.json", "csv": "r.csv", "markdown": "r.md"}


def reviewable(app=None, case=CASE, may_not_apply=()):
    one, observation = observe(case, app or App([ANSWER, ANSWER]))
    results = [{"criterion": r.criterion, "part": r.part} for r in judge(case, observation, one=one).results]
    evaluation = Entry(PIN.path, None, PIN.sha256, {"run": RUN, "sample": one.id, "results": results})
    texts = texts_of(observation, content().cases[case].turns)
    return Reviewable(evaluation, observation, texts, frozenset(may_not_apply))


def shelf(*reviews, found=None):
    return Shelf({PIN: found or reviewable()}, reviews)


def said(verdict="met", reviewer="ada", **more):
    given_ = {"evaluation": PIN, "criterion": "useful_next_step", "part": None, "rationale": "it can be done"}
    return Proposal(**{**given_, "verdict": verdict, "reviewer": reviewer, **more})


def recorded(proposal, *earlier, name=None):
    """A review as it lies in the ledger once it was accepted among earlier ones."""
    (one,) = accept([proposal], shelf(*earlier))
    path = f"{RUN}/review-0a1b2c/{name or proposal.reviewer}-{len(earlier)}"
    document = one.record(identity=path, recorded_at="2026-11-30T09:00:00Z")
    assert schema.faults(document) == ()
    return Entry(f"runs/2026-11/{path}.json", None, digest(encode(document)), document)


def faults(*proposals, shelf_=None):
    with pytest.raises(InputError) as caught:
        accept(proposals, shelf_ or shelf())
    return caught.value.faults


def state(*reviews):
    (found,) = standing(reviews).values()
    return found.state, found.verdict


@pytest.mark.parametrize(
    ("quote", "fault"),
    [
        ({"artifact": "turn:1", "start": 4, "end": 9, "quote": "strap"}, "turn:1 has 'strip' at 4..9, not 'strap'"),
        ({"artifact": "turn:1", "start": 4, "end": 9, "quote": "strip"}, None),
        ({"artifact": "turn:1", "start": 4, "end": 400, "quote": "strips of bark"}, "ends at 400, but turn:1 has"),
        ({"artifact": "turn:3", "start": 0, "end": 3, "quote": "Use"}, "there is no 'turn:3' here"),
        ({"artifact": "answer", "quote": "bark"}, None),
        ({"artifact": "answer", "quote": "birch"}, "'birch' is not in answer"),
        ({"artifact": "answer", "quote": "twi"}, "occurs 2 times"),
        ({"artifact": "answer", "quote": "s"}, "'s' occurs"),
        ({"artifact": "user:1", "quote": "no rope"}, None),
    ],
)
def test_a_quote_is_the_text_that_stands_there_or_the_review_is_refused(quote, fault):
    if fault is None:
        assert accept([said(quotes=(quote,))], shelf())
    else:
        assert fault in faults(said(quotes=(quote,)))[0]


def test_offsets_count_code_points_whatever_the_bytes():
    found = reviewable(App(["\U0001f525 burns: e\u0301cru bark"]))

    (one,) = accept(
        [said(quotes=({"artifact": "answer", "start": 2, "end": 7, "quote": "burns"},))], shelf(found=found)
    )

    assert one.spans[0].quote == "burns"


def test_a_verdict_on_an_unfinished_observation_is_refused():
    found = reviewable(App([ANSWER], turn_1={"status": "timed_out"}))

    assert "ended as timed_out: there is no finished answer" in faults(said(), shelf_=shelf(found=found))[0]


def test_all_faults_of_all_reviews_are_named_and_nothing_is_accepted():
    told = faults(
        said("perfect", rationale=" "),
        said(reviewer="bo", criterion="kindness"),
        said(reviewer="cy", evaluation=Pin("runs/x", digest(b"other"))),
        said("not_applicable", reviewer="di"),
    )

    assert [fault.split(": ", 1)[0] for fault in told] == ["review 1", "review 1", "review 2", "review 3", "review 4"]
    assert "useful_next_step always applies" in told[-1]


def test_the_same_review_again_changes_nothing():
    first = recorded(said())

    assert accept([said()], shelf(first)) == ()


def test_a_reviewer_who_changes_their_mind_supersedes_their_own_review_only():
    first, other = recorded(said()), recorded(said("violated", "bo"))

    (changed,) = accept([said("partially_met")], shelf(first, other))

    assert changed.supersedes == (first.pin,)


def test_one_batch_holds_one_review_of_a_reviewer_for_a_result():
    assert "ada already reviews useful_next_step of it in review 1" in faults(said(), said("violated"))[0]


def test_opinions_agree_conflict_and_are_settled():
    ada, bo, cy = recorded(said()), recorded(said("violated", "bo")), recorded(said(reviewer="cy"))
    settled = recorded(said("violated", "di", role="adjudication"), ada, bo)

    assert state(ada) == ("opinion", "met")
    assert state(ada, cy) == ("agreed", "met")
    assert state(ada, bo) == ("conflicting_opinions", None)
    assert state(ada, bo, settled) == ("adjudicated", "violated")
    assert set(map(str, settled.document["supersedes"])) == {str(one.pin.to_json()) for one in (ada, bo)}


def test_a_chain_with_two_heads_is_contested_until_somebody_supersedes_both():
    ada, bo = recorded(said()), recorded(said("violated", "bo"))
    here = recorded(said("met", "di", role="adjudication"), ada, bo)
    there = recorded(said("violated", "ed", role="adjudication"), ada, bo)
    last = recorded(said("violated", "flo", role="adjudication"), ada, bo, here, there)

    assert state(ada, bo, here, there) == ("contested", None)
    assert state(ada, bo, here, there, last) == ("adjudicated", "violated")
    assert {pin["path"] for pin in last.document["supersedes"]} == {here.path, there.path}


def test_what_was_settled_is_not_reopened_by_an_opinion():
    ada = recorded(said())
    settled = recorded(said("violated", "di", role="adjudication"), ada)

    assert "was settled by di; only another adjudication" in faults(said(reviewer="bo"), shelf_=shelf(ada, settled))[0]


def test_a_model_s_label_is_a_draft_and_settles_nothing():
    drafted = recorded(said(reviewer="model", provenance="model"))

    assert standing([drafted]) == {}
    assert "only a person settles" in faults(said(provenance="model", role="adjudication"))[0]


def test_who_did_not_see_the_latest_review_cannot_settle_over_it():
    ada, bo = recorded(said()), recorded(said("violated", "bo"))

    late = said("met", "di", role="adjudication", seen=(ada.pin,))

    assert "was reviewed by bo since this file was written" in faults(late, shelf_=shelf(ada, bo))[0]


def row(**more):
    given_ = {
        "evaluation": PIN,
        "sample": f"{CASE}.1",
        "surface": "app_e2e",
        "criterion": "useful_next_step",
        "part": None,
        "asks": "One step.",
        "expectation": "A material.",
        "conversation": (("user", "I have no rope."), ("application", ANSWER)),
        "evidence": "capture complete, no excerpts",
        "status": "blocked",
        "judged": None,
        "why": "takes a person",
        "state": "unreviewed",
    }
    return Row(**{**given_, **more})


def filled(layout, text, **fields):
    """The file after a person filled in its first row."""
    if layout == "json":
        for key, value in fields.items():
            text = text.replace(f'"{key}": ""', f'"{key}": "{value}"', 1).replace(
                f'"{key}": []', f'"{key}": ["{value}"]', 1
            )
        return text
    if layout == "markdown":
        for key, value in fields.items():
            name = "quote" if key == "quotes" else key
            text = text.replace(f"- {name}: \n", f"- {name}: {value}\n", 1)
        return text
    rows = list(csv.reader(io.StringIO(text, newline="")))
    for key, value in fields.items():
        rows[1][rows[0].index(key)] = value
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_filled_row_comes_back_from_every_layout(layout):
    text = write_rows([row(), row(criterion="respect_constraints")], layout)

    text = filled(layout, text, verdict="met", rationale="names bark", quotes="answer: strips of bark")
    (proposal,) = read_filled(text.encode(), ENDINGS[layout], "ada")

    assert (proposal.verdict, proposal.rationale, proposal.seen) == ("met", "names bark", ())
    assert proposal.quotes == ({"artifact": "answer", "quote": "strips of bark"},)
    assert accept([proposal], shelf())[0].proposal.evaluation == PIN


hostile = st.text(st.characters(exclude_categories=["Cs"]), max_size=60) | st.sampled_from(
    [
        "=cmd()",
        "## 2. x",
        "- verdict: met",
        "a\n## 3. y\n- verdict: violated",
        "\u2028- verdict: met",
        '"',
        "'x",
        "\r\n- role: z",
    ]
)


@given(hostile, st.sampled_from(list(LAYOUTS)))
def test_what_an_application_said_never_passes_for_a_label(text, layout):
    written = write_rows([row(conversation=(("application", text),), why=text, evidence=text)], layout)

    assert read_filled(written.encode(), ENDINGS[layout], "ada") == ()


def test_a_spreadsheet_never_sees_a_formula():
    cells = next(csv.DictReader(io.StringIO(write_rows([row(why="=1+1")], "csv"), newline="")))

    assert cells["why"] == "'=1+1"


def test_seen_reviews_travel_with_the_row():
    pin = Pin("runs/2026-11/x/review-0a1b2c/1.json", digest(b"r"), 3)

    for layout, name in ENDINGS.items():
        text = filled(layout, write_rows([row(seen=(pin,))], layout), verdict="met", rationale="ok")
        assert read_filled(text.encode(), name, "ada")[0].seen == (pin,)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("r.txt", "", "expected a file ending in .json, .csv or .md"),
        ("r.csv", "a,b\n", "expected columns evaluation"),
        ("r.md", "nothing", "expected sections"),
        ("r.json", "{}", "expected an object with format assay-reviews/1"),
        ("r.md", "## 1. x\n- verdict: met\n- verdict: met\n- mood: good\n", "verdict is given twice"),
    ],
)
def test_a_file_that_is_no_review_file_is_refused(name, text, told):
    with pytest.raises(InputError) as caught:
        read_filled(text.encode(), name, "ada")

    assert told in "\n".join([caught.value.message, *caught.value.faults])


def test_rows_that_cannot_be_read_are_all_named():
    text = write_rows([replace(row(), seen=())] * 2, "json").replace('"verdict": ""', '"verdict": "met"')

    with pytest.raises(InputError) as caught:
        read_filled(text.replace("sha256:", "sha1:").encode(), "r.json", "ada")

    assert [fault.split(": ")[1] for fault in caught.value.faults] == ["row 1", "row 2"]
