"""What the page of a record shows, in the order in which it is shown: the dangerous first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from markupsafe import Markup, escape

from datasette_msmap.web import texts
from datasette_msmap.web.tones import tone
from datasette_msmap.web.unseen import clean
from msmap import model, vocabulary
from msmap.evidence import devices, summary
from msmap.evidence.names import parse
from msmap.evidence.verification import counting
from msmap.query.drift import effect as bearing
from msmap.query.drift.drift import Happened
from msmap.render.labels import word

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
    """A check as it is shown: by release, in its environments, with its variants.

    ``by_release`` has every release, the oldest first; where it didn't run, its outcome is empty.
    """

    check: model.Check
    outcome: str
    latest: model.Evidence | None
    by_release: dict[str, str]

    @property
    def steady(self) -> bool:
        """Whether it ran in all releases and came out alike."""
        return len(set(self.by_release.values())) == 1

    def in_words(self, language: str) -> str:
        """What came out in each release."""
        return _in_words(tuple(self.by_release.items()), language)

    @property
    def variants(self) -> dict[str, tuple[tuple[str, model.Finding], ...]]:
        """Its variants by what came out of them."""
        found = {}
        told = self.latest.variants if self.latest else {}
        for outcome in reversed(vocabulary.VARIANT_OUTCOMES):
            names = [n for n in vocabulary.VARIANTS if n in told and told[n].outcome == outcome]
            if names:
                found[outcome] = tuple((name, told[name]) for name in names)
        return found


def proofs(
    checks: Iterable[model.Check], outcomes: dict[str, dict[str, str]], releases: Iterable[str]
) -> tuple[Proof, ...]:
    """Checks with what came out of them; ``outcomes`` are by check and release.

    ``releases`` are all there are, the oldest first.
    """
    known = tuple(releases)
    found = []
    for check in checks:
        latest = counting(check)
        outcome = latest.outcome if latest else "unverified"
        ran = outcomes.get(check.id)
        by_release = {release: ran.get(release, "") for release in known} if ran else {}
        found.append(Proof(check, outcome, latest, by_release))
    return tuple(found)


def summed(proof: Proof, language: str) -> Markup:
    """A check in a line: what came out of it now, and in each release.

    There may be a hundred on a page, so that no template makes them.
    """
    check = proof.check
    said = word(vocabulary.VERIFICATIONS, proof.outcome, language)
    if check.expect not in ("same", "differs"):
        said = f"{said} · {texts.get(f'expect.{check.expect}', language)}"
    return Markup(
        f'<span class="mark tone-{tone(proof.outcome)}" aria-hidden="true"></span>'
        f'<code>{escape(clean(check.id))}</code> <span class="result">{escape(said)}</span>'
        f"{_dots(tuple(proof.by_release.items()), language)}"
    )


@lru_cache(maxsize=1000)
def _dots(by_release: tuple[tuple[str, str], ...], language: str) -> str:
    """What came out in each release, as a row of squares that says it in words too."""
    if not by_release:
        return ""
    said = _in_words(by_release, language)
    drawn = "".join(
        f'<i class="{f"tone-{tone(outcome)}" if outcome else "unrun"}"></i>'
        for _, outcome in by_release
    )
    return f'<span class="dots" role="img" aria-label="{escape(said)}">{drawn}</span>'


def _in_words(told: tuple[tuple[str, str], ...], language: str) -> str:
    """What came out in each release; an outcome is empty where the check didn't run."""
    ran = [(release, outcome) for release, outcome in told if outcome]
    comma = texts.get("and", language)
    words = {o: word(vocabulary.VERIFICATIONS, o, language) for _, o in ran}
    if len(words) > 1:
        words[""] = texts.get("record.notrun", language)
        return comma.join(f"{release} {words[outcome]}" for release, outcome in told)
    said = next(iter(words.values()))
    if len(ran) == len(told):
        return texts.get("record.allreleases", language).format(said)
    only = comma.join(release for release, _ in ran)
    return texts.get("record.somereleases", language).format(said, only)


