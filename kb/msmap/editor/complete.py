"""What may be written where a PyTorch name is typed: its counterparts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from lsprotocol import types

from msmap.editor.lines import Lines
from msmap.editor.spelled import Spelled
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap.render import hover
from msmap.render.digest import digest
from msmap.vocabulary import Language

# More than a screen of them helps nobody; many names have no counterpart of their own.
MOST, _READ = 60, 400


def items(
    kb: KnowledgeBase, typed: Spelled, line: int, lines: Lines, language: Language
) -> Iterator[types.CompletionItem]:
    """The names that begin as it is typed, each with what it becomes.

    Args:
        kb: the base.
        typed: what stands before the cursor.
        line: the line, from 1.
        lines: the text.
        language: the language.
    """
    place = types.Range(
        types.Position(*lines.units(line, typed.begin)),
        types.Position(*lines.units(line, typed.end)),
    )
    prefix, head = typed.name, typed.text.rpartition(".")[0]
    whole = prefix.rpartition(".")[0]

    def made(name: str) -> types.CompletionItem | None:
        # What is replaced must begin as what was typed, or editors leave it out.
        shown = f"{head}{name.removeprefix(whole)}"
        if name.startswith("mindspore."):
            return _item(shown, shown, name, "", place)
        record = kb.find(name)
        best = next(iter(record.targets), None) if record is not None else None
        api = best.api if best is not None else None
        return None if api is None else _item(f"{shown} → {api}", api, name, shown, place)

    found = (item for name in kb.completions(prefix, _READ) if (item := made(name)) is not None)
    yield from islice(found, MOST)


def documented(
    kb: KnowledgeBase, item: types.CompletionItem, language: Language, page: str
) -> types.CompletionItem:
    """The same with what there is to know of it."""
    if isinstance(item.data, str):
        found = digest(answers.answer(kb, item.data), language, kb.device)
        text = hover.name(found, language, hover.page(item.data, page))
        item.documentation = types.MarkupContent(types.MarkupKind.Markdown, text)
    return item


def _item(
    label: str, text: str, name: str, filtered: str, place: types.Range
) -> types.CompletionItem:  # fmt: skip
    return types.CompletionItem(
        label,
        kind=types.CompletionItemKind.Reference,
        filter_text=filtered or None,
        sort_text=name,
        text_edit=types.TextEdit(place, text),
        data=name,
    )
