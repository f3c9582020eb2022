"""What would make others wait: it is made in another process, or once for all who ask."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.builders.serving import get

from datasette_msmap import server
from datasette_msmap.pages import refused
from datasette_msmap.routes import ROUTES
from datasette_msmap.web import routing, served
from datasette_msmap.web.responses import Ask


@pytest.mark.parametrize(
    ("path", "elsewhere"),
    [
        ("/torch.nn.Dropout", False), ("/zh/nn.Dropout", False), ("/mindspore.nn.Dropout", False),
        ("/api/v1/lookup/torch.cat", False), ("/embed/torch.cat", False),
        ("/guides/training", False), ("/torch.cat.md", False),
        ("/torch.nothing", True), ("/zh/torch.nn.Dropot", True), ("/wp-login.php", True),
        ("/mindspore.nothing", True), ("/guides/nothing", True), ("/torch.nothing.md", True),
        ("/embed/torch.nothing", True), ("/badge/torch.nothing.svg", True),
        ("/api/v1/lookup/torch.nothing", True), ("/api/v1/evidence/torch.nothing", True),
        ("/api/v1/reverse/mindspore.nothing", True), ("/api/v1/guides/nothing", True),
        ("/api/v1/search?q=dropout", True), ("/search?q=dropout", True), ("/suggest?q=dr", True),
        ("/opensearch.json?q=dr", True), ("/api/v1/list?device=cpu", True),
        ("/api/v1/claims", True), ("/api/v1/names", True), ("/api/v1/guides", True),
        ("/claims", True), ("/sitemap.xml", True), ("/objects.inv", True), ("/browse.md", True),
        ("/torch.nn.Dropout/checks", True), ("/browse?without=cpu", False),
    ],
)  # fmt: skip
def test_what_takes_long_is_made_elsewhere(database: Path, path: str, elsewhere: bool) -> None:
    """Others don't wait while names are compared with one that nobody has heard of."""
    place, _, query = path.partition("?")
    matches = ((r, r.pattern.match(place)) for r in ROUTES)
    route, match = next((r, m) for r, m in matches if m is not None)
    found = served.Served("msmap", str(database))
    found.quick = True
    args, _ = routing.arguments(query, route.args, False)
    asked = Ask(found, "en", place, routing.variables(match), args, {}, "", "")
    if elsewhere and not route.aside:
        with pytest.raises(served.TakesLong):
            route.make(asked)
    else:
        assert route.aside or route.make(asked).status in (200, 301)
        assert route.aside is elsewhere


def test_why_there_is_no_answer_is_made_once(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever makes it be said again and again costs nobody anything."""
    made = []
    inner = refused.refused

    def counted(*given: Any) -> Any:
        made.append(given)
        return inner(*given)

    monkeypatch.setattr(refused, "refused", counted)
    site = server.site(database)
    answers = [get(site, f"/torch.x{n}", headers={"host": "a b"}) for n in range(3)]
    assert [answer.status_code for answer in answers] == [400] * 3
    assert len(made) == len({answer.text for answer in answers}) == 1
    assert get(site, "/zh/torch.x", headers={"host": "a b"}).text != answers[0].text
