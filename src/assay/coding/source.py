"""Read the fields of a `coding-eval/v1` source, every fault in one go.

The format and its optional extensions are described in docs/coding.md; a field that is not described there is unknown
and refused. The files that a source names are checked in `bodies`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from assay.clock import instant
from assay.coding.fields import Faults, Section, Slot, path_of, quoted, section, text_of
from assay.coding.surface import steers_the_tests
from assay.errors import InputError
from assay.record.names import DATASET_ID, VERSION, portable_fault, twin_key
from assay.record.strict_yaml import Fields, Items, Node, Scalar, load

FORMAT = "coding-eval/v1"
LANGUAGES = (
    *("python", "bash", "c", "cpp", "csharp", "go", "java", "javascript", "kotlin", "php", "ruby", "rust"),
    *("scala", "sql", "swift", "typescript"),
)
DEFAULT_BAND = Fraction(1, 10)
DEFAULT_MEMORY_MIB = 1024

TOP = ("schema", "dataset_id", "dataset_version", "frozen_at", "holdout_policy", "items")
TOP_OPTIONAL = ("canary", "controls", "band", "provenance", "supersedes")
ITEM = ("id", "language", "prompt_file", "test_file", "timeout_s", "forbidden_imports", "expected_files")
ITEM_OPTIONAL = ("title", "reference", "stub", "value_cases", "support_files", "memory_mib")
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_SHARE = re.compile(r"0(?:\.\d{1,6})?|1(?:\.0{1,6})?", re.ASCII)
_MODULE = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


@dataclass(frozen=True)
class Item:
    """One item as the source states it; paths are relative to the source."""

    id: str
    language: str
    prompt_file: str
    test_file: str
    timeout_ms: int
    forbidden_imports: tuple[str, ...]
    expected_files: tuple[str, ...]
    title: str | None = None
    reference: str | None = None
    stub: str | None = None
    value_cases: str | None = None
    support_files: tuple[str, ...] = ()
    memory_mib: int = DEFAULT_MEMORY_MIB
    line: int = 1

    def files(self) -> tuple[str, ...]:
        """Every file of the dataset that belongs to the item, sorted. Of a folder, only the expected files do."""
        named = {self.prompt_file, self.test_file, *self.support_files}
        if self.value_cases:
            named.add(self.value_cases)
        for folder in (self.reference, self.stub):
            if folder:
                named |= {f"{folder}/{name}" for name in self.expected_files}
        return tuple(sorted(named))


@dataclass(frozen=True)
class Provenance:
    """Where a dataset came from, on what ground its expectations stand, and what is known to be weak."""

    source: str | None = None
    basis: str | None = None
    limitations: tuple[str, ...] = ()


@dataclass(frozen=True)
class Source:
    """A whole source. Texts are exact: what was written unquoted is not turned into numbers or dates."""

    name: str
    dataset_id: str
    dataset_version: str
    frozen_at: str
    holdout_policy: str
    items: tuple[Item, ...]
    canary: str | None = None
    controls: Mapping[str, str] = field(default_factory=dict)
    band: Fraction = DEFAULT_BAND
    provenance: Provenance = field(default_factory=Provenance)
    supersedes: str | None = None

    def payloads(self) -> tuple[str, ...]:
        """Every file that a fixture revision of this source holds beside its record, sorted."""
        return tuple(sorted({self.name, *(path for item in self.items for path in item.files())}))


def parse(data: bytes, name: str) -> Source:
    """Read the fields alone; raise InputError with every fault of the text. `name` is the file's base name."""
    source, faults = read_fields(data, name)
    if source is None or faults.found:
        raise refusal(name, faults.words())
    return source


def refusal(name: str, faults: tuple[str, ...]) -> InputError:
    """The one error that carries all faults of a source and its files."""
    count = f"{len(faults)} fault{'s' if len(faults) != 1 else ''}"
    return InputError(f"{name}: not acceptable as {FORMAT} ({count}); first: {faults[0]}", faults=faults)


