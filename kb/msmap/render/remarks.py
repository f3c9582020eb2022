"""What there is to say of a port beside its code, as Markdown: what stayed and why, and notes."""

from __future__ import annotations

from collections.abc import Iterator

from msmap.model import Port
from msmap.port.attempt import unreadable
from msmap.render import View
from msmap.render.markup import code, inline


def tell(answer: Port, view: View) -> Iterator[str]:
    """A line for each place that was left as it was, then one for each note."""
    for refusal in answer.refusals:
        reason = inline(refusal.reason.get(view.language))
        if refusal is unreadable(answer):
            yield f"- {reason}"
            continue
        shown = refusal.source if len(refusal.source) <= _SHOWN else f"{refusal.source[:_SHOWN]}…"
        yield f"- {refusal.line}:{refusal.column + 1} {code(shown)}: {reason}"
    for note in answer.notes:
        yield f"- {inline(note.get(view.language))}"


_SHOWN = 60
