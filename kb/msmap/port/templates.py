"""What templates of records need beside arguments."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from functools import lru_cache

from msmap.model import Target

_GIVEN = {"mindspore", *dir(builtins)}


def free(target: Target) -> Iterator[str]:
    """The names that the templates of a target use and that nothing in them makes."""
    if target.expression is not None:
        yield from _free(target.expression)
    for parameter in target.parameters:
        if parameter.relation == "target_only_must_set" and parameter.value is not None:
            yield from _free(parameter.value)


@lru_cache(maxsize=4096)
def _free(template: str) -> tuple[str, ...]:
    text = template.replace("{", "(").replace("}", ")")
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        return ()
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    made = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    made |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    placed = {part.partition("}")[0].partition("[")[0] for part in template.split("{")[1:]}
    found = dict.fromkeys(node.id for node in names)
    return tuple(name for name in found if name not in made | placed | _GIVEN)
