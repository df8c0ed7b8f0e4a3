"""`assay init` wherever a user may type it: what it makes, what it refuses, and that a refusal leaves nothing."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import yaml

import assay
from assay.cli.main import invoke
from assay.record.schema import builtin


@pytest.fixture
def repo(blank):
    """A repository with one commit, not a ledger."""
    blank.init().commit("begin", {"app.py": "print(1)\n"})
    return blank


@pytest.fixture
def init(tmp_path, monkeypatch, capsys):
    """Type `assay init …` somewhere; the exit code and everything that was said."""

    def type_command(*arguments, at=tmp_path):
        monkeypatch.chdir(at)
        capsys.readouterr()
        code = invoke(["init", *map(str, arguments)])
        told = capsys.readouterr()
        return code, told.out + told.err

    return type_command


def everything(root):
    """Every file below a folder, Git's own left out."""
    return sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file() and ".git" not in p.parts)


def test_an_empty_folder_becomes_a_repository_with_a_ledger(init, blank):
    code, told = init(blank.root.name)

    assert code == 0
    assert told.startswith("Ledger ready in repo")
    assert blank.log == [f"init: ledger repo, {len(builtin())} schemas"] and blank.status == ""
    schemas = {f"schemas/{'-'.join(name.split('/')[1:])}.json" for name in builtin()}
    assert schemas == {path for path in blank.git("ls-files").split("\n") if path.startswith("schemas/")}


def test_an_existing_repository_gets_one_commit_that_takes_nothing_else_along(init, repo):
    repo.write("app.py", "print(2)\n")
    repo.write("staged.txt", "mine\n")
    repo.git("add", "staged.txt")

    code, _ = init(at=repo.root)

    changed = repo.git("show", "--name-only", "--format=", "HEAD").split("\n")
    assert code == 0
    assert all(p.startswith(("schemas/", ".git")) or p == "assay.yaml" for p in changed)
    assert sorted(repo.status.split("\n")) == sorted([" M app.py", "A  staged.txt"])


def test_before_the_first_commit_what_was_staged_stays_staged(init, blank):
    blank.init().write("staged.txt", "mine\n")
    blank.git("add", "staged.txt")

    code, _ = init(at=blank.root)

    assert (code, blank.status) == (0, "A  staged.txt")


def test_a_second_time_says_that_it_is_a_ledger(init, story):
    before = story.head

    code, told = init(at=story.root)

    assert (2, before) == (code, story.head)
    assert "is a ledger already" in told


def workflow(repo):
    """The CI job of a ledger, as YAML reads it (which takes the key `on` for true)."""
    return yaml.safe_load((repo.root / ".github/workflows/assay.yml").read_text())


def commands(steps):
    """What the steps run, in order."""
    return [step["run"] for step in steps if "run" in step]


@pytest.mark.parametrize("name", ["evals", "my evals", "it's", "prüfung", "-x", "a$(id)", 'say "hi"'])
def test_the_ci_job_verifies_a_subfolder_of_any_name(init, repo, name):
    code, told = init("--", f"deep/{name}", at=repo.root)

    job = workflow(repo)["jobs"]["verify"]
    verifying = [run for run in commands(job["steps"]) if "verify" in run]
    assert code == 0, told
    assert job["env"] == {"LEDGER": f"deep/{name}"}
    assert len(verifying) == 2 and all(run.count("assay ") == run.count('assay -C "$LEDGER"') for run in verifying)
    assert repo.status == ""


def test_a_pull_request_is_only_data_for_the_ci_job(init, repo):
    init(at=repo.root)

    found = workflow(repo)
    steps = found["jobs"]["verify"]["steps"]
    uses = [step.get("uses", "").partition("@")[0] for step in steps]
    assert set(found[True]) == {"pull_request_target", "merge_group", "push"}
    assert found["permissions"] == {"contents": "read"}
    checkout = steps[uses.index("actions/checkout")]["with"]
    assert (checkout["fetch-depth"], checkout["persist-credentials"]) == (0, False)
    assert "refs/pull/{0}/merge" in checkout["ref"] and "github.sha" in checkout["ref"]
    assert commands(steps[: uses.index("actions/checkout")]) == [f'pip install "assay-ledger=={assay.__version__}"']
    assert not [run for run in commands(steps) if "${{" in run]


