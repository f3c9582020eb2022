"""Rules about errors that are explained."""

from __future__ import annotations

from msmap.curated.finding import Mistake
from msmap.lint.rule import Found, Topic, rule
from msmap.messages import Message


@rule("mistake")
def mistake_leads_somewhere(topic: Topic[Mistake]) -> Found:
    """The guides and records that an explained error leads to exist."""
    base = topic.found.base
    for index, name in enumerate(topic.written.see):
        if name not in base.guides and name not in base.records:
            yield Message("neither a guide nor a record: {}", name), ("see", index)
