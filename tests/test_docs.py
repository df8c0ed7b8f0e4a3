"""The documentation says what the tool does: help, command list, README session, schemas and rules."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import click
import pytest

from assay.cli.main import main
from assay.cli.table import COMMANDS, SECTIONS
from assay.flows.settings import ONLY_FOR, Settings
from assay.record.schema import builtin

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
SOURCES = [*sorted((ROOT / "src" / "assay").rglob("*.py")), *sorted((ROOT / "hooks").iterdir())]
CALLED_BY_GIT = {"pre-commit", "pre-merge-commit", "commit-msg", "pre-push", "pre-receive", "update"}


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command and sub-command by its full name."""
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            context = click.Context(command)
            inner = {word: command.get_command(context, word) for word in command.list_commands(context)}
            yield from ((f"{name} {word}", found) for word, found in inner.items() if found)


KNOWN = dict(commands())


# The command line


@pytest.mark.parametrize("name", [name for name in KNOWN if name.split()[-1] not in CALLED_BY_GIT])
def test_every_command_shows_an_example_of_itself(name):
    told = KNOWN[name].help or ""

    assert f"assay {name}" in told.partition("Example:")[2]


@pytest.mark.parametrize("name", KNOWN)
def test_every_option_is_explained_and_there_are_at_most_ten(name):
    options = [param for param in KNOWN[name].params if isinstance(param, click.Option)]

    assert [option.name for option in options if not option.help] == []
    assert len(options) <= 10


def test_every_command_is_in_one_section_of_the_help():
    listed = [name for names in SECTIONS.values() for name in names]

    assert sorted(COMMANDS) == sorted(listed)


# README


def test_readme_lists_exactly_the_commands_there_are():
    table = README.partition("\n## Commands\n")[2].partition("\nEvery command")[0]

    listed = [word for line in table.split("\n") if line.startswith("| `") for word in re.findall(r"`([a-z-]+)`", line)]
    assert sorted(COMMANDS) == sorted(listed)


def test_readme_states_the_exit_codes_of_the_tool():
    codes = [int(code) for code in re.findall(r"^\| (\d+) \|", README, re.MULTILINE)]

    assert codes == [0, 1, 2, 3, 70, 75, 130]
    assert [code for code in codes if f"{code} " not in (main.help or "")] == []


STABLE = {
    "init": "Ledger ready in evals",
    "freeze": "Frozen in commit",
    "run": "recorded in commit",
    "score": "met of planned 6 / 6",
    "scan": "clean",
    "publish": "PUBLISHABLE",
    "explain": "observation",
    "verify": "verified: every promise held",
}
"""A word of each command's answer that does not vary with machine, time and build."""


def session() -> list[str]:
    blocks = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    return [line[2:] for block in blocks for line in block.split("\n") if line.startswith("$ ")]


