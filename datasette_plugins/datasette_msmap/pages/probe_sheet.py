"""What the page of a probe shows: how far candidates agreed, and what differs, the worst first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from datasette_msmap.pages import record_sheet, tables
from datasette_msmap.web.charts import Part
from datasette_msmap.web.responses import Answer, Ask
from datasette_msmap.web.templating import render
from msmap import model, sample_words
from msmap.candidates import Candidate, Probe
from msmap.probed import Tally
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap.query.names.suggest import has_answer
from msmap.render import probe as told
from msmap.render.labels import PROBE, word


@dataclass(frozen=True, slots=True)
class Share:
    """How many samples of a kind agreed: ``name`` is a dtype or a kind in words."""

    name: str
    tally: Tally

    @property
    def parts(self) -> tuple[Part, ...]:
        """What agreed and what didn't, as parts of a bar."""
        rest = self.tally.tried - self.tally.agreed
        return Part("", self.tally.agreed, "good"), Part("", rest, "bad")


def page(ask: Ask, kb: KnowledgeBase, found: answers.Answer, probe: Probe) -> Answer:
    """The page of a name that has a probe."""
    best = probe.best
    first = probe.first
    target = best.target if best else None
    written = [*found.nearest, *(candidate.mindspore for candidate in probe.candidates)]
    return render(
        ask,
        "probe.html",
        probe=probe,
        best=best,
        first=first,
        target=target,
        said=told.basis(probe, ask.language),
        labels=PROBE[ask.language],
        environment=" ".join(probe.environment.split("_", 3)),
        parameters=record_sheet.table(target.parameters if target else (), "parameter"),
        inputs=_inputs(target.inputs if target else ()),
        dtypes=_shares(first.dtypes.items() if first else ()),
        kinds=_kinds(first, ask.language),
        differences=told.worst(first.differences) if first else [],
        inputs_of=lambda difference: told.inputs(difference, ask.language),
        where=lambda difference: told.where(difference, ask.language),
        tone_of=_tone,
        linked={name for name in written if has_answer(ask.kb, name)},
        shares=[(each, Share("", each.values)) for each in probe.candidates],
        near={name: _basis(kb, name) for name in found.nearest},
        guides=[ask.kb.guide(name) for name in found.guides],
        claims=ask.kb.claims(about=probe.torch),
        **tables.about(ask, probe.torch),
        namespace=probe.torch.rpartition(".")[0],
        shown=kb.releases()["mindspore"],
        newest=ask.kb.releases()["mindspore"],
        indexed=kb.releases() == ask.kb.releases() and not probe.reason,
    )


def _tone(tally: Tally) -> str:
    """How a tally is coloured: as the command line has it."""
    if tally.agreed == tally.tried:
        return "good"
    return "warn" if 2 * tally.agreed > tally.tried else "bad"


def _inputs(inputs: Iterable[model.Parameter]) -> record_sheet.Table | None:
    table = record_sheet.table(inputs, "input")
    return table if record_sheet.worth_showing(table) else None


def _shares(tallies: Iterable[tuple[str, Tally]]) -> list[Share]:
    """Those of which least agreed first."""
    return sorted((Share(name, tally) for name, tally in tallies), key=lambda s: s.tally.share)


def _kinds(found: Candidate | None, language: str) -> list[Share]:
    kinds = found.kinds.items() if found else ()
    return _shares((word(sample_words.KINDS, kind, language), tally) for kind, tally in kinds)


def _basis(kb: KnowledgeBase, name: str) -> str:
    """What an answer about a name rests on; "" where there is none."""
    if kb.find(name) is not None:
        return "curated"
    probe = kb.tried(name)
    return probe.basis if probe else ""
