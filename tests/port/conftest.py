"""The base that ships, as the rewriter's tests ask it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from msmap.query.knowledge_base import KnowledgeBase


@pytest.fixture(scope="session")
def facts(shipped: Path) -> Iterator[KnowledgeBase]:
    """Answers for CPU."""
    with KnowledgeBase.open(shipped, device="cpu") as found:
        yield found


@pytest.fixture(scope="session")
def anywhere(shipped: Path) -> Iterator[KnowledgeBase]:
    """Answers for every device."""
    with KnowledgeBase.open(shipped) as found:
        yield found
