"""A badge: how an API maps, and how far that is verified, as a picture or for shields.io."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from datasette_msmap.embed.subjects import Subject, said, short, subject
from datasette_msmap.web import encoding
from datasette_msmap.web.refusals import wrong
from datasette_msmap.web.responses import JSON, SVG, Answer, Ask
from datasette_msmap.web.tones import tone
from msmap.vocabulary import LANGUAGES

_UNKNOWN = ("not known", "没有该名称")
_NO_RECORD = ("no record", "暂无记录")
# White text on these has a contrast of at least 4.5.
_GOOD, _MIND, _BAD, _NONE = "#1a7f37", "#9a5b00", "#b42318", "#57606a"
_PROBED = "#5a4bb0"
_EASY, _SHOWN = ("good", "fair"), ("good", "fair", "other")
_LABEL, _LONGEST = 48, 60
_HEIGHT, _SPACE = 20, 8


def badge(ask: Ask) -> Answer:
    """The badge of a name; one that nobody knows gets a grey one, and status 404."""
    language = ask.args.get("lang", "en")
    if language not in LANGUAGES:
        raise wrong("lang", language, LANGUAGES)
    found = subject(ask, ask.vars["name"])
    label = short(found.name, _LABEL)
    told, colour = _said(found, language)
    body = _svg(label, short(told, _LONGEST), colour, language)
    status = 200 if found.found else 404
    return Answer(body, SVG, status, language, shared=True)


def shield(ask: Ask) -> Answer:
    """The same as shields.io's endpoint badges want it, to be drawn there in any style."""
    language = ask.args.get("lang", "en")
    if language not in LANGUAGES:
        raise wrong("lang", language, LANGUAGES)
    found = subject(ask, ask.vars["name"])
    told, colour = _said(found, language)
    badge = {
        "schemaVersion": 1,
        "label": short(found.name, _LABEL),
        "message": short(told, _LONGEST),
        "color": colour.removeprefix("#"),
        "isError": not found.found,
    }
    status = 200 if found.found else 404
    return Answer(encoding.text(badge) + "\n", JSON, status, language, shared=True)


def _said(found: Subject, language: str) -> tuple[str, str]:
    told, about = said(found, language), found.about
    if told is None:
        missed = _NO_RECORD if found.known else _UNKNOWN
        return missed[LANGUAGES.index(language)], _NONE
    if about is None:
        return told, _NONE if found.probe is None or found.probe.reason else _PROBED
    return told, _colour(about.category, about.verification)


def _colour(category_: str, verification_: str) -> str:
    if tone(verification_) == "bad" or category_ == "missing":
        return _BAD
    if tone(verification_) not in _SHOWN:
        return _NONE
    return _GOOD if tone(category_) in _EASY else _MIND


def _width(text: str) -> int:
    """About how wide a text is in 11 px; ``textLength`` makes it exactly that."""
    return round(sum(11 if ord(c) > 0x2E80 else 3.9 if c in " .,:;il|'!" else 6.7 for c in text))


def _svg(label: str, said: str, colour: str, language: str) -> str:
    left, right = _width(label), _width(said)
    edge = left + 2 * _SPACE
    whole = edge + right + 2 * _SPACE
    title = f"{label}: {said}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="{_HEIGHT}"'
        f' viewBox="0 0 {whole} {_HEIGHT}" role="img" xml:lang="{language}"'
        f" aria-label={quoteattr(title)}>"
        f"<title>{escape(title)}</title>"
        f'<clipPath id="r"><rect width="{whole}" height="{_HEIGHT}" rx="3"/></clipPath>'
        f'<g clip-path="url(#r)"><rect width="{edge}" height="{_HEIGHT}" fill="#333"/>'
        f'<rect x="{edge}" width="{whole - edge}" height="{_HEIGHT}" fill="{colour}"/></g>'
        '<g fill="#fff" font-size="11"'
        ' font-family="Verdana,Geneva,DejaVu Sans,Noto Sans CJK SC,sans-serif">'
        f'<text x="{_SPACE}" y="14" textLength="{left}">{escape(label)}</text>'
        f'<text x="{edge + _SPACE}" y="14" textLength="{right}">{escape(said)}</text></g></svg>\n'
    )