def read_fields(data: bytes, name: str) -> tuple[Source | None, Faults]:
    """What the text says and all that is wrong with it; no source where too much is missing to go on."""
    faults = Faults(name)
    _check_name(name, faults)
    document = load(data, name)
    spoiled = {fault.line for fault in document.faults}
    if document.root is None:
        if not document.faults:
            faults.add(1, "file", f"a {FORMAT} document", "nothing")
        source = None
    else:
        top = section(Slot(document.root, document.root.line, ""), faults, TOP, TOP_OPTIONAL)
        source = None if top is None else _source(name, top)
    # A line that is no acceptable YAML has no meaning that could be wrong as well.
    faults.found = [(line, what) for line, what in faults.found if line not in spoiled]
    faults.found += [(fault.line, f"yaml: {fault.message}") for fault in document.faults]
    return source, faults


def _check_name(name: str, faults: Faults) -> None:
    wrong = "has a folder" if "/" in name else portable_fault(name)
    if wrong:
        faults.add(1, "file name", "a plain file name", f"{quoted(name)} ({wrong})")
    elif twin_key(name) == "fixture.json":
        faults.add(1, "file name", "another name", "fixture.json, which is the name of the record")


def _source(name: str, top: Section) -> Source | None:
    schema = top.matching("schema", FORMAT.__eq__, FORMAT)
    dataset_id = top.matching("dataset_id", DATASET_ID.fullmatch, "lower case letters, digits, . _ - (at most 100)")
    version = top.matching("dataset_version", VERSION.fullmatch, "digits, lower case letters, . _ - (at most 64)")
    frozen_at = top.matching("frozen_at", _is_date, "a date, or a date and time with its offset")
    policy = top.text("holdout_policy")
    band = top.matching("band", _SHARE.fullmatch, "a decimal from 0 to 1")
    supersedes = top.matching("supersedes", VERSION.fullmatch, "the version that this one replaces")
    if version is not None and supersedes == version:
        top.faults.add(top.slots["supersedes"].line, "supersedes", "another version", f"this one ({version})")
    canary = top.matching("canary", lambda text: len(text) >= 8, "at least 8 characters")
    controls, provenance, items = _controls(top), _provenance(top), _items(top)
    if schema is None or dataset_id is None or version is None or frozen_at is None or policy is None:
        return None
    return Source(
        name=name,
        dataset_id=dataset_id,
        dataset_version=version,
        frozen_at=frozen_at,
        holdout_policy=policy,
        items=items,
        canary=canary,
        controls=controls,
        band=Fraction(band) if band else DEFAULT_BAND,
        provenance=provenance,
        supersedes=supersedes,
    )


def _is_date(text: str) -> bool:
    """A real calendar date, alone or with a time that has an offset (a time without one names no instant)."""
    try:
        instant(f"{text}T00:00:00Z" if _DATE.fullmatch(text) else text.replace(" ", "T", 1))
    except ValueError:
        return False
    return True


def _controls(top: Section) -> dict[str, str]:
    slot = top.slots.get("controls")
    inner = section(slot, top.faults, (), ("network", "isolation", "temperature")) if slot else None
    if inner is None:
        return {}
    stated = {
        "network": inner.one_of("network", ("off", "on")),
        "isolation": inner.one_of("isolation", ("required", "any")),
        "temperature": inner.one_of("temperature", ("recorded", "any")),
    }
    return {key: text for key, text in stated.items() if text is not None}


def _provenance(top: Section) -> Provenance:
    slot = top.slots.get("provenance")
    inner = section(slot, top.faults, (), ("source", "basis", "limitations")) if slot else None
    if inner is None:
        return Provenance()
    limits = [text_of(member, top.faults) for member in inner.texts("limitations", may_be_empty=True)]
    return Provenance(inner.text("source"), inner.text("basis"), tuple(limit for limit in limits if limit))


def _items(top: Section) -> tuple[Item, ...]:
    slot = top.slots.get("items")
    if slot is None:
        return ()
    if not isinstance(slot.node, Items) or not slot.node.members:
        got = "an empty list" if isinstance(slot.node, Items) else "no list"
        top.faults.add(slot.line, "items", "a list of at least one item", got)
        return ()
    places = [Slot(node, node.line, _called(node, number)) for number, node in enumerate(slot.node.members, 1)]
    items = [item for place in places if (item := _item(place, top.faults)) is not None]
    _check_twins(items, top.faults)
    return tuple(items)


