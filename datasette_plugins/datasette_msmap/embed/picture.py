"""A picture of a name for previews of links: both names and a call of each, in no language."""

from __future__ import annotations

import re
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

from datasette_msmap.embed.subjects import Subject, short, subject
from datasette_msmap.web.prose import composed
from datasette_msmap.web.refusals import Refused
from datasette_msmap.web.responses import PNG, Answer, Ask
from msmap.render.missing import words

if TYPE_CHECKING:
    from PIL import Image
    from PIL.ImageFont import FreeTypeFont

WIDTH, HEIGHT = 1200, 630
_MARGIN, _INDENT = 80, 124
_NIGHT, _PANEL = 0, 1
_GROUNDS = ((14, 27, 42), (21, 39, 60))
# Each ink with the ground that it stands on, and in how many steps its edges fade into that.
_EDGE, _WHITE, _GREY, _TORCH, _MINDSPORE = range(5)
_INKS = (
    ((77, 163, 255), _NIGHT), ((255, 255, 255), _NIGHT), ((199, 213, 228), _NIGHT),
    ((255, 158, 122), _PANEL), ((141, 208, 255), _PANEL),
)  # fmt: skip
_SHADES = 4
_LARGEST, _SMALLEST = 68, 26
_SAID, _CODE = 34, 32
# How far a row of code is below the last, and the next side's below that besides.
_ROW, _GAP = 46, 30
# What is no longer than so many rows is written smaller, not broken.
_SQUEEZED = 1.15


def picture(ask: Ask) -> Answer:
    """The picture of a record or a probe, 1200 x 630 as those who show previews want it."""
    found = subject(ask, ask.vars["name"])
    if not found.found:
        message = words(found.name, "en", found.name if found.known else None, None)
        raise Refused(404, message, found.nearest)
    return Answer(drawn(*_lines(found)), PNG, shared=True, max_age=86_400)


def _lines(found: Subject) -> tuple[str, str, str, str]:
    """The name, what it is on the other side, and a call of both; "" where there is none.

    Names and code read alike in all languages, and the font has nothing of Chinese.
    """
    record = found.record
    sides = (record.example_torch, record.example_mindspore) if record is not None else ("", "")
    other = _counterpart(found)
    torch, mindspore = sides
    return found.name, other, calling(torch or "", found.name), calling(mindspore or "", other)


def calling(example: str, name: str) -> str:
    """The line of an example that calls a name, or its first."""
    last = re.compile(rf"\b{re.escape(name.rpartition('.')[2])}\b")
    lines = example.splitlines() or [""]
    return short(next((line for line in lines if last.search(line)), lines[0]), 400)


def _counterpart(found: Subject) -> str:
    """The best name on the other side behind an arrow."""
    if found.reverse is not None:
        return f"<- {found.reverse.sources[0][1].torch}"
    if found.probe is not None:
        return f"-> {found.probe.first.mindspore}" if found.probe.first else ""
    best = found.record.targets[0] if found.record and found.record.targets else None
    if best is None or best.remove:
        return ""
    called = best.api or " + ".join(composed(best.expression))
    return f"-> {called}" if called else ""


def drawn(name: str, other: str, torch: str, mindspore: str) -> bytes:
    """A picture as PNG: the same for the same words, with one version of Pillow."""
    from PIL import Image

    room = WIDTH - 2 * _MARGIN
    image = Image.new("P", (WIDTH, HEIGHT), _NIGHT)
    image.putpalette(_palette())
    _write(image, (_MARGIN, 84), "msmap", room, 30, _EDGE)
    _write(image, (_MARGIN, 200), name, room, _LARGEST, _WHITE)
    _write(image, (_MARGIN, 270), other, room, _SAID, _GREY)
    within = room - 2 * (_INDENT - _MARGIN)
    sides = [
        (rows(text, within), ink)
        for text, ink in ((torch, _TORCH), (mindspore, _MINDSPORE))
        if text
    ]
    if sides:
        # Without anything on the other side nothing stands between the name and the code.
        top = 320 if other else 260
        bottom = top + 36 + sum(_GAP + _ROW * len(broken) for broken, _ in sides)
        image.paste(_PANEL, (_MARGIN, top, WIDTH - _MARGIN, bottom))
        image.paste(_shade(_EDGE, _SHADES), (_MARGIN, top, _MARGIN + 8, bottom))
        base = top + 12
        for broken, ink in sides:
            for row in broken:
                base += _ROW
                _write(image, (_INDENT, base), row, within, _CODE, ink)
            base += _GAP
    made = BytesIO()
    image.save(made, "PNG", compress_level=6)
    return made.getvalue()


def rows(text: str, room: int) -> list[str]:
    """Code in two rows where one has no room for it, broken behind a comma if it can be."""
    font = _font(_CODE)
    places = [found.end() for found in re.finditer(r"[,(] ?| (?=\S)", text)]
    fitting = [place for place in places if font.getlength(text[:place].rstrip()) <= room]
    if font.getlength(text) <= _SQUEEZED * room or not fitting:
        return [text]
    # A row that ends in a comma reads better than one that ends where a call opens.
    commas = [place for place in fitting if text[:place].endswith((", ", " "))]
    end = commas[-1] if commas and commas[-1] > fitting[-1] // 2 else fitting[-1]
    return [text[:end].rstrip(), f"    {text[end:]}"]


def _shade(ink: int, step: int) -> int:
    """The number of a colour: how much of an ink there is on its ground."""
    return 1 + _SHADES * ink + step


def _palette() -> list[int]:
    """The colours by their numbers: the grounds, and every ink fading into its own."""
    found = [*_GROUNDS[_NIGHT], *_GROUNDS[_PANEL]]
    for colour, ground in _INKS:
        for step in range(1, _SHADES + 1):
            pairs = zip(colour, _GROUNDS[ground], strict=True)
            found += [below + (above - below) * step // _SHADES for above, below in pairs]
    return found


def _write(
    image: Image.Image, place: tuple[int, int], text: str, room: int, size: int, ink: int
) -> None:
    """A line from a place on its base line, as large as there is room for, else cut."""
    from PIL import Image, ImageDraw

    width = _font(size).getlength(text)
    if width > room:
        size = max(_SMALLEST, int(size * room / width))
    font = _font(size)
    while text and font.getlength(text) > room:
        text = short(text, len(text) - max(1, len(text) // 40))
    line = Image.new("L", (room, 2 * size))
    ImageDraw.Draw(line).text((0, 3 * size // 2), text, 255, font, anchor="ls")
    steps = [(value * _SHADES + 127) // 255 for value in range(256)]
    shades = line.point([_shade(ink, step) for step in steps])
    there = line.point([255 * (step > 0) for step in steps])
    image.paste(shades, (place[0], place[1] - 3 * size // 2), there)


@lru_cache(maxsize=_LARGEST)
def _font(size: int) -> FreeTypeFont:
    from PIL import ImageFont

    found = ImageFont.load_default(size)
    assert isinstance(found, ImageFont.FreeTypeFont), "Pillow has no FreeType"
    return found
