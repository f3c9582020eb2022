"""f-strings that use PyTorch."""

from __future__ import annotations

import ast

from msmap.code.arguments import Argument
from msmap.code.reading import Use
from msmap.code.refusal import Refused
from msmap.port import call as calls
from msmap.port.rewriter import Rewriter


def f_string(work: Rewriter, use: Use) -> None:
    """An f-string as written: before Python 3.12 places inside it aren't known."""
    for inner in use.inner:
        if not _stays(work, inner):
            named = inner.node.func if isinstance(inner.node, ast.Call) else inner.node
            text = ast.unparse(named)
            raise Refused(
                "f_string",
                f"{text} inside an f-string: move it out of the string",
                f"f-string 中的 {text}：请将其移到字符串之外",
            )


def _stays(work: Rewriter, use: Use) -> bool:
    """Whether a use in an f-string is written alike for MindSpore, such as ``loss.item()``."""
    node = use.node
    if use.how not in ("method", "read") or (isinstance(node, ast.Call) and node.keywords):
        return False
    given = [] if isinstance(node, ast.Attribute) else node.args  # type: ignore[attr-defined]
    on = node.value if isinstance(node, ast.Attribute) else node.func.value  # type: ignore[attr-defined]
    arguments = [Argument(ast.unparse(a), a, "position") for a in (on, *given)]
    record = work.resolver.meaning(use).record
    done = calls.write(record, calls.Arguments(tuple(arguments[1:]), {}, arguments[0]))
    return done.text == ast.unparse(node)
