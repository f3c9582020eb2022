"""Rules about guides."""

from __future__ import annotations

from msmap.curated import schema
from msmap.lint import mend
from msmap.lint.rule import Found, Topic, rule, unported
from msmap.lint.rules.checks import unproved
from msmap.messages import Message
from msmap.model import guide_owner


@rule("guide")
def guide_records_exist(topic: Topic[schema.Guide]) -> Found:
    """The records that a guide links to exist."""
    for index, torch in enumerate(topic.written.records):
        if torch not in topic.found.base.records:
            yield Message("no record of {}", torch), ("records", index)


@rule("guide")
def guide_check_can_be_ported(topic: Topic[schema.Guide]) -> Found:
    """What a check of a guide leaves to the rewriter can be ported."""
    guide = topic.written
    for index, section in enumerate(guide.sections):
        for number, check in enumerate(section.checks):
            if port := topic.found.base.failed_ports.get((guide_owner(guide.id), check.id)):
                where = ("sections", index, "checks", number)
                yield unported(Message("check `{}`", check.id), port), where


@rule("guide")
def guide_check_is_unique(topic: Topic[schema.Guide]) -> Found:
    """No two checks of a guide share an id, in whatever section."""
    seen: set[str] = set()
    for index, section in enumerate(topic.written.sections):
        for number, check in enumerate(section.checks):
            if check.id in seen:
                yield (
                    Message("check `{}` stands twice", check.id),
                    ("sections", index, "checks", number),
                )
            seen.add(check.id)


@rule("guide")
def guide_evidence_is_current(topic: Topic[schema.Guide]) -> Found:
    """Every check of a guide has evidence of what it does now; run `msmap verify` on the guide."""
    for index, section in enumerate(topic.found.base.guides[topic.written.id].sections):
        for number, check in enumerate(section.checks):
            if wrong := unproved(check):
                command = mend.command("verify", topic.written.id)
                yield wrong, ("sections", index, "checks", number), command
