"""f-strings that use PyTorch."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from msmap.code import f_strings
from msmap.code.refusal import Refused
from msmap.infer.uses import Use
from msmap.port import arguments as values
from msmap.port import one_use, targets
from msmap.port.arguments import Argument
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter


@rule(Phase.USE, "text")
def ported(work: Rewriter, use: Use) -> None:
    """An f-string in which each use is handled where its place is told, and the outcome is one.

    Raises:
        Refused: it stays, and what it uses is written otherwise for MindSpore.
    """
    node = use.node
    assert isinstance(node, ast.JoinedStr)
    if work.resolver.own or not f_strings.place(work.source, node):
        f_string(work, use, ())
        return
    changes = list(work.changes.all())
    told = (work.notes, work.refused, work.records, work.targets)
    before = [len(one) for one in told]
    inner = {one.node: one for one in use.inner}
    changed: list[Use] = []
    for each in sorted(inner.values(), key=lambda each: work.source.order(each.node)):
        written = work.changes.text(each.node)
        one_use.write(work, each)
        if work.changes.text(each.node) != written:
            changed.append(each)
    for value, text in work.resolver.reading.formatted.items():
        if text is node:
            _as_number(work, value)
    if not _is_whole(work, node):
        work.changes.restore(changes)
        for said, length in zip(told, before, strict=True):
            del said[length:]  # type: ignore[attr-defined]
        f_string(work, use, changed)


@rule(Phase.LAYERS)
def formats(work: Rewriter) -> None:
    """The tensors that ``format`` fills a text with as numbers become numbers."""
    for value, text in work.resolver.reading.formatted.items():
        if text is None:
            _as_number(work, value)


def _as_number(work: Rewriter, node: ast.expr) -> None:
    """A tensor becomes its number: MindSpore's have no formats."""
    text = values.embedded(work.changes.text(node), False, True)
    work.changes.put(node, f"{text}.item()")
    work.records.append("torch.Tensor.__format__")


def _is_whole(work: Rewriter, node: ast.JoinedStr) -> bool:
    """Whether an f-string is one still, and says the same of what was written."""
    if not work.changes.within(node):
        return True
    try:
        new = ast.parse(f"({work.changes.text(node)})", mode="eval").body
        return _alike(work, node, new)
    except (SyntaxError, ValueError):
        return False


def _alike(work: Rewriter, old: ast.AST | None, new: ast.AST | None) -> bool:
    if isinstance(old, ast.JoinedStr) and isinstance(new, ast.JoinedStr):
        return len(old.values) == len(new.values) and all(
            _alike(work, a, b) for a, b in zip(old.values, new.values, strict=True)
        )
    if isinstance(old, ast.FormattedValue) and isinstance(new, ast.FormattedValue):
        written = ast.parse(f"({work.changes.text(old.value)})", mode="eval").body
        return (
            old.conversion == new.conversion
            and ast.dump(written) == ast.dump(new.value)
            and _alike(work, old.format_spec, new.format_spec)
        )
    return old is new or (old is not None and new is not None and ast.dump(old) == ast.dump(new))


def f_string(work: Rewriter, use: Use, changed: Sequence[Use]) -> None:
    """An f-string as written; ``changed`` are the uses in it that would be written otherwise."""
    if found := [v for v, text in work.resolver.reading.formatted.items() if text is use.node]:
        text = ast.unparse(found[0])
        raise Refused(
            "f_string",
            f"{text} is formatted inside an f-string: MindSpore's tensors have no formats; write"
            f" {text}.item()",
            f"f-string 中对 {text} 使用了格式：MindSpore 的 Tensor 不支持格式；请写 {text}.item()",
        )
    for inner in use.inner:
        # What is called, or may be PyTorch's, is as it is where nothing says otherwise.
        vague = inner.how in ("possible", "layer")
        if inner in changed if vague else not _stays(work, inner):
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
    done = targets.write(record, targets.Arguments(tuple(arguments[1:]), {}, arguments[0]))
    return done.text == ast.unparse(node)
