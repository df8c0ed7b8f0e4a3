"""Git under fixed circumstances: no variable, setting, ref, graft or damaged object changes what is read."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from assay.errors import Busy, Inconclusive, InputError, NotALedger, Refused
from assay.store.environment import KEPT_BY_HOOK, environment
from assay.store.failure import GitFailed, explained
from assay.store.git import Git, as_name, as_path
from assay.store.ledger import Ledger, Plan
from assay.store.objects import ObjectUnavailable, object_id
from assay.store.staging import staged

R1 = "runs/r-0001.json"
HOSTILE = {
    "color.ui": "always",
    "log.showSignature": "true",
    "diff.noprefix": "true",
    "diff.mnemonicPrefix": "true",
    "core.quotePath": "true",
    "diff.renames": "copies",
    "diff.external": "false",
    "status.short": "true",
    "status.branch": "true",
    "core.abbrev": "4",
    "log.decorate": "full",
    "format.pretty": "fuller",
    "core.pager": "false",
    "diff.ignoreSubmodules": "all",
    "diff.orderFile": "/nonexistent/order",
    "log.date": "relative",
    "core.fsmonitor": "false; touch fsmonitor-ran",
    "core.hooksPath": "hostile-hooks",
    "core.attributesFile": "hostile-attributes",
    "core.autocrlf": "true",
    "core.commitGraph": "true",
    "i18n.commitEncoding": "ISO-8859-1",
    "i18n.logOutputEncoding": "UTF-16",
    "alias.ls-tree": "!false",
    "alias.cat-file": "!false",
    "core.useReplaceRefs": "true",
    "core.untrackedCache": "true",
    "core.splitIndex": "true",
    "fetch.fsckObjects": "true",
    "trailer.ifexists": "replace",
    "commit.cleanup": "scissors",
    "core.commentChar": "x",
}


@pytest.fixture
def accented(story):
    story.commit("records", {R1: "1\n", "runs/r-café 1.json": "2\n"})
    story.commit("edit both", {R1: "11\n", "runs/r-café 1.json": "22\n"})
    return story


def what_is_seen(folder: Path) -> tuple[object, ...]:
    """Everything the reading verbs give, for comparison."""
    with Git(folder) as git:
        tree = git.run("rev-parse", "HEAD^{tree}").decode().strip()
        pairs = git.stream("diff-tree", "-r", "-z", "--no-renames", "HEAD~1", "HEAD")
        listed = tuple(git.list_tree("HEAD"))
        contents = [found.data for found in git.objects.each(entry.oid for entry in listed)]
        return (git.resolve("HEAD"), git.branch(), listed, git.raw_tree(tree), contents, list(pairs), staged(git))


def test_hostile_settings_change_nothing(accented):
    expected = what_is_seen(accented.root)
    hook = accented.write("hostile-hooks/reference-transaction", "#!/bin/sh\ntouch hook-ran\nexit 1\n")
    hook.chmod(0o755)
    accented.write("hostile-attributes", "* diff=evil\n")
    for name, value in {**HOSTILE, "diff.evil.textconv": "false", "diff.evil.command": "false"}.items():
        accented.git("config", name, value)

    assert what_is_seen(accented.root) == expected
    accented.ledger.append(Plan("record: café", {"runs/2026-11/é.json": b"{}\n"}, trailers=(("Assay-Run", "é"),)))
    assert accented.git("--no-pager", "-c", "i18n.logOutputEncoding=UTF-8", "log", "-1", "--format=%B").startswith(
        "record: café\n\nAssay-Run: é"
    )
    assert [p for p in ("fsmonitor-ran", "hook-ran") if (accented.root / p).exists()] == []


def test_variables_that_point_elsewhere_are_not_obeyed(story, monkeypatch, tmp_path):
    story.commit("one", {R1: "1\n"})
    other = story.clone("other")
    other_head = other.commit("edit", {R1: "2\n"})
    expected = what_is_seen(story.root)
    for name, value in {
        "GIT_DIR": f"{other.root}/.git",
        "GIT_WORK_TREE": str(other.root),
        "GIT_INDEX_FILE": f"{other.root}/.git/index",
        "GIT_OBJECT_DIRECTORY": f"{other.root}/.git/objects",
        "GIT_COMMON_DIR": f"{other.root}/.git",
        "GIT_NAMESPACE": "x",
        "GIT_CEILING_DIRECTORIES": str(tmp_path),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.quotePath",
        "GIT_CONFIG_VALUE_0": "true",
        "GIT_CONFIG_PARAMETERS": "'core.bare=true'",
        "GIT_EXTERNAL_DIFF": "false",
        "GIT_TRACE": "1",
        "GIT_LITERAL_PATHSPECS": "0",
    }.items():
        monkeypatch.setenv(name, value)

    assert what_is_seen(story.root) == expected
    with Ledger.open(story.root) as ledger:
        commit = ledger.append(Plan("x", {"runs/x": b"x"}))
    for name in list(os.environ):
        if name.startswith("GIT_") and not name.startswith(("GIT_AUTHOR", "GIT_COMMITTER", "GIT_CONFIG_")):
            monkeypatch.delenv(name)
    monkeypatch.delenv("GIT_CONFIG_PARAMETERS")
    monkeypatch.delenv("GIT_CONFIG_COUNT")
    assert (story.head, other.head) == (commit, other_head)


def test_a_hook_keeps_exactly_what_git_handed_it():
    handed = {
        "GIT_DIR": "/x/.git",
        "GIT_INDEX_FILE": "/x/.git/index.lock",
        "GIT_QUARANTINE_PATH": "/x/objects/q",
        "GIT_OBJECT_DIRECTORY": "/x/objects/q",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": "/x/objects",
        "GIT_PUSH_OPTION_COUNT": "1",
        "GIT_PUSH_OPTION_0": "o",
        "GIT_PREFIX": "a/",
    }

    kept = {hook: sorted(handed.keys() & environment(handed, hook).keys()) for hook in KEPT_BY_HOOK}

    receive = sorted(name for name in handed if name not in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_PREFIX"))
    assert kept["pre-commit"] == kept["commit-msg"] == kept["pre-merge-commit"] == ["GIT_INDEX_FILE"]
    assert kept["pre-receive"] == kept["update"] == receive
    assert kept["pre-push"] == []
    assert handed.keys() & environment(handed).keys() == set()


def test_a_relative_index_from_a_hook_is_made_absolute(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    assert environment({"GIT_INDEX_FILE": ".git/index.lock"}, "pre-commit")["GIT_INDEX_FILE"] == str(
        tmp_path / ".git/index.lock"
    )


ODD = [
    "-rf.json",
    "two  spaces.json",
    "new\nline.json",
    'quote"back\\slash.json',
    "tab\t.json",
    ":(glob)*",
    "caf\udce9",
]


def test_odd_file_names_are_kept_byte_for_byte(story):
    for name in ODD:
        story.write(f"runs/{name}", name.encode("utf-8", "surrogateescape"))
    story.commit("odd names")
    snapshot = story.ledger.at()

    assert set(snapshot.paths("runs")) == {f"runs/{name}" for name in ODD}
    assert [snapshot.read(f"runs/{name}") for name in ODD] == [as_name(name) for name in ODD]
    git = snapshot.git
    assert {entry.path for entry in git.list_tree("HEAD", "runs")} == set(snapshot.paths("runs"))
    assert [len(list(git.list_tree("HEAD", f"runs/{name}"))) for name in ODD] == [1] * len(ODD)
    assert as_path(as_name(ODD[-1])) == ODD[-1]


ASK = """
import sys
from pathlib import Path
from assay.store.ledger import Ledger, Plan
with Ledger.open(Path(sys.argv[1])) as ledger:
    name = chr(233) + ".json"
    if len(sys.argv) > 2:
        ledger.append(Plan("record: " + name, {"runs/" + sys.argv[2] + name: name.encode()}))
    print(ascii([(path, ledger.at().pin(path).sha256) for path in ledger.at().paths("corpus")]))
    print(ascii(ledger.root))
