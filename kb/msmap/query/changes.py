"""When what the database tells was last changed, as far as it says so."""

from __future__ import annotations

from msmap.query.knowledge_base import KnowledgeBase


def day(kb: KnowledgeBase) -> str:
    """The newest day on which a record, a guide or an outcome changed; "" if nobody knows."""
    if not kb.rows("SELECT 1 FROM sqlite_master WHERE name = 'history'"):
        return ""
    ((found,),) = kb.rows(
        "SELECT max(at) FROM (SELECT max(ran) AS at FROM history UNION ALL"
        " SELECT max(json_extract(c.value, '$[0]')) FROM history h JOIN json_each(h.changes) c)"
    )
    return found or ""
