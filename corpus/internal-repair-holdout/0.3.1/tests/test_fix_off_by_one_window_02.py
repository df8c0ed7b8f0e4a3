# canary: velvet-anvil-57-cobalt-heron-sextant
import importlib
import sys
from pathlib import Path

import pytest


def load_window():
    sys.path.insert(0, str(Path.cwd()))
    return importlib.import_module("window")


def test_the_last_full_piece_is_there():
    mod = load_window()

    assert mod.windows([1, 2, 3, 4], 2) == [[1, 2], [2, 3], [3, 4]]


def test_a_list_of_exactly_one_piece():
    mod = load_window()

    assert mod.windows(["a", "b", "c"], 3, step=2) == [["a", "b", "c"]]


def test_steps_and_tails():
    mod = load_window()

    assert mod.windows([0, 1, 2, 3, 4], 2, step=2) == [[0, 1], [2, 3]]
    assert mod.windows([0, 1, 2, 3, 4], 2, step=2, tail=True) == [[0, 1], [2, 3], [4]]
    assert mod.windows([0, 1, 2, 3], 2, step=2, tail=True) == [[0, 1], [2, 3]]


def test_short_lists():
    mod = load_window()

    assert mod.windows([1, 2], 5) == []
    assert mod.windows([1, 2], 5, tail=True) == [[1, 2]]
    assert mod.windows([], 5, tail=True) == []


def test_impossible_sizes_are_refused():
    mod = load_window()

    for size, step in ((0, 1), (1, 0), (-2, 1)):
        with pytest.raises(ValueError):
            mod.windows([], size, step)


def test_pieces_are_copies():
    mod = load_window()
    items = [1, 2, 3]

    mod.windows(items, 3)[0].append(4)

    assert items == [1, 2, 3]
