"""What documents and published tables state, chosen by filters that hold for both."""

from __future__ import annotations

from msmap.errors import NotFound
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names.answers import Claims
from msmap.vocabulary import VERDICTS


def statements(
    kb: KnowledgeBase,
    verdict: str | None = None,
    source: str | None = None,
    about: str | None = None,
    topic: str | None = None,
) -> Claims:
    """Statements that fit all filters, and rows of tables: of one table, or about one name.

    Args:
        kb: the knowledge base.
        verdict: one of ``tabled.ROW_VERDICTS``, which has those of documents in it.
        source: the id of a document or a table.
        about: a name of either framework, in any usual spelling.
        topic: as in ``dropout/keep-prob``; rows have none.

    Raises:
        NotFound: there is no such document, table or topic.
    """
    sources, tables = kb.sources(), kb.tables()
    documents, published = {s.id for s in sources}, {t.id for t in tables}
    if source is not None and source not in documents | published:
        raise NotFound(source, None, tuple(sorted(documents | published)))
    table = source if source in published else None
    claims = (
        kb.claims(verdict, source, about, topic)
        if table is None and (verdict is None or verdict in VERDICTS)
        else []
    )
    rows = (
        kb.table_rows(table, verdict, about)
        if topic is None and (table or (about is not None and source is None))
        else []
    )
    return Claims(tuple(claims), tuple(sources), tuple(rows), tuple(tables))
