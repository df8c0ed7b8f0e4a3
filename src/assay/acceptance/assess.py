"""Judge one stored observation: every expectation of its case gets a status, and a verdict exactly when it is scored.

Nothing is inferred from what is missing. An unfinished observation, unknown evidence or an unproven session leaves a
judgment unavailable; none of them is a failure of the application, and none of them is a success.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.acceptance.content import Content, Criterion
from assay.acceptance.conversation import Conversation, answers_of, conversation_of, history_faults
from assay.acceptance.deterministic import Heard, run
from assay.acceptance.evidence import evidence_of
from assay.acceptance.judge import judge_ask, read_reply
from assay.acceptance.judging import Finding, combined, unavailable
from assay.acceptance.spans import texts_of
from assay.contract.steps import Answered, Ask, Done, Event, Judged, Label, Result
from assay.contract.summary import Row
from assay.record.canonical import Json


def assess(
    content: Content, run: Mapping[str, object], row: Row, events: Sequence[Event], *, judge: bool
) -> Ask | Done:
    """The next question to a judge, or the judgment. Replies are told apart by their number, in whatever order."""
    replies = {event.turn: event for event in events if isinstance(event, Answered)}
    heard = Hearing(content, row)
    results: list[Result] = []
    for number, criterion in enumerate(content.criteria(row.sample.item), 1):
        finding = heard.finding(criterion)
        judged_by_reply = False
        if finding is None and not judge:
            finding = unavailable("blocked", "nothing here can judge this; it takes a judge or a person")
        elif finding is None and number not in replies:
            request_id = f"{run['id']}/{row.sample.ordinal}.judge.{number}"
            return judge_ask(number, criterion, heard.about(criterion), heard.texts, request_id)
        elif finding is None:
            finding, judged_by_reply = read_reply(criterion, replies[number], heard.texts), True
        assert finding is not None
        results.append(_result(criterion, finding, is_draft=judged_by_reply))
    raw: Json = {"replies": {str(number): _saved(reply) for number, reply in sorted(replies.items())}}
    return Done(Judged(tuple(results), raw if replies else None, {}, "judged" if replies else "computed"))


class Hearing:
    """An observation as its judges hear it."""

    def __init__(self, content: Content, row: Row) -> None:
        self.case = content.cases[row.sample.item]
        self.observation = row.observation or {}
        self.evidence = evidence_of(self.observation)
        self.answers = answers_of(self.observation)
        self.conversation: Conversation = conversation_of(self.observation, self.case.turns)
        self.texts = texts_of(self.observation, self.case.turns, row.files)

    def about(self, criterion: Criterion) -> Heard:
        """What the criterion is judged by: the answer of its turn, or the last one."""
        turn = criterion.expectation.turn
        artifact = "answer" if turn is None else f"turn:{turn}"
        return Heard(artifact, self.texts[artifact], self.case.turns, self.evidence)

    def finding(self, criterion: Criterion) -> Finding | None:
        """What can be said without a judge; None when it takes one."""
        missing = self.missing(criterion)
        if missing is not None:
            return missing
        expectation = criterion.expectation
        if not expectation.checks:
            return None
        found = combined([run(check, self.about(criterion)) for check in expectation.checks])
        return None if expectation.decides == "violation" and found.verdict != "violated" else found

    def missing(self, criterion: Criterion) -> Finding | None:
        """Why nobody can judge it, a judge included; None when it can be judged."""
        if not criterion.applies:
            return unavailable("not_applicable", criterion.why)
        status = self.observation.get("status")
        if status != "completed":
            words = self.observation.get("detail") or "no answer"
            return unavailable("missing_evidence", f"the observation ended as {status}: {words}")
        faults = list(history_faults(self.conversation))
        if faults:
            return unavailable("blocked", f"not one conversation: {faults[0]}")
        turn = criterion.expectation.turn
        if ("answer" if turn is None else f"turn:{turn}") not in self.texts:
            return unavailable("missing_evidence", f"there is no answer in turn {turn or len(self.case.turns)}")
        commitment = criterion.commitment
        if commitment is not None and commitment.evidence and not self.evidence.is_known:
            return unavailable("missing_evidence", f"what was retrieved is not known (capture {self.evidence.capture})")
        if commitment is not None and commitment.applies == "verified_session" and not self.conversation.is_verified:
            return unavailable("missing_evidence", "one session with a clean start was not proven")
        return None


def _result(criterion: Criterion, finding: Finding, *, is_draft: bool) -> Result:
    reviewed = criterion.expectation.status == "reviewed" and not is_draft
    label: Label | None = None if finding.verdict is None else "reviewed" if reviewed else "draft"
    return Result(
        criterion=criterion.name,
        status=finding.status,
        verdict=finding.verdict,
        part=criterion.expectation.part,
        value=finding.value,
        rationale=finding.rationale,
        label=label,
        spans=tuple(span.to_json() for span in finding.spans),
    )


def _saved(reply: Answered) -> dict[str, Json]:
    return {
        "request_id": reply.request_id,
        "status": reply.status,
        "output": reply.output,
        "detail": reply.detail,
    }
