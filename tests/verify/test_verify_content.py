"""What a record must be and what it may refer to: spelling, schema, place, pins, frozen folders, the chain."""

from __future__ import annotations

import json

import pytest

from assay.record.canonical import decode, encode
from assay.record.digest import digest
from assay.verify import files
from verify import making
from verify.telling import broken, recorded, said, verified

FOLDER = "corpus/demo/0.1.0"
SOURCE = f"{FOLDER}/source.yaml"
(WITHDRAWN,) = making.withdrawal(making.pin(making.JUDGED, making.EVALUATION))
NUL_TAIL = b"\0"


def spelled(changes: dict[str, str]) -> bytes:
    """A withdrawal whose text was edited by hand."""
    text = next(iter(making.withdrawal(making.pin(making.JUDGED, making.EVALUATION)).values())).decode()
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return text.encode()


REASON = '"the grader was wrong"'
SPELLINGS = {
    "a repeated key": {'  "schema"': '  "reason": "x",\n  "schema"'},
    "a repeated key within": {'    "sha256"': '    "path": "x",\n    "sha256"'},
    "a repeated key spelled with an escape": {'  "schema"': '  "re\\u0061son": "x",\n  "schema"'},
    "NaN": {REASON: "NaN"},
    "Infinity": {REASON: "Infinity"},
    "minus Infinity": {REASON: "-Infinity"},
    "a number that is not finite": {REASON: "1e999"},
    "a float": {REASON: "1.0"},
    "a huge integer": {REASON: "1" + "0" * 5000},
    "an integer beyond 2^53": {REASON: "9007199254740992"},
    "an escape that is not needed": {REASON: '"gr\\u00fcn"'},
    "a lone surrogate": {REASON: '"\\ud800"'},
    "a missing final line feed": {"}\n": "}"},
    "carriage returns": {"\n": "\r\n"},
    "a byte order mark": {'{\n  "id"': '\ufeff{\n  "id"'},
    "keys out of order": {
        '  "id"': '  "schema": "assay/withdrawal/1",\n  "id"',
        ',\n  "schema": "assay/withdrawal/1"': "",
    },
    "white space": {'"reason": ': '"reason":  '},
    "deep nesting": {REASON: "[" * 70 + "]" * 70},
    "very deep nesting": {REASON: "[" * 100_000 + "]" * 100_000},
    "a list": {spelled({}).decode(): "[]\n"},
    "nothing": {spelled({}).decode(): ""},
}


@pytest.mark.parametrize("case", SPELLINGS)
def test_a_record_that_is_not_canonical_is_named_with_the_reason(story, case):
    recorded(story)
    commit = story.commit("withdraw", {WITHDRAWN: spelled(SPELLINGS[case])})

    assert broken(story) == {("canonical", WITHDRAWN, commit)}


def test_bytes_that_are_no_text_are_not_canonical(story):
    recorded(story)
    commit = story.commit("withdraw", {WITHDRAWN: spelled({}).replace(b"grader", b"gr\xffder")})

    assert broken(story) == {("canonical", WITHDRAWN, commit)}


VALUES = {
    "true instead of a count": ("duration_ms", True),
    "an unknown field": ("surprise", 1),
    "a word instead of an instant": ("recorded_at", "yesterday"),
    "a month that does not exist": ("recorded_at", "2026-13-40T00:00:00Z"),
    "an instant without offset": ("recorded_at", "2026-09-03T10:00:00"),
    "a schema that is no name": ("schema", "observation"),
    "a negative duration": ("duration_ms", -1),
    "a status nobody knows": ("status", "fine"),
}


@pytest.mark.parametrize("case", VALUES)
def test_a_record_that_does_not_fit_its_schema_is_named(story, case):
    recorded(story)
    field, value = VALUES[case]
    files = making.observation(making.RUN, making.sample(), act="capture-0000aa", **{field: value})
    path = next(p for p in files if p.endswith(".json"))
    commit = story.commit("observe", files)

    assert ("schema", path, commit) in broken(story)


@pytest.mark.parametrize("name", ["assay/dream/1", "assay/observation/9", "x-acme/probe/1"])
def test_a_kind_or_version_nobody_knows_is_not_provable_and_never_skipped(story, name):
    recorded(story)
    document = {"schema": name, "id": f"{making.RUN}/import-0000aa/one", "answer": 1}
    (path,) = making.one(document)
    commit = story.commit("future", making.one(document))

    assert ("not provable", "schema", path, commit) in said(story)
    assert verified(story).exit_code == 3


