"""The page that says why there is no answer, and nothing of the server."""

from __future__ import annotations

from datasette_msmap.web import texts
from datasette_msmap.web.responses import Answer, Ask
from datasette_msmap.web.templating import render

_STATUSES = (400, 404, 405, 413, 414, 500, 503)


def refused(ask: Ask, status: int, message: str) -> Answer:
    """What is wrong with a request, or with the server; ``message`` says it in English."""
    known = status if status in _STATUSES else 400
    said = texts.get(f"refused.{known}", ask.language)
    detail = message if ask.language == "en" and status < 500 else ""
    return render(ask, "refused.html", status, said=said, detail=detail)
