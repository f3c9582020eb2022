"""A record is light."""

from __future__ import annotations

from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, Response

from msmap.query.knowledge_base import KnowledgeBase


@pytest.mark.parametrize("language", ["", "/zh"])
def test_a_record_is_under_100_kilobytes(origin: str, shipped: Path, language: str) -> None:
    """Those that say most are, so all are."""
    with KnowledgeBase.open(shipped) as kb:
        said = {s.torch: len(repr(kb.lookup(s.torch))) for s in kb.records()}
    sizes = {}
    for name in sorted(said, key=said.__getitem__)[-24:]:
        with urlopen(f"{origin}{language}/{name}") as answer:
            sizes[name] = len(answer.read())
    assert {name: size for name, size in sizes.items() if size >= 100_000} == {}


def test_a_record_with_all_it_loads_is_under_200_kilobytes(page: Page) -> None:
    sizes: list[int] = []

    def add(response: Response) -> None:
        sizes.append(len(response.body()))

    page.on("response", add)
    page.goto("/torch.nn.LayerNorm", wait_until="networkidle")
    assert len(sizes) <= 6
    assert sum(sizes) < 200_000