"""


@pytest.mark.parametrize("under", ["", "données/"], ids=["root", "accented-folder"])
def test_an_ascii_locale_reads_and_writes_the_same_names_and_bytes(blank, under):
    blank.init().found(under)
    blank.commit("prompt", {f"{under}corpus/d/1/énoncé.md": "“Où ?”\n"})
    folder = os.fsencode(blank.root) + b"/" + under.encode()
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHONIO"))}
    ascii_only = plain | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    answers = [
        subprocess.run(
            [sys.executable, "-c", ASK, folder, *more], env=env, capture_output=True, check=True
        ).stdout.splitlines()[0]
        for env, more in ((plain | {"LC_ALL": "C.UTF-8"}, ()), (ascii_only, ()), (ascii_only, ("a",)))
    ]

    assert answers[0] == answers[1] == answers[2]
    assert (blank.show(f"{under}runs/aé.json"), blank.status) == ("é.json".encode(), "")


def test_a_file_that_is_not_checked_out_is_read_from_the_commit(story):
    story.commit("one", {R1: "1\n", "runs/r-0002.json": "2\n"})
    story.git("update-index", "--skip-worktree", R1)
    (story.root / R1).unlink()

    assert story.ledger.at().read(R1) == b"1\n"
    assert staged(Git(story.root)) == ()


def test_replace_refs_and_grafts_change_nothing(accented):
    expected = what_is_seen(accented.root)
    blob, parent = accented.git("rev-parse", f"HEAD:{R1}", "HEAD~1").split("\n")
    other = accented.git("hash-object", "-w", "--stdin", stdin="forged")
    accented.git("replace", blob, other)
    accented.git("replace", accented.head, accented.git("rev-parse", "HEAD~2"))
    accented.write(".git/info/grafts", f"{accented.head}\n")

    assert what_is_seen(accented.root) == expected
    assert Git(accented.root).is_ancestor(parent, "HEAD")


def loose(story, oid: str) -> Path:
    return story.root / ".git/objects" / oid[:2] / oid[2:]


def overwrite(file: Path, content: bytes) -> None:
    file.chmod(0o644)
    file.write_bytes(content)


def test_a_substituted_object_is_noticed_with_both_names_and_reading_goes_on(accented):
    good, bad = (accented.git("rev-parse", f"HEAD:{path}") for path in ("assay.yaml", R1))
    overwrite(loose(accented, bad), zlib.compress(b"blob 6\0forged"))
    git = Git(accented.root)

    found = list(git.objects.each([good, bad, good]))

    assert [getattr(item, "reason", "ok") for item in found] == ["ok", "substituted", "ok"]
    assert found[1].got == object_id("blob", b"forged", "sha1")
    with pytest.raises(ObjectUnavailable, match=f"{R1}: .* other content"):
        accented.ledger.at().read(R1)


def test_a_substituted_tree_is_noticed_when_files_are_listed(accented):
    head_tree, old_tree = (accented.git("rev-parse", f"{rev}:runs") for rev in ("HEAD", "HEAD~1"))
    overwrite(loose(accented, head_tree), loose(accented, old_tree).read_bytes())

    with pytest.raises(ObjectUnavailable, match="other content"):
        accented.ledger.at().paths("runs")


@pytest.mark.parametrize(
    "damage", [b"", b"garbage", zlib.compress(b"blob 999\0short")], ids=["empty", "bytes", "short"]
)
@pytest.mark.parametrize("times", [1, 50], ids=["few", "many"])
def test_a_damaged_object_is_unreadable_and_reading_goes_on(accented, damage, times):
    good, bad = (accented.git("rev-parse", f"HEAD:{path}") for path in ("assay.yaml", R1))
    overwrite(loose(accented, bad), damage)

    found = list(Git(accented.root).objects.each([good, bad, good, "0" * 40, bad, good] * times))

    reasons = [getattr(item, "reason", "ok") for item in found]
    assert ["ok", "ok", "missing", "ok"] * times == [r for n, r in enumerate(reasons) if n % 6 in (0, 2, 3, 5)]
    assert {r for n, r in enumerate(reasons) if n % 6 in (1, 4)} <= {"unreadable", "missing", "substituted"}


def test_a_partial_clone_fetches_nothing_behind_the_users_back(accented):
    accented.git("config", "uploadpack.allowFilter", "true")
    part = accented.clone("part", "--filter=blob:none", "--no-checkout")

    with pytest.raises(ObjectUnavailable) as caught:
        part.ledger.at().read(R1)

    assert (caught.value.fault.reason, caught.value.exit_code) == ("missing", 3)
    assert R1 in part.ledger.at().paths("runs")


def test_an_old_git_cannot_fetch_lazily_either(accented, monkeypatch):
    accented.git("config", "uploadpack.allowFilter", "true")
    part = accented.clone("part", "--filter=blob:none", "--no-checkout")
    git = Git(part.root)
    monkeypatch.delitem(git._variables, "GIT_NO_LAZY_FETCH")

    assert str(next(git.objects.each([accented.git("rev-parse", f"HEAD:{R1}")]))).endswith("is missing")


def test_a_tree_with_repeated_and_unsorted_entries_is_given_as_stored(story):
    blob = bytes.fromhex(story.git("hash-object", "-w", "--stdin", stdin="x"))
    data = b"".join(b"100644 %s\0%s" % (name, blob) for name in (b"b", b"a", b"a"))
    oid = story.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=data)

    entries = Git(story.root).raw_tree(oid)

    assert [(entry.mode, entry.name) for entry in entries] == [("100644", b"b"), ("100644", b"a"), ("100644", b"a")]


def test_reading_can_be_left_at_any_time(accented):
    git = Git(accented.root)
    oids = [entry.oid for entry in git.list_tree("HEAD")] * 400

    for verb in (git.list_tree("HEAD"), git.objects.each(oids), git.stream("rev-list", "-z", "HEAD")):
        next(verb)
        verb.close()

    assert git.objects.read(oids[0]).oid == oids[0]


FAILURES = {
    "fatal: not a git repository (or any of the parent directories): .git": (NotALedger, "git init"),
    "fatal: detected dubious ownership in repository at '/srv/r'\nTo add": (InputError, "safe.directory /srv/r"),
    "fatal: Unable to create '/r/.git/index.lock': File exists.": (Busy, "try again"),
    "error: gpg failed to sign the data\nfatal: failed to write commit object": (InputError, "user.signingKey"),
    "fatal: bad object 0123": (Inconclusive, "git fsck"),
    "fatal: something new": (GitFailed, None),
}


def test_what_holds_a_lock_does_not_die_with_our_process_group(story, tmp_path, monkeypatch):
    real, groups = shutil.which("git"), tmp_path / "groups"
    wrapper = tmp_path / "git"
    note = f'read -r _ _ _ _ group _ < /proc/$$/stat; echo "$group $*" >> {groups}'
    wrapper.write_text(f'#!/bin/sh\n{note}\nexec {real} "$@"\n')
    wrapper.chmod(0o755)
    before = story.commit("one", {"a.txt": "1"})
    after = story.commit("two", {"a.txt": "2"})
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    assert Git(story.root).move_ref("refs/heads/main", before, after, reason="back")

    told = [line.split() for line in groups.read_text().splitlines()]
    ours = {int(group) for group, *words in told if "update-ref" not in words}
    apart = {int(group) for group, *words in told if "update-ref" in words}
    assert ours <= {os.getpgrp()} and len(apart) == 1 and os.getpgrp() not in apart


@pytest.mark.parametrize("words", FAILURES, ids=lambda words: words[:40])
def test_a_refusal_of_git_says_what_to_do(words):
    kind, hint = FAILURES[words]

    error = explained("verb", words.encode(), Path("/r"))

    assert type(error) is kind
    assert hint is None or hint in str(error.hint)


def test_a_missing_git_and_a_missing_folder_are_told_apart(story, monkeypatch, tmp_path):
    with pytest.raises(InputError, match="no such folder"):
        Git(tmp_path / "nowhere")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="git: command not found"):
        _ = Git(story.root).places


def test_the_hooks_folder_is_where_git_looks(story):
    side = story.root.parent / "side"
    story.git("worktree", "add", "-q", "-b", "side", str(side))

    assert Git(side).hooks_folder() == story.root / ".git/hooks"
    story.git("config", "core.hooksPath", "team-hooks")
    assert Git(story.root).hooks_folder() == story.root / "team-hooks"


def test_named_worktree_files_are_committed_alone(blank):
    blank.init()
    blank.write("staged.txt", "s")
    blank.write("assay.yaml", "assay: 1\n")
    blank.git("add", "staged.txt")
    git = Git(blank.root)

    first = git.commit_paths(["assay.yaml"], "assay: begin")

    assert (blank.head, blank.git("ls-tree", "--name-only", "HEAD"), blank.status) == (
        first,
        "assay.yaml",
        "A  staged.txt",
    )


def test_ignored_paths_are_named_with_the_rule(story):
    story.write(".gitignore", "runs/\n*.log\n!keep.log\n")

    assert Git(story.root).ignored(["runs/x", "corpus/a", "b.log", "keep.log"]) == {
        "runs/x": ".gitignore:1:runs/",
        "b.log": ".gitignore:2:*.log",
    }


def test_an_annotated_tag_is_put_once(story):
    git = Git(story.root)

    git.tag("v1", story.head, "the first\n")

    assert story.git("for-each-ref", "--format=%(objecttype) %(contents:subject)", "refs/tags/v1") == "tag the first"
    with pytest.raises(Refused, match="v1"):
        git.tag("v1", story.head, "again")


def test_a_repository_is_found_around_a_folder_or_created(tmp_path):
    assert Git.around(tmp_path) is None
    created = Git.create(tmp_path / "new" / "repo", object_format="sha256")

    assert (created.branch(), created.resolve("HEAD"), created.object_format) == ("refs/heads/main", None, "sha256")
    assert Git.around(tmp_path / "new" / "repo") is not None


def test_a_repository_whose_path_has_a_line_break_is_refused_in_words(tmp_path):
    folder = tmp_path / "two\nlines"

    with pytest.raises(InputError, match="line break"):
        _ = Git.create(folder).places


def test_a_verb_that_is_interrupted_leaves_no_process(story, monkeypatch):
    git = Git(story.root)
    started = []
    real = subprocess.Popen.communicate

    def interrupted(process, *_given):
        started.append(process)
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess.Popen, "communicate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        git.run("cat-file", "--batch")
    monkeypatch.setattr(subprocess.Popen, "communicate", real)

    assert [process.returncode is not None for process in started] == [True]


def test_the_tip_of_a_branch_is_always_the_present_one(story):
    git = Git(story.root)
    story.branch("feature/é")
    seen = [git.tip(git.branch() or "") == story.head]
    for step in range(3):
        story.commit(str(step))
        story.git(*(("pack-refs", "--all") if step == 1 else ("status",)))
        seen.append(git.tip("refs/heads/feature/é") == story.head)

    assert (seen, git.branch()) == ([True] * 4, "refs/heads/feature/é")
    assert git.tip("refs/heads/none") is None
    assert git.objects.read(story.head).type == "commit"
    story.git("checkout", "-q", "--detach")
    assert git.branch() is None
