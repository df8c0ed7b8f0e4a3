"""The journal: finished lines are never lost, a torn end is cut, damage in the middle is refused."""

from __future__ import annotations

import pytest

from assay import journal
from assay.errors import InputError
from assay.journal import Journal


def test_what_was_appended_is_read_back_in_order(tmp_path):
    with Journal(tmp_path / "j") as open_journal:
        open_journal.append({"n": 1})
        open_journal.append({"n": 2, "text": "a\u2028b\u0085c\x0b\x1e"})

    assert [entry["n"] for entry in journal.read(tmp_path / "j")] == [1, 2]


def test_a_torn_last_line_is_dropped_and_never_appended_to(tmp_path):
    path = tmp_path / "j"
    path.write_bytes(b'{"n":1}\n{"n":2}\n{"n":3,"sta')

    with Journal(path) as open_journal:
        open_journal.append({"n": 4})

    assert [entry["n"] for entry in journal.read(path)] == [1, 2, 4]


def test_a_torn_line_in_the_middle_is_refused_with_its_number(tmp_path):
    path = tmp_path / "j"
    path.write_bytes(b'{"n":1}\n{"n":2}\n{"n":3,"sta\n{"n":4}\n')

    with pytest.raises(InputError, match="line 3 is torn"):
        list(journal.read(path))


def test_a_journal_that_was_never_written_is_empty(tmp_path):
    assert list(journal.read(tmp_path / "none")) == []
