"""The base or the data opened, or what to say and the status."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from msmap_cli.output import fail, say

if TYPE_CHECKING:
    from msmap.query.knowledge_base import KnowledgeBase

T = TypeVar("T")


def base(mindspore: str | None = None) -> KnowledgeBase:
    """The database as of a MindSpore release; or a message and status 1, 2 if there is none."""
    from msmap.errors import MsmapError, UnknownRelease
    from msmap.query.knowledge_base import KnowledgeBase

    try:
        return KnowledgeBase.open(mindspore=mindspore)
    except MsmapError as error:
        fail(str(error), 2 if isinstance(error, UnknownRelease) else 1)


# What the extras bring, by the name under which it is imported.
_EXTRAS = {
    "pydantic": "curate",
    "sqlalchemy": "curate",
    "sqlmodel": "curate",
    "sqlite_utils": "curate",
    "numpy": "verify",
    "psutil": "verify",
    "distributed": "cluster",
}


def loading(action: Callable[[], T]) -> T:
    """Do something with data files; what is wrong in them is printed, with status 1."""
    try:
        return _loading(action)
    except ModuleNotFoundError as error:
        if error.name not in _EXTRAS:
            raise
        extra = _EXTRAS[error.name]
        fail(f"this needs {error.name}; install it with `pip install 'msmap[{extra}]'`", 1)


def _loading(action: Callable[[], T]) -> T:
    from msmap.problems import DataError

    try:
        return action()
    except DataError as error:
        for problem in error.problems:
            say(str(problem))
        fail(f"{len(error.problems)} problem(s) in the data; nothing was changed", 1)
    except OSError as error:
        fail(str(error), 1)
