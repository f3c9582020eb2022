"""What is known of one name in a few lines, in one language: for editors and assistants."""

from __future__ import annotations

from dataclasses import dataclass

from msmap import model, vocabulary
from msmap.query.names.answers import Answer
from msmap.render import brief
from msmap.render.labels import RECORD


@dataclass(frozen=True, slots=True)
class Bite:
    """A caveat in one language: ``impact`` is one of ``IMPACTS``."""

    id: str
    impact: str
    text: str
    device: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Digest:
    """An answer in short: of a PyTorch name what it becomes, of a MindSpore name what it was.

    ``basis`` is what it rests on, "" where nobody knows the name; ``mindspore`` is "" where there
    is no counterpart, and ``missing`` says what to do instead. ``parameters`` say what becomes of
    each that isn't the same, ``caveats`` are the dangerous ones as far as there is room, ``more``
    is what the page has beside that. ``samples`` of a probe are those that agree, of all. ``was``
    are PyTorch's names of what is MindSpore's, best first; ``nearest`` are names like the one that
    was asked for, ``names`` those of a pattern or a namespace.
    """

    query: str
    name: str = ""
    basis: vocabulary.Basis | str = ""
    mindspore: str = ""
    summary: str = ""
    category: str = ""
    verification: str = ""
    runs_on: tuple[str, ...] = ()
    ran_on: tuple[str, ...] = ()
    missing: str = ""
    example: str = ""
    port: str = ""
    parameters: tuple[str, ...] = ()
    caveats: tuple[Bite, ...] = ()
    more: str = ""
    was: tuple[str, ...] = ()
    samples: str = ""
    guides: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def digest(found: Answer, language: str, device: str = "") -> Digest:
    """An answer in short, for a device or for all."""
    if found.record is not None:
        return _record(found, found.record, language, device)
    if found.reverse is not None:
        was = tuple(summary.torch for _, summary in found.reverse.sources)
        runs_on = found.reverse.api.platforms
        return Digest(found.query, found.reverse.api.name, "curated", runs_on=runs_on, was=was)
    if found.probe is not None:
        best = found.probe.best
        tally = best.values if best else None
        target = best.target if best else None
        return Digest(
            found.query,
            found.probe.torch,
            found.probe.basis,
            best.mindspore if best and not found.probe.reason else "",
            parameters=tuple(brief.fates(target, language)) if target else (),
            samples=f"{tally.agreed}/{tally.tried}" if tally else "",
            guides=found.guides,
            nearest=found.nearest,
        )
    if found.found_as:
        was = tuple(summary.torch for summary in found.found_as)
        return Digest(found.query, found.known or "", "probed", was=was)
    if found.group is not None:
        names = tuple(name for name, _ in found.group.names)
        return Digest(found.query, found.group.pattern, "curated", names=names)
    if found.named_alone:
        return Digest(
            found.query, found.known or "", "curated", was=found.told, guides=found.guides
        )
    near = (found.elsewhere.name,) if found.elsewhere is not None else ()
    name, basis = found.known or "", found.basis or ""
    return Digest(found.query, name, basis, guides=found.guides, nearest=(*near, *found.nearest))


def _record(found: Answer, record: model.Record, language: str, device: str) -> Digest:
    told = brief.brief(record, language, device, brief.taken(record, found.port))
    best = told.target
    about = record if best is None else best
    return Digest(
        found.query,
        record.torch,
        "curated",
        "" if best is None else best.api or best.expression or RECORD[language]["remove"],
        record.summary.get(language),
        about.category,
        about.verification,
        best.runs_on if best else (),
        best.ran_on if best else (),
        record.missing.get(language) if record.missing is not None else "",
        record.example_mindspore,
        (found.port.code or "") if found.port is not None else "",
        told.parameters,
        tuple(
            Bite(each.id, each.impact, each.text.get(language), each.device)
            for each in told.caveats
        ),
        RECORD[language]["comma"].join(brief.beside(told, record, language)),
        guides=record.guides,
    )