PROBE = {
    "$id": "x-acme/probe/1",
    "additionalProperties": False,
    "properties": {
        "answer": {"type": "integer"},
        "id": {"type": "string"},
        "schema": {"const": "x-acme/probe/1"},
        "subject": {
            "properties": {"line": {"type": "integer"}, "path": {"type": "string"}, "sha256": {"type": "string"}},
            "required": ["path", "sha256"],
            "type": "object",
        },
    },
    "required": ["answer", "id", "schema"],
    "type": "object",
}
PROBED = {"schema": "x-acme/probe/1", "id": f"{making.RUN}/import-0000aa/one", "answer": 1}


def test_a_plugin_brings_its_schema_along(story):
    recorded(story)
    story.commit("plug in", {"schemas/x-acme-probe-1.json": encode(PROBE)})
    story.commit("probe", making.one(PROBED | {"subject": making.pin(making.JUDGED, making.EVALUATION)}))
    assert said(story) == set()

    bad = {**PROBED, "id": f"{making.RUN}/import-0000ab/one", "answer": "1"}
    lost = {**PROBED, "id": f"{making.RUN}/import-0000ac/one", "subject": {"path": "runs/x", "sha256": making.ZERO}}
    commit = story.commit("bad probes", making.one(bad) | making.one(lost))

    (one,), (two,) = making.one(bad), making.one(lost)
    assert broken(story) == {("schema", one, commit), ("pin", two, commit)}


@pytest.mark.parametrize(
    "change",
    [
        {"$id": "x-acme/other/1"},
        {"additionalProperties": True},
        {"properties": {"id": {"$ref": "https://example.org/x"}}},
    ],
)
def test_a_plugin_schema_that_is_not_closed_and_its_own_is_broken(story, change):
    path = "schemas/x-acme-probe-1.json"
    commit = story.commit("plug in", {path: encode(PROBE | change)})

    assert broken(story) == {("schema", path, commit)}


def test_a_built_in_schema_with_other_bytes_is_broken_and_an_unknown_one_not_provable(blank):
    blank.init()
    document = json.loads((making.schemas() / "recall-1.json").read_text())
    document["additionalProperties"] = True
    commit = blank.commit(
        "found",
        {"assay.yaml": "assay: 1\n", "schemas/recall-1.json": encode(document), "schemas/dream-1.json": encode({})},
    )

    assert said(blank) == {
        ("broken", "schema", "schemas/recall-1.json", commit),
        ("not provable", "schema", "schemas/dream-1.json", commit),
    }


def moved(files: making.Files, old: str, new: str) -> making.Files:
    return {path.replace(old, new): data for path, data in files.items()}


PLACES = {
    "another run's folder": moved(making.JUDGED, "000001", "000002"),
    "another act": moved(making.JUDGED, "judge-tests-00000b", "judge-tests-00000c"),
    "another month": moved(making.JUDGED, "runs/2026-11", "runs/2026-12"),
    "an unknown file": {"runs/2026-11/README.md": b"hello\n"},
    "an unknown file in a run": {f"runs/2026-11/{making.RUN}/notes.txt": b"hello\n"},
    "a folder of artifacts by another name": {f"runs/2026-11/{making.RUN}/capture-00000a/files/x": b"x"},
    "an artifact by another name": {f"runs/2026-11/{making.RUN}/capture-00000a/artifacts/00/{'0' * 64}": b"x"},
    "a file beside the schemas": {"schemas/README.md": b"hello\n"},
    "a file beside the datasets": {"corpus/README.md": b"hello\n"},
}


@pytest.mark.parametrize("case", PLACES)
def test_a_file_that_does_not_belong_where_it_lies_is_named(story, case):
    recorded(story)
    commit = story.commit("misplaced", PLACES[case])

    assert {("name", path, commit) for path in PLACES[case]} <= broken(story)


@pytest.mark.parametrize("name", ["nul.txt", "trailing. /x", "a:b", "caf\u00e9\u202e.txt"])
def test_a_payload_that_some_system_cannot_hold_is_named(story, name):
    commit = story.commit("freeze", making.fixture(payloads={"a": b"1", name: b"2"}))

    assert ("name", f"{FOLDER}/{name}", commit) in broken(story)


def test_payload_names_may_be_anything_portable(story):
    story.commit(
        "freeze", making.fixture(payloads={"README.md": b"1", "src/Window.java": b"2", "caf\u00e9 1.txt": b"3"})
    )

    assert said(story) == set()


# Pins


def repinned(**pin: object) -> making.Files:
    """The evaluation with another pin of its observation."""
    subject = making.pin(making.OBSERVED, making.OBSERVATION) | pin
    return making.evaluation(making.RUN, making.OBSERVED, act="judge-x-0000ad", observation=subject)


