"""Text cut into words that FTS5's plain tokenizer can match, in English and in Chinese."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_PIECE = re.compile(r"[A-Za-z0-9_]+|[\u3400-\u9fff\uf900-\ufaff]+")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


def cut(text: str) -> str:
    """Words separated by spaces: identifiers whole and in parts, Chinese as overlapping pairs.

    >>> cut("LayerNorm 的 epsilon")
    'layernorm layer norm 的 epsilon'
    >>> cut("学习率")
    '学习 习率 率'
    """
    return " ".join([word for piece in _PIECE.findall(text) for word in _words(piece)])


def query(text: str) -> str:
    """An FTS5 expression that wants every word of ``text``; the last may be unfinished.

    Quotes and operators in the text are only characters: there is no syntax to get wrong.
    """
    wanted: list[str] = []
    pieces = _PIECE.findall(text)
    for number, piece in enumerate(pieces):
        if piece.isascii():
            star = "*" if number == len(pieces) - 1 else ""
            wanted.append(f'"{piece.lower()}"{star}')
        elif len(piece) == 1:
            wanted.append(f'"{piece}"*')
        else:
            wanted.append('"' + " ".join(_pairs(piece)) + '"')
    return " ".join(wanted)


@lru_cache(maxsize=1 << 14)
def _words(piece: str) -> Sequence[str]:
    if not piece.isascii():
        # The last character stands alone too, so that a search for one finds every place.
        return [*_pairs(piece), *([piece[-1]] if len(piece) > 1 else [])]
    parts = [p.lower() for p in _CAMEL.findall(piece)]
    whole = piece.lower()
    return [whole] if parts in ([], [whole]) else [whole, *parts]


def _pairs(piece: str) -> list[str]:
    return [piece] if len(piece) == 1 else [piece[i : i + 2] for i in range(len(piece) - 1)]
