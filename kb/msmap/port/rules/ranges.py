"""Ranges that tensors are made of: MindSpore takes lists and tuples."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from msmap.infer.uses import Use
from msmap.infer.values.lattice import PLAIN, Items
from msmap.model import Record
from msmap.port import arguments as values
from msmap.port import targets
from msmap.port.arguments import Argument
from msmap.port.mode import SOURCES
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter

_MAKING = re.compile(r"torch\.(?:tensor|as_tensor|asarray|(?:cuda\.)?\w*Tensor)")


@rule(Phase.ARGUMENTS, modes=SOURCES)
def of_argument(
    work: Rewriter, use: Use, record: Record, arguments: targets.Arguments
) -> targets.Arguments:
    """The arguments of what makes a tensor, with a list of what may be a range of numbers."""
    if use.how != "call" or not _MAKING.fullmatch(record.torch):
        return arguments
    if arguments.positional:
        first, *others = arguments.positional
        return replace(arguments, positional=(_listed(work, first), *others))
    given = arguments.keywords.get("data")
    if given is None:
        return arguments
    return replace(arguments, keywords={**arguments.keywords, "data": _listed(work, given)})


def _listed(work: Rewriter, given: Argument) -> Argument:
    node = given.node
    if isinstance(node, ast.Call):
        known = isinstance(node.func, ast.Name) and node.func.id == "range"
    else:
        found = work.resolver.reading.given.get(node) if isinstance(node, ast.Name) else None
        known = found == Items(None, PLAIN)
    return values.argument(f"list({given.text})", given.by) if known else given
