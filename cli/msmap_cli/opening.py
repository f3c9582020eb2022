"""The base or the data opened, or what to say and the status."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from msmap.errors import installing
from msmap.messages import Message
from msmap_cli.output import Leave, fail, reason, say, write_error

if TYPE_CHECKING:
    from msmap.query.knowledge_base import KnowledgeBase

T = TypeVar("T")


@contextmanager
def base(
    mindspore: str | None = None,
    language: str = "en",
    kind: str = "name",
    device: str | None = None,
) -> Iterator[KnowledgeBase]:
    """The database as of a MindSpore release; what it doesn't have is said, with status 1.

    ``kind`` is what is asked for: a ``name`` of the frameworks, or any ``other``.
    """
    from msmap.errors import NotFound, UnknownDevice, UnknownRelease
    from msmap.query.knowledge_base import KnowledgeBase
    from msmap.render import missing

    try:
        with KnowledgeBase.open(mindspore=mindspore, device=device) as found:
            yield found
    except (UnknownRelease, UnknownDevice) as error:
        fail(error.message, 2)
    except NotFound as error:
        said = missing.lines(
            error.name, language, error.known, error.elsewhere, error.guides, error.nearest, kind
        )
        write_error("msmap: " + "\n".join(said))
        raise Leave(1) from None


@contextmanager
def handed(scheduler: str | None) -> Iterator[None]:
    """A block that hands work to a scheduler's workers if one is named.

    Without what Dask brings, or workers that can do it, that is said, with status 1.
    """
    from msmap.errors import NoWorkers

    if scheduler is None:
        yield
        return
    try:
        with needing("cluster", "--scheduler"):
            yield
    except NoWorkers as error:
        fail(error.message, 1)


@contextmanager
def needing(extra: str, what: str) -> Iterator[None]:
    """A block that imports what an extra brings; without it what to install is said, status 1."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in ("msmap", "msmap_cli", "datasette_msmap"):
            raise
        fail(Message("{} needs {}; {} brings it", what, missing, installing(extra)), 1)


# What the extras bring, by the name under which it is imported.
_EXTRAS = {
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
        fail(Message("this needs {}; {} brings it", error.name, installing(_EXTRAS[error.name])), 1)


def _loading(action: Callable[[], T]) -> T:
    from msmap.problems import DataError

    try:
        return action()
    except DataError as error:
        for problem in error.problems:
            say(problem.text)
        fail(Message("{} problem(s) in the data; nothing was changed", len(error.problems)), 1)
    except OSError as error:
        fail(reason(error), 1)
