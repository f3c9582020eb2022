"""Writes through views: MindSpore's ``copy_`` reaches what a view is of by chance alone.

What is assigned to all of a view, ``view[:] = x``, always does, and so does an item of a tensor
that is set, ``x[0] = y``; ``[()]`` is right for views, their elements and whole tensors.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import NoReturn

from msmap.code.refusal import Refused
from msmap.infer.effects import changes_in_place
from msmap.infer.uses import Use
from msmap.model import Record
from msmap.port.arguments import Argument
from msmap.port.session import Rewriter

_VIEWS = ("view", "part", "any")
_STAND_IN = ast.Name("made", ast.Load())
_COPY, _COMMENT = ".copy_(", "#"
# What mustn't be evaluated twice stands behind the function that changes it.
_FUNCTION = re.compile(r"\(lambda (\w+): \1\.copy_\((.*)\)\)\((.*)\)", re.DOTALL)


def receiver(work: Rewriter, use: Use, given: Argument | None) -> Argument | None:
    """What a method is called on: an item of a tensor, or of a list, is as good as a name."""
    if given is None or use.seen not in (*_VIEWS, "item") or not _may_write(work):
        return given
    return replace(given, node=_STAND_IN) if isinstance(given.node, ast.Subscript) else given


# What makes a tensor that nobody has yet.
_MAKING = re.compile(
    r"torch\.(?:empty|zeros|ones|full|rand|randn|randint)(?:_like)?"
    r"|torch\.(?:arange|linspace|eye|tensor|clone)|torch\.Tensor\.(?:new_\w+|clone)"
)


def fresh(work: Rewriter, use: Use, given: Argument | None) -> str:
    """A name for what a method is called on, if that is a tensor which was just made; else ""."""
    node = use.node
    if given is None or not _may_write(work) or not changes_in_place(node):  # type: ignore[arg-type]
        return ""
    while changes_in_place(node):  # type: ignore[arg-type]
        node = node.func.value  # type: ignore[attr-defined]
    made = work.uses.get(node)
    if made is None or made.how not in ("call", "method"):
        return ""
    if not all(_MAKING.fullmatch(name) for name in made.names):
        return ""
    name = "x"
    while re.search(rf"\b{name}\b", work.source.text(use.node)):
        name += "_"
    return name


def _may_write(work: Rewriter) -> bool:
    return not work.resolver.own


def through(
    work: Rewriter, use: Use, record: Record, text: str, given: Argument | None
) -> str | None:
    """The statement that writes through a view, instead of a call; None of what is no such call.

    Raises:
        Refused: it is no statement of its own.
    """
    if given is None or use.seen not in _VIEWS or not _may_write(work) or _COPY not in text:
        return None
    made = _FUNCTION.fullmatch(text)
    if made is not None:
        index = "()" if use.seen == "any" else "slice(None)"
        written = f"(lambda {made[1]}: {made[1]}.__setitem__({index}, {made[2]}))({made[3]})"
    elif text.startswith(f"{given.text}{_COPY}") and text.endswith(")"):
        value = text.removeprefix(f"{given.text}{_COPY}")[:-1]
        function = use.node.func if isinstance(use.node, ast.Call) else use.node
        is_item = isinstance(getattr(function, "value", None), ast.Subscript)
        is_item = is_item and use.seen == "part"
        if "\n" in value or "\n" in given.text or _COMMENT in work.source.text(use.node):
            _by_hand(record, given.text)
        index = "()" if use.seen == "any" else ":"
        written = f"{given.text} = {value}" if is_item else f"{given.text}[{index}] = {value}"
    else:
        return None
    statement = use.statement
    if not isinstance(statement, ast.Expr) or statement.value is not use.node:
        _by_hand(record, given.text)
    return written


def _by_hand(record: Record, on: str) -> NoReturn:
    raise Refused(
        "value",
        f"{record.torch}: what it is called on is a part of another tensor, which MindSpore's"
        f" copy_ may not change; write {on}[:] = value on a line of its own",
        f"{record.torch}：其调用对象是另一张量的一部分，MindSpore 的 copy_ 未必能改到原张量；"
        f"请单独写一行 {on}[:] = value",
    )
