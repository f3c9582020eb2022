"""Rules about guides, where they are not those of records."""

from __future__ import annotations

from msmap.assemble.records import Base
from msmap.curated import schema
from msmap.lint.rules.checks import unproved
from msmap.lint.run import Found, guide_rule, unported


@guide_rule
def guides_exist(guide: schema.Guide, base: Base) -> Found:
    """The records that a guide links to exist."""
    for index, torch in enumerate(guide.records):
        if torch not in base.records:
            yield f"no record of {torch}", ("records", index)


@guide_rule
def check_can_be_ported(guide: schema.Guide, base: Base) -> Found:
    """What a check of a guide leaves to the rewriter can be ported."""
    for index, section in enumerate(guide.sections):
        for number, check in enumerate(section.checks):
            if port := base.failed_ports.get((f"guide:{guide.id}", check.id)):
                where = ("sections", index, "checks", number)
                yield unported(f"check `{check.id}`", port), where


@guide_rule
def check_is_unique(guide: schema.Guide, base: Base) -> Found:
    """No two checks of a guide share an id, in whatever section."""
    seen: set[str] = set()
    for index, section in enumerate(guide.sections):
        for number, check in enumerate(section.checks):
            if check.id in seen:
                yield f"check `{check.id}` stands twice", ("sections", index, "checks", number)
            seen.add(check.id)


@guide_rule
def evidence_is_current(guide: schema.Guide, base: Base) -> Found:
    """Every check of a guide has evidence of what it does now."""
    for index, section in enumerate(base.guides[guide.id].sections):
        for number, check in enumerate(section.checks):
            if wrong := unproved(check):
                yield wrong, ("sections", index, "checks", number)
