"""The files that a source names: are they there, are they themselves, and are they what the format asks for?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.coding.fields import quoted
from assay.coding.source import Item, Source, read_fields, refusal
from assay.coding.surface import check
from assay.coding.value_cases import read_cases
from assay.contract.python_source import parse_module
from assay.contract.tree import Tree
from assay.record.digest import is_lfs_pointer
from assay.record.names import twin_key

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Bodies:
    """A checked source with the bytes of every file that its fixture revision holds."""

    source: Source
    files: Mapping[str, bytes]


def read_source(data: bytes, name: str, tree: Tree) -> Bodies:
    """Read a source and all files that it names; raise InputError listing every fault of both."""
    source, faults = read_fields(data, name)
    words = list(faults.words())
    if source is not None:
        for item in source.items:
            words += (f"{name}: line {item.line}: item {quoted(item.id)}: {what}" for what in file_faults(item, tree))
        words += (f"{name}: {what}" for what in _twins(source))
    if source is None or words:
        raise refusal(name, tuple(words))
    files = {path: tree.read(path) or b"" for path in source.payloads() if path != name}
    return Bodies(source, {**files, name: data})


def file_faults(item: Item, tree: Tree) -> Iterator[str]:
    """Everything that is wrong with the files of an item."""
    yield from _text_faults("prompt_file", item.prompt_file, tree)
    yield from _text_faults("test_file", item.test_file, tree, is_python=True)
    for path in item.support_files:
        yield from _faults("support_files", path, tree)
    for field, folder in (("reference", item.reference), ("stub", item.stub)):
        if folder is not None:
            yield from _folder_faults(field, folder, item, tree)
    if item.value_cases is not None:
        yield from _text_faults("value_cases", item.value_cases, tree)
        data = tree.read(item.value_cases)
        if data and not _unusable(data):
            yield from (f"value_cases: {what}" for what in read_cases(data, item.value_cases, item.expected_files)[1])
    yield from _reference_surface(item, tree)
    yield from _sameness(item, tree)


def _folder_faults(field: str, folder: str, item: Item, tree: Tree) -> Iterator[str]:
    if not tree.listing(folder):
        yield f"{field}: expected a folder, got nothing at {folder}"
        return
    for name in item.expected_files:
        yield from _faults(field, f"{folder}/{name}", tree)


def _faults(field: str, path: str, tree: Tree) -> Iterator[str]:
    if not path:
        return
    data = tree.read(path)
    if data is None:
        yield f"{field}: expected a file, got {'a folder' if tree.listing(path) else 'nothing'} at {path}"
    elif is_lfs_pointer(data):
        yield f"{field}: {path} is an unfetched Git LFS pointer, not the file (git lfs pull)"


def _text_faults(field: str, path: str, tree: Tree, *, is_python: bool = False) -> Iterator[str]:
    yield from _faults(field, path, tree)
    data = tree.read(path) if path else None
    if data is None or is_lfs_pointer(data):
        return
    unusable = _unusable(data)
    if unusable:
        yield f"{field}: {path} {unusable}"
    elif is_python and path.endswith(".py"):
        yield from (f"{field}: {path} {what}" for what in _syntax_faults(data))


def _unusable(data: bytes) -> str | None:
    """Why bytes are no text to work with; None when they are."""
    if is_lfs_pointer(data):
        return "is an unfetched Git LFS pointer"
    if data.startswith(_BOM):
        return "starts with a byte order mark"
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"is not UTF-8 at byte {error.start}"
    if "\0" in text:
        return "holds a NUL character"
    return None if text.strip() else "is empty"


def _syntax_faults(data: bytes) -> Iterator[str]:
    try:
        parse_module(data)
    except SyntaxError as error:
        yield f"is not Python: line {error.lineno}, {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        yield f"is not Python: {error}"


def _reference_surface(item: Item, tree: Tree) -> Iterator[str]:
    """A reference that leaves the surface asks of others what it does not keep itself."""
    if item.reference is None:
        return
    found = {name: tree.read(f"{item.reference}/{name}") for name in item.expected_files}
    files = {name: data for name, data in found.items() if data is not None}
    surface = check(files, tuple(files), item.forbidden_imports, language=item.language)
    yield from (f"reference: leaves the surface, {finding.words}" for finding in surface.violations)
    yield from (f"reference: surface cannot be decided, {finding.words}" for finding in surface.undecided)


def _sameness(item: Item, tree: Tree) -> Iterator[str]:
    """A stub that is the reference could never fail, so it would control nothing."""
    if item.reference is None or item.stub is None:
        return
    pairs = [(tree.read(f"{item.reference}/{n}"), tree.read(f"{item.stub}/{n}")) for n in item.expected_files]
    if pairs and all(one is not None and one == other for one, other in pairs):
        yield f"stub: expected other files than the reference, got the same bytes in {item.stub}"


def _twins(source: Source) -> Iterator[str]:
    """Paths of one fixture revision that some file system would take for one, or for file and folder at once."""
    seen: dict[str, str] = {}
    for path in (*source.payloads(), "fixture.json"):
        key = twin_key(path)
        if key in seen:
            yield f"files: {path} and {seen[key]} are the same file on some systems"
        seen[key] = path
    for key, path in sorted(seen.items()):
        folders = ("/".join(key.split("/")[:depth]) for depth in range(1, key.count("/") + 1))
        yield from (f"files: {seen[folder]} is a file and a folder (of {path})" for folder in folders if folder in seen)