@pytest.mark.parametrize("event", ["pull_request_target", "push"])
def test_the_ci_job_refuses_a_change_that_breaks_a_promise(init, blank, event, tmp_path):
    init(at=blank.init().root)
    blank.git("config", "core.hooksPath", os.devnull)
    base = blank.head

    honest = play(blank, event, base, tmp_path, blank.commit("more", {"app.py": "print(2)\n"}))
    hostile = play(blank, event, base, tmp_path, blank.commit("weaken", {"schemas/recall-1.json": "{}\n"}))

    assert (honest, hostile) == (0, 1)


def play(repo, event, base, scratch, tip):
    """Run the commands of the CI job that verify, as the runner would for an event; the worst exit code."""
    job = workflow(repo)["jobs"]["verify"]
    tool = scratch / "bin"
    tool.mkdir(exist_ok=True)
    (tool / "assay").write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -m assay "$@"\n')
    (tool / "assay").chmod(0o755)
    known = {"BASE": base, "BEFORE": base, "TIP": tip, "LEDGER": job["env"]["LEDGER"]}
    settings = os.environ | known | {"PATH": f"{tool}{os.pathsep}{os.environ['PATH']}", "CI": "true"}
    codes = [
        subprocess.run(
            ["sh", "-ec", step["run"]], cwd=repo.root, env=settings, capture_output=True, check=False
        ).returncode
        for step in job["steps"]
        if "verify" in step.get("run", "") and (event == "push") == ("== 'push'" in step["if"])
    ]
    return max(codes)


def test_attributes_are_added_on_a_line_of_their_own(init, repo):
    repo.commit("attributes without a final line break", {".gitattributes": "*.txt text"})

    code, _ = init(at=repo.root)

    lines = (repo.root / ".gitattributes").read_text().split("\n")
    assert code == 0
    assert lines[0] == "*.txt text" and "runs/** -text linguist-generated" in lines


def test_attributes_that_are_not_committed_are_not_taken_along(init, repo):
    repo.write(".gitattributes", "*.txt text\n")

    code, told = init(at=repo.root)

    assert (code, repo.status) == (1, "?? .gitattributes")
    assert "git add .gitattributes && git commit" in told


@pytest.mark.parametrize("name", ["runs", "corpus", "schemas", "RUNS", "Corpus"])
def test_a_taken_name_is_refused_whatever_its_case(init, repo, name):
    repo.commit("occupy", {f"{name}/mine.txt": "1\n"})
    before = everything(repo.root)

    code, told = init(at=repo.root)

    assert (1, before) == (code, everything(repo.root))
    assert f"{name} exist already" in told and "assay init evals" in told


def test_a_name_that_is_only_in_the_index_is_taken_too(init, repo):
    repo.commit("occupy", {"runs/mine.txt": "1\n"})
    (repo.root / "runs" / "mine.txt").unlink()
    (repo.root / "runs").rmdir()

    assert init(at=repo.root)[0] == 1


@pytest.mark.parametrize("rule", ["runs/", "*.json", "corpus", ".gitattributes", "*.yaml"])
def test_an_ignored_name_is_refused_with_the_rule_that_ignores_it(init, repo, rule):
    repo.commit("ignore", {".gitignore": f"# rules\n{rule}\n"})
    before = everything(repo.root)

    code, told = init(at=repo.root)

    assert (1, before) == (code, everything(repo.root))
    assert f".gitignore:2:{rule}" in told


def test_an_ignored_workflow_folder_only_leaves_the_workflow_out(init, repo):
    repo.commit("ignore", {".gitignore": ".github/\n"})

    code, told = init(at=repo.root)

    assert code == 0 and "CI workflow" not in told
    assert repo.status == ""


@pytest.mark.parametrize("given", ["bare.git", "bare.git/evals"])
def test_a_bare_repository_is_refused(init, repo, given):
    bare = repo.bare("bare.git")
    before = sorted(bare.root.iterdir())

    code, told = init(given)

    assert (2, before) == (code, sorted(bare.root.iterdir()))
    assert "a bare repository has no working tree" in told


def test_in_a_linked_worktree_the_hooks_run_for_commits_made_there(init, repo):
    repo.git("worktree", "add", "-q", "../linked", "-b", "side")
    linked = type(repo)(repo.root.parent / "linked", repo.monkeypatch)

    code, _ = init(at=linked.root)
    linked.write("schemas/run-1.json", "{}\n")
    refused = linked.attempt("commit", "-qam", "change the contract")

    assert (code, refused.returncode) == (0, 1)
    assert b"schemas/run-1.json is frozen" in refused.stderr


def test_a_detached_head_is_refused(init, repo):
    repo.git("checkout", "-q", "--detach")

    code, told = init(at=repo.root)

    assert code == 1
    assert "HEAD is detached" in told and "git switch" in told


