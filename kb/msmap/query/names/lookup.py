"""What is pasted into a lookup understood: calls, methods, imports, patterns, namespaces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from msmap import database, names, syntax
from msmap.database import NEWEST
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers, twins
from msmap.query.names import pasted_names as pasted
from msmap.query.names.answers import Answer, Group
from msmap.query.search import messages

_PATTERN = re.compile(r"(?=.*[*?])(?=.*\w)[\w.*?]+")
# As many names of a group are told.
_MOST = 200


def lookup(kb: KnowledgeBase, texts: Iterable[str]) -> answers.Lookup:
    """What is known of each text, which may be a name in any form in which it is pasted."""
    return answers.Lookup(kb.releases(), tuple(a for text in texts for a in answer(kb, text)))


def answer(kb: KnowledgeBase, text: str) -> list[Answer]:
    """What is known of a text: of an import as many answers as it has names, else one."""
    strict = answers.answer(kb, text)
    if strict.found or strict.elsewhere is not None:
        return [_with_names(kb, strict)]
    if strict.known is not None:
        return [_grouped(strict, _below(kb, strict.known))]
    if (other := pasted.other(text)) is not None:
        return [Answer(text, False, nearest=twins.of(kb, other.name), guides=other.guides)]
    text = names.clean(text)
    group = _matching(kb, text) if _PATTERN.fullmatch(text) else None
    if group is None:
        several = pasted.imported(text)
        if found := [a for name in several if (a := _named(kb, text, [name])) is not None]:
            return found
        spelled = pasted.names(text)
        one = _named(kb, text, _with_members(kb, spelled)) or _told(kb, text)
        if one is not None:
            return [_called(kb, text, one)]
        modules = names.heads(text) if "__" in text else []
        places = (*several, text, *modules)
        group = next(filter(None, (_below(kb, name) for name in places)), None)
    return [_grouped(strict, group)]


def at_address(kb: KnowledgeBase, text: str) -> Answer:
    """What is known of the name that an address ends in.

    That is no place for code: to lead ``x-y`` to the page of subtraction helps nobody.
    An operator between operands is named as what may be meant.
    """
    found = answer(kb, text)[0]
    meant = found.record or found.probe
    if meant is None or not _computes(text):
        return found
    return Answer(text, False, nearest=(meant.torch,))


def _computes(text: str) -> bool:
    """Whether a text is code with an operator and what it works on."""
    return (
        re.search(r"\w", text) is not None
        and not text.isidentifier()
        and bool(syntax.methods(text))
    )


def _with_members(kb: KnowledgeBase, spelled: Iterable[str]) -> Iterator[str]:
    """Each spelling, and what answers for it if it is an attribute that is of no list."""
    for name in spelled:
        yield name
        with kb.rows.reading() as connection:
            head = database.behind(connection, name)
        if head is not None:
            yield head


def _grouped(missed: Answer, group: Group | None) -> Answer:
    """An answer with what a pattern or a namespace stands for, if it does."""
    return missed if group is None else replace(missed, found=True, nearest=(), group=group)


def _named(kb: KnowledgeBase, text: str, spellings: Iterable[str]) -> Answer | None:
    """The answer to the first of some spellings that has one."""
    for spelling in spellings:
        name = pasted.canonical(kb, spelling)
        if name is not None and (found := answers.answer(kb, name)).found:
            near = found.nearest or (kb.others(spelling, name) if found.record else ())
            return _with_names(kb, replace(found, query=text, nearest=near))
    return None


def _with_names(kb: KnowledgeBase, found: Answer) -> Answer:
    """An answer about a namespace that has a record, with what is in it."""
    if found.record is None or found.record.kind != "module":
        return found
    return replace(found, group=_below(kb, found.record.torch))


def _told(kb: KnowledgeBase, text: str) -> Answer | None:
    """The record that an error message leads to."""
    if messages.error(text) is None:
        return None
    hits = (hit for hit in kb.search(text, 3) if hit.by == "message" and hit.kind == "record")
    return next((_named(kb, text, [hit.name]) for hit in hits), None)


def _called(kb: KnowledgeBase, text: str, found: Answer) -> Answer:
    """An answer with what becomes of the very call, if the text is one that can be carried over."""
    if "(" not in text or found.record is None:
        return found
    try:
        port = kb.port(text.strip())
    except (SyntaxError, ValueError):
        return found
    return replace(found, port=port) if port.edits and not port.refusals else found


def _matching(kb: KnowledgeBase, pattern: str) -> Group | None:
    """The names that fit a pattern with ``*`` and ``?``."""
    for spelled in (*names.torch_spellings(pattern), *names.mindspore_spellings(pattern)):
        if (group := _group(kb, spelled, pattern)) is not None:
            return group
    return None


def _below(kb: KnowledgeBase, text: str) -> Group | None:
    """What is in a namespace."""
    for spelled in names.torch_spellings(text):
        quoted = "".join(f"[{c}]" if c in "*?[" else c for c in spelled)
        if (group := _group(kb, f"{quoted}.*", spelled)) is not None:
            return replace(group, namespace=spelled)
    return _defined(kb, text)


def _defined(kb: KnowledgeBase, text: str) -> Group | None:
    """What a module of PyTorch's own defines for others: torch.nn.modules.batchnorm."""
    (spelled, *_) = names.torch_spellings(text)
    rows = kb.rows(
        "SELECT a.name, r.mindspore FROM api a LEFT JOIN record r ON r.torch = a.name"
        " WHERE a.framework = 'torch' AND a.alias_of = '' AND a.defined >= ? AND a.defined < ?"
        " ORDER BY 1",
        (f"{spelled}.", f"{spelled}/"),
    )
    told = tuple((name, target) for name, target in rows if target is not None)
    return Group(spelled, len(told), len(rows) - len(told), told[:_MOST]) if told else None


def _group(kb: KnowledgeBase, pattern: str, said: str) -> Group | None:
    rows = list(_answered(kb, pattern))
    if not rows:
        return None
    records = sum(kind == "record" for kind, _, _ in rows)
    listed = tuple((name, target) for _, name, target in rows[:_MOST])
    return Group(said, records, len(rows) - records, listed)


def _answered(kb: KnowledgeBase, pattern: str) -> Iterator[tuple[str, str, str]]:
    """Records, probes and targets whose names fit: their kind, name and what answers them."""
    yield from kb.rows(
        "SELECT 'record', torch, mindspore FROM record WHERE torch GLOB ?1 UNION ALL"
        f" SELECT 'probe', torch, mindspore FROM probe WHERE torch GLOB ?1 AND release = {NEWEST}"
        " UNION ALL SELECT 'record', api, torch FROM target WHERE api GLOB ?1 AND rank = 1"
        " ORDER BY 1 DESC, 2",
        (pattern,),
    )
