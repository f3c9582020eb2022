"""What an editor shows of a name or a call: a few lines of Markdown, in which nothing is markup
but what stands here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msmap import vocabulary
from msmap.render.digest import Digest
from msmap.render.labels import HOVER, RECORD, SCAN, word
from msmap.render.markup import code, fenced, inline
from msmap.scan.report import Site
from msmap.scan.terms import RULES

# As many of a namespace are listed.
_NAMES = 30


def name(found: Digest, language: str, more: str) -> str:
    """A name by itself: what it becomes, what bites in it.

    Args:
        found: what is known of it.
        language: the language.
        more: where to read more, as Markdown; "" to say nothing of that.
    """
    parts = [*_head(found, language), *_caveats(found, language)]
    if found.port:
        parts.insert(1, fenced(found.port))
    return "\n\n".join([*parts, more] if more else parts)


def site(found: Site, about: Digest | None, language: str, more: str) -> str:
    """A place of a file: what it becomes, and what this very call triggers.

    Args:
        found: the place.
        about: what is known of its name, None where several may be meant.
        language: the language.
        more: as in ``name``.
    """
    say = HOVER[language]
    parts: list[str] = []
    if about is not None:
        parts += _head(about, language)
    elif found.apis:
        listed = RECORD[language]["comma"].join(code(api) for api in found.apis)
        parts.append(say["may"].format(listed))
    if found.port and found.reason is None:
        parts.append(fenced(found.port))
    if found.reason is not None:
        parts.append(f"**{say['stays']}** {inline(found.reason.get(language))}")
    bites = [
        f"- **{word(vocabulary.IMPACTS, told.impact, language)}** {inline(told.text.get(language))}"
        for told in found.caveats
        if not told.mended
    ]
    bites += [f"- {inline(note.get(language))}" for note in found.notes]
    if bites:
        parts.append("\n".join(bites))
    if found.state:
        parts.append(f"*{SCAN[language][f'{found.state}_word']}: "
                     f"{word(RULES, found.rule, language)}*")  # fmt: skip
    if about is not None and more:
        parts.append(more)
    return "\n\n".join(parts)


def _head(found: Digest, language: str) -> Iterator[str]:
    say = HOVER[language]
    if found.was:
        listed = RECORD[language]["comma"].join(code(torch) for torch in found.was[:5])
        yield f"{code(found.name)} ← {listed}"
        return
    if found.names:
        listed = RECORD[language]["comma"].join(code(one) for one in found.names[:_NAMES])
        more = f" … ({len(found.names)})" if len(found.names) > _NAMES else ""
        yield f"**{code(found.name)}**: {listed}{more}"
        return
    counterpart = code(found.mindspore) if found.mindspore else f"*{say['none']}*"
    yield f"**{code(found.name or found.query)}** → {counterpart}"
    if found.basis == "probed":
        yield f"*{say['probed'].format(found.samples)}*"
    elif found.basis != "curated":
        yield f"*{say['known']}*"
    if found.summary:
        yield inline(found.summary)
    if found.category:
        words = (
            word(vocabulary.CATEGORIES, found.category, language),
            word(vocabulary.VERIFICATIONS, found.verification, language),
            *found.runs_on,
        )
        yield f"*{' · '.join(words)}*"
    if found.missing:
        yield inline(found.missing)


def _caveats(found: Digest, language: str) -> Iterable[str]:
    told = [
        f"- **{word(vocabulary.IMPACTS, bite.impact, language)}** {inline(bite.text)}"
        for bite in found.caveats
    ]
    return ["\n".join(told)] if told else []


def page(name: str, address: str) -> str:
    """Where to read more of a name: its page, or the command where no site is known."""
    return f"[{address}]({address})" if address else f"`msmap lookup {name}`"
