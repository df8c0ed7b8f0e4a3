"""What records say of the machine and of the scorer."""

from __future__ import annotations

import sys
from importlib import metadata

from assay.flows.identity import packages_in


def test_installed_packages_are_those_that_python_itself_names():
    found = packages_in(sys.path)

    expected = {one.metadata["Name"].lower(): one.version for one in metadata.distributions() if one.metadata["Name"]}
    assert expected == found


def test_of_two_packages_with_one_name_the_one_that_would_be_imported_counts(tmp_path):
    for folder, version in (("first", "2"), ("second", "1")):
        described = tmp_path / folder / "thing.dist-info" / "METADATA"
        described.parent.mkdir(parents=True)
        described.write_text(f"Metadata-Version: 2.1\nName: Thing\nVersion: {version}\n\nName: not this\n")

    found = packages_in([str(tmp_path / "first"), str(tmp_path / "nowhere"), str(tmp_path / "second")])

    assert found == {"thing": "2"}


def test_an_egg_is_described_in_a_folder_or_in_one_file(tmp_path):
    (tmp_path / "one.egg-info").mkdir()
    (tmp_path / "one.egg-info" / "PKG-INFO").write_text("Name: one\nVersion: 1.0\nSummary: two\n lines\n")
    (tmp_path / "two.egg-info").write_bytes(b"Name: two\r\nVersion: 3\r\n\r\nbody")
    (tmp_path / "bare.dist-info").mkdir()

    found = packages_in([str(tmp_path)])

    assert found == {"one": "1.0", "two": "3"}
