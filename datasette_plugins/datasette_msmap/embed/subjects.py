"""What a card, a badge or oEmbed is about: a record, a probe, or what a MindSpore name was."""

from __future__ import annotations

import re
from dataclasses import dataclass

from datasette_msmap.web.responses import Ask
from datasette_msmap.web.unseen import clean
from msmap import model, vocabulary
from msmap.candidates import Probe
from msmap.query.names import answers
from msmap.render.labels import word

# What XML has no place for, not even as an escape.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Subject:
    """A name that was asked for, under its canonical name where the frameworks have it.

    ``known`` says that they do, though no record is about it.
    """

    name: str
    record: model.Record | None = None
    reverse: model.Reverse | None = None
    probe: Probe | None = None
    known: bool = False
    nearest: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        """Whether there is something to say."""
        return any((self.record, self.reverse, self.probe))

    @property
    def about(self) -> model.Record | model.Summary | None:
        """What has a category and a verification: the record, or the best that maps to a name."""
        if self.reverse is not None:
            rank, source = self.reverse.sources[0]
            # Of rank 0 it does not map to the name.
            return source if rank else None
        return self.record


def subject(ask: Ask, name: str) -> Subject:
    """What is known of a name in any usual spelling."""
    found = answers.answer(ask.kb, name[:300])
    if found.record is not None:
        return Subject(found.record.torch, found.record)
    if found.reverse is not None:
        return Subject(found.reverse.api.name, reverse=found.reverse)
    if found.probe is not None:
        return Subject(found.probe.torch, probe=found.probe)
    return Subject(found.known or name, known=found.known is not None, nearest=found.nearest)


def said(found: Subject, language: str) -> str | None:
    """What there is to say in a few words: how it differs and how far that is shown, or was run."""
    if found.probe is not None:
        return probed(found.probe, language)
    if found.about is None:
        return None
    return " · ".join(
        (category(found.about.category, language), verification(found.about.verification, language))
    )


def probed(found: Probe, language: str) -> str:
    """How far the best candidate of a probe agreed, or why nothing was run."""
    if found.reason:
        return word(vocabulary.NOT_PROBED, found.reason, language)
    first = found.first
    if first is not None and first.unrun:
        return word(vocabulary.PROBE_OUTCOMES, "no_kernel", language)
    share = f" · {first.values.agreed}/{first.values.tried}" if first else ""
    return word(vocabulary.BASES, "probed", language) + share


def category(key: str, language: str) -> str:
    """A category of difference in words."""
    return word(vocabulary.CATEGORIES, key, language)


def verification(key: str, language: str) -> str:
    """How far something is verified, in words."""
    return word(vocabulary.VERIFICATIONS, key, language)


def short(text: str, longest: int) -> str:
    """A text in one line without what reorders or hides, cut where it gets too long."""
    line = " ".join(_plain(text[: 4 * longest]).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def code(text: str, lines: int, longest: int) -> str:
    """The first lines of code, none longer than a number of characters."""
    found = _plain(text[: 4 * lines * longest]).splitlines()
    shown = [line if len(line) <= longest else line[: longest - 1] + "…" for line in found[:lines]]
    return "\n".join(shown if len(found) <= lines else [*shown, "…"])


def _plain(text: str) -> str:
    return _NOT_XML.sub("", str(clean(text)))
