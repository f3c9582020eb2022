"""Search without a server: what a script looks through, as a file for each language."""

from __future__ import annotations

import json
from collections.abc import Callable

from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.search import offline

FILE = "search-{0}.js"


def index(kb: KnowledgeBase, language: str, file: Callable[[str], str | None]) -> str:
    """The script with all that is searched, in a language.

    Args:
        kb: the base.
        language: en or zh.
        file: the file of a page by its path without the language, from where search stands; None
            if there is none.
    """
    pages: list[list[str | int]] = []
    places: dict[str, int] = {}
    for each in offline.pages(kb):
        path = f"/guides/{each.name}" if each.kind == "guide" else f"/{each.name}"
        place = file(path)
        if place is None:
            continue
        places[each.name] = len(pages)
        usual = f"{each.name}.html"
        title = each.title.get(language)
        target = each.target.get(language)
        pages.append([each.name, each.kind[0], title, target, place if place != usual else 0])
    found = {
        "pages": pages,
        "synonyms": offline.synonyms(kb),
        "messages": [
            [text, places[owner]] for text, owner in offline.messages(kb) if owner in places
        ],
    }
    told = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    return f"window.msmapIndex={told};\n"
