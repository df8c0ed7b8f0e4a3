"""After a restart: what may be done with a question that was announced and whose answer nobody heard.

Nothing is sent again on a guess. The application may have acted already, so only one that durably deduplicates is asked
the same again, under the same request ids and with the same words.
"""

from __future__ import annotations

from collections.abc import Collection

from assay.contract.restarts import Restart


def unheard(turns: int, answered: int, capabilities: Collection[str]) -> Restart:
    """What may be done with an attempt of so many turns that was under way, so many of them answered, at the death.

    | capabilities | no turn answered | some turns answered |
    |---|---|---|
    | `idempotency` | the same attempt | the same attempt |
    | `reset` | unknown outcome | a new attempt, from the beginning, which is paid for |
    | neither | unknown outcome | unknown outcome |

    An attempt of no turns touched nobody and may be made anew.
    """
    if not turns:
        return "new_attempt"
    if "idempotency" in capabilities:
        return "same_attempt"
    return "new_attempt" if answered and "reset" in capabilities else "unknown_outcome"
