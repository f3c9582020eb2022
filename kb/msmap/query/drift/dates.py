"""When what the database tells came into it, as far as it says so: without git it doesn't."""

from __future__ import annotations

from msmap.query.knowledge_base import KnowledgeBase

# How a release stands among what has a history.
_RELEASE = "release:"


def day(kb: KnowledgeBase) -> str:
    """The newest day on which a record, a guide or an outcome changed; "" if nobody knows."""
    ((found,),) = kb.rows(
        "SELECT max(at) FROM (SELECT max(ran) AS at FROM history UNION ALL"
        " SELECT max(json_extract(c.value, '$[0]')) FROM history h JOIN json_each(h.changes) c)"
    )
    return found or ""


def added(kb: KnowledgeBase, limit: int) -> list[tuple[str, str]]:
    """The newest records with the day on which each was written, the newest first."""
    found: list[tuple[str, str]] = kb.rows(
        "SELECT r.torch, (SELECT min(json_extract(c.value, '$[0]')) FROM json_each(h.changes) c)"
        " AS at FROM record r JOIN history h ON h.owner = r.torch"
        " WHERE at IS NOT NULL ORDER BY at DESC, r.torch LIMIT ?",
        (limit,),
    )
    return found


def releases(kb: KnowledgeBase) -> dict[str, str]:
    """The day on which each MindSpore release became known, by its name."""
    return {
        owner.removeprefix(_RELEASE): at
        for owner, at in kb.rows(
            "SELECT owner, (SELECT min(json_extract(c.value, '$[0]')) FROM json_each(changes) c)"
            " FROM history WHERE owner GLOB 'release:*'"
        )
        if at
    }
