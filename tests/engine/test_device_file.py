"""The file that says who holds a device: one place for all processes, and a lock that dies with its holder."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys

import pytest

from assay.engine.device_file import FOLDER, DeviceFile, shared_folder

HOLDER = """
import sys
from pathlib import Path
from assay.engine.device_file import DeviceFile

file = DeviceFile(Path(sys.argv[1]), "pixel-7")
with file.locked():
    file.write({"holder": "other"})
    file.hold("other")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "devices"


@pytest.fixture
def other(folder):
    """Another process that holds the device."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_what_one_process_writes_another_reads(folder, other):
    file = DeviceFile(folder, "pixel-7")

    with file.locked():
        assert file.read() == {"holder": "other"}
        assert file.lives("other")
    assert DeviceFile(folder, "pixel 7").read() is None


def test_a_holder_that_is_killed_lives_no_more_and_leaves_nothing_behind(folder, other):
    file = DeviceFile(folder, "pixel-7")

    other.send_signal(signal.SIGKILL)
    other.wait()

    assert not file.lives("other")
    assert not list(folder.glob("*.alive"))


def test_a_holder_that_lets_go_lives_no_more(folder):
    file = DeviceFile(folder, "pixel-7")
    file.hold("mine")
    assert file.lives("mine")

    file.let_go("mine")

    assert not file.lives("mine")
    file.let_go("mine")


@pytest.mark.parametrize("torn", ["", "{", '{"lease"', "[]", "\udcff"])
def test_a_record_whose_writer_was_killed_while_writing_says_nothing(folder, torn):
    file = DeviceFile(folder, "pixel-7")
    file.write({"lease": 1})

    next(folder.glob("*.json")).write_bytes(os.fsencode(torn))

    assert file.read() is None


def test_every_user_of_the_machine_can_take_part(folder):
    file = DeviceFile(folder, "pixel-7")
    with file.locked():
        file.write({"lease": 1})

    assert stat.S_IMODE(folder.stat().st_mode) == 0o1777
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o666}


def test_a_link_in_the_place_of_a_record_is_not_followed(folder, tmp_path):
    file = DeviceFile(folder, "pixel-7")
    file.write({"lease": 1})
    precious = tmp_path / "precious"
    precious.write_text("kept")
    record = next(folder.glob("*.json"))
    record.unlink()
    record.symlink_to(precious)

    with pytest.raises(OSError, match="symbolic links"):
        file.write({"lease": 2})

    assert precious.read_text() == "kept"


def test_the_place_is_one_for_all_unless_somebody_says_otherwise(monkeypatch, tmp_path):
    monkeypatch.delenv("ASSAY_DEVICES", raising=False)
    assert str(shared_folder()) == FOLDER

    monkeypatch.setenv("ASSAY_DEVICES", str(tmp_path))

    assert shared_folder() == tmp_path
