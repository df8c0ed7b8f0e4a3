# canary: marble-thicket-83-saffron-plover-gimbal
import importlib
import os
import sys
import threading

import pytest


def load():
    sys.path.insert(0, os.getcwd())
    return importlib.import_module("resequence")


def test_a_filled_gap_frees_all_that_follow():
    sequence = load().Resequencer()

    assert sequence.accept(2, "c") == []
    assert sequence.accept(1, "b") == []
    assert sequence.accept(0, "a") == ["a", "b", "c"]
    assert sequence.pending() == 0


def test_duplicates_change_nothing():
    sequence = load().Resequencer(first=10)

    assert sequence.accept(11, "first") == []
    assert sequence.accept(11, "second") == []
    assert sequence.accept(10, "x") == ["x", "first"]
    assert sequence.accept(10, "again") == []
    assert sequence.pending() == 0


def test_a_skipped_number_lets_the_others_go():
    sequence = load().Resequencer()

    assert sequence.accept(1, "b") == []
    assert sequence.skip(2) == []
    assert sequence.accept(3, "d") == []
    assert sequence.pending() == 2
    assert sequence.skip(0) == ["b", "d"]


def test_the_window_is_a_limit():
    sequence = load().Resequencer(window=2)

    with pytest.raises(BufferError):
        sequence.accept(2, "late")
    with pytest.raises(BufferError):
        sequence.skip(7)
    assert sequence.pending() == 0
    assert sequence.accept(1, "ok") == []


def test_threads_deliver_everything_once():
    sequence = load().Resequencer(window=100)
    start = threading.Barrier(4, timeout=5)
    out = []

    def work(offset):
        start.wait()
        for number in range(96 - 4 + offset, -1, -4):
            out.extend(sequence.accept(number, number))

    threads = [threading.Thread(target=work, args=(offset,), daemon=True) for offset in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)

    assert sorted(out) == list(range(96))
    assert sequence.pending() == 0
