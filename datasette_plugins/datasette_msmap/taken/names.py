"""The names of the site for Sphinx: ``objects.inv``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from datasette_msmap.web.responses import Answer, Ask
from msmap.query.base.records import kinds
from msmap.query.knowledge_base import KnowledgeBase
from msmap.render.inventory import Place, inventory

TYPE = "application/octet-stream"


def places(ask: Ask) -> Iterator[Place]:
    """Every name with a page, and every guide, with their addresses below the root."""
    for name, kind in ask.once(kinds).items():
        yield Place(name, kind, ask.to.name(name).removeprefix(f"{ask.root}/"))
    for guide in ask.once(KnowledgeBase.guides):
        address = ask.to.guide(guide.id).removeprefix(f"{ask.root}/")
        yield Place(guide.id, "guide", address, guide.title.get(ask.language))


def version(ask: Ask) -> str:
    """The releases that are described."""
    return " / ".join(ask.once(KnowledgeBase.releases).values())


def made(ask: Ask, places: Iterable[Place]) -> bytes:
    """An inventory of some names."""
    return inventory("msmap", version(ask), places)


def objects(ask: Ask) -> Answer:
    """The inventory: addresses in it are relative to where it stands."""
    prefix = "zh/" if ask.language == "zh" else ""
    found = (p._replace(address=p.address.removeprefix(prefix)) for p in places(ask))
    return Answer(made(ask, found), TYPE, shared=True, max_age=3600)
