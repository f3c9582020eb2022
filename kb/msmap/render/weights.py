"""What became of the tensors of a checkpoint, as lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msmap.compare.report import Checked
from msmap.render import View, comparison
from msmap.render.labels import WEIGHTS
from msmap.render.layout import BAD, BOLD, CODE, DIM, GOOD, Line, line, table
from msmap.weights.report import Open, Placed


def text(found: Checked, view: View) -> Iterator[Line]:
    """The report for a terminal: what needs a person first, then each tensor."""
    say, language = WEIGHTS[view.language], view.language
    yield line((f"{found.source} → {found.destination or '-'}", BOLD))
    tone = GOOD if found.is_whole else BAD
    yield line((say["counts"].format(len(found.placed), len(found.unplaced)), tone), indent=2)
    if found.checked:
        yield line((say["unset"].format(len(found.unset)), tone), indent=2)
    for word, value in (("key", found.key), ("prefix", found.prefix)):
        if value:
            yield line(say[word].format(value), indent=2)
    if found.left:
        yield line(say["left"].format(", ".join(found.left)), indent=2)
    for note in found.notes:
        yield line((note.get(language), DIM), indent=2)
    yield from _open(say["no_place"], found.unplaced, view)
    yield from _open(say["no_value"], found.unset, view)
    yield from _placed(say["placed"], found.placed, view)
    yield from _placed(say["optimizer"].format(found.optimizer), found.optimizer_placed, view)
    if found.tied or found.dropped:
        yield line()
        yield line((say["besides"], BOLD))
    for tied in found.tied:
        yield line((tied.name, CODE), f"  {say['tied'].format(tied.to)}", indent=2)
    for dropped in found.dropped:
        yield line((dropped.name, CODE), f"  {dropped.reason.get(language)}", indent=2)
    if found.compared is not None:
        yield line()
        yield line((say["compared"], BOLD))
        yield from comparison.text(found.compared, view)


def _open(title: str, several: Sequence[Open], view: View) -> Iterator[Line]:
    """Tensors without a place, or parameters without a value."""
    if not several:
        return
    yield line()
    yield line((title, BOLD))
    for one in several:
        shape = f" {one.dtype} {list(one.shape)}" if one.dtype else ""
        yield line((one.name, CODE), (shape, DIM), indent=2)
        yield line(one.reason.get(view.language), indent=4)
        if one.nearest:
            near = WEIGHTS[view.language]["nearest"].format(", ".join(one.nearest))
            yield line((near, DIM), indent=4)


def _placed(title: str, several: Sequence[Placed], view: View) -> Iterator[Line]:
    if not several:
        return
    yield line()
    yield line((title, BOLD))
    rows = [
        (
            one.torch or "-",
            "→",
            one.mindspore,
            f"{one.dtype} {list(one.shape)}",
            " ".join((one.value, one.note.get(view.language) if one.note else "")).strip(),
        )
        for one in several
    ]
    yield from table(rows, 44)
