"""Statements of documents with their verdicts, as text or Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msmap import vocabulary
from msmap.model import Claim, Source
from msmap.render.layout import BAD, BOLD, CODE, DIM, GOOD, WARN, Line, line
from msmap.render.record import word

_STYLES = {"holds": GOOD, "held_until": WARN, "refuted": BAD, "not_testable": DIM}
_LABELS = {
    "en": {"now": "now", "shown": "shown by", "stands": "stands in", "until": "since {}",
           "denies": "contradicts"},
    "zh": {"now": "现状", "shown": "证据", "stands": "出处", "until": "自 {} 起",
           "denies": "与之矛盾"},
}  # fmt: skip


def verdict(claim: Claim, tongue: str) -> str:
    """The verdict in words, with the release or the reason that belongs to it."""
    said = word(vocabulary.VERDICTS, claim.verdict, tongue)
    if claim.until:
        return f"{said} ({_LABELS[tongue]['until'].format(claim.until)})"
    if claim.reason:
        return f"{said} ({word(vocabulary.UNTESTED_REASONS, claim.reason, tongue)})"
    return said


def text(found: Sequence[Claim], tongue: str) -> Iterator[Line]:
    """Each statement in a few lines, then how many of each verdict."""
    labels = _LABELS[tongue]
    for claim in found:
        style = _STYLES[claim.verdict]
        yield line((claim.name, CODE), "  ", (verdict(claim, tongue), style))
        yield line((claim.says.get(tongue), BOLD), indent=2)
        if claim.now is not None:
            yield line((labels["now"] + ": ", DIM), claim.now.get(tongue), indent=2)
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
                f"{counts[v]} {word(vocabulary.VERDICTS, v, tongue)}"
                for v in vocabulary.VERDICTS
                if counts[v]
            )
        )


def _shown(claim: Claim) -> str:
    return ", ".join(f"{s.owner.removeprefix('guide:')}#{s.check}" for s in claim.shown_by)


def markdown(found: Sequence[Claim], sources: Sequence[Source], tongue: str) -> Iterator[str]:
    """A list of statements, each with where it stands."""
    titles = {
        (source.id, part.id): f"{source.title.get(tongue)}: {part.title.get(tongue)}"
        for source in sources
        for part in source.sections
    }
    labels = _LABELS[tongue]
    for claim in found:
        yield f"- **{verdict(claim, tongue)}**: {claim.says.get(tongue)}"
        if claim.now is not None:
            yield f"  - {labels['now']}: {claim.now.get(tongue)}"
        if claim.shown_by:
            yield f"  - {labels['shown']}: {', '.join(f'`{s}`' for s in _shown(claim).split(', '))}"
        for place in claim.stands_in:
            yield f"  - {labels['stands']}: {titles[place.source, place.section]}"
