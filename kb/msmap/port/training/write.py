"""A training step written for MindSpore: its function, and what calls it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from msmap.model import Text
from msmap.port.rewriter import Rewriter
from msmap.port.training import places
from msmap.port.training.find import Left, Step

_CLIPPED = re.compile(r"\(\s*grads\s*:=\s*(.*)\)", re.DOTALL)
NOTE = Text(
    "Parameters that the loss doesn't depend on get gradients of 0: PyTorch leaves them as they"
    " are, here weight decay and momentum move them.",
    "与 loss 无关的参数会得到 0 梯度：PyTorch 不会更新它们，而此处权重衰减与动量仍会改变它们。",
)


class Writer:
    """The steps of one body, written; nothing is changed before all of them can be."""

    def __init__(self, work: Rewriter, steps: Sequence[Step]) -> None:
        self.work, self.source, self.steps = work, work.source, steps
        self.taken = _names(work.source.tree, steps[0])

    def write(self) -> None:
        """Make the changes.

        Raises:
            Left: a step can't be written where it stands.
        """
        for step in self.steps:
            self._check(step)
        grads = self._free("grads")
        # What is put in at one place stands there in the order of the steps.
        for found in reversed([self._changes(step, grads) for step in self.steps]):
            for begin, end, text in found:
                self.work.changes.add(begin, end, text)

    def _check(self, step: Step) -> None:
        for node in (*step.forward, *step.own):
            begin, end = self._lines(node)
            first, last = self.source.span(node)
            rest = self.source.between(last, end).strip()
            if self.source.between(begin, first).strip() or rest[:1] not in ("", "#"):
                raise Left("several statements stand in a line", "一行中有多条语句")
        for node in step.forward:
            for one in ast.walk(node):
                text = isinstance(one, ast.JoinedStr) or (
                    isinstance(one, ast.Constant) and isinstance(one.value, str)
                )
                if text and one.lineno != one.end_lineno:  # type: ignore[attr-defined]
                    raise Left("a text stands over several lines", "存在跨行的字符串")

    def _lines(self, *nodes: ast.stmt) -> tuple[int, int]:
        return self.source.lines(self.source.span(nodes[0])[0], self.source.span(nodes[-1])[1])

    def _changes(self, step: Step, grads: str) -> list[tuple[int, int, str]]:
        place = step.forward[0] if step.forward else step.backward
        indent = self._indent(place)
        forward, grad = self._free("forward_fn"), self._free("grad_fn")
        loss = step.loss.id if isinstance(step.loss, ast.Name) else self._free("loss")
        clips = [self._clip(node, grads) for node in step.clips]
        around = step.anchor or place
        defined = self._function(step, forward, grad, self._indent(around))
        given = ", ".join(step.given)
        left = f"({', '.join([loss, *step.kept])})" if step.kept else loss
        call = f"{indent}{left}, {grads} = {grad}({given})\n"
        found = [self._gone(step.zero)]
        if step.forward:
            begin, end = self._lines(step.forward[0], step.forward[-1])
            found.append((begin, end, call if step.anchor else defined + call))
            found.append(self._gone(step.backward))
            found = [f for f in found if not (begin < f[0] < end)]
        else:
            begin, end = self._lines(step.backward)
            found.append((begin, end, call if step.anchor else defined + call))
        if step.anchor:
            begin, before = self._before(step.anchor)
            is_first = next(s for s in self.steps if s.anchor is step.anchor) is step
            found.append((begin, begin, (before if is_first else "") + defined))
        optimizer = self.source.text(step.optimizer)
        found.append((*self.source.span(step.update), f"{optimizer}({grads})"))
        found += clips
        return sorted(found, key=lambda change: -change[0])

    def _function(self, step: Step, forward: str, grad: str, indent: str) -> str:
        kept = ", ".join([self.work.changes.text(step.loss), *step.kept])
        unit = _unit(self.source.between(0, self.source.span(self.source.tree)[1]))
        lines = [f"{indent}def {forward}({', '.join(step.given)}):\n"]
        if step.forward:
            lines.append(self._moved(step, indent + unit))
        lines.append(f"{indent}{unit}return {kept}\n\n")
        optimizer = self.source.text(step.optimizer)
        aux = ", has_aux=True" if step.kept else ""
        made = f"mindspore.value_and_grad({forward}, None, {optimizer}.parameters{aux})"
        lines.append(f"{indent}{grad} = {made}\n")
        if step.anchor is not None:
            lines.append("\n")
        return "".join(lines)

    def _moved(self, step: Step, indent: str) -> str:
        """The statements of the forward pass at another depth, with what is said of them."""
        begin, end = self._lines(step.forward[0], step.forward[-1])
        old = self._indent(step.forward[0])
        skipped = [self._gone(step.zero)] if begin < self.source.span(step.zero)[0] < end else []
        changes = [
            c for c in self.work.changes.all()
            if begin <= c[0] and c[1] <= end and not any(b <= c[0] < e for b, e, _ in skipped)
        ]  # fmt: skip
        pieces: list[str] = []
        at = begin
        for first, last, text in sorted([*changes, *skipped]):
            pieces += [self.source.between(at, first), text]
            at = last
        text = "".join(pieces) + self.source.between(at, end)
        if not text.endswith("\n"):
            text += "\n"
        return "".join(
            indent + line.removeprefix(old) if line.startswith(old) and line.strip() else line
            for line in text.splitlines(keepends=True)
        )

    def _before(self, node: ast.stmt) -> tuple[int, str]:
        """Where a function goes before a statement and its comment, and an empty line if needed."""
        begin = self._lines(node)[0]
        while begin:
            above = self.source.lines(begin - 1, begin)[0]
            line = self.source.between(above, begin).strip()
            if not line.startswith("#"):
                return begin, "" if not line or line.endswith(":") else "\n"
            begin = above
        return 0, ""

    def _gone(self, node: ast.stmt) -> tuple[int, int, str]:
        """A statement that goes with its line; a comment beside it stays."""
        begin, end = self._lines(node)
        rest = self.source.between(self.source.span(node)[1], end).strip()
        return begin, end, f"{self._indent(node)}{rest}\n" if rest else ""

    def _clip(self, node: ast.stmt, grads: str) -> tuple[int, int, str]:
        found = _CLIPPED.fullmatch(self.work.changes.text(node))
        if found is None:
            raise Left("the clipping has no counterpart", "梯度裁剪没有对应写法")
        made = re.sub(r"\bgrads\b", grads, found[1])
        return *self.source.span(node), f"{grads} = {made}"

    def _indent(self, node: ast.stmt) -> str:
        return self.source.between(self._lines(node)[0], self.source.span(node)[0])

    def _free(self, name: str) -> str:
        """A name that nothing in sight has."""
        number, found = 1, name
        while found in self.taken:
            number += 1
            found = f"{name}_{number}"
        self.taken.add(found)
        return found


def _names(tree: ast.Module, step: Step) -> set[str]:
    """The names that a function may see or hide."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= places.bound(node)
    return found


def _unit(text: str) -> str:
    """By what a file indents."""
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return "\t" if found and found[1].startswith("\t") else "    "
