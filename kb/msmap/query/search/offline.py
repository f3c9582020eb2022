"""What a search without this library looks through: pages, synonyms, error messages."""

from __future__ import annotations

import json
from dataclasses import dataclass

from msmap.candidates import Summary as Tried
from msmap.model import Text
from msmap.query.base import probes
from msmap.query.base.records import entries
from msmap.query.knowledge_base import KnowledgeBase


@dataclass(frozen=True, slots=True)
class Page:
    """A page: a ``record``, a ``probe``, a ``name`` of MindSpore or a ``guide``.

    ``target`` is what a record or a probe maps to, or the records that map to a name; of a guide
    its summary.
    """

    name: str
    kind: str
    title: Text
    target: Text


def pages(kb: KnowledgeBase) -> list[Page]:
    """All pages of names and guides, records first."""
    found = [Page(e.torch, "record", e.summary, _same(e.mindspore)) for e in entries(kb)]
    found += [_of_probe(kb, told) for told in kb.probes()]
    sources: dict[str, list[str]] = {}
    for name, torch in kb.rows(
        "SELECT coalesce(nullif(a.alias_of, ''), t.api), t.torch FROM target t"
        " LEFT JOIN api a ON a.name = t.api AND a.framework = 'mindspore'"
        " WHERE t.api != '' ORDER BY t.api, t.rank, t.torch"
    ):
        sources.setdefault(name, []).append(torch)
    found += [
        Page(name, "name", _same(""), _same(", ".join(dict.fromkeys(torch[:3]))))
        for name, torch in sorted(sources.items())
    ]
    return [*found, *(Page(g.id, "guide", g.title, g.summary) for g in kb.guides())]


def _same(text: str) -> Text:
    return Text(text, text)


def _of_probe(kb: KnowledgeBase, told: Tried) -> Page:
    hit = probes.hit(kb.rows, told.torch)
    return Page(told.torch, "probe", hit.title, _same(told.mindspore))


def synonyms(kb: KnowledgeBase) -> list[list[str]]:
    """Groups of words and phrases that mean the same."""
    return [json.loads(words) for (words,) in kb.rows("SELECT words FROM synonym ORDER BY id")]


def messages(kb: KnowledgeBase) -> list[tuple[str, str]]:
    """What MindSpore said in checks, with the record or guide that has the check."""
    rows = kb.rows("SELECT DISTINCT text, owner FROM message ORDER BY text, owner")
    return [(text, owner.removeprefix("guide:")) for text, owner in rows]