def folded(proofs: Iterable[Proof], address: str, language: str) -> Markup:
    """Checks in a line each, with the place where the rest of each is fetched from."""
    read = escape(texts.get("record.check.code", language))
    link = escape(texts.get("permalink", language))
    place = escape(address)
    found = []
    for proof in proofs:
        part = f"check-{escape(proof.check.id)}"
        found.append(
            f'<details class="check" id="{part}"><summary>{summed(proof, language)}</summary>'
            f'<p class="dim"><a href="{place}#{part}" rel="nofollow">{read}</a>'
            f' <a class="anchor" href="#{part}">{link}</a></p></details>\n'
        )
    return Markup("".join(found))


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


@dataclass(frozen=True, slots=True)
class Runs:
    """Where a target is documented to run, where it ran, and where nobody has run it.

    Neither follows from the other. ``without`` are devices on which it was tried and has no kernel.
    """

    documented: tuple[str, ...]
    ran: tuple[str, ...]
    unrun: tuple[str, ...]
    without: tuple[str, ...]


def runs(target: model.Target | None, device: str) -> Runs | None:
    """Where a target runs, for a device or for all; None where there is nothing to run."""
    if target is None or target.remove:
        return None
    none = ("CPU",) if target.reason == "no_kernel" else ()
    asked = (device,) if device else vocabulary.PLATFORMS
    unrun = tuple(d for d in asked if d not in target.ran_on and d not in none)
    return Runs(target.runs_on, target.ran_on, unrun, none)


def where(record: model.Record, tested: list[str], language: str) -> tuple[str, ...]:
    """What checks of a record ran on that count, in words; ``tested`` are all releases of runs."""
    found = next((e for c in record.checks if (e := counting(c)) is not None), None)
    if found is None:
        return ()
    ran = parse(found.environment)
    alone = tested == [ran.mindspore]
    said = texts.get("record.alone", language) if alone else "MindSpore {0}"
    return f"PyTorch {ran.torch}", said.format(ran.mindspore), ran.machine


def names(record: model.Record) -> tuple[str, ...]:
    """Parameters of a record that are no words of English: in a text they are names."""
    found = {
        name
        for target in record.targets
        for parameter in (*target.parameters, *target.inputs)
        for name in (*parameter.torch, *parameter.mindspore)
    }
    return tuple(sorted(n for n in found if n not in _ENGLISH and not n.startswith("*")))


# Parameters that texts speak of as things, more often than by name.
_ENGLISH = frozenset(
    (
        "input",
        "other",
        "size",
        "a",
        "self",
        "value",
        "values",
        "index",
        "out",
        "source",
        "target",
        "weight",
        "weights",
        "bias",
        "data",
        "mode",
        "name",
        "model",
        "module",
        "loss",
        "key",
        "query",
        "x",
        "start",
        "end",
        "step",
        "steps",
        "func",
        "function",
        "axis",
        "shape",
        "type",
        "device",
        "mask",
        "tensor",
        "tensors",
        "output",
        "outputs",
        "inputs",
        "order",
        "ord",
        "label",
        "labels",
        "memory",
        "scale",
        "rank",
        "group",
        "groups",
        "parameters",
        "params",
        "state",
        "dataset",
        "padding",
        "momentum",
        "stride",
        "dilation",
        "mean",
        "sum",
        "indices",
        "length",
        "dims",
        "threshold",
        "reduction",
        "training",
        "train",
        "layout",
        "generator",
        "names",
        "sample",
        "batch",
        "message",
        "file",
        "path",
        "args",
        "kwargs",
        "context",
        "grad",
        "gradient",
        "copy",
        "sorted",
        "largest",
        "one",
        "two",
        "left",
        "right",
        "k",
        "v",
        "initial",
        "options",
        "backend",
        "dim",
        "at",
        "in",
        "is",
        "to",
        "of",
        "no",
        "or",
        "and",
        "as",
        "on",
        "all",
        "any",
        "max",
        "min",
    )
) - {"dim", "k", "v", "x", "ord", "dims", "stride", "momentum"}


def worth_telling(happened: Iterable[Happened]) -> tuple[Happened, ...]:
    """What happens with each release, but where only figures differ or checks ran in one alone."""
    return tuple(step for step in happened if bearing.of_record(step.record) != "figures")


def summaries(record: model.Record) -> dict[str, summary.Summary | None]:
    """What all checks of each target come to, by its key."""
    return {
        target.key: summary.of(c for c in record.checks if c.target == target.key)
        for target in record.targets
    }
