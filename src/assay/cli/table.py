"""Every command, where it lives and what it is for: the table of contents of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A command's module in this room, the attribute that holds it, and one line of help."""

    module: str
    attribute: str
    summary: str


SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Start": ("init", "demo", "doctor"),
    "Fixtures": ("freeze", "fixture", "failure", "tasks", "scan"),
    "Evidence": ("run", "resume", "import", "evaluate", "replay", "review"),
    "Numbers": ("score", "publish", "report", "explain", "compare", "qualify", "promote"),
    "Statements": ("withdraw", "recall", "acknowledge", "redact"),
    "Trust": ("verify", "hook", "log", "show", "fmt", "schema"),
}

COMMANDS: Mapping[str, Command] = {
    "init": Command("init", "init", "Make a folder or repository a ledger."),
    "demo": Command("demo", "demo", "Play a complete story in a fresh ledger, offline."),
    "doctor": Command("init", "doctor", "Say what this machine and this ledger can do."),
    "freeze": Command("freeze", "freeze", "Freeze a source as a fixture revision."),
    "fixture": Command("fixture", "fixture", "List, show and compare fixture revisions."),
    "failure": Command("failure", "failure", "Add, list and show frozen failures of review agents."),
    "tasks": Command("tasks", "tasks", "Grade answers; generate and prepare tasks of the modes suite."),
    "scan": Command("scan", "scan", "Search folders for holdout text."),
    "run": Command("run", "run", "Run a target over a fixture and record every step."),
    "resume": Command("run", "resume", "Continue a run exactly where it stopped."),
    "import": Command("bring_in", "bring_in", "Bring finished work of other tools in."),
    "evaluate": Command("run", "evaluate", "Judge a run's stored observations that nobody judged yet."),
    "replay": Command("run", "replay", "Judge stored observations again and compare the verdicts."),
    "review": Command("review", "review", "Add, hand out, take back and list people's labels."),
    "withdraw": Command("statements", "withdraw", "Withdraw a record: it stays, nothing new rests on it."),
    "recall": Command("statements", "recall", "Recall a defective scorer revision."),
    "acknowledge": Command("statements", "acknowledge", "Acknowledge a violation in an earlier commit."),
    "redact": Command("statements", "redact", "Explain the tombstone of content that left the history."),
    "score": Command("score", "score", "Compute a run's numbers from the history at a commit."),
    "publish": Command("publish", "publish", "Decide whether a score is evidence, and record the decision."),
    "report": Command("report", "report", "Fill and check tables in documents from the ledger."),
    "explain": Command("explain", "explain", "Follow a number down to every record it rests on."),
    "compare": Command("compare", "compare", "Compare two runs under a policy and decide a gate."),
    "qualify": Command("review", "qualify", "Compare an evaluator with people's labels."),
    "promote": Command("review", "promote", "Write a settled case into its source's next version."),
    "verify": Command("verify", "verify", "Prove the promises over the history."),
    "hook": Command("hook", "hook", "What the installed Git hooks call."),
    "log": Command("log", "log", "Who recorded what, newest first."),
    "show": Command("records", "show_record", "Print a record or payload as committed."),
    "fmt": Command("records", "fmt", "Write JSON files in canonical form."),
    "schema": Command("records", "schema", "List and print the schemas."),
}

IMPORTS: Mapping[str, Command] = {
    "modebench": Command("import_responses", "import_responses", "Saved responses in ModeBench's record form."),
    "published": Command("import_claims", "published", "The figures that a document publishes, as claims."),
    "receipt": Command("import_receipt", "import_claims", "A ModeBench receipt, graded again."),
    "reviews": Command("import_reviews", "import_reviews", "Recorded reviews of the frozen failures."),
    "transcripts": Command("import_transcripts", "transcripts", "Saved conversations of an application."),
}

FIXTURES: Mapping[str, Command] = {
    "list": Command("fixture", "fixture_list", "The fixture revisions at a commit."),
    "show": Command("fixture", "fixture_show", "One revision: its hash, items and files."),
    "card": Command("cards", "fixture_card", "What a revision holds, in words."),
    "inspect": Command("cards", "fixture_inspect", "One item as it is asked."),
    "diff": Command("fixture", "fixture_diff", "Two versions, file by file."),
    "check": Command("freeze", "fixture_check", "Every reference and stub again."),
    "drift": Command("scan", "fixture_drift", "A Markdown table of findings beside its gold file."),
}
