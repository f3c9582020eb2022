"""What differs of a record's checks, as lines of text: both sides as printed, the untold first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msmap.evidence.differences import Difference
from msmap.render.layout import BAD, CODE, DIM, WARN, Line, line


def lines(found: Iterable[Difference]) -> Iterator[Line]:
    """Each difference: which run, what tells it, then what came out of both sides."""
    for difference in found:
        names = dict.fromkeys((difference.check, difference.variant, difference.dtype))
        style = BAD if difference.untold else WARN
        yield line(
            (" ".join(name for name in names if name), CODE),
            f": {difference.target}: ",
            (_told(difference), style if not difference.caveats else DIM),
        )
        if difference.message:
            yield line(" ".join(difference.message.split()), indent=4)
        for side, gave in (("PyTorch  ", difference.torch), ("MindSpore", difference.mindspore)):
            if gave:
                yield line((f"{side}  ", DIM), " ".join(gave.split()), indent=4)


def _told(difference: Difference) -> str:
    if difference.caveats:
        return f"{difference.outcome}, told by {', '.join(difference.caveats)}"
    return f"{difference.outcome}, no caveat tells it" if difference.untold else difference.outcome
