"""Appending: how new files become a commit on the branch the user is on, while others may be doing the same.

1. The plan goes into the spool and onto the disk. From here on it is not lost.
2. Under the spool's lock the holder decides on every waiting plan of the branch on top of the tip (`batch.py`;
   `approve` may object) and takes `index.lock` of each working tree that has the branch checked out. Is it held by
   somebody, the plans stay spooled and the answer is Busy.
3. Blobs and trees are written in one stream, then one commit a plan, each on top of the one before.
4. Files of exactly the new paths appear in the working tree and the index (`checkout.py`).
5. The branch moves from that tip, or, when somebody was faster, everything is built anew on the new one.

Nothing of the user's is changed or removed. A crash leaves at most staged additions, and whoever appends next
completes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.errors import AssayError, Busy, Refused
from assay.store.batch import Approve, Batch, exists
from assay.store.checkout import Checkout, all_locked, sweep, under_way
from assay.store.git import Git
from assay.store.grafting import taken
from assay.store.pack import pack_stream
from assay.store.plan import Below, Plan
from assay.store.snapshot import Snapshot
from assay.store.spool import Outcome, Spool, Ticket
from assay.store.trees import Trees

MAX_REBUILDS = 50
"""How often everything is built anew because the branch moved meanwhile, before giving up with Busy."""

LOST = Outcome(refused=("the spooled plan was deleted by somebody before it was committed",))


def append(git: Git, prefix: str, plans: Sequence[Plan], *, approve: Approve | None = None) -> tuple[str, ...]:
    """Commit plans on the current branch, one commit each and in their order; the commits. See `Ledger.append_all`."""
    for plan in plans:
        plan.check()
    writer = _Writer(git, prefix, approve)
    writer.refuse_unready()
    for plan in plans:
        writer.refuse_taken(plan)
    tickets = writer.spool.put(*plans)
    try:
        with writer.spool.locked():
            heard = {ticket: word for ticket in tickets if (word := writer.spool.heard(ticket))}
            known = heard if len(heard) == len(tickets) else {**writer.drain(own=frozenset(tickets)), **heard}
    except Busy:
        raise
    except AssayError:
        # Trying again would not help, and whoever repairs the cause will record anew.
        for ticket in tickets:
            writer.spool.take_back(ticket)
        raise
    outcomes = [known.get(ticket, LOST) for ticket in tickets]
    if outcomes and outcomes[-1].commit.endswith("0"):
        # One append in sixteen: looking costs as much as the commit, and Git's own limits are thousands of objects.
        writer.tidy()
    for outcome in outcomes:
        if outcome.refused:
            raise Refused(f"nothing was recorded: {outcome.refused[0]}", hint="\n".join(outcome.refused[1:]) or None)
    return tuple(outcome.commit for outcome in outcomes)


def drain(git: Git, prefix: str, *, approve: Approve | None = None) -> tuple[str, ...]:
    """Commit every plan that waits for the current branch; the new commits. See `Ledger.drain`."""
    writer = _Writer(git, prefix, approve)
    writer.refuse_unready()
    with writer.spool.locked():
        outcomes = writer.drain()
    return tuple(outcome.commit for outcome in outcomes.values() if outcome.commit)


class _Writer:
    """One process that appends to one branch."""

    def __init__(self, git: Git, prefix: str, approve: Approve | None) -> None:
        self.git, self.prefix, self.approve = git, prefix, approve
        self.ref = _branch(git)
        self.spool = Spool(git.places.common_dir / "assay", self.ref, prefix)

    def refuse_unready(self) -> None:
        """Refused while a merge, bisect or the like is under way in a working tree that has the branch."""
        if what := _under_way(self.checkouts()):
            raise _not_during(what)

    def checkouts(self) -> tuple[Checkout, ...]:
        """The working trees that have the branch checked out at this moment."""
        return tuple(Checkout(tree, self.spool.state) for tree in _worktrees_with(self.git, self.ref))

    def refuse_taken(self, plan: Plan) -> None:
        """Refused when a path is in the ledger already, or on the disk with other content."""
        full = Below(self.prefix, plan.files)
        tip = self.git.tip(self.ref)
        conflicts = taken(Trees(self.git), Snapshot(self.git, tip).details.tree if tip else None, full)
        if conflicts:
            raise Refused(exists(conflicts[0]), hint="\n".join(conflicts[1:]) or None)
        for checkout in self.checkouts():
            if differing := checkout.differing(full):
                raise Refused(
                    f"{differing[0]}: another file is there in {checkout.folder}, and it will not be overwritten",
                    hint=f"move away: {' '.join(differing[:5])}",
                )

    def drain(self, *, own: frozenset[Ticket] = frozenset()) -> dict[Ticket, Outcome]:
        """Commit all waiting plans and take them out of the spool. The caller must hold the spool's lock."""
        sweep(self.spool.state)
        waiting = self.spool.waiting()
        for _ in range(MAX_REBUILDS if waiting else 0):
            batch = Batch(self.git, self.git.tip(self.ref), self.prefix)
            for ticket, plan in waiting:
                batch.decide(ticket, plan, self.approve)
            commits = self._commit(batch)
            if commits is not None:
                outcomes = {**batch.settled, **commits}
                for ticket, outcome in outcomes.items():
                    self.spool.settle(ticket, outcome, own=ticket in own)
                return outcomes
        if waiting:
            raise Busy(f"{self.ref} moved {MAX_REBUILDS} times meanwhile; the plans are kept", hint="try again")
        return {}

    def tidy(self) -> None:
        """Let Git keep its packs few, as it does after commits of its own."""
        self.git.run("maintenance", "run", "--auto", "--quiet", accept=range(256))

    def _commit(self, batch: Batch) -> dict[Ticket, Outcome] | None:
        """Steps 2 to 5 for one batch; None when the branch was moved or switched to or from meanwhile."""
        if not batch.accepted:
            return {}
        checkouts = self.checkouts()
        with all_locked(checkouts):
            if what := _under_way(checkouts):
                raise Busy(f"a {what} has begun meanwhile; the plans are kept", hint=f"finish or abort the {what}")
            if not all(checkout.has(self.ref) for checkout in checkouts):
                return None
            self.git.add_objects(pack_stream(tuple(batch.objects.values()), self.git.object_format), len(batch.objects))
            outcomes, tip = self._commits(batch)
            files = batch.files if checkouts else {}
            for checkout in checkouts:
                checkout.bring_forward(files)
        reason = f"assay: {batch.accepted[-1].plan.subject}"
        return outcomes if self.git.move_ref(self.ref, tip, batch.tip, reason=reason) else None

    def _commits(self, batch: Batch) -> tuple[dict[Ticket, Outcome], str]:
        """One commit a plan, each on top of the one before; signed where the user signs."""
        sign = self.git.signs
        tip, outcomes = batch.tip, {}
        for accepted in batch.accepted:
            tip = self.git.commit_tree(accepted.tree, (tip,) if tip else (), accepted.plan.message, sign=sign)
            outcomes[accepted.ticket] = Outcome(commit=tip)
        return outcomes, tip or ""


def _branch(git: Git) -> str:
    ref = git.branch()
    if ref is not None:
        return ref
    if what := under_way(git.places.git_dir):
        raise _not_during(what)
    raise Refused("HEAD is detached: a record made here would belong to no branch", hint="git switch BRANCH")


def _worktrees_with(git: Git, ref: str) -> Iterator[Git]:
    """The repository in every working tree that has the branch checked out."""
    here = git.places.worktree
    if not (git.places.common_dir / "worktrees").is_dir():
        yield from [git] if here and git.branch() == ref else []
        return
    for tree in git.worktrees():
        if tree.ref == ref:
            yield git if tree.folder == here else Git(tree.folder)


def _under_way(checkouts: tuple[Checkout, ...]) -> str | None:
    return next((what for checkout in checkouts if (what := checkout.under_way())), None)


def _not_during(what: str) -> AssayError:
    return Refused(f"a {what} is under way: recording now would become part of it", hint=f"finish or abort the {what}")