def test_during_a_merge_nothing_is_begun(init, repo):
    repo.branch("side")
    repo.commit("side", {"side.txt": "1\n"})
    repo.switch("main")
    repo.git("merge", "-q", "--no-commit", "--no-ff", "side")

    code, told = init(at=repo.root)

    assert code == 1
    assert "a merge is under way" in told and not (repo.root / "assay.yaml").exists()


def test_a_held_index_leaves_nothing_half_done(init, repo):
    (repo.root / ".git" / "index.lock").touch()
    before = everything(repo.root)

    code, told = init("evals", at=repo.root)
    left = everything(repo.root)
    (repo.root / ".git" / "index.lock").unlink()

    assert (75, before) == (code, left)
    assert "try again" in told
    assert init("evals", at=repo.root)[0] == 0


@pytest.mark.parametrize("existing", [False, True])
def test_without_an_identity_it_says_what_to_type_and_makes_nothing(init, blank, monkeypatch, existing):
    for name in ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL"):
        monkeypatch.delenv(f"GIT_{name}")
    for name, value in (("KEY", "user.useConfigOnly"), ("VALUE", "true")):
        monkeypatch.setenv(f"GIT_CONFIG_{name}_0", value)
    settings = blank.root.parent / "settings"
    settings.write_text("[user]\n\tuseConfigOnly = true\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    if existing:
        blank.init()

    code, told = init("repo/evals")

    assert code == 2
    assert "git config --global user.name" in told
    assert blank.root.exists() == existing and not (blank.root / "evals").exists()


def test_a_line_break_in_the_path_is_refused_and_leaves_no_folder(init, tmp_path):
    code, told = init("two\nlines")

    assert (code, list(tmp_path.iterdir())) == (2, [])
    assert "line break" in told and "two\\nlines" in told


@pytest.mark.parametrize("given", ["file", "file/below"])
def test_a_file_is_no_folder(init, tmp_path, given):
    (tmp_path / "file").write_text("mine\n")

    code, told = init(given)

    assert code == 2 and "file" in told
    assert (tmp_path / "file").read_text() == "mine\n"


def test_a_hook_that_was_there_runs_first(init, repo):
    own = repo.write(".git/hooks/pre-commit", "#!/bin/sh\necho the old hook ran >&2\n")
    own.chmod(0o755)

    code, told = init(at=repo.root)
    repo.write("schemas/run-1.json", "{}\n")
    refused = repo.attempt("commit", "-qam", "change the contract")

    assert code == 0 and "yours run first: pre-commit" in told
    assert refused.returncode == 1
    assert b"the old hook ran" in refused.stderr and b"append-only" in refused.stderr


def test_the_users_hooks_folder_gets_the_hooks_when_it_is_not_tracked(init, repo):
    repo.git("config", "core.hooksPath", ".own-hooks")

    code, _ = init(at=repo.root)

    assert code == 0
    assert (repo.root / ".own-hooks" / "pre-commit").exists()


def test_a_tracked_hooks_folder_is_never_touched_and_never_called_a_success(init, repo):
    repo.commit("team hooks", {"team/pre-commit": "#!/bin/sh\n"})
    repo.git("config", "core.hooksPath", "team")

    code, told = init(at=repo.root)

    assert code == 3
    assert "hooks not installed" in told and "assay hook pre-commit" in told
    assert (repo.root / "team" / "pre-commit").read_text() == "#!/bin/sh\n"


def test_the_pre_commit_framework_keeps_working_beside_it(init, repo):
    """Its hook file, as it writes it, names its own configuration; both must have a say."""
    hook = repo.write(".git/hooks/pre-commit", "#!/bin/sh\n# File generated by pre-commit\necho framework >&2\n")
    hook.chmod(0o755)

    init(at=repo.root)
    done = repo.attempt("commit", "-q", "--allow-empty", "-m", "nothing")

    assert done.returncode == 0 and b"framework" in done.stderr


def test_no_variable_of_another_repository_leads_it_astray(init, repo, tmp_path, monkeypatch):
    other = type(repo)(tmp_path / "other", monkeypatch).init()
    other.commit("other", {"x": "1\n"})
    before = other.head
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.root))

    code, _ = init(at=repo.root)

    monkeypatch.delenv("GIT_DIR")
    monkeypatch.delenv("GIT_WORK_TREE")
    assert (0, before) == (code, other.head)
    assert repo.log[0].startswith("init: ledger")


def test_a_folder_that_cannot_be_made_is_told_as_such(init):
    code, told = init("/proc/none")

    assert code == 2
    assert told.startswith("assay: /proc/none: ")
