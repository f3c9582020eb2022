"""Records in a list, and counts: what text and Markdown show alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from msmap import vocabulary
from msmap.render.labels import GROUP, word
from msmap.render.layout import Line, line, table

if TYPE_CHECKING:
    from msmap.candidates import Summary as ProbeSummary
    from msmap.model import Summary
    from msmap.query import answers


def row(found: Summary) -> tuple[str, ...]:
    """A record in a list of records."""
    devices = (",".join(listed) or "-" for listed in (found.runs_on, found.ran_on))
    return found.torch, found.mindspore or "-", found.category, found.verification, *devices


def probe_row(found: ProbeSummary) -> tuple[str, ...]:
    """A name without a record in a list of those: its best candidate, samples, gradients."""
    tallies = (f"{t.agreed}/{t.tried}" if t.tried else "-" for t in (found.values, found.gradients))
    devices = ",".join(found.runs_on) or "-"
    return found.torch, found.mindspore or "-", found.reason or "-", *tallies, devices


def group(found: answers.Group, language: str) -> Iterator[Line]:
    """What a namespace holds and how to list it, or the names that fit a pattern."""
    labels = GROUP[language]
    yield line(labels["count"].format(found.pattern, found.records, found.probes))
    if found.namespace:
        yield line(labels["list"].format(found.namespace))
        return
    yield from table([(name, target or "-") for name, target in found.names[:_SHOWN]], 44)
    if (left := found.records + found.probes - _SHOWN) > 0:
        yield line(labels["more"].format(left))


# As many names of a pattern are listed.
_SHOWN = 50


def stats(found: answers.Stats, language: str) -> Iterator[Line]:
    """Each count on a line, those of a kind below its name."""
    vocabularies = {
        "basis": vocabulary.BASES,
        "category": vocabulary.CATEGORIES,
        "verification": vocabulary.VERIFICATIONS,
        "verdict": vocabulary.VERDICTS,
        "outcome": vocabulary.VERIFICATIONS,
        "variants": vocabulary.VARIANTS,
    }
    for key, value in asdict(found).items():
        if not isinstance(value, dict):
            yield line(f"{key}: {value}")
            continue
        yield line(f"{key}:")
        for name, count in value.items():
            terms = vocabularies.get(key, {})
            label = word(terms, name, language) if name in terms else name
            yield line(f"{label}: {_counted(count, language)}", indent=2)


def _counted(count: int | str | dict[str, int], language: str) -> str:
    """A count or a release, or the counts of a variant by its outcomes."""
    if not isinstance(count, dict):
        return str(count)
    terms = vocabulary.VARIANT_OUTCOMES
    return ", ".join(f"{n} {word(terms, outcome, language)}" for outcome, n in count.items())
