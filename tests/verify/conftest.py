"""What tests of started processes share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from tests.builders.zygotes import MARK

from msmap.verify.executors.local import Local


@pytest.fixture(scope="session")
def local() -> Iterator[Local]:
    """Both frameworks, imported once; what runs is forked from there, and leaves nothing behind."""
    with Local(2, limit=60) as executor:
        yield executor


@pytest.fixture(scope="module")
def mark() -> Iterator[str]:
    """A word that every process started by these tests has in its environment."""
    word = f"isolation-{os.getpid()}"
    os.environ[MARK] = word
    yield word
    del os.environ[MARK]