def _called(node: Node, number: int) -> str:
    """An item by its id where it has one, else by its place."""
    identity = node.members.get("id") if isinstance(node, Fields) else None
    return f"item {quoted(identity.text)}" if isinstance(identity, Scalar) and identity.text else f"item {number}"


def _item(slot: Slot, faults: Faults) -> Item | None:
    fields = section(slot, faults, ITEM, ITEM_OPTIONAL)
    if fields is None:
        return None
    language = fields.one_of("language", LANGUAGES)
    item = Item(
        id=fields.matching("id", _is_item_id, "a portable name without slashes (at most 120 characters)") or "",
        language=language or "python",
        prompt_file=fields.path("prompt_file") or "",
        test_file=fields.path("test_file") or "",
        timeout_ms=fields.milliseconds("timeout_s") or 0,
        forbidden_imports=_modules(fields, language),
        expected_files=_expected(fields),
        title=fields.text("title"),
        reference=fields.path("reference"),
        stub=fields.path("stub"),
        value_cases=fields.path("value_cases"),
        support_files=_paths(fields, "support_files"),
        memory_mib=fields.whole("memory_mib", 16, 65536) or DEFAULT_MEMORY_MIB,
        line=slot.line,
    )
    _check_item(item, fields)
    return item


def _is_item_id(text: str) -> bool:
    return "/" not in text and len(text) <= 120 and portable_fault(text) is None


def _modules(fields: Section, language: str | None) -> tuple[str, ...]:
    members = fields.texts("forbidden_imports", may_be_empty=True)
    if members and language not in (None, "python"):
        expected = "an empty list (imports are checked for python only)"
        fields.faults.add(fields.slots["forbidden_imports"].line, members[0].where, expected, f"entries for {language}")
    names = []
    for member in members:
        text = text_of(member, fields.faults) or ""
        if not _MODULE.fullmatch(text):
            fields.faults.add(member.line, member.where, "a module name", quoted(text))
        names.append(text)
    return tuple(names)


def _paths(fields: Section, key: str) -> tuple[str, ...]:
    paths = [path_of(member, fields.faults) for member in fields.texts(key)]
    return tuple(path for path in paths if path is not None)


def _expected(fields: Section) -> tuple[str, ...]:
    names = []
    for member in fields.texts("expected_files"):
        path = path_of(member, fields.faults)
        if path is not None and steers_the_tests(path):
            fields.faults.add(member.line, member.where, "a file that does not steer the test tool", quoted(path))
        elif path is not None:
            names.append(path)
    return tuple(names)


def _check_item(item: Item, fields: Section) -> None:
    """What no single field can show: the kind of test file, and files that would lie on top of each other."""
    slots, faults = fields.slots, fields.faults
    if item.test_file and not item.test_file.endswith(".py"):
        faults.add(slots["test_file"].line, slots["test_file"].where, "a pytest file (.py)", quoted(item.test_file))
    for place, name in _overlaps(item):
        faults.add(slots[place].line, slots[place].where, "a path of its own", f"{quoted(name)}, which is taken")


def _overlaps(item: Item) -> list[tuple[str, str]]:
    """Files of the workdir that one path would hold twice, or hold as a file and as a folder."""
    taken = ["prompt.md"]
    found = []
    for place, names in (("expected_files", item.expected_files), ("support_files", item.support_files)):
        for name in names:
            key = twin_key(name)
            if any(key == one or key.startswith(f"{one}/") or one.startswith(f"{key}/") for one in taken):
                found.append((place, name))
            taken.append(key)
    return found


def _check_twins(items: list[Item], faults: Faults) -> None:
    """Two items may not share an id, nor have two ids that some file system takes for one."""
    seen: dict[str, Item] = {}
    for item in items:
        first = seen.setdefault(twin_key(item.id), item)
        if item.id and first is not item:
            kind = "the same id as" if first.id == item.id else f"{quoted(first.id)}, its twin in another spelling, for"
            faults.add(
                item.line, f"item {quoted(item.id)}: id", "an id of its own", f"{kind} the item at line {first.line}"
            )
