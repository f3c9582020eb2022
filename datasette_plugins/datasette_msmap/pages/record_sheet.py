"""What the page of a record shows, in the order in which it is shown: the dangerous first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from msmap import model, vocabulary
from msmap.evidence import devices, summary
from msmap.evidence.verification import counting

# What is told in a line of names, because it needs nobody's attention.
QUIET = tuple(name for name, row in vocabulary.RELATIONS.items() if row.quiet)
_IMPACTS = list(vocabulary.IMPACTS)


@dataclass(frozen=True, slots=True)
class Row:
    """A parameter: both sides with their defaults, the relation, and what it becomes."""

    id: str
    torch: str
    mindspore: str
    relation: str
    alarming: bool
    becomes: tuple[tuple[str, str], ...]
    keyword: bool
    places: tuple[int | None, int | None] | None
    notes: tuple[model.Text, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The parameters of a target: those to look at, and names that need no look by relation."""

    rows: tuple[Row, ...]
    quiet: dict[str, tuple[str, ...]]


def table(parameters: Iterable[model.Parameter], prefix: str) -> Table:
    """Parameters as a table, those first that change results without an error."""
    listed = [p for p in parameters if p.torch != ("self",)]
    quiet: dict[str, tuple[str, ...]] = {}
    for relation in QUIET:
        names = tuple(
            name
            for p in listed
            if p.relation == relation and p.note is None
            for name in (p.torch or p.mindspore)
        )
        if names:
            quiet[relation] = names
    loud = [p for p in listed if p.relation not in QUIET or p.note is not None]
    loud.sort(key=lambda p: vocabulary.RELATIONS[p.relation].danger)
    return Table(tuple(_row(p, prefix) for p in loud), quiet)


def worth_showing(inputs: Table) -> bool:
    """Whether the inputs of a call say more than that they are passed by position."""
    return any(row.relation != "renamed" or row.notes for row in inputs.rows)


def _row(parameter: model.Parameter, prefix: str) -> Row:
    places = parameter.torch_position, parameter.mindspore_position
    moved = bool(parameter.torch and parameter.mindspore) and places[0] != places[1]
    notes = [
        parameter.note,
        *(c.note for c in parameter.cases),
        *(c.refuse for c in parameter.cases),
    ]
    return Row(
        id=f"{prefix}-{'-'.join(parameter.torch or parameter.mindspore)}",
        torch=_side(parameter.torch, parameter.torch_default),
        mindspore=_side(parameter.mindspore, parameter.mindspore_default),
        relation=parameter.relation,
        alarming=vocabulary.RELATIONS[parameter.relation].alarming,
        becomes=tuple(_becomes(parameter)),
        keyword=parameter.keyword,
        places=places if moved and not parameter.keyword else None,
        notes=tuple(note for note in notes if note is not None),
    )


def _side(names: tuple[str, ...], default: str | None) -> str:
    text = ", ".join(names)
    return f"{text}={default}" if default is not None and len(names) == 1 else text


def _becomes(parameter: model.Parameter) -> Iterator[tuple[str, str]]:
    """What an argument is written as, after the shape of argument for which that holds."""
    if parameter.value:
        yield "", parameter.value
    elif len(parameter.cases) > 1:
        for case in parameter.cases:
            if case.refuse is None:
                yield case.when, ", ".join(f"{k}={v}" for k, v in case.set.items())


@dataclass(frozen=True, slots=True)
class Proof:
    """A check as it is shown: by release, in its environments, with its variants."""

    check: model.Check
    outcome: str
    latest: model.Evidence | None
    by_release: dict[str, str]
    variants: dict[str, tuple[tuple[str, model.Finding], ...]]

    @property
    def steady(self) -> bool:
        """Whether it came out alike in all releases."""
        return len(set(self.by_release.values())) == 1


def proofs(checks: Iterable[model.Check], outcomes: dict[str, dict[str, str]]) -> tuple[Proof, ...]:
    """Checks with what came out of them; ``outcomes`` are by check and release."""
    return tuple(_proof(check, outcomes.get(check.id, {})) for check in checks)


def _proof(check: model.Check, outcomes: dict[str, str]) -> Proof:
    latest = counting(check)
    grouped: dict[str, tuple[tuple[str, model.Finding], ...]] = {}
    if latest is not None:
        for outcome in reversed(vocabulary.VARIANT_OUTCOMES):
            found = tuple(
                (name, latest.variants[name])
                for name in vocabulary.VARIANTS
                if name in latest.variants and latest.variants[name].outcome == outcome
            )
            if found:
                grouped[outcome] = found
    return Proof(check, latest.outcome if latest else "unverified", latest, outcomes, grouped)


Caveats: TypeAlias = tuple[model.Caveat, ...]


def caveats(record: model.Record, device: str) -> tuple[Caveats, Caveats]:
    """The caveats that may hold on a device, and those that were seen on others alone.

    Both by impact; within one those of the best target first, then by parameter. Without a device
    all may hold.
    """
    best = record.targets[0].key if record.targets else None
    worst = _alarms(record)

    def listed(caveats: Caveats) -> Caveats:
        return tuple(
            sorted(
                caveats,
                key=lambda c: (
                    _IMPACTS.index(c.impact), c.target not in (None, best),
                    worst.get(c.parameter or "", len(vocabulary.RELATIONS)),
                ),
            )
        )  # fmt: skip

    here, elsewhere = devices.caveats(record, device) if device else (record.caveats, ())
    return listed(here), listed(elsewhere)


def _alarms(record: model.Record) -> dict[str, int]:
    """How dangerous the relation of each parameter of the best target is; 0 is worst."""
    if not record.targets:
        return {}
    return {
        name: vocabulary.RELATIONS[p.relation].danger
        for p in record.targets[0].parameters
        for name in p.torch
    }


def summaries(record: model.Record) -> dict[str, summary.Summary | None]:
    """What all checks of each target come to, by its key."""
    return {
        target.key: summary.of(c for c in record.checks if c.target == target.key)
        for target in record.targets
    }
