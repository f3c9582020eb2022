"""Records, guides and probes found by words, names, errors, and guesses at what was meant.

Hits stand in tiers: the name that was asked for, those that an error leads to, those with all the
words in names and title, those with some; guesses come after all of them. That all words stand
somewhere in a long record says little.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod

from msmap import model, names, syntax
from msmap.database import NEWEST
from msmap.query.base import probes
from msmap.query.base.asked import Asked
from msmap.query.errors import explain
from msmap.query.names import pasted_names as pasted
from msmap.query.names import spelling
from msmap.query.search import messages
from msmap.query.search import snippet as context
from msmap.query.search import tokens as words
from msmap.query.search.tokens import Term

# What is read of a text: an error may bring its whole traceback.
_LONGEST = 4000
# As many hits have words around what was found.
_SHOWN = 10
_FIRST = 1e6
# In so many ways words and what means the same may make a name: 交叉熵 损失 is CrossEntropyLoss.
_WAYS = 200
_TIERS = ("name", "message", "words", "guess")
# What a guide has in the place of names is its id and title.
_WEIGHTS = "12, 6, 1"
_GUIDE, _UNUSUAL, _NAMESPACE, _SYNONYM, _CALLED = 1.5, 0.7, 0.4, 0.5, 1.6
# What functions of torch.nn.functional call, and no documentation has.
_INTERNAL = 0.5
_USUAL = frozenset(
    {
        "torch", "torch.Tensor", "torch.nn", "torch.nn.functional", "torch.nn.Module",
        "torch.nn.init", "torch.optim", "torch.optim.lr_scheduler", "torch.utils.data",
    }
)  # fmt: skip

# A record, guide or probe: its kind and its name.
Key = tuple[str, str]


@dataclass(slots=True)
class _Found:
    """What is known of a hit so far: how it was found, and how good it is."""

    by: str
    score: float = 0.0
    terms: set[int] = field(default_factory=set)
    every: bool = False
    titled: bool = False
    named: bool = False
    probe: bool = False

    @property
    def partial(self) -> bool:
        """Whether it has no more than some of the words."""
        return self.by == "words" and not self.every

    @property
    def rank(self) -> tuple[int, bool, bool, bool, float]:
        """What comes first is smaller."""
        return (
            _TIERS.index(self.by), not self.named, not self.titled and self.by == "words",
            self.probe, -self.score,
        )  # fmt: skip


def search(
    kb: Asked,
    text: str,
    limit: int = 20,
    kind: str | None = None,
    every: bool = False,
) -> list[model.Hit]:
    """Records, guides and probes for a text, best first; English, Chinese, either's names.

    Args:
        kb: the knowledge base.
        text: words, a name in any form in which it is pasted, or an error message.
        limit: how many at most.
        kind: ``record``, ``guide`` or ``probe`` alone.
        every: only what has all the words, and without those around them, as one types.
    """
    asked = names.clean(text)[:_LONGEST]
    found: dict[Key, _Found] = {}
    # Of a bare word, all that are called so are meant.
    bare = asked.isidentifier()
    said = messages.error(asked)
    for place, key in enumerate(_named(kb, asked)):
        score = 0.0 if bare else _FIRST - place
        found.setdefault(key, _Found("name", score, named=True, probe=key[0] == "probe"))
    # A record that has a word in common with another package's name is about something else.
    is_name = not bare and not found and (said or _is_code(asked))
    other = pasted.other(asked) if is_name else None
    for guide in other.guides if other is not None else ():
        found["guide", guide] = _Found("name", _FIRST)
    if said is not None:
        for key in _told(kb, said):
            found.setdefault(key, _Found("message"))
    known = synonyms(kb)
    terms = words.terms(spelling.spelt(kb, said or asked, known), known)
    for key, worded in _worded(kb, asked, terms).items():
        if worded.named and bare:
            worded.by = "name"
            found[key] = worded
        elif worded.every or not every:
            found.setdefault(key, worded)
    if other is not None:
        found = {key: hit for key, hit in found.items() if key[0] == "guide"}
    elif not every and all(hit.partial for hit in found.values()):
        for key in _guessed(kb, asked):
            found.setdefault(key, _Found("guess"))
    wanted = [key for key in found if kind in (None, key[0])]
    wanted.sort(key=lambda key: found[key].rank)
    hits = [replace(_hit(kb, *key), by=found[key].by) for key in wanted[:limit]]
    sought = () if every else context.sought(terms)
    shown = [replace(hit, context=_context(kb, hit, sought)) for hit in hits[:_SHOWN]]
    return [*shown, *hits[_SHOWN:]]


def _is_code(text: str) -> bool:
    """Whether a text is a name, a call or an import, and no sentence that has one in it."""
    return " " not in text or "(" in text or bool(pasted.imported(text))


def synonyms(kb: Asked) -> Mapping[str, Sequence[str]]:
    """All of its group by each word or phrase."""
    found: dict[str, list[str]] = {}
    for (group,) in kb.rows("SELECT words FROM synonym ORDER BY id"):
        for phrase in (phrases := json.loads(group)):
            found.setdefault(phrase, []).extend(p for p in phrases if p not in found[phrase])
    return found


def _named(kb: Asked, asked: str) -> Iterator[Key]:
    """What has just the name that a text is, in any form in which it may be pasted."""
    for name in pasted.names(asked):
        if (known := pasted.canonical(kb, name)) is not None:
            yield from _pages(kb, known)
    for method in syntax.written(asked):
        yield from _pages(kb, f"torch.Tensor.{method}")


def _pages(kb: Asked, name: str) -> Iterator[Key]:
    """What answers for a canonical name: its record or probe, or the records that map to it."""
    rows = kb.rows(
        "SELECT 'record', torch FROM record WHERE torch = ?1"
        f" UNION ALL SELECT 'probe', torch FROM probe WHERE torch = ?1 AND release = {NEWEST}"
        " UNION ALL SELECT * FROM (SELECT 'record', torch FROM target WHERE api = ?1"
        " ORDER BY rank, torch LIMIT 5) UNION ALL SELECT * FROM (SELECT 'probe', torch FROM probe"
        f" WHERE mindspore = ?1 AND release = {NEWEST} ORDER BY agreed < tried, torch LIMIT 5)",
        (name,),
    )
    yield from rows


def _told(kb: Asked, said: str) -> Iterator[Key]:
    """What explains an error, then where it was given, the most alike first."""
    for mistake in explain.mistakes(kb, said):
        for name in mistake.see:
            yield from _pages(kb, name) if name.startswith("torch.") else [("guide", name)]
    alike = messages.alike(said, kb.rows("SELECT owner, text FROM message ORDER BY id"))
    # A guide says more of an error than a record in which it was met.
    whole = model.guide_owner("")
    for owner, _ in sorted(alike.items(), key=lambda t: (-t[1], not t[0].startswith(whole)))[:5]:
        prefix, _, guide = owner.partition(whole)
        yield ("guide", guide) if not prefix else ("record", owner)


def _worded(kb: Asked, asked: str, terms: Sequence[Term]) -> dict[Key, _Found]:
    """What has some of the words."""
    found: dict[int, _Found] = {}
    met: set[int] = set()
    for number, term in enumerate(terms):
        # What was typed counts for more than what means the same.
        for query, worth in ((term.forms[0], 1.0), (" OR ".join(term.forms[1:]), _SYNONYM)):
            for place, rank in _ranked(kb, query):
                met.add(number)
                hit = found.setdefault(place, _Found("words"))
                hit.terms.add(number)
                hit.score -= term.weight * worth * rank
    every = sum(terms[number].weight for number in met)
    needed = {number for number in met if not terms[number].faint} or met
    titled = _titled(kb, [terms[number] for number in needed])
    stems = _stems(asked, terms)
    typed = {term.forms[0].strip('"*') for term in terms}
    internal = {name for (name,) in kb.rows("SELECT name FROM spelling WHERE NOT documented")}
    told: dict[Key, _Found] = {}
    for place, kind, name in kb.rows("SELECT id, kind, name FROM document") if found else ():
        if place in found:
            hit = found[place]
            share = sum(terms[number].weight for number in hit.terms) / every
            hit.score *= share * _liking(kind, name, terms)
            if name in internal:
                hit.score *= _INTERNAL
            if kind != "guide" and name.rpartition(".")[2].lower() in typed:
                # One of the words is its whole name: view size is not compatible.
                hit.score *= _CALLED
            hit.every = needed <= hit.terms
            hit.titled = place in titled
            hit.probe = kind == "probe"
            hit.named = kind != "guide" and names.stem(name) in stems[: 1 if hit.probe else None]
            told[kind, name] = hit
    return told


def _ranked(kb: Asked, query: str) -> list[tuple[int, float]]:
    """What fits an FTS5 expression, by its id in the index; the better, the lower."""
    if not query:
        return []
    return kb.rows(
        f"SELECT rowid, bm25(document_fts, {_WEIGHTS}) FROM document_fts"
        " WHERE document_fts MATCH ?",
        (query,),
    )


def _titled(kb: Asked, terms: Sequence[Term]) -> set[int]:
    """What has all of the words in its names and title, by its id in the index."""
    if not terms:
        return set()
    sought = " AND ".join(f"({term.query})" for term in terms)
    sql = "SELECT rowid FROM document_fts WHERE document_fts MATCH ?"
    return {place for (place,) in kb.rows(sql, (f"{{names title}} : ({sought})",))}


def _stems(asked: str, terms: Sequence[Term]) -> list[str]:
    """The stems of names that are just what is looked for: as typed, then what means the same."""
    whole = [asked]
    if prod(len(term.forms) for term in terms) <= _WAYS:
        whole += ["".join(forms) for forms in product(*(term.forms for term in terms))]
    return [names.stem("".join(filter(str.isalnum, text.lower()))) for text in whole]


def _liking(kind: str, name: str, terms: Sequence[Term]) -> float:
    """How much likelier than others a page is what somebody looks for."""
    if kind == "guide":
        title = f'"{words.folded(name)}"'
        return _GUIDE * (2 if any(title in term.forms for term in terms) else 1)
    # Who wants a namespace writes its name; its record has something of all that is in it.
    if name in _USUAL and name.rpartition(".")[2].islower():
        return _NAMESPACE
    return 1.0 if name.rpartition(".")[0] in _USUAL else _UNUSUAL


def _guessed(kb: Asked, asked: str) -> Iterator[Key]:
    """The names nearest to the one that was typed."""
    for spelled in pasted.names(asked) or [asked]:
        for name in kb.nearest(spelled, 5):
            yield from _pages(kb, name)


def _hit(kb: Asked, kind: str, name: str) -> model.Hit:
    if kind == "probe":
        return probes.hit(kb.rows, name)
    if kind == "guide":
        sql = "SELECT title_en, title_zh, summary_en FROM guide WHERE id = ?"
    else:
        sql = "SELECT summary_en, summary_zh, mindspore FROM record WHERE torch = ?"
    en, zh, detail = kb.rows(sql, (name,))[0]
    return model.Hit(kind, name, model.Text(en, zh), detail)


def _context(kb: Asked, hit: model.Hit, sought: context.Sought) -> model.Text:
    """The words around what was found in the texts of a record or guide."""
    if not sought or hit.kind == "probe" or hit.by == "guess":
        return model.Text("", "")
    if hit.kind == "guide":
        ((document,),) = kb.rows("SELECT document FROM guide WHERE id = ?", (hit.name,))
    else:
        document = kb.rows.record(hit.name)
    shown = model.Text(f"{hit.name} {hit.title.en}", hit.title.zh)
    return context.around(json.loads(document), shown, sought)
