"""Bring any strict JSON file into canonical form."""

from __future__ import annotations

from assay.errors import InputError
from assay.record import canonical
from assay.record.canonical import NotCanonical


def formatted(data: bytes, name: str) -> bytes:
    """The canonical spelling of a JSON file; raise InputError naming the file when it has none (floats, duplicates)."""
    try:
        return canonical.encode(canonical.parse(data))
    except NotCanonical as error:
        raise InputError(f"{name}: {error}") from None
