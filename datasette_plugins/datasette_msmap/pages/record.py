"""The page of a name: a record, a probe, what a MindSpore name was in PyTorch, or the nearest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import quote

from datasette_msmap.pages import probe_sheet, record_sheet, tables
from datasette_msmap.pages.port import example
from datasette_msmap.web import code
from datasette_msmap.web.responses import Answer, Ask, redirect
from datasette_msmap.web.templating import render
from msmap import model
from msmap.errors import UnknownRelease
from msmap.query.base import records
from msmap.query.base.record_drift import EFFECTS
from msmap.query.drift import drift
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap.query.names import lookup as understood
from msmap.render.missing import words

LONGEST_NAME = 200
ARGS = ("mindspore",)


def named(ask: Ask) -> Answer:
    """The page of any name; another spelling than the canonical one leads there.

    ``mindspore`` among the arguments asks for the record as of that release, ``device`` for what
    is best and what bites there.
    """
    name = ask.vars["name"][:LONGEST_NAME].strip()
    to = ask.to
    try:
        kb = ask.served.as_of(ask.args.get("mindspore") or None, ask.device)
    except UnknownRelease:
        return redirect(to.name(name), permanent=False)
    if ask.args.get("device") and not ask.device:
        return redirect(to.name(name, mindspore=ask.args.get("mindspore")), permanent=False)
    found = understood.at_address(kb, name)
    canonical = _canonical(found)
    if canonical is None:
        return missing(ask, name, found)
    if canonical != ask.vars["name"]:
        return redirect(to.name(canonical, mindspore=ask.args.get("mindspore")))
    if found.record is not None:
        return _record(ask, kb, found.record)
    if found.probe is not None:
        return probe_sheet.page(ask, kb, found, found.probe)
    return render(ask, "reverse.html", found=found.reverse, claims=ask.kb.claims(about=canonical))


def checks(ask: Ask) -> Answer:
    """All checks of a record unfolded: what its page fetches when one of them is opened."""
    name = ask.vars["name"][:LONGEST_NAME].strip()
    mindspore = ask.args.get("mindspore") or None
    place = replace(ask, vars={"name": name}, args={})
    try:
        kb = ask.served.as_of(mindspore, ask.device)
    except UnknownRelease:
        return redirect(ask.to.checks(name), permanent=False)
    canonical = kb.torch_name(name)
    record = kb.find(canonical) if canonical else None
    if canonical is None or record is None:
        return named(place)
    if canonical != ask.vars["name"]:
        return redirect(ask.to.checks(canonical, mindspore=mindspore))
    shown = kb.releases()["mindspore"]
    newest = ask.kb.releases()["mindspore"]
    return render(
        ask,
        "checks.html",
        owner=record.torch,
        back=ask.to.name(record.torch, mindspore=shown if shown != newest else None),
        proofs=record_sheet.proofs(
            record.checks, records.outcomes(ask.kb, record.owner), ask.kb.known_releases()
        ),
        summed=record_sheet.summed,
        indexed=False,
    )


def guides(ask: Ask, wanted: Iterable[str]) -> list[model.Guide]:
    """Guides by their ids."""
    found = ask.once(_by_id)
    return [found[guide] for guide in wanted]


def _by_id(kb: KnowledgeBase) -> dict[str, model.Guide]:
    return {guide.id: guide for guide in kb.guides()}


def _canonical(found: answers.Answer) -> str | None:
    if found.record is not None:
        return found.record.torch
    if found.probe is not None:
        return found.probe.torch
    return found.reverse.api.name if found.reverse is not None else None


def missing(ask: Ask, name: str, found: answers.Answer, kind: str = "name") -> Answer:
    """The page for what has none: what is known of the name, guides on it, the nearest names."""
    known = ask.kb.api(found.known) if found.known else None
    return render(
        ask,
        "missing.html",
        200 if found.found else 404,
        name=name,
        said=words(name, ask.language, found.known, found.elsewhere, kind),
        found=found,
        known=known,
        guides=guides(ask, found.guides),
        sought=name,
    )


def _record(ask: Ask, kb: KnowledgeBase, record: model.Record) -> Answer:
    best = record.targets[0] if record.targets else None
    parameters = record_sheet.table(best.parameters if best else (), "parameter")
    inputs = record_sheet.table(best.inputs if best else (), "input")
    caveats, elsewhere = record_sheet.caveats(record, ask.device)
    found = records.outcomes(ask.kb, record.owner)
    to = ask.to
    shown, newest = kb.releases()["mindspore"], ask.kb.releases()["mindspore"]
    known = list(ask.kb.known_releases())
    tested = _tested(known, found)
    told = records.history(ask.kb, record.family or record.torch)
    return render(
        ask,
        "record.html",
        record=record,
        best=best,
        alarm=next((c for c in caveats if c.impact in ("silent", "error")), None),
        caveats=caveats,
        elsewhere=elsewhere,
        code=code.sides(record.example_torch, record.example_mindspore or "–"),
        runs=record_sheet.runs(best, ask.device),
        rewriting=example(record.example_torch, record.example_mindspore),
        names=record_sheet.names(record),
        history=told,
        happened=record_sheet.worth_telling(drift.history(ask.kb, record.torch)),
        effects=EFFECTS,
        where=record_sheet.where(record, tested, ask.language),
        at=to.checks(record.torch, mindspore=shown if shown != newest else None),
        folded=record_sheet.folded,
        summed=record_sheet.summed,
        places=_places(ask, record.torch, told),
        parameters=parameters,
        inputs=inputs if record_sheet.worth_showing(inputs) else None,
        proofs=record_sheet.proofs(record.checks, found, known),
        tested=tested,
        untested=[release for release in known if release not in tested],
        environments=sorted({e.environment for c in record.checks for e in c.evidence}),
        summaries=record_sheet.summaries(record),
        related=ask.once(records.Relatives).of(record.torch),
        guides=guides(ask, record.guides),
        claims=ask.kb.claims(about=record.torch),
        **tables.about(ask, record.torch),
        namespace=record.torch.rpartition(".")[0],
        shown=shown,
        newest=newest,
        known=known,
        indexed=shown == newest,
    )


def _places(ask: Ask, name: str, told: records.History) -> dict[str, str]:
    """Where the source of a record can be read, and a mistake of it reported, if anywhere."""
    found = {}
    if ask.config.source and told.path:
        found["source"] = ask.config.source.replace("{path}", quote(told.path))
    if ask.config.report:
        found["report"] = ask.config.report.replace("{name}", quote(name, safe=""))
    return found


def _tested(known: list[str], outcomes: dict[str, dict[str, str]]) -> list[str]:
    """The releases that any check of a record has run with, oldest first."""
    run = {release for found in outcomes.values() for release in found}
    return [release for release in known if release in run]
