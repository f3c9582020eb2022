"""What generators of PyTorch's give, always the same."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import numpy as np

SEED = 20
_MOST = 2000


def seed(start: int = SEED) -> None:
    """Start every random stream of the process at the same place."""
    import torch

    torch.default_generator.manual_seed(start)
    np.random.seed(start)
    random.seed(start)


def has_drawn() -> bool:
    """Whether a number was drawn from any stream since ``seed``."""
    before = _streams()
    seed()
    return before != _streams()


def _streams() -> tuple[object, ...]:
    import torch

    numpy = np.random.get_state(legacy=False)["state"]
    drawn = torch.default_generator.get_state().numpy().tobytes()
    return drawn, numpy["key"].tobytes(), numpy["pos"], random.getstate()


def hasten() -> None:
    """Let generators seed PyTorch in a tenth of a millisecond instead of in three.

    ``torch.manual_seed`` takes stack traces for devices that nothing runs on, and PyTorch's
    generators of samples call it for each.
    """
    import torch

    torch.manual_seed = torch.default_generator.manual_seed


@contextmanager
def written() -> Iterator[None]:
    """Within, memory that nobody writes to is filled with nan, or with the largest number."""
    import torch

    torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(False)


def drawn(make: Callable[[], Iterable[Any]]) -> list[Any]:
    """What a generator gives until it raises, which some of PyTorch's do for some dtypes."""
    seed()
    found: list[Any] = []
    try:
        found.extend(islice(make(), _MOST))
    except Exception:
        return found
    return found
