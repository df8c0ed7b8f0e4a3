"""Digests: `sha256:` and 64 hex digits over the exact committed bytes of a file, nothing normalised."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping

from assay.record.canonical import Json, encode

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)
_AT_CHECKOUT = "as .gitattributes or core.autocrlf do at a checkout"
LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\n"


def digest(data: bytes) -> str:
    """`sha256:<hex>` of the bytes, as `git show REV:PATH | sha256sum` prints it."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def digest_of(value: Json) -> str:
    """The digest of a value's canonical record bytes: equal for every spelling of the same data."""
    return digest(encode(value))


def digest_of_list(values: Iterable[Json]) -> str:
    """`digest_of` a list whose elements are made one after the other and never held together."""
    found, before = hashlib.sha256(), b"[\n  "
    for value in values:
        found.update(before + encode(value)[:-1].replace(b"\n", b"\n  "))
        before = b",\n  "
    found.update(b"[]\n" if before.startswith(b"[") else b"\n]\n")
    return f"sha256:{found.hexdigest()}"


def digest_of_files(files: Mapping[str, bytes]) -> str:
    """The digest of a folder: of the canonical object {path: digest of its bytes}."""
    return digest_of({path: digest(data) for path, data in files.items()})


def salted_digest(salt: str, data: bytes) -> str:
    """The digest of a sealed payload: of the salt's UTF-8 bytes, one NUL, then the payload's bytes."""
    return digest(salt.encode() + b"\0" + data)


def is_digest(text: object) -> bool:
    return isinstance(text, str) and _DIGEST.fullmatch(text) is not None


def is_lfs_pointer(data: bytes) -> bool:
    """Whether the bytes are a Git LFS pointer instead of the content it stands for."""
    return len(data) < 1024 and data.startswith(LFS_POINTER)


def usual_cause(data: bytes, fits: Callable[[bytes], bool]) -> str:
    """Why bytes are not the pinned ones, found by undoing what usually happens to files; "" when nothing of it fits.

    `fits` says whether bytes have the pinned digest. Bytes are never normalised to make them fit.
    """
    if is_lfs_pointer(data):
        return "an unfetched Git LFS pointer"
    lines = data.replace(b"\r\n", b"\n")
    undone = {
        "a byte order mark was added": data.removeprefix(b"\xef\xbb\xbf"),
        f"line endings were rewritten to CRLF, {_AT_CHECKOUT}": lines,
        f"line endings were rewritten to LF, {_AT_CHECKOUT}": lines.replace(b"\n", b"\r\n"),
    }
    return next((why for why, original in undone.items() if fits(original)), "")


def lfs_oid(pointer: bytes) -> str | None:
    """The digest of the content that an LFS pointer names, or None when the pointer is malformed."""
    found = re.search(rb"^oid (sha256:[0-9a-f]{64})$", pointer, re.MULTILINE)
    return found.group(1).decode() if found else None
