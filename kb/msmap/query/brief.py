"""What is known of one name in a few lines, in one language: for editors and assistants."""

from __future__ import annotations

from dataclasses import dataclass

from msmap import model, vocabulary
from msmap.evidence import devices
from msmap.query.answers import Answer

# What bites without a word, and what raises; the rest is on the page.
_DANGEROUS = ("silent", "error")


@dataclass(frozen=True, slots=True)
class Bite:
    """A caveat in one language: ``impact`` is one of ``IMPACTS``."""

    id: str
    impact: str
    text: str
    device: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Brief:
    """An answer in short: of a PyTorch name what it becomes, of a MindSpore name what it was.

    ``basis`` is what it rests on, "" where nobody knows the name; ``mindspore`` is "" where there
    is no counterpart, and ``missing`` says what to do instead. ``caveats`` are the dangerous ones,
    of ``more`` others the page tells. ``was`` are PyTorch's names of what is MindSpore's, best
    first; ``nearest`` are names like the one that was asked for.
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
    caveats: tuple[Bite, ...] = ()
    more: int = 0
    was: tuple[str, ...] = ()
    samples: str = ""
    guides: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()


def brief(found: Answer, language: str, device: str = "") -> Brief:
    """An answer in short, for a device or for all."""
    if found.record is not None:
        return _record(found, found.record, language, device)
    if found.reverse is not None:
        was = tuple(summary.torch for _, summary in found.reverse.sources)
        runs_on = found.reverse.api.platforms
        return Brief(found.query, found.reverse.api.name, "curated", runs_on=runs_on, was=was)
    if found.probe is not None:
        best = found.probe.best
        tally = best.values if best else None
        return Brief(
            found.query,
            found.probe.torch,
            found.probe.basis,
            best.mindspore if best and not found.probe.reason else "",
            samples=f"{tally.agreed}/{tally.tried}" if tally else "",
            guides=found.guides,
            nearest=found.nearest,
        )
    if found.found_as:
        was = tuple(summary.torch for summary in found.found_as)
        return Brief(found.query, found.known or "", "probed", was=was)
    if found.group is not None:
        was = tuple(name for name, _ in found.group.names)
        return Brief(found.query, found.group.namespace, "curated", nearest=was)
    near = (found.elsewhere.name,) if found.elsewhere is not None else ()
    name, basis = found.known or "", found.basis or ""
    return Brief(found.query, name, basis, guides=found.guides, nearest=(*near, *found.nearest))


def _record(found: Answer, record: model.Record, language: str, device: str) -> Brief:
    best = next(iter(record.targets), None)
    here = devices.caveats(record, device)[0] if device else record.caveats
    key = best.key if best else None
    mine = [caveat for caveat in here if caveat.target in (None, key)]
    told = [caveat for caveat in mine if caveat.impact in _DANGEROUS]
    return Brief(
        found.query,
        record.torch,
        "curated",
        "" if best is None else best.api or best.expression or "",
        record.summary.get(language),
        record.category,
        record.verification,
        best.runs_on if best else (),
        best.ran_on if best else (),
        record.missing.get(language) if record.missing is not None else "",
        record.example_mindspore,
        (found.port.code or "") if found.port is not None else "",
        tuple(Bite(c.id, c.impact, c.text.get(language), c.device) for c in told),
        len(record.caveats) - len(told),
        guides=record.guides,
    )
