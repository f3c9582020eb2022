"""Calls in the shapes that public code has: how much by position, and which keywords together.

``shapes.txt`` has a line a name, the commonest shape first: ``torch.add 2 2:alpha``. What only says
where a tensor lives is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from msmap.probe.samples.call import Call, Gap, Known, fitting

PATH = Path(__file__).with_name("shapes.txt")
_FORMS = ("function", "method", "layer")
Shape = tuple[int, tuple[str, ...]]
# The values of a call by parameter, and the parameters that may stand by position, in order.
Named = tuple[Call, dict[str, Any], list[str]]


@cache
def by_name() -> dict[str, tuple[Shape, ...]]:
    """How many arguments stand by position, and which keywords, by name."""
    lines = (line.split() for line in PATH.read_text(encoding="utf-8").splitlines())
    return {name: tuple(map(read, shapes)) for name, *shapes in lines}


def read(text: str) -> Shape:
    """A shape as the file has it: ``2:alpha``."""
    count, _, keywords = text.partition(":")
    return int(count), tuple(keywords.split(",")) if keywords else ()


def calls(known: Known, found: Iterable[Call | Gap]) -> Iterator[Call]:
    """A call of a name in each of its shapes, with values of calls that there are, or defaults."""
    plain = [c for c in found if isinstance(c, Call) and not c.raises and c.form in _FORMS]
    named = [_named(c, known) for c in plain if c.dtype == plain[0].dtype and c.around == "{}"]
    every: dict[str, Any] = {}
    for _, values, _ in named:
        every = values | every
    every = _defaults(known) | every
    for place, shape in enumerate(by_name().get(known.name, ())):
        made = (_made(one, every, shape) for one in named)
        if (call := next((each for each in made if each is not None), None)) is not None:
            yield replace(call, origin="pattern", label=f"{call.label}-shape-{place}")


def _defaults(known: Known) -> dict[str, Any]:
    """What a parameter is given that no call gives: its default says nothing else, but is one."""
    found: dict[str, Any] = {}
    for parameter in (p for s in known.signatures for p in s.parameters if p.default):
        with suppress(ValueError, SyntaxError):
            found.setdefault(parameter.name, ast.literal_eval(str(parameter.default)))
    return found


def _named(call: Call, known: Known) -> Named:
    given = call.args[call.form == "method" :]
    signature = fitting(known.signatures, len(given), frozenset(call.kwargs))
    places = [p.name for p in signature.parameters if p.positional]
    return call, dict(zip(places, given, strict=False)) | dict(call.kwargs), places


def _made(one: Named, every: dict[str, Any], shape: Shape) -> Call | None:
    """A call in a shape, with its own values as far as it has them; None if some are unknown."""
    call, values, places = one
    count, keywords = shape
    known = every | values
    wanted = places[:count]
    if len(wanted) < count or not {*wanted, *keywords} <= known.keys():
        return None
    args = tuple(known[name] for name in wanted)
    receiver = call.args[:1] if call.form == "method" else ()
    kwargs = {name: known[name] for name in keywords if name not in wanted}
    return replace(call, args=(*receiver, *args), kwargs=kwargs)
