"""What the API says where it can't answer: a status, a message, and the nearest that it has."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from difflib import get_close_matches

from datasette_msmap.web import encoding
from datasette_msmap.web.responses import Answer, Ask, View
from datasette_msmap.web.served import TakesLong
from msmap.errors import NotFound, UnknownRelease
from msmap.query.names import answers
from msmap.render import missing

_SHOWN = 200


class Refused(Exception):
    """A request that can't be answered, and why."""

    def __init__(self, status: int, message: str, nearest: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.status, self.message, self.nearest = status, message, tuple(nearest)


def wrong(what: str, value: str, allowed: Iterable[str]) -> Refused:
    """A value that is none of a closed list, which is said."""
    known = list(allowed)
    near = get_close_matches(value[:_SHOWN], known, n=3) or known
    return Refused(400, f'{what} "{short(value)}": one of {", ".join(known)}', near)


def short(text: str) -> str:
    """A text of the request as a message may repeat it."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def told(make: Callable[[Ask], Answer]) -> View:
    """A view that answers with an error of the API where ``make`` raises."""

    def view(ask: Ask) -> Answer:
        try:
            return make(ask)
        except Refused as error:
            found = _error(error.status, error.message, error.nearest)
        except NotFound as error:
            kind = "name" if "name" in ask.vars else "other"
            said = missing.words(short(error.name), "en", error.known, error.elsewhere, kind)
            found = _error(404, said, error.nearest, error.known, error.guides)
        except UnknownRelease as error:
            found = _error(400, short(str(error)))
        except TakesLong:
            raise
        except Exception:
            logging.getLogger(__name__).exception("the API could not answer %s", ask.path)
            found = _error(500, "this could not be answered; the server's log says why")
        return encoding.answer(ask, "error", found, found.status)

    return view


def _error(
    status: int,
    message: str,
    nearest: tuple[str, ...] = (),
    known: str | None = None,
    guides: tuple[str, ...] = (),
) -> answers.Error:
    return answers.Error(status, message, nearest, known, guides)
