"""Under which circumstances Git is run: the same ones for everybody, whatever the user's shell and settings say.

Pure. Git obeys its environment and configuration, so a variable left over from another repository or an odd setting
could change what is read. Here every `GIT_*` variable is dropped unless it is named below, and every setting that
could hide history, run a program or rewrite a name is overruled.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal

Hook = Literal[
    "pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg", "pre-push", "pre-receive", "update"
]

_COMMIT = ("GIT_INDEX_FILE",)
_RECEIVE = ("GIT_QUARANTINE_PATH", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_PUSH_OPTION_")

KEPT_BY_HOOK: Mapping[Hook, tuple[str, ...]] = {
    # During `git commit -a` and `git commit PATH` the index to be committed is not `.git/index`.
    "pre-commit": _COMMIT,
    "pre-merge-commit": _COMMIT,
    "prepare-commit-msg": _COMMIT,
    "commit-msg": _COMMIT,
    "pre-push": (),
    # What is being pushed lies in a quarantine until every hook has agreed.
    "pre-receive": _RECEIVE,
    "update": _RECEIVE,
}
"""Which variables of its own Git hands to a hook that is run for it; a name ending in `_` stands for a family."""

# Who commits, when, and where the settings files are: the user's to choose.
_ALWAYS_KEPT = (
    "GIT_AUTHOR_",
    "GIT_COMMITTER_",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
)

_FIXED = {
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    # Git before 2.39.4 does not know the line above; without a transport it cannot fetch lazily either.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EDITOR": "false",
    "GIT_PAGER": "cat",
    "GIT_ATTR_NOSYSTEM": "1",
    "LC_ALL": "C",
}

_OVERRULED = {
    "core.commitGraph": "false",
    "core.useReplaceRefs": "false",
    "advice.graftFileDeprecated": "false",
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.attributesFile": os.devnull,
    "core.quotePath": "false",
    "core.abbrev": "no",
    "core.warnAmbiguousRefs": "false",
    "color.ui": "false",
    "diff.renames": "false",
    "diff.external": "",
    "diff.orderFile": os.devnull,
    "log.showSignature": "false",
    "i18n.commitEncoding": "UTF-8",
    "i18n.logOutputEncoding": "UTF-8",
}

OPTIONS: tuple[str, ...] = tuple(part for name, value in _OVERRULED.items() for part in ("-c", f"{name}={value}"))
"""Options before the verb, on every call."""
OFFLINE = ("-c", "protocol.allow=never")
"""Options of every call but `fetch`: nothing is fetched behind the user's back, not even by an old Git."""


def environment(ambient: Mapping[str, str], hook: Hook | None = None) -> dict[str, str]:
    """The variables Git is run with: the ambient ones without Git's own, what a hook was handed, and the fixed ones.

    Paths that a hook was handed may be relative to its working directory; they are made absolute.
    """
    kept = _ALWAYS_KEPT + (KEPT_BY_HOOK[hook] if hook else ())
    chosen = {name: value for name, value in ambient.items() if not name.startswith("GIT_") or _is_kept(name, kept)}
    for name in ("GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_QUARANTINE_PATH"):
        if name in chosen:
            chosen[name] = os.path.abspath(chosen[name])
    chosen.pop("LANGUAGE", None)
    return {**chosen, **_FIXED}


def networked(variables: Mapping[str, str]) -> dict[str, str]:
    """The same circumstances for the one verb that may use the network because the user asked for it."""
    blocked = ("GIT_ALLOW_PROTOCOL", "GIT_NO_LAZY_FETCH")
    return {name: value for name, value in variables.items() if name not in blocked}


def _is_kept(name: str, kept: tuple[str, ...]) -> bool:
    return any(name == rule or (rule.endswith("_") and name.startswith(rule)) for rule in kept)