PINS = {
    "another digest": {"sha256": making.ZERO},
    "a path that is not there": {"path": making.OBSERVATION.replace("0001", "0002")},
    "a path outside of the ledger's folders": {"path": "assay.yaml"},
    "a folder": {"path": making.OBSERVATION.rpartition("/")[0]},
    "a line that is not there": {"line": 999},
    "another file with its own right digest": making.pin(making.PLAN, making.PLANNED),
}


@pytest.mark.parametrize("case", PINS)
def test_a_pin_that_does_not_resolve_or_names_the_wrong_file_is_named(story, case):
    recorded(story)
    files = repinned(**PINS[case])
    commit = story.commit("judge", files)

    (path,) = files
    rules = {rule for rule, where, at in broken(story) if (where, at) == (path, commit)}
    assert rules and rules <= {"pin", "chain"}


def test_a_pin_must_hold_in_its_own_commit_not_later(story):
    story.commit("freeze", making.FIXTURE)
    story.commit("plan", making.PLAN)
    commit = story.commit("judge first", making.JUDGED)
    story.commit("observe later", making.OBSERVED)

    assert ("pin", making.EVALUATION, commit) in broken(story)


def test_what_a_target_said_is_never_read_as_a_pin(story):
    recorded(story)
    answer = {"path": "runs/2026-11/nothing.json", "sha256": making.ZERO}
    story.commit(
        "observe",
        making.observation(
            making.RUN, making.sample(), act="capture-0000ae", output=answer, attempt=None, status="late"
        ),
    )

    assert said(story) == set()


@pytest.mark.parametrize("member", ["samples", "target", "environment"])
def test_a_wrong_digest_of_own_members_is_named(story, member):
    story.commit("freeze", making.FIXTURE)
    plan = decode(making.PLAN[making.PLANNED])
    field = "config_sha256" if member == "target" else "sha256"
    plan[member][field] = making.ZERO
    commit = story.commit("plan", making.one(plan))

    assert broken(story) == {("pin", making.PLANNED, commit)}


# Frozen folders

COPIES = {
    "a byte order mark": b"\xef\xbb\xbfa: 1\n",
    "carriage returns": b"a: 1\r\n",
    "another byte": b"a: 2\n",
}


@pytest.mark.parametrize("case", COPIES)
def test_a_pinned_file_with_other_bytes_is_named(story, case):
    commit = story.commit("freeze", making.FIXTURE | {SOURCE: COPIES[case]})

    (problem,) = [p for p in verified(story).problems if p.weight == "broken"]
    assert (problem.rule, problem.path, problem.commit) == ("pin", f"{FOLDER}/fixture.json", commit)
    assert SOURCE in problem.message


def test_a_pointer_of_large_file_storage_is_not_the_content(story):
    content = b"a: 1\n"
    pointer = f"version https://git-lfs.github.com/spec/v1\noid {digest(content)}\nsize {len(content)}\n".encode()
    by_content = making.fixture(payloads={"source.yaml": content})
    by_pointer = making.fixture(version="0.2.0", payloads={"source.yaml": pointer})
    commit = story.commit("freeze", by_content | {SOURCE: pointer} | by_pointer)

    problems = [p for p in verified(story).problems if p.weight == "broken"]
    assert {(p.path, p.commit) for p in problems} == {
        (f"{FOLDER}/fixture.json", commit),
        ("corpus/demo/0.2.0/fixture.json", commit),
    }
    assert all("LFS pointer" in p.message for p in problems)


def test_a_pin_via_large_file_storage_holds_when_the_content_is_here(story):
    content = b"a: 1\n"
    pointer = f"version https://git-lfs.github.com/spec/v1\noid {digest(content)}\nsize {len(content)}\n".encode()
    files = making.fixture(payloads={"source.yaml": content})
    record = decode(files[f"{FOLDER}/fixture.json"])
    record["files"][0]["via"] = "lfs"
    commit = story.commit("freeze", making.one(record) | {SOURCE: pointer})
    assert said(story) == {("not provable", "pin", f"{FOLDER}/fixture.json", commit)}

    name = digest(content).removeprefix("sha256:")
    story.write(f".git/lfs/objects/{name[:2]}/{name[2:4]}/{name}", content)
    assert said(story) == set()

    story.write(f".git/lfs/objects/{name[:2]}/{name[2:4]}/{name}", b"a: 2\n")
    assert said(story) == {("broken", "pin", f"{FOLDER}/fixture.json", commit)}


