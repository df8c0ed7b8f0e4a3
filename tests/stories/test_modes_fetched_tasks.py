"""Splits fetched from a Git repository: pinned by commit and digest, verified at each use, never half there."""

from __future__ import annotations

import hashlib
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from assay.modes.generate import build
from assay.modes.splits import encode_registry, encode_split


@dataclass(frozen=True)
class Remote:
    """A repository with splits; `pin` are the options that name its registry."""

    root: Path
    commit: str
    sha256: str

    @property
    def pin(self):
        return (f"file://{self.root}", "--commit", self.commit, "--sha256", self.sha256)


def git(root, *arguments):
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(params=["manifest.json", "data/manifest.json"])
def layout(request):
    return request.param


@pytest.fixture
def remote(tmp_path, layout):
    """Splits of one row each, with the registry at the top or in the data folder, in a repository of two commits."""
    root = tmp_path / "remote"
    made = [encode_split(f"level1_{d}", "eval", build.split(1, d, "f", 1)) for d in ("countdown", "graph_coloring")]
    files = {entry.data_file: data for data, entry in made}
    registry = encode_registry([entry for _, entry in made])
    for path, data in {**files, layout: registry}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "splits")
    commit = git(root, "rev-parse", "HEAD")
    (root / layout).write_text("{}")
    git(root, "commit", "-q", "-a", "-m", "later")
    return Remote(root, commit, hashlib.sha256(registry).hexdigest())


@pytest.fixture
def fetch(assay, remote, tmp_path, layout):
    def fetch(*more, pin=remote.pin):
        options = ("--registry", layout, "--cache-dir", tmp_path / "cache", "--format", "json")
        return assay("tasks", "fetch", *pin, *options, *more)

    return fetch


def test_pinned_splits_are_fetched_verified_and_read(assay, fetch, tmp_path):
    fetched = fetch()

    assert (fetched.code, fetched.json["downloaded"]) == (0, 2), fetched.err
    output = tmp_path / "requests.jsonl"
    root = fetched.json["data_root"]
    assert assay("tasks", "prepare", root, "--config", "level1_countdown", "--output", output).code == 0
    assert output.read_text().count("\n") == 1


def test_the_cache_serves_offline_and_a_missing_part_is_named(fetch, remote):
    missing = fetch("--offline")
    one = fetch("--config", "level1_countdown")
    remote.root.rename(remote.root.with_name("gone"))

    again = fetch("--config", "level1_countdown", "--offline")
    other = fetch("--offline")

    assert (missing.code, one.code, again.code, other.code) == (3, 0, 0, 3)
    assert again.json["downloaded"] == 0
    assert "level1_graph_coloring/eval is not in the cache" in other.err
    assert fetch().code == 3


def test_a_damaged_cache_is_named_and_never_replaced(fetch):
    root = Path(fetch().json["data_root"])
    split = root / "data/level1/countdown/eval.parquet"
    split.write_bytes(b"damaged")

    refused = fetch()

    assert refused.code == 1
    assert str(split) in refused.err
    assert split.read_bytes() == b"damaged"


def test_bytes_that_were_not_pinned_leave_nothing_behind(fetch, remote, tmp_path):
    url = remote.pin[0]

    other = fetch(pin=(url, "--commit", remote.commit, "--sha256", "0" * 64))
    later = fetch(pin=(url, "--commit", git(remote.root, "rev-parse", "HEAD"), "--sha256", remote.sha256))

    assert (other.code, later.code) == (1, 1)
    assert f"expected {'0' * 64}" in other.err
    assert not (tmp_path / "cache").exists() or not os.listdir(tmp_path / "cache")


def test_branches_short_ids_and_commands_are_no_pins(fetch, remote):
    refused = fetch(pin=("ext::sh -c true", "--commit", "main", "--sha256", remote.sha256[:12]))

    assert refused.code == 2
    for part in ("not an address", "--commit: expected a full commit id", "--sha256: expected 64"):
        assert part in refused.err
