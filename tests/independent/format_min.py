"""Places and names (docs/format.md sections 1, 4), canonical JSON (2), the JSON Schema that ledgers use (5).

The half of the second opinion that knows no git; standard library only, sharing no code with assay.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from datetime import datetime

WORDS = "capture|judge|review|compare|publish|withdraw|recall|acknowledge|redact|budget|qualify|import"
ACT = rf"(?:{WORDS})(?:-[a-z0-9._-]+)?-[0-9a-f]{{6}}"
HOME = r"runs/\d{4}-\d\d/(?P<run>\d{4}-\d\d-\d\d-[a-z0-9]+(?:-[a-z0-9]+)*-[0-9a-f]{6})"
FOLDER = r"(?P<folder>corpus/[a-z0-9._-]+/[0-9a-z._-]+)"
PLACES = {  # (1)
    "fixture": rf"{FOLDER}/fixture\.json",
    "record": rf"{HOME}(?:/(?P<act>{ACT}))?(?:/\d\d)?/[a-z0-9._-]+\.json",
    "shard": rf"{HOME}/(?P<act>{ACT})/(?P<kind>[a-z_]+)s-\d{{4}}\.jsonl",
    "artifact": rf"{HOME}/{ACT}/artifacts/(?P<two>[0-9a-f]{{2}})/(?P=two)[0-9a-f]{{62}}",
    "schema": r"schemas/[a-z0-9._-]+-[1-9]\d*\.json",
    "payload": rf"{FOLDER}/.+",
    "gold": r"corpus/failures/[a-z0-9._-]+\.json",
}
NAME = r"(assay/[a-z][a-z_]*|x-[a-z][a-z0-9]*/[a-z][a-z_]*)/[1-9]\d{0,3}"
ODD = re.compile(
    r'^\s|\s$|\.$|[<>:"|?*\\]|^(\.git|(con|prn|aux|nul|(com|lpt)[1-9])(\..*)?)$', re.IGNORECASE | re.DOTALL
)


def sha256(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def place_of(path):
    found = ((kind, re.fullmatch(form, path, re.ASCII | re.DOTALL)) for kind, form in PLACES.items())
    return next(((kind, match) for kind, match in found if match), ("unknown", None))


def twin(name):
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def portable(path):  # (4)
    plain = unicodedata.normalize("NFC", path) == path and not re.match(r"[/~]|[A-Za-z]:", path) and len(path) <= 1000
    hidden = any(unicodedata.category(c) in ("Cc", "Cf", "Cs") for c in path)
    parts = path.split("/")
    return plain and not hidden and not any(p == "" or len(p.encode()) > 255 or ODD.search(p) for p in parts)


def unique(pairs):
    return dict(pairs) if len({key for key, _ in pairs}) == len(pairs) else refuse("a repeated key")


def whole(digits):
    return int(digits) if len(digits) <= 17 and abs(int(digits)) < 2**53 else refuse(digits)


def refuse(what):
    raise ValueError(f"{what} is not allowed")


def nesting(data):
    deepest = depth = 0
    for sign in re.findall(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]', data, re.DOTALL):
        depth += (sign in b"[{") - (sign in b"]}")
        deepest = max(deepest, depth)
    return deepest


def spelled(value, **shape):
    return json.dumps(value, ensure_ascii=False, sort_keys=True, **(shape or {"indent": 2})) + "\n"


def canonical(data, **shape):
    """The object that the bytes spell canonically; raise ValueError otherwise."""
    if len(data) > 16 * 2**20 or nesting(data) > 64:
        refuse("so much")
    text = data.decode("utf-8")
    value = json.loads(text, object_pairs_hook=unique, parse_int=whole, parse_float=refuse, parse_constant=refuse)
    return value if isinstance(value, dict) and spelled(value, **shape) == text else refuse("another spelling")


def lines_of(data):
    """The lines of a shard as (number, bytes, document)."""
    *rows, rest = data.split(b"\n")
    if rest or not 1 <= len(rows) <= 1024:
        refuse("such a shard")
    return [(n, row + b"\n", canonical(row + b"\n", separators=(",", ":"))) for n, row in enumerate(rows, 1)]


def instant(text):
    form = r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:([0-5]\d|60)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)"
    text = text.upper().replace("Z", "+00:00") if re.fullmatch(form, text, re.ASCII) else ""
    return datetime.fromisoformat(text[:17] + ("59" if text[17:19] == "60" else text[17:19]) + text[19:])


def is_instant(text):
    try:
        return bool(instant(text))
    except ValueError:
        return False


def beyond_the_final_one(observations, retry):
    """Of a sample's observations by key, the final one that the retry policy allows, if others follow it (9.2)."""
    order, places = (
        sorted(observations, key=lambda k: (instant(observations[k]["recorded_at"]), k[0], k[1] or 0, k)),
        {},
    )
    for key in order:
        places.setdefault(key[:2], key)
    for number, key in enumerate(places.values(), 1):
        if observations[key]["status"] not in retry["on"] or number >= retry["max_attempts"]:
            return key if number < len(places) else None
    return None


