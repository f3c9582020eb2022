"""What may be meant by what has been typed so far."""

from __future__ import annotations

from dataclasses import dataclass

from msmap import names
from msmap.database import NEWEST
from msmap.model import Text
from msmap.query.base import probes
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import spelling
from msmap.query.search import search


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A ``record``, a ``probe``, a MindSpore ``name`` or a ``guide``, and what it is about.

    The text of a record is its best target, of a probe what it found, of a name the records that
    map to it.
    """

    name: str
    kind: str
    text: Text


def suggest(kb: KnowledgeBase, typed: str, limit: int = 8) -> list[Suggestion]:
    """What may be meant: the name itself, names that start so, words, the nearest names."""
    wanted = names.clean(typed).lower()
    exact = answerable(kb, typed)
    found: dict[str, str] = {exact: "name"} if exact else {}
    if len(wanted) > 1 and wanted.isascii():
        found |= dict.fromkeys(starting(kb, wanted, limit), "name")
    if not found and (meant := spelling.spelt(kb, typed, search.synonyms(kb))) != typed:
        typed, wanted = meant, names.clean(meant).lower()
        found = dict.fromkeys(starting(kb, wanted, limit), "name") if wanted.isascii() else {}
    if len(found) < limit:
        for hit in search.search(kb, typed, limit, every=True):
            found.setdefault(hit.name, "guide" if hit.kind == "guide" else "name")
    if not found and len(wanted) > 2:
        near = kb.nearest(typed, 20)
        found = dict.fromkeys((name for name in near if has_answer(kb, name)), "name")
    return [_suggestion(kb, name, kind) for name, kind in list(found.items())[:limit]]


def answerable(kb: KnowledgeBase, spelling: str) -> str | None:
    """The canonical name that a spelling means, if there is an answer to it."""
    # Words are searched for; code with spaces is an operator's.
    parts = spelling.split()
    if not parts or (len(parts) > 1 and all(part.isidentifier() for part in parts)):
        return None
    mindspore = kb.is_mindspore(spelling)
    name = kb.mindspore_name(spelling) if mindspore else kb.torch_name(spelling)
    return name if name and has_answer(kb, name) else None


def has_answer(kb: KnowledgeBase, name: str) -> bool:
    """Whether a canonical name is of a record or a probe, or in a target of a record."""
    return bool(
        kb.rows(
            "SELECT 1 FROM record WHERE torch = ?1 UNION ALL"
            f" SELECT 1 FROM probe WHERE torch = ?1 AND release = {NEWEST} UNION ALL"
            " SELECT 1 FROM target_name WHERE name = ?1 UNION ALL"
            " SELECT 1 FROM target WHERE api = ?1 LIMIT 1",
            (name,),
        )
    )


def starting(kb: KnowledgeBase, wanted: str, limit: int) -> list[str]:
    """Names with an answer that start so, or whose last part does; in lower case."""
    pattern = wanted.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    rows = kb.rows(
        "SELECT name FROM spelling WHERE (curated OR name IN"
        f" (SELECT api FROM target UNION ALL SELECT torch FROM probe WHERE release = {NEWEST}))"
        " AND (lower(leaf) LIKE ?1 ESCAPE '\\' OR lower(name) LIKE ?1 ESCAPE '\\')"
        " ORDER BY lower(leaf) != ?2, framework = 'mindspore', NOT curated, length(name), name"
        " LIMIT ?3",
        (pattern, wanted.rpartition(".")[2], limit),
    )
    return [row[0] for row in rows]


def _suggestion(kb: KnowledgeBase, name: str, kind: str) -> Suggestion:
    if kind == "guide":
        return Suggestion(name, kind, kb.guide(name).title)
    rows = kb.rows("SELECT mindspore FROM record WHERE torch = ?", (name,))
    if rows:
        return Suggestion(name, "record", Text(rows[0][0], rows[0][0]))
    if kb.rows(f"SELECT 1 FROM probe WHERE torch = ? AND release = {NEWEST}", (name,)):
        return Suggestion(name, "probe", probes.hit(kb.rows, name).title)
    sources = kb.rows(
        "SELECT torch FROM target WHERE api = ? ORDER BY rank, torch LIMIT 3", (name,)
    )
    listed = ", ".join(torch for (torch,) in sources)
    return Suggestion(name, kind, Text(listed, listed))