@pytest.mark.slow
def test_the_session_of_readme_goes_as_told(tmp_path):
    """Only a build of a clean commit can publish, so the decision itself may go either way."""
    folder, answered = tmp_path, []
    variables = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}

    for line in session():
        words = shlex.split(line)
        if words[0] == "cd":
            folder = folder / words[1]
            continue
        done = subprocess.run(words, cwd=folder, env=variables, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode in ((0, 1) if words[1] == "publish" else (0,)), f"{line}\n{done.stdout}{done.stderr}"
        assert STABLE.get(words[1], "") in done.stdout, line
        answered.append(words[1])

    assert set(STABLE) <= set(answered)


# Every page, every hint


def named_commands(text: str) -> Iterator[tuple[str, str]]:
    """Every `assay <command> …` of a text: in code spans and blocks of a page, and in strings of the source."""
    for found in re.finditer(r"(?<![\w./@-])assay ((?:-C \S+ )?)([a-z][a-z-]+)([^`\n\"';,(#]*)", text):
        yield found[2], found[3]


def code_of(page: Path) -> str:
    """The code of a page; prose may use the word assay as it likes."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"```[a-z]*\n(.*?)```", text, re.DOTALL)
    return "\n".join([*blocks, *re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_only_commands_and_options_that_exist(page):
    wrong = [f"assay {name}{rest}" for name, rest in named_commands(code_of(page)) if not exists(name, rest)]

    assert wrong == []


def test_hints_in_the_source_name_only_commands_that_exist():
    wrong = []
    for path in SOURCES:
        strings = re.findall(r'"([^"\n]*\bassay [a-z][^"\n]*)"', path.read_text(encoding="utf-8"))
        for name, rest in (found for string in strings for found in named_commands(string)):
            if re.match(
                r"(is|has|was|lists|commits|names|cannot|command|says|knows|verified|of|in|with|that|again)\b", name
            ):
                continue
            if not exists(name, rest):
                wrong.append(f"{path.relative_to(ROOT)}: assay {name}{rest}")

    assert wrong == []


def exists(name: str, rest: str) -> bool:
    """Whether a command, its sub-command and every long option that follows it are real."""
    command = KNOWN.get(name)
    words = rest.split()
    if isinstance(command, click.Group) and words and re.fullmatch(r"[a-z][a-z-]+", words[0]):
        command = KNOWN.get(f"{name} {words[0]}")
    if command is None:
        return False
    known = {spelled for param in command.params for spelled in (*param.opts, *param.secondary_opts)} | {"--help"}
    return all(option in known for option in re.findall(r"(?<!\S)(--[a-z][a-z0-9-]*)", rest))


def test_every_link_between_pages_leads_somewhere():
    broken = [
        f"{page.name}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]

    assert broken == []


# Schemas and rules


@pytest.mark.parametrize("name", sorted(builtin()))
def test_every_property_of_a_schema_is_described(name):
    def undescribed(schema, where="$"):
        for key, member in schema.get("properties", {}).items():
            if "description" not in member and "$ref" not in member and "const" not in member:
                yield f"{where}.{key}"
            yield from undescribed(member, f"{where}.{key}")
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                yield from undescribed(schema[key], f"{where}[]")
        for key, member in schema.get("$defs", {}).items():
            yield from undescribed(member, f"{where}#{key}")

    assert list(undescribed(json.loads(builtin()[name]))) == []


def test_every_kind_of_record_is_in_the_format():
    page = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")

    assert [name for name in builtin() if not re.search(rf"\b{name.split('/')[1].replace('_', '[_ ]')}\b", page)] == []


@pytest.mark.parametrize("setting", [field.name for field in fields(Settings)])
def test_every_setting_of_a_run_stands_on_a_page_of_its_suites(setting):
    suites = [suite for suite, names in ONLY_FOR.items() if setting in names] or ["coding"]

    text = "".join((ROOT / "docs" / f"{suite}.md").read_text(encoding="utf-8") for suite in suites)
    assert re.search(rf"^\|[^|]*`{setting}`[^|]*\||^{setting}: ", text, re.MULTILINE)


def test_the_tables_of_the_corpus_are_those_of_the_ledger():
    asked = ["git", "-C", str(ROOT), "rev-parse", "--is-shallow-repository"]
    if subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() != "false":
        pytest.skip("needs the history of this repository")

    done = subprocess.run(
        [sys.executable, "-I", "-m", "assay", "-C", str(ROOT), "report", str(ROOT / "docs" / "corpus.md"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr


def rules() -> set[str]:
    """The id of every rule: the first word given to a Problem anywhere in the verifier."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src" / "assay" / "verify").glob("*.py"))
    given = re.findall(r'\b(?:Problem|broken|_broken|problem|_problem)\(\s*"([a-z][a-z-]+)"', text)
    return set(given) | set(re.findall(r'^_?RULE\w* = "([a-z-]+)"', text, re.MULTILINE))


def test_every_rule_is_named_by_a_test_and_by_the_documentation():
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "verify").glob("*.py"))
    pages = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)

    assert len(rules()) >= 6
    assert [rule for rule in sorted(rules()) if f'"{rule}"' not in tests] == []
    assert [rule for rule in sorted(rules()) if f"`{rule}`" not in pages] == []
