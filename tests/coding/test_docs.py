"""The page about this suite says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from assay.coding import source
from assay.coding.bodies import read_source
from assay.coding.outcome import CODES
from assay.coding.surface import STEERING_FILES
from support.trees import MappingTree

PAGE = (Path(__file__).parent.parent.parent / "docs" / "coding.md").read_text(encoding="utf-8")


def rows_under(heading: str) -> list[list[str]]:
    section = PAGE.partition(f"\n### {heading}\n")[2].partition("\n#")[0]
    lines = [line for line in section.split("\n") if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_code_stands_in_the_table_with_its_status_verdict_and_owner():
    table = {row[2].strip("`"): (row[3], row[4], row[5]) for row in rows_under("functional")}

    assert table == {name: (code.status, code.verdict or "", code.owner or "") for name, code in CODES.items()}


def test_every_field_of_the_format_is_described():
    top = [row[0].strip("`") for row in rows_under("Fields of the file")]
    item = [row[0].strip("`") for row in rows_under("Fields of an item")]

    assert top == [*source.TOP, *source.TOP_OPTIONAL]
    assert item == [*source.ITEM, *source.ITEM_OPTIONAL]


def test_every_language_and_steering_file_is_named():
    assert [name for name in source.LANGUAGES if not re.search(rf"\b{name}\b", PAGE)] == []
    assert [name for name in STEERING_FILES if name.lstrip(".") not in PAGE] == []


def test_the_example_is_a_source():
    example = PAGE.partition("```yaml\n")[2].partition("```")[0]
    cases = PAGE.partition("```json\n")[2].partition("```")[0]
    files = {
        "prompts/trim-lines-01.md": b"Repair trim.",
        "tests/test_trim_lines_01.py": b"def test_a():\n    pass\n",
        "reference/trim-lines-01/trim.py": b"x = 1\n",
        "stub/trim-lines-01/trim.py": b"x = 2\n",
        "values/trim-lines-01.json": cases.encode(),
    }

    bodies = read_source(example.encode(), "v1.yaml", MappingTree(files))

    assert set(bodies.files) == {"v1.yaml", *files}
