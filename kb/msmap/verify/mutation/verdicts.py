"""Mutants put before the checks of their records: which turn a check red, and which live."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from msmap.assemble.base import Base
from msmap.curated import schema
from msmap.errors import NotFound
from msmap.model import Record, state_of
from msmap.verify.mutation import mutants as mutate
from msmap.verify.mutation.mutants import Changed, Mutant
from msmap.verify.plan import job
from msmap.verify.plan.job import Job
from msmap.vocabulary import OUTCOMES

# How many checks of a mutant run before those of the others get their turn; then all the rest.
_ROUNDS = (1, 2, None)

STATUSES: dict[str, str] = {
    "caught": "a check turns red, or the port is refused",
    "survived": "no check notices",
    "untestable": "the target doesn't run on this device",
    "equivalent": "no call could come out otherwise",
}

Outcomes = dict[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant: one of ``STATUSES``, the check that caught it, or why not."""

    record: str
    target: str
    kind: str
    change: str
    status: str
    check: str = ""
    why: str = ""


@dataclass(slots=True)
class _Trial:
    """A mutant with the checks that it changes, and how many of them have run."""

    mutant: Mutant
    changed: list[Changed]
    ran: int = 0


def chosen(base: Base, names: Iterable[str]) -> list[Record]:
    """The records of those names, sorted; all if there are no names.

    Raises:
        NotFound: there is none of a name.
    """
    wanted = [base.torch_name(name) or name for name in names] or list(base.records)
    for name in wanted:
        if name not in base.records:
            raise NotFound(name, base.torch_name(name), ())
    return [base.records[name] for name in sorted(set(wanted))]


def judge(
    records: Iterable[Record],
    written: dict[str, schema.Record],
    base: Base,
    environment: str,
    ask: Callable[[list[Job]], dict[tuple[str, str], str]],
) -> list[Verdict]:
    """A verdict on every mutant of some records, in the order in which they are made.

    Args:
        records: as the base has them.
        written: their files.
        base: everything known.
        environment: whose evidence tells what is right.
        ask: runs jobs and gives their outcomes by owner and check.
    """
    records = list(records)
    kept, missing = _kept(records, environment)
    kept |= ask(missing)
    trials = [
        _Trial(mutant, mutate.changed(written[record.torch], mutant, base))
        for record in records
        for mutant in mutate.mutants(record, base)
    ]
    found: Outcomes = {}
    verdicts = {id(t): verdict for t in trials if (verdict := _at_once(t, kept, base)) is not None}
    for count in _ROUNDS:
        alive = [t for t in trials if id(t) not in verdicts]
        for trial in alive:
            trial.ran = len(trial.changed) if count is None else trial.ran + count
        wanted = {_key(t, c): c for t in alive for c in t.changed[: t.ran]}
        found |= ask([_job(*key, c) for key, c in wanted.items() if key not in found])
        for trial in alive:
            if caught := _catcher(trial, kept, found):
                verdicts[id(trial)] = _verdict(trial.mutant, "caught", *caught)
    return [verdicts.get(id(t)) or _survivor(t, kept, base) for t in trials]


def _kept(records: list[Record], environment: str) -> tuple[Outcomes, list[Job]]:
    """What is known of the checks as they are, and the jobs of those of which nothing is."""
    known: Outcomes = {}
    missing: list[Job] = []
    for record in records:
        for check in record.checks:
            outcome = next((e.outcome for e in check.evidence if e.environment == environment), "")
            if outcome not in ("", "stale"):
                known[record.torch, check.id] = outcome
            elif check.mindspore:
                state = state_of(record.targets, check.target)
                missing.append(job.make(record.torch, check, state))
    return known, missing


def _at_once(trial: _Trial, kept: Outcomes, base: Base) -> Verdict | None:
    """The verdict on a mutant for which nothing needs to run."""
    mutant = trial.mutant
    if mutant.equivalent:
        return _verdict(mutant, "equivalent", why=mutant.equivalent)
    for changed in trial.changed:
        if not changed.after.mindspore:
            return _verdict(mutant, "caught", changed.before.id, "the port is refused")
        if changed.before.target == mutant.target != changed.after.target:
            # What that one gives says nothing of the mistake.
            why = f"the port is refused, and falls through to {changed.after.target}"
            return _verdict(mutant, "caught", changed.before.id, why)
    if not trial.changed and mutate.without_effect(mutant, base):
        return _verdict(mutant, "equivalent", why="no call is written otherwise")
    return None


def _key(trial: _Trial, changed: Changed) -> tuple[str, str]:
    """Owner and a name of its own for a changed check; what is equal runs once."""
    return trial.mutant.record, f"{changed.before.id}@{changed.after.hash}"


def _job(owner: str, name: str, changed: Changed) -> Job:
    return replace(job.make(owner, changed.after, changed.state), check=name)


def _catcher(trial: _Trial, kept: Outcomes, found: Outcomes) -> tuple[str, str] | None:
    """The first check that turned red, and what it was before and after."""
    for changed in trial.changed[: trial.ran]:
        before = kept.get((trial.mutant.record, changed.before.id), "unverified")
        after = found[_key(trial, changed)]
        if OUTCOMES[after].failed and not OUTCOMES[before].failed:
            return changed.before.id, f"{before} -> {after}"
        if after == "untestable" and OUTCOMES[before].agrees:
            return changed.before.id, f"{before} -> {after}"
    return None


def _survivor(trial: _Trial, kept: Outcomes, base: Base) -> Verdict:
    mutant = trial.mutant
    if mutant.kind == "keyword":
        return _verdict(mutant, "equivalent", why="its position is its own in MindSpore too")
    record = base.records[mutant.record]
    own = {
        kept.get((mutant.record, c.id), "unverified")
        for c in record.checks
        if c.target == mutant.target
    }
    if own == {"untestable"}:
        return _verdict(mutant, "untestable", why="every check of the target is untestable here")
    platforms = next(t.runs_on for t in record.targets if t.key == mutant.target)
    # What docstrings say of platforms counts only where no check shows that it runs here.
    seen = any(OUTCOMES[outcome].agrees for outcome in own)
    if platforms and "CPU" not in platforms and not seen:
        return _verdict(mutant, "untestable", why=f"the target runs on {', '.join(platforms)}")
    before = {kept.get((mutant.record, c.before.id), "unverified") for c in trial.changed}
    if before == {"untestable"}:
        return _verdict(mutant, "untestable", why="every check that it changes is untestable here")
    count = len(trial.changed)
    why = f"all {count} changed checks pass" if count else "no check changes"
    return _verdict(mutant, "survived", why=why)


def _verdict(mutant: Mutant, status: str, check: str = "", why: str = "") -> Verdict:
    return Verdict(mutant.record, mutant.target, mutant.kind, mutant.change, status, check, why)