def is_int(v):
    return isinstance(v, int) and not isinstance(v, bool)


TYPES = {"object": dict, "array": list, "string": str, "null": type(None), "boolean": bool}
WORDINGS = {  # each word of a schema: does the value v keep it? s is the schema around it
    "type": lambda w, v, s: any(
        is_int(v) if t in ("integer", "number") else isinstance(v, TYPES[t]) for t in listed(w)
    ),
    "const": lambda w, v, s: spelled(v) == spelled(w),
    "enum": lambda w, v, s: spelled(v) in map(spelled, w),
    "allOf": lambda w, v, s: all(valid(one, v) for one in w),
    "anyOf": lambda w, v, s: any(valid(one, v) for one in w),
    "oneOf": lambda w, v, s: sum(valid(one, v) for one in w) == 1,
    "not": lambda w, v, s: not valid(w, v),
    "if": lambda w, v, s: valid(s.get("then" if valid(w, v) else "else", True), v),
    "minLength": lambda w, v, s: not isinstance(v, str) or len(v) >= w,
    "maxLength": lambda w, v, s: not isinstance(v, str) or len(v) <= w,
    "pattern": lambda w, v, s: not isinstance(v, str) or re.search(re.sub(r"\$$", r"\\Z", w), v, re.ASCII),
    "format": lambda w, v, s: not isinstance(v, str) or w != "date-time" or is_instant(v),
    "minimum": lambda w, v, s: not is_int(v) or v >= w,
    "maximum": lambda w, v, s: not is_int(v) or v <= w,
    "minItems": lambda w, v, s: not isinstance(v, list) or len(v) >= w,
    "maxItems": lambda w, v, s: not isinstance(v, list) or len(v) <= w,
    "uniqueItems": lambda w, v, s: not (w and isinstance(v, list)) or len(set(map(spelled, v))) == len(v),
    "items": lambda w, v, s: not isinstance(v, list) or all(valid(w, one) for one in v),
    "required": lambda w, v, s: not isinstance(v, dict) or set(w) <= set(v),
    "properties": lambda w, v, s: not isinstance(v, dict) or all(valid(w[k], v[k]) for k in w if k in v),
    "propertyNames": lambda w, v, s: not isinstance(v, dict) or all(valid(w, k) for k in v),
    "additionalProperties": lambda w, v, s: (
        not isinstance(v, dict) or all(valid(w, v[k]) for k in v if k not in s.get("properties", {}))
    ),
}


def listed(words):
    return [words] if isinstance(words, str) else words


def valid(schema, v):
    """Whether a value fits a schema, for the words that schemas of a ledger use."""
    if isinstance(schema, bool):
        return schema
    return all(WORDINGS[word](value, v, schema) for word, value in schema.items() if word in WORDINGS)


def pins_of(schema, v):
    """Every pin in a record, where its schema has one (3)."""
    schema = schema if isinstance(schema, dict) else {}
    known, rest = schema.get("properties", {}), schema.get("additionalProperties")
    if isinstance(v, dict) and set(known) == {"path", "sha256", "line"}:
        yield v
    elif isinstance(v, dict):
        for name, member in v.items():
            yield from pins_of(known.get(name, rest), member)
    elif isinstance(v, list):
        for member in v:
            yield from pins_of(schema.get("items"), member)
    for branch in (*schema.get("anyOf", []), *schema.get("oneOf", []), *schema.get("allOf", [])):
        yield from pins_of(branch, v)


def self_contained(node):
    if isinstance(node, dict):
        refs = (str(node.get(word, "#")) for word in ("$ref", "$dynamicRef", "$recursiveRef"))
        return all(ref.startswith("#") for ref in refs) and all(map(self_contained, node.values()))
    return not isinstance(node, list) or all(map(self_contained, node))


# --- records and what they refer to ----------------------------------------------------------------------------


def key_of(pin):
    return pin["path"], pin.get("line"), pin["sha256"]


def of_kind(context, kind):
    return {key: document for key, document in context.items() if document["schema"].startswith(f"assay/{kind}/")}


def planned(plan, sample):
    samples = plan["samples"]["list"]
    if samples is None:
        return isinstance(sample, str) or sample["ordinal"] <= plan["samples"]["count"]
    return sample in samples or sample in [entry["id"] for entry in samples]


def heads(key, above):
    found, seen, todo = set(), set(), [key]
    while todo:
        current = todo.pop()
        found |= set() if above.get(current) else {current}
        todo += above.get(current, set()) - seen
        seen |= above.get(current, set())
    return found