def test_a_sealed_file_is_kept_elsewhere_and_pinned_with_a_salt(story):
    record = decode(making.FIXTURE[f"{FOLDER}/fixture.json"])
    record["files"].append(
        {"path": "z-secret.txt", "sha256": making.ZERO, "bytes": 3, "sealed": True, "salt": "0" * 32}
    )
    rest = {path: data for path, data in making.FIXTURE.items() if not path.endswith(".json")}
    story.commit("freeze", making.one(record) | rest)
    assert said(story) == set()

    commit = story.commit("leak", {f"{FOLDER}/z-secret.txt": b"abc"})
    assert broken(story) == {("frozen", f"{FOLDER}/z-secret.txt", commit)}


def test_a_file_beside_what_is_pinned_is_named(story):
    story.commit("freeze", making.FIXTURE)
    commit = story.commit("beside", {f"{FOLDER}/tests/test_b.py": b"assert 0\n"})

    assert broken(story) == {("frozen", f"{FOLDER}/tests/test_b.py", commit)}


def test_a_folder_without_fixture_is_named_until_it_has_one(story):
    payloads = {path: data for path, data in making.FIXTURE.items() if not path.endswith("fixture.json")}
    commit = story.commit("payloads first", payloads)
    story.commit("freeze", making.FIXTURE)

    assert broken(story) == {("frozen", path, commit) for path in payloads}


def test_one_version_never_has_two_contents(story):
    other = making.fixture(canary="another canary")
    path = f"{FOLDER}/fixture.json"
    story.branch("side")
    one = story.commit("freeze", other)
    story.switch("main")
    two = story.commit("freeze", making.FIXTURE)
    story.merge("side", strategy="ours")

    assert {("frozen", path, one), ("frozen", path, two)} <= broken(story)


LISTS = {
    "unsorted": lambda r: r["files"].reverse(),
    "an item twice": lambda r: r["items"].append(r["items"][0]) or r.update(item_count=2),
    "a wrong count": lambda r: r.update(item_count=7),
    "a file of an item that is not pinned": lambda r: r["items"][0]["files"].append("more.py"),
    "a source that is not pinned": lambda r: r.update(source="more.yaml"),
}


@pytest.mark.parametrize("case", LISTS)
def test_a_fixture_whose_lists_disagree_is_named(story, case):
    record = decode(making.FIXTURE[f"{FOLDER}/fixture.json"])
    LISTS[case](record)
    commit = story.commit("freeze", making.FIXTURE | making.one(record))

    assert broken(story) == {("frozen", f"{FOLDER}/fixture.json", commit)}


LINE_OF = {
    "another schema": ("schema", "assay/attempt/1"),
    "a schema that is no text": ("schema", []),
    "a schema that nobody knows": ("schema", "assay/observation/9"),
    "another place": ("id", "2026-11-30-agent-000001/capture-00000a/0002-other"),
    "another month": ("id", "2026-12-30-agent-000001/capture-00000a/0002-one.12"),
    "no instant": ("recorded_at", "2026-02-30T09:00:00Z"),
    "a member too many": ("more", 1),
    "a float": ("duration_ms", 1.5),
}


@pytest.mark.parametrize("case", [None, *LINE_OF])
def test_files_are_passed_together_only_where_each_passes_alone(case):
    whole = [making.observation(making.RUN, making.sample(n, 10 + n), answer=b"1\n") for n in (1, 2, 3)]
    read = {path: data for written in whole for path, data in written.items() if "/artifacts/" not in path}
    paths, data = list(read), list(read.values())
    if case:
        member, value = LINE_OF[case]
        data[1] = json.dumps(decode(data[1]) | {member: value}, indent=2, sort_keys=True).encode() + b"\n"

    together = files.sound(paths, data)

    assert together == ([] if case else [files.lines_of(path, "record", raw)[0] for path, raw in read.items()])


def test_a_large_shard_is_read_line_by_line_and_a_small_one_at_once():
    rows = [b'{"id":"%d","text":"%s"}\n' % (n, b"x" * 500) for n in range(1000)]

    small, large = (files.lines_of("runs/s", "shard", b"".join(some)) for some in (rows[:10], rows))

    assert (type(small), type(large)) == (tuple, files.ShardLines)
    assert list(large[:10]) == list(small)
    assert [key.line for key in files.keys_of(large)] == list(range(1, 1001))
    assert large[999].document["id"] == "999"
    with pytest.raises(files.NotCanonical, match="line 1000"):
        files.lines_of("runs/s", "shard", b"".join([*rows[:999], b'{"b":1,"a":2}\n']))
