"""What changes between two MindSpore releases, as text or Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msmap import vocabulary
from msmap.query.base.name_drift import Difference, NameDrift, Pair, SignatureDrift
from msmap.query.base.record_drift import EFFECTS, CheckDrift, RecordDrift
from msmap.query.drift.drift import Drift
from msmap.render.labels import DRIFT, word
from msmap.render.layout import BOLD, CODE, DIM, WARN, Line, columns, line, pad

_KINDS = ("vanished", "signatures", "deprecated", "appeared")


def text(found: Drift, names: int, language: str) -> Iterator[Line]:
    """What changes; ``names`` is how many names of each kind to list that no record needs."""
    labels = DRIFT[language]
    yield line((f"MindSpore {found.before} -> {found.after}", BOLD))
    summary = list(_summary(found, language))
    widths = columns(summary)
    for title, said in summary:
        yield line((pad(title, widths[0]), DIM), "  ", said, indent=2)
    loud, quiet = _volumes(found)
    for record in loud:
        yield line()
        effect = word(EFFECTS, record.effect, language)
        yield line((record.name, BOLD), "  ", (effect, WARN))
        yield from _record(record, language)
    if quiet:
        yield line()
        yield line((word(EFFECTS, "evidence", language), WARN), f": {', '.join(quiet)}")
    for curated, title in ((True, labels["curated"]), (False, labels["others"])):
        told = list(_listed(found, curated, None if curated else names, labels))
        if told:
            yield line()
            yield line((title, BOLD))
            yield from told


def _volumes(found: Drift) -> tuple[list[RecordDrift], list[str]]:
    """The records to tell of, and the names of those of which only figures differ."""
    loud = [r for r in found.records if r.effect != "evidence"]
    return loud, [r.name for r in found.records if r.effect == "evidence"]


def _summary(found: Drift, language: str) -> Iterator[tuple[str, str]]:
    labels = DRIFT[language]
    counts = Counter(record.effect for record in found.records)
    told = [f"{word(EFFECTS, e, language)} {counts[e]}" for e in EFFECTS if counts[e]]
    changed = labels["of"].format(len(found.records), found.total)
    yield labels["records"], f"{changed}: {', '.join(told)}" if told else labels["none"]
    said = [f"{labels[kind]} {len(getattr(found, kind))}" for kind in _KINDS]
    yield labels["names"], ", ".join(said)
    if found.unproved:
        yield labels["evidence"], labels["unproved"].format(", ".join(found.unproved))
    elif not found.environments:
        yield labels["evidence"], labels["apart"]
    else:
        yield labels["evidence"], ", ".join(n.replace("_", " ", 2) for n in found.environments)


def _record(record: RecordDrift, language: str) -> Iterator[Line]:
    labels = DRIFT[language]
    for key, pair, terms in (
        ("target", record.target, None),
        ("category", record.category, vocabulary.CATEGORIES),
        ("verification", record.verification, vocabulary.VERIFICATIONS),
    ):
        if pair is not None:
            texts = [
                word(terms, t, language) if terms else t or labels["nothing"]
                for t in (pair.before, pair.after)
            ]
            yield line((f"{labels[key]}  ", DIM), " -> ".join(texts), indent=2)
    for key, difference in (
        ("targets", record.targets), ("caveats", record.caveats), ("checks", record.checks)
    ):  # fmt: skip
        if difference.lost or difference.gained:
            yield line((f"{labels[key]}  ", DIM), _signs(difference), indent=2)
    if record.example is not None:
        yield line((labels["example"], DIM), indent=2)
        yield from _port(record.example, labels)
    for check in record.changed:
        yield from _check(check, language)
    figures = sum(1 for check in record.changed if check.outcome is None and check.facts)
    if figures:
        yield line((f"{labels['figures']}  ", DIM), str(figures), indent=2)


def _check(check: CheckDrift, language: str) -> Iterator[Line]:
    if check.outcome is not None:
        old, new = (
            word(vocabulary.VERIFICATIONS, outcome, language)
            for outcome in (check.outcome.before, check.outcome.after)
        )
        message = f"  {check.message}" if check.message else ""
        yield line((check.id, CODE), f"  {old} -> {new}", (message, DIM), indent=2)
    elif check.port is not None:
        yield line((check.id, CODE), indent=2)
    for name, pair in check.variants.items():
        variant = word(vocabulary.VARIANTS, name, language)
        old, new = (
            word(vocabulary.VARIANT_OUTCOMES, t, language) for t in (pair.before, pair.after)
        )
        yield line((check.id, CODE), f" ({variant})  {old} -> {new}", indent=2)
    if check.port is not None:
        yield from _port(check.port, DRIFT[language])


def _port(pair: Pair, labels: dict[str, str]) -> Iterator[Line]:
    for sign, text in (("-", pair.before), ("+", pair.after)):
        for part in text.splitlines() or [labels["gone"]]:
            yield line((f"{sign} {part}", CODE), indent=4)


def _signs(difference: Difference) -> str:
    return " ".join([*(f"-{key}" for key in difference.lost),
                     *(f"+{key}" for key in difference.gained)])  # fmt: skip


def _listed(
    found: Drift, curated: bool, most: int | None, labels: dict[str, str]
) -> Iterator[Line]:
    """Names of each kind, up to ``most``; then how many more there are."""
    for kind in _KINDS:
        names: Sequence[NameDrift | SignatureDrift] = [
            n for n in getattr(found, kind) if n.curated == curated
        ]
        for name in names[:most]:
            text = _changes(name, labels) if isinstance(name, SignatureDrift) else name.text
            yield line((f"{labels[kind]}  ", DIM), (name.name, CODE), f"  {text}" if text else "",
                       indent=2)  # fmt: skip
        if most is not None and len(names) > most:
            more = labels["more"].format(len(names) - most, len(names))
            yield line((f"{labels[kind]}  ", DIM), more, indent=2)


def _changes(found: SignatureDrift, labels: dict[str, str]) -> str:
    parts = [f"-{name}" for name in found.went] + [f"+{name}" for name in found.came]
    parts += [
        f"{name}: {pair.before or '...'} -> {pair.after or '...'}"
        for name, pair in found.defaults.items()
    ]
    if found.moved:
        parts.append(f"{labels['moved']}: {' '.join(found.moved)}")
    parts += [f"-{text}" for text in found.overloads.lost]
    parts += [f"+{text}" for text in found.overloads.gained]
    head = f"{labels['call']}: " if found.part == "call" else ""
    return head + "; ".join(parts)


def markdown(found: Drift, names: int, language: str) -> Iterator[str]:
    """The same lines as a list, with a heading for each record."""
    labels = DRIFT[language]
    yield f"# MindSpore {found.before} → {found.after}\n"
    for title, text in _summary(found, language):
        yield f"- {title}: {text}"
    loud, quiet = _volumes(found)
    for record in loud:
        yield f"\n## `{record.name}`: {word(EFFECTS, record.effect, language)}\n"
        yield from _bullets(_record(record, language))
    if quiet:
        names_told = ", ".join(f"`{name}`" for name in quiet)
        yield f"\n{word(EFFECTS, 'evidence', language)}: {names_told}"
    for curated, title in ((True, labels["curated"]), (False, labels["others"])):
        told = list(_listed(found, curated, None if curated else names, labels))
        if told:
            yield f"\n## {title}\n"
            yield from _bullets(told)


def _bullets(lines: Iterator[Line] | list[Line]) -> Iterator[str]:
    for item in lines:
        text = "".join(f"`{t}`" if style == CODE else t for t, style in item.parts if t)
        yield f"{' ' * (item.indent - 2)}- {text.strip()}"
