"""The demo's dataset keeps its word: references pass, known-bad code fails, the three agents do what their names say.

Plain pytest in a subprocess on purpose: the dataset is checked without the tool that will freeze it.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import assay

ROOT = Path(assay.__file__).parent / "demo" / "dataset"
DATA = yaml.safe_load((ROOT / "v1.0.0.yaml").read_text(encoding="utf-8"))
ITEMS = {item["id"]: item for item in DATA["items"]}
SEEDS = ("11", "29", "47")
CELLS = [(item, seed) for item in ITEMS for seed in SEEDS]
TEXTS = [path for path in sorted(ROOT.rglob("*")) if path.is_file() and path.suffix in {".py", ".md", ".json", ".yaml"}]

CALLS = """
import importlib, json, os, sys
sys.path.insert(0, os.getcwd())
for case in json.load(sys.stdin):
    try:
        function = getattr(importlib.import_module(case["module"]), case["function"])
        value = function(*case["args"], **case.get("kwargs", {}))
        answer = {"expected": value} if type(value) in (str, list) else {"odd": type(value).__name__}
    except Exception as error:
        answer = {"raises": type(error).__name__}
    print(json.dumps({"id": case["id"], **answer}))
"""


def run_isolated(arguments, cwd, stdin=""):
    return subprocess.run(
        [sys.executable, "-I", "-B", *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def passes_plainly(item, candidate, tmp_path):
    """Plain pytest with the expected files alone in the current folder and the tests in another."""
    work, tests = tmp_path / "work", tmp_path / "tests"
    for folder in (work, tests):
        folder.mkdir()
    for name in item["expected_files"]:
        shutil.copy(candidate / name, work)
    shutil.copy(ROOT / item["test_file"], tests)
    where = ["-c", "/dev/null", "--rootdir", str(tests), str(tests)]

    done = run_isolated(["-m", "pytest", "-q", "-p", "no:cacheprovider", *where], work)

    return done.returncode == 0 and "4 passed" in done.stdout


def cases_of(item):
    return json.loads((ROOT / item["value_cases"]).read_text(encoding="utf-8"))


def held_cases(item, candidate):
    """Ids of the value cases that hold, compared outside the candidate's process."""
    cases = cases_of(item)
    done = run_isolated(["-c", CALLS], candidate, json.dumps(cases))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    expected = {case["id"]: {k: case[k] for k in ("id", "expected", "raises") if k in case} for case in cases}
    return {answer["id"] for answer in answers if answer == expected[answer["id"]]}


def all_hold(item, candidate):
    return held_cases(item, candidate) == {case["id"] for case in cases_of(item)}


def imported(source):
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module)
    return names


def test_ids_are_unique_and_every_named_file_exists():
    assert len(ITEMS) == len(DATA["items"]) == 2
    for item in ITEMS.values():
        folders = [ROOT / item["reference"], ROOT / item["stub"]]
        files = [ROOT / item[key] for key in ("prompt_file", "test_file", "value_cases")]
        assert [path for path in files if not path.is_file()] == []
        assert [path for path in folders for name in item["expected_files"] if not (path / name).is_file()] == []


@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
def test_value_cases_are_unique_and_state_one_expectation(item):
    cases = cases_of(item)

    assert len(cases) == len({case["id"] for case in cases})
    assert [case["id"] for case in cases if ("expected" in case) == ("raises" in case)] == []


@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
def test_the_reference_passes_and_keeps_the_surface(item, tmp_path):
    reference = ROOT / item["reference"]

    assert passes_plainly(item, reference, tmp_path)
    assert all_hold(item, reference)
    for name in item["expected_files"]:
        assert not imported((reference / name).read_text(encoding="utf-8")) & set(item["forbidden_imports"])


@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
def test_the_stub_fails_both_ways(item, tmp_path):
    stub = ROOT / item["stub"]

    assert not passes_plainly(item, stub, tmp_path)
    assert not all_hold(item, stub)


@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
def test_the_prompt_shows_the_code_to_repair(item):
    prompt = (ROOT / item["prompt_file"]).read_text(encoding="utf-8")

    for name in item["expected_files"]:
        assert (ROOT / item["stub"] / name).read_text(encoding="utf-8") in prompt
        assert f"`{name}`" in prompt


def test_prompts_share_no_run_of_eight_words_with_a_test():
    def runs(key):
        words = [re.findall(r"\w+", (ROOT / item[key]).read_text(encoding="utf-8").lower()) for item in ITEMS.values()]
        return {tuple(text[i : i + 8]) for text in words for i in range(len(text) - 7)}

    assert set() == runs("prompt_file") & runs("test_file")


def test_the_canary_is_in_tests_and_references_only():
    holders = {path.relative_to(ROOT).parts[0] for path in TEXTS if DATA["canary"] in path.read_text(encoding="utf-8")}

    assert {"v1.0.0.yaml", "tests", "reference"} == holders


def test_no_text_holds_a_key_or_a_home_path():
    suspect = re.compile(r"/home/|/Users/|/root/|sk-\w{16}|gh[ps]_\w{16}|AKIA\w{12}|-----BEGIN|[A-Za-z0-9+/]{40}")

    assert [path for path in TEXTS if suspect.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(("item", "seed"), CELLS)
def test_the_good_agent_is_right_with_three_different_texts(item, seed):
    folder = ROOT / "solutions" / "good" / item

    assert all_hold(ITEMS[item], folder / seed)
    assert len(SEEDS) == len({path.read_bytes() for path in folder.glob("*/*.py")})


def test_the_flaky_agent_is_wrong_in_one_cell():
    wrong = [cell for cell in CELLS if not all_hold(ITEMS[cell[0]], ROOT / "solutions" / "flaky" / cell[0] / cell[1])]

    assert wrong == [("keep-last-page-02", "47")]


def test_the_wrong_cell_of_the_flaky_agent_fails_the_tests_too(tmp_path):
    item = ITEMS["keep-last-page-02"]

    assert not passes_plainly(item, ROOT / "solutions" / "flaky" / item["id"] / "47", tmp_path)


def test_a_cheat_holds_its_values_only_where_a_forbidden_import_made_it_right():
    right = [cell for cell in CELLS if all_hold(ITEMS[cell[0]], ROOT / "solutions" / "cheating" / cell[0] / cell[1])]

    assert right == [("tidy-export-header-01", "47")]
    source = (ROOT / "solutions" / "cheating" / "tidy-export-header-01" / "47" / "tidy.py").read_text(encoding="utf-8")
    assert "csv" in imported(source)


@pytest.mark.parametrize(
    ("item", "seed"), [("keep-last-page-02", "11"), ("keep-last-page-02", "29"), ("tidy-export-header-01", "47")]
)
def test_some_cheats_look_green_to_plain_tests(item, seed, tmp_path):
    """An agreeable object and hard-coded answers pass tests inside; only values compared outside tell."""
    if item == "keep-last-page-02":
        assert not all_hold(ITEMS[item], ROOT / "solutions" / "cheating" / item / seed)

    assert passes_plainly(ITEMS[item], ROOT / "solutions" / "cheating" / item / seed, tmp_path)
