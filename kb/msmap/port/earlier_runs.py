"""What an earlier run left, and said so above it.

By now the code around a call may be MindSpore's, of which less is known than of PyTorch's. What
couldn't be ported then isn't ported because nobody knows any more why: it stays as long as the
comment stands there and what the comment quotes stands below it, unless all that it is given is
known.
"""

from __future__ import annotations

import ast
import re

from msmap.code.refusal import Refused
from msmap.code.source import Source
from msmap.infer.uses import Use
from msmap.infer.values.lattice import FOREIGN, OTHER, UNKNOWN
from msmap.port.comments import Lines
from msmap.port.session import Rewriter


def is_mixed(source: Source) -> bool:
    """Whether a source has imports of MindSpore already."""
    whole = (alias.name for node in source.all(ast.Import) for alias in node.names)
    parts = (node.module or "" for node in source.all(ast.ImportFrom) if not node.level)
    return any(name.partition(".")[0] == "mindspore" for name in (*whole, *parts))


def has_run(source: Source) -> bool:
    """Whether a source may be what an earlier run wrote."""
    return source.mentions("# msmap: ") or is_mixed(source)


def check(work: Rewriter, use: Use) -> None:
    """Refuse what an earlier run left, where less may be known of it now.

    Raises:
        Refused: with what the comment says; the comment stays as it is.
    """
    if use.how not in ("call", "method") or not isinstance(use.node, ast.Call):
        return
    if not work.source.mentions("# msmap: ") or not _is_unclear(work, use.node):
        return
    name = work.resolver.reading.canonical(use.names[0]) or use.names[0]
    if is_mixed(work.source) and (said := reason(work, use.node, name)):
        work.kept.add(use.node)
        raise Refused("argument", said, said)


def reason(work: Rewriter, node: ast.AST, name: str) -> str:
    """What an earlier run said of a name above the statement of a node, if it holds; else ""."""
    text = _SPACE.sub("", work.source.text(node))
    return "\n".join(sorted(one for one in _said(work, node, name) if _holds(one, text)))


def _said(work: Rewriter, node: ast.AST, name: str) -> set[str]:
    lines = Lines(work.source)
    _, entries = lines.block(lines.above(work.source.span(node)[0]))
    return next((one.reasons for one in entries if one.command == f"msmap lookup {name}"), set())


_SPACE = re.compile(r"\s")
_QUOTED = re.compile(r"`([^`]+)`")


def _holds(said: str, text: str) -> bool:
    """Whether something of what a reason quotes, if it quotes anything, stands in a call yet."""
    quoted = _QUOTED.findall(said)
    return not quoted or any(_SPACE.sub("", one) in text for one in quoted)


def is_said(work: Rewriter, node: ast.AST, name: str) -> bool:
    """Whether an earlier run said of a node why it stays."""
    is_again = work.source.mentions("# msmap: ") and is_mixed(work.source)
    return is_again and bool(_said(work, node, name))


def _is_unclear(work: Rewriter, call: ast.Call) -> bool:
    """Whether nothing is known of something that is given, or only that it isn't PyTorch's."""
    given = work.resolver.reading.given
    every = [*call.args, *(keyword.value for keyword in call.keywords)]
    return any(
        given.get(node, UNKNOWN) in (UNKNOWN, FOREIGN, OTHER)
        for node in every
        if not isinstance(node, ast.Constant)
    )
