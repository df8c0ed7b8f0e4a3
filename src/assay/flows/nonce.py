"""Six random hex digits, so that two people never write the same path."""

from __future__ import annotations

import secrets
from collections.abc import Callable

Nonce = Callable[[], str]


def nonce() -> str:
    return secrets.token_hex(3)
