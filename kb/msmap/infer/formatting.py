"""Texts that are filled by ``format``: which of the values are tensors, formatted like numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from string import Formatter
from typing import TYPE_CHECKING

from msmap.infer.usual_names import is_guess
from msmap.infer.values.lattice import Value, is_tensor

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading


def called(
    reading: Reading,
    node: ast.Call,
    text: ast.expr,
    positional: Sequence[Value],
    keywords: Mapping[str, Value],
) -> None:
    """Note the tensors that a text formats by more than their name."""
    if not isinstance(text, ast.Constant) or not isinstance(text.value, str):
        return
    named = {k.arg: k.value for k in node.keywords}
    for name in dict.fromkeys(_formatted(text.value)):
        if name.isdigit():
            at = int(name)
            if at < len(positional) and is_number(positional[at]):
                reading.note_formatted(node.args[at])
        elif name in keywords and is_number(keywords[name]):
            reading.note_formatted(named[name])


def is_number(found: Value) -> bool:
    """Whether what is formatted is proved to be a tensor; what is called like one may be text."""
    return is_tensor(found) and not is_guess(found)


def _formatted(text: str) -> Iterator[str]:
    """The fields of a text that have a format, by number or name; not those of a part of one."""
    try:
        fields = list(Formatter().parse(text))
    except ValueError:
        return
    number = 0
    for _, field, form, conversion in fields:
        if field is None:
            continue
        name = field or str(number)
        number += not field
        if form and not conversion and (name.isdigit() or name.isidentifier()):
            yield name
