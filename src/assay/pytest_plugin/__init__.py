"""The pytest plugin: in a ledger, frozen failures and committed reviews are tests. Elsewhere it does one `stat`.

Active where `assay.yaml` lies in pytest's root folder. Nothing of Assay beyond this file is imported before that is
known; `-p no:assay` switches it off.
"""

from __future__ import annotations

import pytest

from assay.pytest_plugin import late

SETTINGS = "assay.yaml"


def pytest_configure(config: pytest.Config) -> None:
    """Register the ledger's collectors, and add them to a run that named no paths of its own."""
    settings = config.rootpath / SETTINGS
    if not settings.is_file():
        return
    config.pluginmanager.register(late.ledger_plugin(config.rootpath), "assay-ledger")
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        config.args.append(str(settings))
