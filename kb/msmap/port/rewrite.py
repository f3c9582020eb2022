"""PyTorch code in, MindSpore code out: every call and name that the base knows, in place."""

from __future__ import annotations

import ast
from typing import Protocol

from msmap import names
from msmap.model import Port, Record, Refusal, Target, Text
from msmap.port import calls
from msmap.port.refusal import Refused
from msmap.port.values import Argument

# A name may stand for its counterpart without a call only if arguments mean the same there.
_SAFE_AS_VALUE = ("no_params", "identical", "target_more_params")


class Facts(Protocol):
    """What the rewriter asks of the base."""

    def torch_name(self, spelling: str) -> str | None:
        """The canonical PyTorch name, or None."""

    def find(self, name: str) -> Record | None:
        """The record of a canonical PyTorch name, or None."""

    def methods(self, attribute: str) -> tuple[str, ...]:
        """The canonical names of all PyTorch methods and properties called ``attribute``."""

    def mindspore_dtype(self, name: str) -> str | None:
        """The MindSpore dtype of the same name as a PyTorch dtype, or None."""


def rewrite(source: str, facts: Facts, target: str | None = None) -> Port:
    """Port a PyTorch expression or a few lines, keeping everything else as written.

    Args:
        source: Python source.
        facts: the base.
        target: key of the target to use for the outermost call, instead of the best.

    Raises:
        SyntaxError: the source isn't Python.
    """
    tree = ast.parse(source.strip())
    walk = _Walk(source.strip(), facts, target)
    if target is not None and tree.body:
        walk.pinned = _outermost(tree.body[-1])
    code = walk.render(tree)
    refusals = tuple(walk.refusals)
    return Port(
        source.strip(),
        None if refusals else code,
        tuple(dict.fromkeys(walk.notes)),
        refusals,
        tuple(dict.fromkeys(walk.records)),
    )


def _outermost(statement: ast.stmt) -> ast.AST | None:
    value = getattr(statement, "value", None)
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Call):
        value = value.func
    return value if isinstance(value, ast.AST) else None


