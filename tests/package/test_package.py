"""What is in sdist and wheel, which identity they carry, and that an installation works away from the source."""

from __future__ import annotations

import json
import subprocess
import tarfile
import tomllib
import zipfile

import pytest

import assay
from assay.flows.hooks import LOCAL_HOOKS, SERVER_HOOKS
from assay.flows.identity import source_digest
from package.conftest import ROOT, build, copy_of_checkout

pytestmark = pytest.mark.slow
META = f"assay_ledger-{assay.__version__}.dist-info"


def inside(wheel) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def identity_in(wheel) -> dict[str, str]:
    return json.loads(inside(wheel)["assay/_build.json"])


def wheel_of(folder, tmp_path):
    build(folder, tmp_path / "dist", "--wheel")
    return next((tmp_path / "dist").glob("*.whl"))


def test_the_wheel_from_the_sdist_carries_schemas_hooks_templates_and_types(built):
    files = inside(built.wheel)

    schemas = {f"assay/_schemas/{path.name}": path.read_bytes() for path in (ROOT / "schemas").glob("*.json")}
    assert schemas == {name: data for name, data in files.items() if name.startswith("assay/_schemas/")}
    assert {f"assay/_hooks/{name}" for name in (*LOCAL_HOOKS, *SERVER_HOOKS, "update")} <= files.keys()
    assert {"assay/py.typed", "assay/flows/files/workflow.yml", "assay/demo/dataset/v1.0.0.yaml"} <= files.keys()
    assert [name for name in files if name.split("/")[0] not in ("assay", META)] == []
    assert [name for name in files if "__pycache__" in name or name.endswith(".pyc")] == []


def test_the_wheel_has_both_commands_the_plug_in_and_the_licence(built):
    files = inside(built.wheel)
    entries = files[f"{META}/entry_points.txt"].decode()
    assert "assay = assay.cli.main:run" in entries and "git-assay = assay.cli.main:run" in entries
    assert "License-Expression: Apache-2.0" in files[f"{META}/METADATA"].decode()
    assert files[f"{META}/licenses/LICENSE"] == (ROOT / "LICENSE").read_bytes()


def test_the_sdist_holds_everything_that_the_wheel_is_made_of(built):
    with tarfile.open(built.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}

    assert {"hatch_build.py", "pyproject.toml", "README.md", "LICENSE", "schemas/run-1.json"} <= names
    assert {"hooks/pre-commit", "src/assay/_build.json", "docs/format.md"} <= names
    assert not any(name.startswith((".git/", "runs/", "corpus/")) for name in names)


def test_the_identity_is_the_commit_and_the_digest_of_what_is_inside(built, tmp_path):
    with zipfile.ZipFile(built.wheel) as archive:
        archive.extractall(tmp_path)

    assert identity_in(built.wheel) == {"commit": built.commit, "source_sha256": source_digest(tmp_path / "assay")}


@pytest.mark.parametrize("change", ["edited source", "new source", "edited schema"])
def test_a_tree_that_is_not_as_committed_has_no_commit(built, tmp_path, change):
    copy_of_checkout(tmp_path / "dirty")
    path = {
        "edited source": "src/assay/clock.py",
        "new source": "src/assay/new.py",
        "edited schema": "schemas/run-1.json",
    }
    with (tmp_path / "dirty" / path[change]).open("a") as file:
        file.write("\n")

    assert identity_in(wheel_of(tmp_path / "dirty", tmp_path))["commit"] is None


def test_a_changed_sdist_does_not_keep_the_commit_of_the_clean_one(built, tmp_path):
    with tarfile.open(built.sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    with (unpacked / "src" / "assay" / "clock.py").open("a") as file:
        file.write("# changed\n")

    assert identity_in(wheel_of(unpacked, tmp_path))["commit"] is None


def test_the_installed_commands_answer_away_from_the_source(installed, tmp_path):
    assert installed.run("assay", "--version", cwd=tmp_path) == f"assay, version {assay.__version__}\n"
    assert installed.run("git", "assay", "--version", cwd=tmp_path) == f"assay, version {assay.__version__}\n"
    listed = installed.run("assay", "schema", "list", "--format", "json", cwd=tmp_path)
    assert len(list((ROOT / "schemas").glob("*.json"))) == len(json.loads(listed))


def test_the_installed_hooks_refuse_a_broken_promise(installed, tmp_path):
    installed.run("assay", "init", "ledger", cwd=tmp_path)
    installed.run("git", "config", "user.name", "Ada", cwd=tmp_path / "ledger")
    (tmp_path / "ledger" / "schemas" / "run-1.json").write_text("{}\n")

    with pytest.raises(AssertionError, match=r"schemas/run-1\.json is frozen"):
        installed.run("git", "commit", "-qam", "change the contract", cwd=tmp_path / "ledger")
    assert "verified" in installed.run("assay", "verify", cwd=tmp_path / "ledger")


def test_the_doctor_names_the_commit_that_the_wheel_was_built_from(installed, built, tmp_path):
    done = subprocess.run(
        [installed.bin / "assay", "doctor", "--format", "json"], cwd=tmp_path, capture_output=True, check=False
    )

    scorer = next(f for f in json.loads(done.stdout)["findings"] if f["label"] == "scorer")
    assert scorer["good"] and built.commit[:7] in scorer["text"]


def test_the_demonstration_plays_with_the_installed_wheel_and_publishes(installed, tmp_path):
    blocked = dict.fromkeys(("http_proxy", "https_proxy", "ALL_PROXY"), "http://127.0.0.1:9")

    story = installed.run("assay", "demo", "story", cwd=tmp_path, **blocked)

    assert "verified: every promise held" in story
    assert ("PUBLISHABLE as evidence" in story) or ("isolation  none" in story)


def test_the_oldest_promised_versions_are_written_down_once():
    """`pip install -c tests/package/oldest.txt assay` is the environment of the oldest promise."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    promised = sorted(line.replace(">=", "==") for line in project["dependencies"])

    assert promised == sorted((ROOT / "tests" / "package" / "oldest.txt").read_text().split())
