"""A second opinion: verify a ledger with the Python standard library and git alone.

Written from docs/format.md (numbers in parentheses are its sections), sharing no code with assay, to be read in an
evening with `format_min.py` beside it. It walks raw trees itself. It does not recompute publications, knows no review
rules, and looks for no keys or home paths (`recompute`, gold files, `lint`).

    python verify_min.py [-C DIR] [--schemas DIR] [--expect COMMIT] [A..B | REV]
"""

# ruff: noqa: B019, I001

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from format_min import HOME, NAME, canonical, key_of, lines_of, pins_of, place_of, portable, self_contained, sha256
from format_min import beyond_the_final_one, heads, of_kind, planned, spelled, twin, valid

GIT = ["git", "--no-replace-objects"]
for setting in ("core.commitGraph=false", "protocol.allow=never", "gpg.program=gpg", "gpg.ssh.program=ssh-keygen"):
    GIT += ["-c", setting]
ENV = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "GIT_GRAFT_FILE": "/dev/null", "HOME": "/nonexistent"}
ENV |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}
SESSION = {"withdrawal", "scan", "recall", "acknowledgment", "redaction", "admission"}
PROTECTED = ("corpus", "runs", "schemas")
TREE, LINK = "40000", "160000"
LFS = b"version https://git-lfs.github.com/spec/v1\n"


# --- git -----------------------------------------------------------------------------------------------------------


class MissingObject(Exception):
    """An object is not here."""


