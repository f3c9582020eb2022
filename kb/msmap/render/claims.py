"""Statements of documents with their verdicts, as text or Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msmap import vocabulary
from msmap.claimed import Claim, Source
from msmap.render.labels import CLAIMS, word
from msmap.render.layout import BAD, BOLD, CODE, DIM, GOOD, WARN, Line, line

_STYLES = {"holds": GOOD, "held_until": WARN, "refuted": BAD, "not_testable": DIM}


def verdict(claim: Claim, language: str) -> str:
    """The verdict in words, with the release or the reason that belongs to it."""
    said = word(vocabulary.VERDICTS, claim.verdict, language)
    if claim.until:
        return f"{said} ({CLAIMS[language]['until'].format(claim.until)})"
    if claim.reason:
        return f"{said} ({word(vocabulary.UNTESTED_REASONS, claim.reason, language)})"
    return said


def text(found: Sequence[Claim], language: str) -> Iterator[Line]:
    """Each statement in a few lines, then how many of each verdict."""
    labels = CLAIMS[language]
    for claim in found:
        style = _STYLES[claim.verdict]
        yield line((claim.name, CODE), "  ", (verdict(claim, language), style))
        yield line((claim.says.get(language), BOLD), indent=2)
        if claim.now is not None:
            yield line((labels["now"] + ": ", DIM), claim.now.get(language), indent=2)
        stands = ", ".join(f"{p.source}#{p.section}" for p in claim.stands_in)
        yield line((f"{labels['stands']}: {stands}", DIM), indent=2)
        if claim.shown_by:
            yield line((f"{labels['shown']}: {_shown(claim)}", DIM), indent=2)
        if claim.contradicts:
            yield line((f"{labels['denies']}: {', '.join(claim.contradicts)}", DIM), indent=2)
        yield line()
    counts = Counter(claim.verdict for claim in found)
    if found:
        yield line(
            ", ".join(
                f"{counts[v]} {word(vocabulary.VERDICTS, v, language)}"
                for v in vocabulary.VERDICTS
                if counts[v]
            )
        )


def _shown(claim: Claim) -> str:
    return ", ".join(f"{s.owner.removeprefix('guide:')}#{s.check}" for s in claim.shown_by)


def markdown(found: Sequence[Claim], sources: Sequence[Source], language: str) -> Iterator[str]:
    """A list of statements, each with where it stands."""
    titles = {
        (source.id, part.id): f"{source.title.get(language)}: {part.title.get(language)}"
        for source in sources
        for part in source.sections
    }
    labels = CLAIMS[language]
    for claim in found:
        yield f"- **{verdict(claim, language)}**: {claim.says.get(language)}"
        if claim.now is not None:
            yield f"  - {labels['now']}: {claim.now.get(language)}"
        if claim.shown_by:
            yield f"  - {labels['shown']}: {', '.join(f'`{s}`' for s in _shown(claim).split(', '))}"
        for place in claim.stands_in:
            yield f"  - {labels['stands']}: {titles[place.source, place.section]}"
