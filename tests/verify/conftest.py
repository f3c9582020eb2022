"""What tests of started processes share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from tests.builders.zygotes import MARK


@pytest.fixture(scope="module")
def mark() -> Iterator[str]:
    """A word that every process started by these tests has in its environment."""
    word = f"isolation-{os.getpid()}"
    os.environ[MARK] = word
    yield word
    del os.environ[MARK]
