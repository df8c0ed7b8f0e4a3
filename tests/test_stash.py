"""What waits in a file is what was put there, in its order."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stash import Stash, StashedFiles

VALUES = st.lists(st.one_of(st.text(st.characters(codec=None)), st.integers(), st.tuples(st.none(), st.binary())))


@given(VALUES)
def test_a_stash_is_the_sequence_of_what_was_appended(values):
    stash = Stash(values)

    assert values == list(stash)
    assert len(values) == len(stash)
    assert values[1:] == stash[1:]
    assert values[::-1] == list(reversed(stash))


def test_elements_are_read_between_appends():
    stash = Stash(["one"])

    first = stash[0]
    stash.append("two")

    assert (first, stash[1], stash[-1]) == ("one", "two", "two")
    with pytest.raises(IndexError):
        stash[2]


def test_what_is_stashed_takes_no_memory():
    stash, files = Stash(), StashedFiles()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()

    for n in range(100):
        stash.append([str(n) * 10_000])
        files.put(f"{n}", (b"%d" % n * 10_000 for _ in range(2)))

    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 200_000


def test_files_come_back_by_path_in_the_order_in_which_they_were_put():
    files = StashedFiles()

    files.put("b/2", (b"", b"two"))
    files.put("a/1", (b"one",))
    files.put("empty", ())

    assert list(files.items()) == [("b/2", b"two"), ("a/1", b"one"), ("empty", b"")]
    assert "c" not in files
    with pytest.raises(KeyError):
        files.put("a/1", (b"again",))