class Repository:
    """Raw objects, each hashed again; `problems` are those that are not what their name says."""

    def __init__(self, folder):
        self.folder, self.problems = folder, set()
        self.dir = Path(folder, self.ask("rev-parse", "--git-common-dir").strip())
        self.prefix = self.ask("rev-parse", "--show-prefix").strip("\n")
        partial = self.ask("config", "--get-regexp", r"^(remote\..*\.promisor|extensions\.partialclone)$", ok=(0, 1))
        present = ("cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
        self.here = set(self.ask(*present).split()) if partial else None
        shallow = self.dir / "shallow"
        self.shallow = set(shallow.read_text().split()) if shallow.exists() else set()
        batch = [*GIT, "-C", str(folder), "cat-file", "--batch"]
        self.pipe = subprocess.Popen(batch, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENV)

    def ask(self, *args, ok=(0,)):
        done = subprocess.run([*GIT, "-C", str(self.folder), *args], capture_output=True, env=ENV, check=False)
        if done.returncode not in ok:
            raise SystemExit(f"git {args[0]}: {done.stderr.decode(errors='replace').strip()}")
        return done.stdout.decode("utf-8", "surrogateescape")

    @cache
    def read(self, oid):
        """The object's bytes; raise MissingObject when it is absent (9.1)."""
        if self.here is not None and oid not in self.here:
            raise MissingObject(oid)
        self.pipe.stdin.write(oid.encode() + b"\n")
        self.pipe.stdin.flush()
        head = self.pipe.stdout.readline().split()
        data = self.pipe.stdout.read(int(head[2]) + 1)[:-1] if len(head) == 3 else b""
        algorithm = hashlib.sha1 if len(oid) == 40 else hashlib.sha256
        if len(head) != 3 or algorithm(head[1] + b" %d\0" % len(data) + data).hexdigest() != oid:
            self.problems.add(("broken", "object", oid, ""))
        if len(head) != 3:
            raise MissingObject(oid)
        return data

    @cache
    def commit(self, oid):
        """The tree and the parents of a commit, as its own bytes say; no parents at a shallow boundary."""
        head = self.read(oid).split(b"\n\n")[0].decode("utf-8", "replace").split("\n")
        parents = tuple(line[7:] for line in head if line.startswith("parent "))
        return head[0][5:], () if oid in self.shallow else parents

    @cache
    def tree(self, oid):
        """The entries of a tree in their stored order, as (name, mode, oid)."""
        data, at, size, entries = self.read(oid), 0, len(oid) // 2, []
        while at < len(data):
            space, null = data.index(b" ", at), data.index(b"\0", at)
            name = data[space + 1 : null].decode("utf-8", "surrogateescape")
            entries.append((name, data[at:space].decode(), data[null + 1 : null + 1 + size].hex()))
            at = null + 1 + size
        return tuple(entries)

    @cache
    def names(self, oid):
        return {name: (mode, child) for name, mode, child in reversed(self.tree(oid))} if oid else {}

    def root(self, commit):
        """The tree of the ledger's folder in a commit, or None."""
        found = self.below((TREE, self.commit(commit)[0]), self.prefix)
        return found[1] if found and found[0] == TREE else None

    @cache
    def look(self, commit, path):
        """(mode, oid) at a path of the ledger in a commit, or None."""
        return self.below((TREE, self.root(commit)), path)

    def below(self, found, path):
        for part in filter(None, path.split("/")):
            found = self.names(found[1]).get(part) if found and found[0] == TREE else None
        return found

    def files(self, commit, path):
        """Every file below a folder, as (path, oid)."""
        found = self.look(commit, path)
        for name, mode, oid in self.tree(found[1]) if found and found[0] == TREE else ():
            yield from self.files(commit, f"{path}/{name}") if mode == TREE else [(f"{path}/{name}", oid)]

    @cache
    def ancestors(self, commit):
        found, todo = {commit}, [commit]
        while todo:
            new = set(self.commit(todo.pop())[1]) - found
            found |= new
            todo += new
        return found


def in_session(document):
    """Whether a record belongs to no run (4)."""
    own, kind, number = document["schema"].split("/")
    return own == "assay" and (kind in SESSION or (kind == "claim" and number != "1"))


# --- the verifier --------------------------------------------------------------------------------------------------


class Verifier:
    """Applies section 9 to the commits that `tip` reaches and `base` does not."""

    def __init__(self, repo, tip, base, schemas):
        self.repo, self.tip, self.problems, self.absent = repo, tip, set(), False
        files = {path.stem: path.read_bytes() for path in schemas.glob("*.json")}
        self.builtin = {f"assay/{stem.replace('-', '/')}": data for stem, data in files.items()}
        self.outside = repo.ancestors(base) if base else set()
        self.covered = {commit for commit in self.outside if repo.look(commit, "assay.yaml")}
        self.order = self.parents_first()
        self.introduced = []  # (commit, path, mode, oid)
        self.violations = {}  # (path, commit) -> {(old, new)}
        self.records, self.commits = {}, {}  # by key (path, line, sha256): the document, who introduced it

    def say(self, weight, rule, path, commit):
        self.problems.add((weight, rule, path, commit))

    def parents_first(self):
        order, seen, todo = [], set(self.outside), [(self.tip, False)]
        while todo:
            commit, ready = todo.pop()
            if ready:
                order.append(commit)
            elif commit not in seen:
                seen.add(commit)
                todo += [(commit, True), *((parent, False) for parent in self.repo.commit(commit)[1])]
        return order

    def run(self):
        for commit in self.order:
            self.judge_changes(commit)
        for commit in self.repo.shallow & set(self.order) & self.covered:
            self.say("not provable", "append-only", "", commit)
        self.judge_content()
        self.judge_chain()
        for rule in ("canonical", "schema", "name", "pin", "frozen", "chain") if self.absent else ():
            self.say("not provable", rule, "", "")
        for (path, _, _), commits in self.commits.items():
            for commit in commits if path.endswith("/acknowledgment.json") else ():
                self.judge_acknowledgment(path, commit)
        return self.problems | self.repo.problems

    # append-only and names, from trees alone

    def judge_changes(self, commit):
        parents = [p for p in self.repo.commit(commit)[1] if p in self.covered]
        if not parents and not self.repo.look(commit, "assay.yaml"):
            return
        self.covered.add(commit)
        tree = self.repo.names(self.repo.root(commit))
        before = [self.repo.names(self.repo.root(p)) for p in parents]
        if "assay.yaml" not in tree and any("assay.yaml" in names for names in before):
            self.say("broken", "append-only", "assay.yaml", commit)
        for name in set(tree) - {"assay.yaml", *PROTECTED}:
            if twin(name) in ("assay.yaml", *PROTECTED) and not any(name in names for names in before):
                self.say("broken", "name", name, commit)
        for top in PROTECTED:
            for names in before:
                self.removed(commit, top, names.get(top), tree.get(top))
            if top in tree:
                self.added(commit, top, tree[top], [names.get(top) for names in before])

    def removed(self, commit, path, old, new):
        """Say what of an entry of a parent is not there as it was."""
        if old and old != new and old[0] != TREE:
            became = new[1] if new and new[0] != TREE else None
            self.violations.setdefault((path, commit), set()).add((old[1], became))
            self.say("broken", "append-only", path, commit)
        elif old and old != new:
            now = self.repo.names(new[1]) if new and new[0] == TREE else {}
            for name, mode, oid in self.repo.tree(old[1]):
                self.removed(commit, f"{path}/{name}", (mode, oid), now.get(name))

    def added(self, commit, path, new, olds):
        """Note what no parent has, and judge every tree that no parent has here."""
        before = [old[1] for old in olds if old and old[0] == TREE]
        if new[0] != TREE and len(before) == len([old for old in olds if old]):
            self.introduced.append((commit, path, *new))
        elif new[0] == TREE and new not in olds:
            self.judge_tree(commit, path, new[1], before)
            for name, mode, oid in self.repo.tree(new[1]):
                self.added(commit, f"{path}/{name}", (mode, oid), [self.repo.names(t).get(name) for t in before])

    def judge_tree(self, commit, path, tree, before):
        entries = self.repo.tree(tree)
        raw = [(name + "/" * (mode == TREE)).encode("utf-8", "surrogateescape") for name, mode, _ in entries]
        names = sorted({name for name, _, _ in entries}, key=lambda name: name.encode("utf-8", "surrogateescape"))
        if raw != sorted(raw) or len(names) != len(entries):
            self.say("broken", "name", path, commit)
        first = {}
        for name in names:
            other = first.setdefault(twin(name), name)
            if other != name and not any({name, other} <= set(self.repo.names(t)) for t in before):
                self.say("broken", "name", f"{path}/{name}", commit)

    # files by themselves

    def judge_content(self):
        contents = {}
        for commit, path, mode, oid in self.introduced:
            kind, match = place_of(path)
            if mode != "100644" or kind == "unknown" or not portable(path):
                self.say("broken", "name", path, commit)
            if mode == LINK or kind == "unknown":
                continue
            if kind in ("fixture", "payload"):
                self.judge_folder(commit, match["folder"], path)
            if kind == "fixture":
                contents.setdefault(path, {}).setdefault(oid, []).append(commit)
            if kind not in ("payload", "gold"):
                self.judge_file(commit, path, oid, kind, match)
        for path, found in contents.items():
            for commit in (commit for commits in found.values() for commit in commits if len(found) > 1):
                self.say("broken", "frozen", path, commit)

    def blob(self, oid):
        try:
            return self.repo.read(oid)
        except MissingObject:
            self.absent = self.absent or self.repo.here is not None
            return None

    def judge_file(self, commit, path, oid, kind, match):
        data = self.blob(oid)
        if data is None or kind == "artifact":
            if data is not None and sha256(data)[7:] != path[-64:]:
                self.say("broken", "name", path, commit)
            return
        try:
            lines = lines_of(data) if kind == "shard" else [(None, data, canonical(data))]
        except (ValueError, RecursionError):
            self.say("broken", "canonical", path, commit)
            return
        if kind == "schema":
            self.judge_schema(commit, path, data, lines[0][2])
            return
        good = [entry for entry in lines if self.fits_schema(commit, path, entry[2])]
        if not self.well_named(path, kind, match, [document for _, _, document in good]):
            self.say("broken", "name", path, commit)
        for line, raw, document in good:
            key = (path, line, sha256(raw))
            self.records[key] = document
            self.commits.setdefault(key, []).append(commit)
            pins = [self.resolves(commit, pin) for pin in pins_of(self.schema_of(commit, document), document)]
            if not (all(pins) and self.own_digests(commit, path, document)):
                self.say("broken", "pin", path, commit)

    def judge_schema(self, commit, path, data, document):
        plugin = re.fullmatch(r"schemas/(x-[a-z][a-z0-9]*)-([a-z][a-z_]*)-([1-9]\d*)\.json", path, re.ASCII)
        own = re.fullmatch(r"schemas/([a-z][a-z_]*)-([1-9]\d{0,3})\.json", path, re.ASCII)
        known = self.builtin.get(f"assay/{own[1]}/{own[2]}") if own else None
        if plugin:
            closed = document.get("additionalProperties") is False and document.get("$id") == "/".join(plugin.groups())
            sound = closed and self_contained(document)
        if not plugin and known is None:
            self.say("not provable", "schema", path, commit)
        elif not (sound if plugin else known == data):
            self.say("broken", "schema", path, commit)

    @cache
    def schema_named(self, commit, name):
        if name in self.builtin:
            return json.loads(self.builtin[name])
        found = self.repo.look(commit, f"schemas/{name.replace('/', '-')}.json") if name.startswith("x-") else None
        data = self.blob(found[1]) if found else None
        return json.loads(data) if data else None

    def schema_of(self, commit, document):
        name = document.get("schema")
        return self.schema_named(commit, name) if isinstance(name, str) and re.fullmatch(NAME, name, re.ASCII) else None

    def fits_schema(self, commit, path, document):
        schema, name = self.schema_of(commit, document), document.get("schema")
        named = isinstance(name, str) and re.fullmatch(NAME, name, re.ASCII)
        if schema is None:
            self.say("not provable" if named else "broken", "schema", path, commit)
        elif not valid(schema, document):
            self.say("broken", "schema", path, commit)
        return schema is not None and valid(schema, document)

    def well_named(self, path, kind, match, documents):  # (4)
        ids = [str(document.get("id")) for document in documents]
        kinds = {document["schema"].split("/")[1] for document in documents}
        if kind == "shard":
            home = rf"{re.escape(match['run'])}/{re.escape(match['act'])}/(\d\d/)?[a-z0-9._-]+"
            placed = all(re.fullmatch(home, name, re.ASCII) for name in ids)
            return placed and len(set(ids)) == len(ids) and kinds <= {match["kind"]}
        for document, name in zip(documents, ids, strict=True):
            own, word, _ = document["schema"].split("/")
            if own == "assay" and word == "fixture":
                wanted = f"corpus/{document['dataset_id']}/{document['dataset_version']}/fixture.json"
            else:
                wanted = f"runs/{name[:7]}/{name}" + ("/run.json" if (own, word) == ("assay", "run") else ".json")
                parts = name.split("/")
                placed = parts[1:] == [word] if in_session(document) else word == "run" or len(parts) > 2
                if own == "assay" and not placed:
                    return False
            if wanted != path:
                return False
        return True

    # pins and fixtures

    def resolves(self, commit, pin):
        found = self.repo.look(commit, pin["path"]) if pin["path"].split("/")[0] in PROTECTED else None
        if found is None or found[0] in (TREE, LINK):
            return False
        data = self.blob(found[1])
        if data is not None and pin.get("line") is not None:
            rows = data.split(b"\n")
            data = rows[pin["line"] - 1] + b"\n" if 1 <= pin["line"] < len(rows) else b""
        return data is None or sha256(data) == pin["sha256"] or self.is_redacted(pin["path"], pin["sha256"], data)

    def is_redacted(self, path, digest, data):  # (7.3)
        stone = spelled({"redacted": digest}).encode()
        return data == stone and (path, digest, sha256(stone)) in self.redactions()

    @cache
    def redactions(self):
        found = [self.blob(oid) for path, oid in self.repo.files(self.tip, "runs") if path.endswith("/redaction.json")]
        members = ("path", "sha256", "tombstone_sha256")
        return {tuple(json.loads(data).get(member) for member in members) for data in found if data}

    def own_digests(self, commit, path, document):
        if document["schema"].startswith("assay/run/"):
            environment, samples, target = dict(document["environment"]), document["samples"], document["target"]
            stated = [(environment.pop("sha256"), environment), (target["config_sha256"], target["config"])]
            stated += [(samples["sha256"], samples["list"])] if samples["list"] is not None else []
            return all(digest == sha256(spelled(value).encode()) for digest, value in stated)
        if document["schema"].startswith("assay/fixture/"):
            held = [self.file_holds(commit, path, entry) for entry in document["files"]]
            return all(held)
        return True

    def file_holds(self, commit, path, entry):  # (6)
        where = f"{path.removesuffix('fixture.json')}{entry['path']}"
        found = self.repo.look(commit, where)
        if entry.get("sealed") or found is None or found[0] in (TREE, LINK):
            return bool(entry.get("sealed")) and found is None and "salt" in entry
        data = self.blob(found[1])
        if data is None or self.is_redacted(where, entry["sha256"], data):
            return True
        pointer = data.startswith(LFS) and len(data) < 1024
        if entry.get("via") == "lfs":
            oid = re.search(rb"^oid sha256:([0-9a-f]{64})$", data, re.MULTILINE) if pointer else None
            name = oid[1].decode() if oid else ""
            content = self.repo.dir / "lfs/objects" / name[:2] / name[2:4] / name
            if f"sha256:{name}" == entry["sha256"] and not content.exists():
                self.say("not provable", "pin", path, commit)
                return True
            pointer, data = f"sha256:{name}" != entry["sha256"], content.read_bytes() if content.is_file() else b""
        return not pointer and sha256(data) == entry["sha256"] and len(data) == entry["bytes"]

    def judge_folder(self, commit, folder, path):
        place = f"{folder}/fixture.json"
        found = self.repo.look(commit, place)
        data = self.blob(found[1]) if found else b""
        try:
            fixture = canonical(data) if data else None
        except ValueError:
            fixture = None
        sound = fixture is not None and valid(json.loads(self.builtin["assay/fixture/1"]), fixture)
        anew = any((c, p) == (commit, place) for c, p, _, _ in self.introduced)
        if data is None or (not sound and anew):
            return
        pinned = {entry["path"] for entry in fixture["files"] if not entry.get("sealed")} if sound else set()
        beside = [where for where, _ in self.repo.files(commit, folder)] if path == place else [path]
        for where in beside:
            if where != place and where.removeprefix(f"{folder}/") not in pinned:
                self.say("broken", "frozen", where, commit)
        if path == place:
            names, items = [entry["path"] for entry in fixture["files"]], fixture["items"]
            named = {name for item in items for name in item["files"]} | {fixture["source"]} - {None}
            once = len({item["id"] for item in items}) == len(items) and fixture["item_count"] in (
                len(items) or fixture["item_count"],
            )
            if names != sorted(set(names)) or not named <= set(names) or "fixture.json" in names or not once:
                self.say("broken", "frozen", path, commit)

    # the chain

    def judge_chain(self):
        runs, self.withdrawn = {}, self.withdrawals()
        for key in self.commits:
            if match := re.match(rf"({HOME})/", key[0], re.ASCII):
                runs.setdefault(match[1], []).append(key)
        for run, keys in runs.items():
            context = {k: d for k, d in self.context(run, keys).items() if d["schema"].startswith("assay/")}
            for key in (key for key in keys if key in context):
                for commit in self.commits[key]:
                    self.judge_record(run, key, context[key], commit, context)
            seen = [document["attempt"] for document in of_kind(context, "attempt").values()]
            for key, document in of_kind(context, "attempt").items():
                for commit in self.commits.get(key, ()) if seen.count(document["attempt"]) > 1 else ():
                    self.say("broken", "chain", key[0], commit)
            self.contested(context)

    def context(self, run, keys):
        """The records of a run: what was introduced, and in a range what the tip has beside it."""
        found = {key: self.records[key] for key in keys}
        for path, oid in self.repo.files(self.tip, run) if self.outside else ():
            kind, data = place_of(path)[0], self.blob(oid)
            try:
                single = kind == "record" and data is not None
                lines = [(None, data, canonical(data))] if single else lines_of(data) if kind == "shard" else ()
            except (ValueError, RecursionError, AttributeError):
                continue
            for line, raw, document in lines:
                schema = self.schema_of(self.tip, document)
                if schema is not None and valid(schema, document):
                    found.setdefault((path, line, sha256(raw)), document)
        return found

    def withdrawals(self):
        found = {}
        everywhere = [*self.repo.files(self.tip, "runs"), *((path, oid) for _, path, _, oid in self.introduced)]
        for path, oid in everywhere:
            data = self.blob(oid) if path.endswith("/withdrawal.json") else None
            try:
                found.setdefault(key_of(canonical(data)["subject"]), set()).add(path) if data else None
            except (ValueError, KeyError, TypeError):
                continue
        return found

    def parent_has(self, commit, path):
        return any(self.repo.look(parent, path) for parent in self.repo.commit(commit)[1])

    def say_order(self, rule, path, commit, shown):
        if commit in self.repo.shallow or not shown:
            self.say("not provable" if commit in self.repo.shallow else "unproven", rule, path, commit)

    def judge_record(self, run, key, document, commit, context):
        kind, plan = document["schema"].split("/")[1], f"{run}/run.json"
        plans = [d for (path, _, _), d in context.items() if path == plan]
        sound = True
        if kind != "run" and not in_session(document):
            sound = bool(self.repo.look(commit, plan)) and document.get("run") in (None, run.rpartition("/")[2])
        if kind == "run":
            pins = [fixture["pin"]["path"] for fixture in document["fixtures"]]
            self.say_order("frozen-before-run", plan, commit, all(self.parent_has(commit, pin) for pin in pins))
            samples = document["samples"]["list"] or []
            once = len({s["id"] for s in samples}) == len({s["ordinal"] for s in samples}) == len(samples)
            counted = document["samples"]["list"] is None or len(samples) == document["samples"]["count"]
            sound &= once and counted and all(pin.startswith("corpus/") for pin in pins)
        elif kind in ("attempt", "observation"):
            sound &= not plans or any(planned(one, document["sample"]) for one in plans)
        elif kind in ("evaluation", "review"):
            of = "observation" if kind == "evaluation" else "evaluation"
            target = of_kind(context, of).get(key_of(document[of]))
            sound &= target is not None and (kind == "review" or target["sample"]["id"] == document["sample"])
        elif kind == "scan":
            sound &= place_of(document["fixture"]["path"])[0] == "fixture"
        if kind == "observation":
            self.say_order("planned-before-observed", plan, commit, self.parent_has(commit, plan))
            made = (document["attempt"], document["sample"]["id"])
            attempts = [(d["attempt"], d["sample"]) for d in of_kind(context, "attempt").values()]
            sound &= made[0] is None or made in attempts
        if "basis" in document:
            sound &= self.basis_holds(run, kind, document, commit)
        if not sound:
            self.say("broken", "chain", key[0], commit)

    def basis_holds(self, run, kind, document, commit):
        pins = [key_of(pin) for pin in document["basis"]]
        if any(self.parent_has(commit, path) for pin in pins for path in self.withdrawn.get(pin, ())):
            return False
        evidence = re.compile(rf"{HOME}/(capture|judge|import)[^/]*/", re.ASCII)
        own = all(path.startswith(f"{run}/") for path, _, _ in pins if evidence.match(path))
        return kind != "publication" or (own and any(path == f"{run}/run.json" for path, _, _ in pins))

    def contested(self, context):
        reviews = {key: one for key, one in of_kind(context, "review").items() if key not in self.withdrawn}
        above, cells, seen = {}, {}, {}
        for key, review in reviews.items():
            for pin in review["supersedes"] or ():
                above.setdefault(key_of(pin), set()).add(key)
        for key in (key for key, direct in above.items() if len(direct) > 1 and len(heads(key, above)) > 1):
            self.say("contested", "chain", key[0], "")
        for key, document in of_kind(context, "evaluation").items():
            judge, observed = document["evaluator"], key_of(document["observation"])
            for result in document["results"] if key not in self.withdrawn else ():
                cell = (observed, judge["name"], judge["source_sha256"], result["criterion"], result["part"])
                if result["status"] != "skipped_budget":
                    cells.setdefault(cell, set()).add(key)
        for (observed, _, _, *cell), keys in cells.items():
            settled = [r for k, r in reviews.items() if k not in above and r["role"] == "adjudication"]
            chosen = [r for r in settled if key_of(r["evaluation"]) in keys and [r["criterion"], r["part"]] == cell]
            if len(chosen) > 1 or (len({key[:2] for key in keys}) > 1 and len(chosen) != 1):
                self.say("contested", "chain", observed[0], "")
        for key, document in of_kind(context, "observation").items():
            if document["status"] != "late" and key not in self.withdrawn:
                seen.setdefault(document["sample"]["id"], {})[key] = document
        for plan in of_kind(context, "run").values():
            for key in (beyond_the_final_one(found, plan["retry"]) for found in seen.values()):
                if key:
                    self.say("contested", "chain", key[0], "")

    # acknowledgments (7.2)

    def judge_acknowledgment(self, path, commit):
        document = next(document for key, document in self.records.items() if key[0] == path)
        for entry in document["violations"]:
            key, blobs = (entry["path"], entry["commit"]), (entry["old"], entry["new"])
            before = entry["commit"] in self.repo.ancestors(commit) - {commit}
            if entry["commit"] in self.order and (self.outside or not before):
                self.say("broken", "acknowledgment", path, commit)
            elif entry["rule"] == "append-only" and blobs in self.violations.get(key, ()) and self.signed(commit):
                self.problems.discard(("broken", "append-only", *key))

    def signed(self, commit):
        """Whether a commit has a good signature by a signer that its first parent permits (8)."""
        found = self.repo.look((*self.repo.commit(commit)[1], commit)[0], "assay.yaml")
        text = (self.blob(found[1]) or b"").decode("utf-8", "replace") if found else ""
        block = re.search(r"^signers:[ \t]*\n((?:[ \t]*-[ \t].*\n?)*)", text, re.MULTILINE)
        lines = [row.strip()[1:].strip().strip("\"'") for row in block[1].splitlines()] if block else []
        fingers = {line.split()[2].upper() for line in lines if line.split()[1:2] == ["gpg"]}
        with tempfile.NamedTemporaryFile("w", suffix=".signers") as file:
            file.write("".join(f"{line}\n" for line in lines if line.split()[1:2] != ["gpg"]))
            file.flush()
            command = [*GIT, "-C", str(self.repo.folder), "-c", f"gpg.ssh.allowedSignersFile={file.name}"]
            command += ["-c", "gpg.x509.program=false", "verify-commit", "--raw", commit]
            keys = {"GNUPGHOME": os.environ.get("GNUPGHOME") or str(Path.home() / ".gnupg")}
            done = subprocess.run(command, capture_output=True, env=ENV | keys, check=False)
        made_by = re.findall(rb"VALIDSIG ([0-9A-F]+)", done.stderr)
        return done.returncode == 0 and (not made_by or made_by[0].decode() in fingers)


def verify(folder, target="HEAD", *, schemas, expect=None):
    """Every problem as (weight, rule, path, commit)."""
    repo = Repository(folder)
    base, _, tip = target.rpartition("..")
    tip = repo.ask("rev-parse", "--verify", "--end-of-options", f"{tip or 'HEAD'}^{{commit}}").strip()
    base = repo.ask("rev-parse", "--verify", "--end-of-options", f"{base}^{{commit}}").strip() if base else None
    problems = Verifier(repo, tip, base, schemas).run()
    repo.pipe.communicate()
    if expect and expect not in repo.ancestors(tip):
        problems.add(("not provable" if repo.shallow else "broken", "expect", "", expect))
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("target", nargs="?", default="HEAD", metavar="A..B | REV")
    parser.add_argument("-C", dest="folder", default=".")
    parser.add_argument("--schemas", type=Path, default=Path(__file__).resolve().parents[2] / "schemas")
    parser.add_argument("--expect")
    options = parser.parse_args()
    problems = verify(options.folder, options.target, schemas=options.schemas, expect=options.expect)
    for weight, rule, path, commit in sorted(problems):
        print(f"{weight}  {rule}  {json.dumps(path)}  {commit}")
    weights = {weight for weight, *_ in problems}
    return 1 if "broken" in weights else 3 if "not provable" in weights else 0


if __name__ == "__main__":
    sys.exit(main())