class _Walk:
    """One pass over a source text; ``render`` gives a node's new text."""

    def __init__(self, source: str, facts: Facts, target: str | None) -> None:
        self.facts = facts
        self.target = target
        self.pinned: ast.AST | None = None
        self.notes: list[Text] = []
        self.refusals: list[Refusal] = []
        self.records: list[str] = []
        self.layers: dict[ast.AST, tuple[Record, Target]] = {}
        self.source = source.encode()
        starts = [0]
        for line in self.source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        self.starts = starts

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Byte offsets of a node in the source."""
        if isinstance(node, ast.Module):
            return 0, len(self.source)
        first = min([*getattr(node, "decorator_list", ()), node], key=lambda n: n.lineno)
        begin = self.starts[first.lineno - 1] + first.col_offset
        end = self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return begin, end

    def text(self, node: ast.AST) -> str:
        """A node's source as written."""
        begin, end = self.span(node)
        return self.source[begin:end].decode()

    def render(self, node: ast.AST) -> str:
        """A node's source with everything inside it ported."""
        try:
            replaced = self.replacement(node)
        except Refused as refused:
            self.refusals.append(
                Refusal(
                    getattr(node, "lineno", 1),
                    getattr(node, "col_offset", 0),
                    self.text(node),
                    refused.reason,
                )
            )
            return self.text(node)
        return self.splice(node) if replaced is None else replaced

    def splice(self, node: ast.AST) -> str:
        """A node's own text with its children rendered in place."""
        begin, end = self.span(node)
        pieces: list[str] = []
        for child in sorted(_located(node), key=lambda c: self.span(c)[0]):
            first, last = self.span(child)
            if first < begin:
                continue
            pieces += [self.source[begin:first].decode(), self.render(child)]
            begin = last
        return "".join(pieces) + self.source[begin:end].decode()

    def replacement(self, node: ast.AST) -> str | None:
        """New text for a node that is a PyTorch name or call; None for any other node."""
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            return self.name(node)
        if isinstance(node, ast.ClassDef):
            return self.class_definition(node)
        if isinstance(node, ast.JoinedStr):
            return self.f_string(node)
        return None

    def f_string(self, node: ast.JoinedStr) -> str:
        """An f-string as written: before Python 3.12 places inside it aren't known."""
        for part in ast.walk(node):
            spelling = self.dotted(part) if isinstance(part, ast.Attribute) else None
            if spelling and self.facts.torch_name(spelling):
                raise Refused(
                    f"{spelling} inside an f-string: move it out of the string",
                    f"f-string 中的 {spelling}：请将其移到字符串之外",
                )
        return self.text(node)

    def call(self, node: ast.Call) -> str | None:
        """A call of a PyTorch name, of a layer made in place, or of a method."""
        if isinstance(node.func, ast.Call):
            inner = self.render(node.func)
            layer = self.layers.get(node.func)
            if layer is None:
                return None if inner == self.text(node.func) else self.tail(node, inner)
            return f"{inner}({calls.write_inputs(*layer, self.arguments(node))})"
        if not isinstance(node.func, ast.Attribute):
            return None
        record = self.resolve(node.func)
        if record is None:
            return None
        receiver = None
        if calls.is_method(record) and self.dotted(node.func) is None:
            written = self.render(node.func.value)
            receiver = Argument(written, node.func.value, "position")
        key = self.target if node is self.pinned else None
        done = calls.write(record, self.arguments(node, receiver), key)
        self.records.append(record.torch)
        self.notes += done.notes
        if not done.text:
            raise Refused(
                f"{record.torch}: delete this call; MindSpore needs nothing in its place",
                f"{record.torch}：删除此调用即可，MindSpore 无需任何替代",
            )
        if record.kind == "class":
            self.layers[node] = (record, done.target)
        return done.text

    def tail(self, node: ast.Call, function: str) -> str:
        """A call whose function was rewritten but whose arguments keep their places."""
        begin = self.span(node.func)[1]
        pieces: list[str] = [function]
        for child in (*node.args, *node.keywords):
            first, last = self.span(child)
            pieces += [self.source[begin:first].decode(), self.render(child)]
            begin = last
        return "".join(pieces) + self.source[begin : self.span(node)[1]].decode()

    def arguments(self, node: ast.Call, receiver: Argument | None = None) -> calls.Arguments:
        """The arguments of a call, ported themselves."""
        if any(k.arg is None for k in node.keywords):
            text = self.text(node.func)
            raise Refused(
                f"{text}: which parameters ** fills can't be told from the code",
                f"{text}：无法从代码判断 ** 填入哪些参数",
            )
        return calls.Arguments(
            tuple(Argument(self.render(a), a, "position") for a in node.args),
            {str(k.arg): Argument(self.render(k.value), k.value, "keyword") for k in node.keywords},
            receiver,
        )

    def dotted(self, node: ast.expr) -> str | None:
        """``a.b.c`` as text if it starts at a module of PyTorch, else None."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        text = ".".join([node.id, *reversed(parts)])
        return text if names.is_torch_spelling(text) else None

    def resolve(self, node: ast.Attribute) -> Record | None:
        """The record that an attribute refers to; None if it is none of PyTorch's."""
        spelling = self.dotted(node)
        if spelling is None:
            return self.method(node.attr)
        name = self.facts.torch_name(spelling)
        if name is None:
            if spelling.startswith("torch."):
                raise Refused(
                    f"{spelling} is no name of PyTorch that msmap knows",
                    f"{spelling} 不是 msmap 已知的 PyTorch 名称",
                )
            return None
        record = self.facts.find(name)
        if record is None:
            raise Refused(f"{name} is known, but has no record yet", f"{name} 已知，但尚无记录")
        return record

    def method(self, attribute: str) -> Record | None:
        """The record of a method by its bare name; nothing is known of the receiver's type."""
        candidates = self.facts.methods(attribute)
        records = [r for c in candidates if (r := self.facts.find(c)) is not None]
        if len(records) > 1:
            raise Refused(
                f".{attribute}() may be {' or '.join(r.torch for r in records)}",
                f".{attribute}() 可能是 {' 或 '.join(r.torch for r in records)}",
            )
        if not records and candidates:
            raise Refused(
                f"{candidates[0]} is known, but has no record yet",
                f"{candidates[0]} 已知，但尚无记录",
            )
        return records[0] if records else None

    def name(self, node: ast.Attribute) -> str | None:
        """A PyTorch name that is not called: a dtype, a property, a function as a value."""
        spelling = self.dotted(node)
        if spelling is None:
            return self.field(node)
        canonical = self.facts.torch_name(spelling)
        if canonical and (dtype := self.facts.mindspore_dtype(canonical)):
            return dtype
        record = self.resolve(node)
        if record is None:
            return None
        best = record.targets[0] if record.targets else None
        if best is None or best.api is None or best.category not in _SAFE_AS_VALUE:
            raise Refused(
                f"{record.torch} without a call: its arguments differ in MindSpore",
                f"{record.torch} 未被直接调用：其参数在 MindSpore 中有差异",
            )
        self.records.append(record.torch)
        return best.api

    def field(self, node: ast.Attribute) -> str | None:
        """A field of a result (``torch.max(x, 1).values``) or a property of a tensor."""
        if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
            inner = self.render(node.value)
            name = self.records[-1] if self.records else None
            record = self.facts.find(name) if name else None
            for target in record.targets if record else ():
                if target.returns is not None and node.attr in target.returns.fields:
                    return inner + target.returns.fields[node.attr]
            return f"{inner}.{node.attr}"
        return None

    def class_definition(self, node: ast.ClassDef) -> str | None:
        """A class whose bases are PyTorch classes: the bases are renamed."""
        renamed: dict[ast.AST, str] = {}
        members: dict[str, str] = {}
        for base in node.bases:
            if isinstance(base, ast.Attribute) and (record := self.resolve(base)) is not None:
                best = record.targets[0] if record.targets else None
                if best is not None and best.api is not None:
                    renamed[base] = best.api
                    members |= best.members
                    self.records.append(record.torch)
        if not renamed:
            return None
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and method.name in members:
                old, new = f"def {method.name}", f"def {members[method.name]}"
                renamed[method] = self.splice(method).replace(old, new, 1)
        begin, end = self.span(node)
        pieces: list[str] = []
        for child in sorted(_located(node), key=lambda c: self.span(c)[0]):
            first, last = self.span(child)
            pieces += [
                self.source[begin:first].decode(),
                renamed[child] if child in renamed else self.render(child),
            ]
            begin = last
        return "".join(pieces) + self.source[begin:end].decode()


def _located(node: ast.AST) -> list[ast.AST]:
    """The nearest descendants that have a place in the source."""
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(node):
        if hasattr(child, "col_offset"):
            found.append(child)
        else:
            found += _located(child)
    return found
