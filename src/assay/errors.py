"""The family of errors, one class per thing the user does next.

Exceptions carry text and an exit code; they never print and never end the process. The one place that turns
them into output is the command-line boundary. A *verdict* ("the gate says no") is a result, not an error.
"""

from __future__ import annotations

from collections.abc import Sequence


class AssayError(Exception):
    """Something the user can act on: what and where in the message, what to type next in the hint."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Refused(AssayError):
    """A definite no: doing this would break a promise of the ledger."""

    exit_code = 1


class InputError(AssayError):
    """The command line or an input file is wrong. `faults` lists every problem found, not only the first."""

    exit_code = 2

    def __init__(self, message: str, *, faults: Sequence[str] = (), hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.faults = tuple(faults)


class NotALedger(InputError):
    """There is no ledger here, or not at this revision."""


class Inconclusive(AssayError):
    """The evidence or the means to decide are not here (shallow clone, no sandbox, missing payload)."""

    exit_code = 3


class Busy(AssayError):
    """Somebody holds the branch or the index; trying again later will work, and nothing was lost."""

    exit_code = 75


class Interrupted(AssayError):
    """The user stopped the work; what was finished is kept."""

    exit_code = 130


BUG_EXIT_CODE = 70
