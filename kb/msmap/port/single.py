"""One use of PyTorch written by itself, for who ports a file call by call."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msmap.code.source import Change
from msmap.port import arguments as values
from msmap.port import imports
from msmap.port.edits import is_open, parent_of
from msmap.port.session import Rewriter


def texts(work: Rewriter) -> Iterator[tuple[int, int, str]]:
    """What can be written by itself: byte offsets, and the text, with all that is inside of it.

    Names of MindSpore's are whole, since the imports of the source stay as they are.
    """
    for node, text in work.bare.items():
        use = work.uses.get(node)
        if use is None or node not in work.written:
            continue
        parent = parent_of(work.source, use.statement, node)
        yield (
            *work.source.span(node),
            values.embedded(text, is_open(node, parent), isinstance(parent, ast.Attribute)),
        )


def imported(work: Rewriter) -> Change | None:
    """The imports that such texts need; None if the source has them."""
    code = "\n".join(text for _, _, text in texts(work))
    needed = imports.modules(code, work.source)
    place = imports.top(work.source)
    newline = "\r\n" if work.source.mentions("\r\n") else "\n"
    text = "".join(f"import {module}{newline}" for module in needed)
    return (place, place, text) if text else None
