"""Values leave the sandbox by exact type: equal spellings mean equal types and content."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.contract.values import Unrepresentable, decode_value, encode_value

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(plain)
def test_decoding_a_spelling_gives_the_value_back(value):
    spelling = json.loads(json.dumps(encode_value(value)))

    assert repr(decode_value(spelling)) == repr(value) or decode_value(spelling) == value


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (True, 1),
        (1, 1.0),
        (0.0, -0.0),
        ([1, 2], (1, 2)),
        ({1: "a"}, {"1": "a"}),
        ({1}, frozenset({1})),
        ("a", b"a"),
        ({"tuple": [1]}, (1,)),
        ([], ()),
        (2**70, float(2**70)),
    ],
)
def test_values_of_different_types_never_share_a_spelling(one, other):
    assert encode_value(one) != encode_value(other) or repr(encode_value(one)) != repr(encode_value(other))
    assert json.dumps(encode_value(one)) != json.dumps(encode_value(other))


def test_the_order_of_a_dict_or_set_does_not_show():
    assert encode_value({"b": 1, "a": 2}) == encode_value({"a": 2, "b": 1})
    assert encode_value({3, 1, 2}) == encode_value({2, 3, 1})


class Equal(list):
    def __eq__(self, other):
        return True

    __hash__ = None


@pytest.mark.parametrize(
    ("value", "name"), [(Equal(), "Equal"), ([Equal()], "Equal"), (1j, "complex"), (len, "builtin_function_or_method")]
)
def test_what_is_not_exactly_a_built_in_value_has_no_spelling(value, name):
    with pytest.raises(Unrepresentable) as caught:
        encode_value(value)

    assert caught.value.type_name == name


def test_a_list_that_contains_itself_is_refused():
    loop: list[object] = []
    loop.append(loop)

    with pytest.raises(Unrepresentable, match="nested too deep"):
        encode_value(loop)


def test_a_lone_surrogate_is_kept():
    assert decode_value(encode_value("a\ud800")) == "a\ud800"


def test_a_plain_object_without_a_tag_is_a_dict_with_text_keys():
    assert decode_value({"a": 1, "b": {"tuple": [2]}}) == {"a": 1, "b": (2,)}
