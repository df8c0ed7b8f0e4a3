"""`assay hook …`: what the installed Git hooks call. Says nothing when all is well."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from assay.errors import InputError
from assay.flows.guard import Answer, Update, before_commit, before_message, before_push, before_receive
from assay.flows.hooks import install
from assay.report.safe import safe_text

_NOWHERE = "0" * 40


@click.group()
def hook() -> None:
    """What the installed Git hooks call; exit 1 refuses.

    Local hooks look at what is staged or pushed and refuse only what is broken. `pre-receive` and `update` guard a
    bare repository: they also refuse deletions, rewrites, replace refs and what cannot be proven.

    Example: assay hook install
    """


@hook.command("install")
@click.pass_context
def install_hooks(ctx: click.Context) -> int:
    """Put the hooks where Git looks, in this clone (or bare repository); hooks that are there are kept.

    Example: assay hook install
    """
    installed = install(_folder(ctx))
    click.echo(f"hooks in {safe_text(str(installed.folder))}: {', '.join(installed.hooks)}")
    for name in installed.chained:
        click.echo(f"  the {name} that was there runs first")
    return 0


@hook.command("pre-commit")
@click.pass_context
def pre_commit(ctx: click.Context) -> int:
    """Judge the staged change before it is committed."""
    return _said(before_commit(_folder(ctx), "pre-commit", os.environ))


@hook.command("pre-merge-commit")
@click.pass_context
def pre_merge_commit(ctx: click.Context) -> int:
    """Judge a merge against every side before it is committed."""
    return _said(before_commit(_folder(ctx), "pre-merge-commit", os.environ))


@hook.command("commit-msg")
@click.argument("message", type=click.Path(path_type=Path))
@click.pass_context
def commit_msg(ctx: click.Context, message: Path) -> int:
    """Judge a merge once more when all its sides are known."""
    return _said(before_message(_folder(ctx), os.environ))


@hook.command("pre-push")
@click.argument("remote", default="origin")
@click.argument("url", default="")
@click.pass_context
def pre_push(ctx: click.Context, remote: str, url: str) -> int:
    """Judge the commits about to be pushed (reads Git's lines on stdin)."""
    updates = [Update(remote_ref, old, new) for _, new, remote_ref, old in _lines(4)]
    start, end = os.environ.get("PRE_COMMIT_FROM_REF"), os.environ.get("PRE_COMMIT_TO_REF")
    if not updates and end:
        updates = [Update("HEAD", start or _NOWHERE, end)]
    return _said(before_push(_folder(ctx), remote, updates))


@hook.command("pre-receive")
@click.pass_context
def pre_receive(ctx: click.Context) -> int:
    """Judge a push on the server, before any ref moves (reads Git's lines on stdin)."""
    return _said(before_receive(_folder(ctx), [Update(ref, old, new) for old, new, ref in _lines(3)]))


@hook.command("update")
@click.argument("ref")
@click.argument("old")
@click.argument("new")
@click.pass_context
def update(ctx: click.Context, ref: str, old: str, new: str) -> int:
    """Judge one ref on the server, before it moves."""
    return _said(before_receive(_folder(ctx), [Update(ref, old, new)], hook="update"))


def _folder(ctx: click.Context) -> Path:
    folder: Path = ctx.find_root().obj
    return folder


def _said(answer: Answer) -> int:
    for line in answer.lines:
        click.echo(safe_text(line), err=True)
    return 0 if answer.accepted else 1


def _lines(width: int) -> Iterator[tuple[str, ...]]:
    """Git's lines on stdin, one ref each."""
    for line in sys.stdin.buffer.read().decode("utf-8", "surrogateescape").split("\n"):
        if not line.strip():
            continue
        parts = tuple(line.split(" "))
        if len(parts) != width:
            raise InputError(f"stdin: expected {width} words a line, as Git gives them to a hook (got {line!r})")
        yield parts
