"""Floats are refused wherever they stand, and only floats are: the quick look must not differ from the slow one."""

from __future__ import annotations

import orjson
from hypothesis import given
from hypothesis import strategies as st

from assay.record import canonical

PRETTY = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
LINE = orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE

texts = st.text(max_size=8) | st.sampled_from(["1.5", '": 1.5', "\n1.5", "[1.5", ",-2e9", '":1.5,'])
scalars = st.none() | st.booleans() | st.integers(-canonical.MAX_INT, canonical.MAX_INT) | texts
floats = st.floats(allow_nan=False, allow_infinity=False)


def documents(leaves):
    inner = st.recursive(
        leaves, lambda x: st.lists(x, max_size=4) | st.dictionaries(texts, x, max_size=4), max_leaves=12
    )
    return st.dictionaries(texts, inner, max_size=4)


def holds_a_float(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(holds_a_float, value.values()))
    return any(map(holds_a_float, value)) if isinstance(value, list) else isinstance(value, float)


@given(documents(scalars | floats))
def test_a_document_is_refused_exactly_when_it_holds_a_float(document):
    for option, decode in ((PRETTY, canonical.decode), (LINE, canonical.decode_line)):
        try:
            accepted = decode(orjson.dumps(document, option=option)) == document
        except canonical.NotCanonical:
            accepted = False

        assert accepted != holds_a_float(document)
