"""The page of a name: a record, what a MindSpore name was in PyTorch, or the nearest names."""

from __future__ import annotations

from datasette_msmap.addresses import Addresses
from datasette_msmap.responses import Answer, Ask, redirect
from datasette_msmap.templating import render
from msmap import answers, model


def named(ask: Ask) -> Answer:
    """The page of any name; another spelling than the canonical one leads there."""
    name = ask.vars["name"]
    found = answers.answer(ask.kb, name)
    canonical = _canonical(found)
    if canonical is None:
        return render(ask, "missing.html", 404, name=name, found=found)
    if canonical != name:
        return redirect(Addresses(ask.root, ask.site, ask.language).name(canonical))
    if found.record is not None:
        return _record(ask, found.record)
    return render(ask, "reverse.html", found=found.reverse)


def _canonical(found: answers.Answer) -> str | None:
    if found.record is not None:
        return found.record.torch
    return found.reverse.api.name if found.reverse is not None else None


def _record(ask: Ask, record: model.Record) -> Answer:
    return render(ask, "record.html", record=record)
