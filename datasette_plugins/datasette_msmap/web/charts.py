"""Charts as SVG, drawn on the server: bars that stretch, beside text that stays text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup, escape


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a bar: what it stands for, how much, and the class that colours it."""

    label: str
    value: int
    tone: str


def bar(parts: Iterable[Part], total: int, label: str = "") -> Markup:
    """A bar of parts, side by side, where ``total`` is the whole width.

    The picture is told in words by ``label``; without one it repeats what stands beside it, and
    is hidden from readers of the screen.
    """
    drawn, left = [], 0.0
    for part in parts:
        if not part.value:
            continue
        width = 100 * part.value / max(total, 1)
        title = f"<title>{escape(part.label)}: {part.value}</title>" if part.label else ""
        drawn.append(
            f'<rect class="tone-{escape(part.tone)}" x="{left:.3g}" y="0"'
            f' width="{max(width, 0.4):.3g}" height="10">{title}</rect>'
        )
        left += width
    told = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    return Markup(
        f'<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" {told}>'
        f"{''.join(drawn)}</svg>"
    )
