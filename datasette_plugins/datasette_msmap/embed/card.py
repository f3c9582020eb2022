"""The card: a record in a few lines, for frames on other sites."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, urlencode

from datasette_msmap.embed.subjects import (
    Subject,
    category,
    code,
    short,
    subject,
    verification,
)
from datasette_msmap.web import texts
from datasette_msmap.web.refusals import wrong
from datasette_msmap.web.responses import DEVICES, Answer, Ask, redirect
from datasette_msmap.web.templating import render
from msmap import model, vocabulary
from msmap.evidence import devices
from msmap.render import missing, probe
from msmap.render.labels import RECORD, word
from msmap.vocabulary import LANGUAGES

THEMES = ("auto", "light", "dark")
_CAVEATS, _SOURCES = 2, 5
_STYLE = Path(__file__).with_name("card.css")
_LABELS = {
    "en": {"more": "{} more on the page", "open": "Evidence and details"},
    "zh": {"more": "页面上另有 {} 条", "open": "证据与详情"},
}


def address(
    ask: Ask, name: str, theme: str = "auto", language: str = "en", device: str = ""
) -> str:
    """The card of a canonical name."""
    asked = {"theme": theme, "lang": language, "device": device.lower()}
    defaults = {"theme": "auto", "lang": "en", "device": ""}
    query = urlencode({key: value for key, value in asked.items() if value != defaults[key]})
    return f"{ask.root}/embed/{quote(name, safe='')}" + (f"?{query}" if query else "")


def style(ask: Ask) -> Answer:
    """The style sheet of cards."""
    return Answer(_STYLE.read_bytes(), "text/css; charset=utf-8", shared=True, max_age=86_400)


def card(ask: Ask) -> Answer:
    """The card of a name in any usual spelling; ``theme`` and ``lang`` say how it looks.

    ``device`` is what it is for, as of a page.
    """
    theme = _choice(ask, "theme", THEMES)
    language = _choice(ask, "lang", LANGUAGES)
    if ask.args.get("device") and not ask.device:
        raise wrong("device", ask.args["device"], DEVICES)
    found = subject(ask, ask.vars["name"])
    if found.found and found.name != ask.vars["name"]:
        return replace(redirect(address(ask, found.name, theme, language, ask.device)), framed=True)
    made = render(
        replace(ask, language=language),
        "card.html",
        200 if found.found else 404,
        subject=found,
        theme=theme,
        labels=RECORD[language] | _LABELS[language],
        missing="\n".join(_missing(found, language)),
        caveats=_caveats(found, ask.device),
        marked=probe.basis(found.probe, language) if found.probe else "",
        tallies=_tallies(found, language),
        differences=_differences(found, language),
        shown=_CAVEATS,
        say=lambda key, *values: texts.get(key, language).format(*values),
        sources=_SOURCES,
        short=short,
        code=code,
        category=lambda key: category(key, language),
        verification=lambda key: verification(key, language),
        impact=lambda key: word(vocabulary.IMPACTS, key, language),
        page=_page(ask, found.name, language) if found.found else "",
    )
    return replace(made, framed=True, headers={"x-robots-tag": "noindex"})


def _missing(found: Subject, language: str) -> Iterator[str]:
    known = found.name if found.known else None
    if not found.found:
        yield from missing.lines(short(found.name, 120), language, known, nearest=found.nearest)


def _tallies(found: Subject, language: str) -> str:
    """How far the best candidate of a probe agreed."""
    if found.probe is None or found.probe.reason:
        return ""
    return probe.tallies(found.probe.first, language).text


def _differences(found: Subject, language: str) -> list[tuple[str, str, str]]:
    """The ways in which the best candidate differs, the worst first, each with what it is about."""
    best = found.probe.best if found.probe else None
    return [
        (d.outcome, word(vocabulary.PROBE_OUTCOMES, d.outcome, language), probe.where(d, language))
        for d in probe.worst(best.differences if best else ())
    ]


def _caveats(found: Subject, device: str) -> list[model.Caveat]:
    """Those of a record, the worst first; with a device none that was seen on others alone."""
    impacts = list(vocabulary.IMPACTS)
    told = found.record.caveats if found.record is not None else ()
    if found.record is not None and device:
        told, _ = devices.caveats(found.record, device)
    return sorted(told, key=lambda caveat: impacts.index(caveat.impact))


def _page(ask: Ask, name: str, language: str) -> str:
    to = replace(ask, language=language).to
    return to.absolute(to.name(name))


def _choice(ask: Ask, name: str, choices: tuple[str, ...]) -> str:
    value = ask.args.get(name, choices[0])
    if value not in choices:
        raise wrong(name, value, choices)
    return value
