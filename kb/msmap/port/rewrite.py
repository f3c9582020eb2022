"""PyTorch code in, MindSpore code out: every call and name that the base knows, in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Protocol

from msmap.code import arguments as values
from msmap.code.arguments import Argument
from msmap.code.receivers import Receivers, owner_kind
from msmap.code.refusal import Refused
from msmap.code.scope import Scope
from msmap.code.source import Source, located
from msmap.model import Port, Record, Refusal, Target, Text
from msmap.port import call as calls

# A name may stand for its counterpart without a call only if arguments mean the same there.
_SAFE_AS_VALUE = ("no_params", "identical", "target_more_params")

# MindSpore has no such names: what is dropped anyway need not be ported.
_NEVER_KEPT = ("memory_format", "layout")

# A receiver goes into a template or an argument list: parentheses are set there.
_ANYWHERE = ast.Expr(ast.Constant(None))


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


def rewrite(source: str, facts: Facts, target: str | None = None, own: str | None = None) -> Port:
    """Port a PyTorch expression or a few lines, keeping everything else as written.

    Args:
        source: Python source.
        facts: the base.
        target: key of the target to use, instead of the best: for the one call of ``own``, else
            for the outermost call.
        own: the record that a bare method means, where it may be several.

    Raises:
        SyntaxError: the source isn't Python.
    """
    source = source.strip()
    tree = ast.parse(source)
    walk = _Walk(Source(source), tree, facts, own)
    code = walk.splice(tree)
    if target is not None and tree.body:
        pinned = walk.owned[0] if len(walk.owned) == 1 else _outermost(tree.body[-1])
        walk = _Walk(Source(source), tree, facts, own, {pinned: target} if pinned else {})
        code = walk.splice(tree)
    refusals = sorted(walk.refusals, key=lambda r: (r.line, r.column))
    return Port(
        source,
        None if refusals else code,
        tuple(dict.fromkeys(walk.notes)),
        tuple(refusals),
        tuple(dict.fromkeys(walk.records)),
        tuple(dict.fromkeys(walk.targets)),
    )


def _outermost(statement: ast.stmt) -> ast.AST | None:
    """The call that a statement makes; of a layer called in place, the making of the layer."""
    value = getattr(statement, "value", None)
    while isinstance(value, ast.Attribute | ast.Subscript):
        value = value.value
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Call):
        value = value.func
    return value if isinstance(value, ast.AST) else None


class _Walk:
    """One pass over a source; ``render`` gives a node's new text."""

    def __init__(
        self,
        source: Source,
        tree: ast.AST,
        facts: Facts,
        own: str | None,
        pinned: dict[ast.AST, str | None] | None = None,
    ) -> None:
        self.source, self.scope, self.facts, self.pinned = source, Scope(tree), facts, pinned or {}
        self.receivers = Receivers(tree, self.scope.spelling)
        self.own = own
        self.owned: list[ast.AST] = []
        self.types = set(_types(tree))
        self.notes: list[Text] = []
        self.refusals: list[Refusal] = []
        self.records: list[str] = []
        self.targets: list[tuple[str, str]] = []
        self.written: dict[ast.AST, tuple[Record, Target]] = {}

    def render(self, node: ast.AST, parent: ast.AST) -> str:
        """A node's source with everything inside it ported, as it may stand in its parent."""
        try:
            replaced = self.replacement(node)
        except Refused as refused:
            place = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
            self.refusals.append(Refusal(*place, self.source.text(node), refused.reason))
            return self.source.text(node)
        if replaced is None:
            return self.splice(node)
        if isinstance(node, ast.ClassDef):
            return replaced
        return values.embedded(replaced, _is_open(node, parent), isinstance(parent, ast.Attribute))

    def splice(self, node: ast.AST, replaced: dict[ast.AST, str] | None = None) -> str:
        """A node's own text with its children rendered in place, or as ``replaced`` says."""
        begin, end = self.source.span(node)
        pieces: list[str] = []
        for child in sorted(located(node), key=lambda c: self.source.span(c)[0]):
            first, last = self.source.span(child)
            if first < begin:
                continue
            text = (replaced or {}).get(child)
            pieces += [
                self.source.between(begin, first),
                self.render(child, node) if text is None else text,
            ]
            begin = last
        return "".join(pieces) + self.source.between(begin, end)

    def replacement(self, node: ast.AST) -> str | None:
        """New text for a node that is a PyTorch name or call; None for any other node."""
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load):
            return self.name(node)
        if isinstance(node, ast.ClassDef):
            return self.class_definition(node)
        if isinstance(node, ast.JoinedStr):
            return self.f_string(node)
        return None

    def f_string(self, node: ast.JoinedStr) -> str:
        """An f-string as written: before Python 3.12 places inside it aren't known."""
        for part in ast.walk(node):
            if not isinstance(part, ast.Attribute | ast.Name):
                continue
            found = self.scope.spelling(part)
            known = found is not None and self.facts.torch_name(found[0]) is not None
            if not known and isinstance(part, ast.Attribute) and found is None:
                methods = self.facts.methods(part.attr) if self.scope.is_object(part.value) else ()
                known = any(self.facts.find(name) for name in methods)
            if known:
                text = ast.unparse(part)
                raise Refused(
                    f"{text} inside an f-string: move it out of the string",
                    f"f-string 中的 {text}：请将其移到字符串之外",
                )
        return self.source.text(node)

    def call(self, node: ast.Call) -> str | None:
        """A call of a PyTorch name, of a layer made in place, or of a method."""
        if isinstance(node.func, ast.Call):
            inner = self.render(node.func, node)
            layer = self.written.get(node.func)
            if layer is None or layer[0].kind != "class":
                return self.splice(node, {node.func: inner})
            return f"{inner}({calls.write_inputs(*layer, self.arguments(node))})"
        if not isinstance(node.func, ast.Attribute | ast.Name):
            return None
        record = self.resolve(node.func) or self.called(node)
        if record is None:
            return None
        return self.write(node, record, self.arguments(node, self.receiver(node.func, record)))

    def write(self, node: ast.AST, record: Record, arguments: calls.Arguments) -> str:
        """A call of a record's API under the target that takes it."""
        if record.torch == self.own:
            self.owned.append(node)
        done = calls.write(record, arguments, self.pinned.get(node))
        self.records.append(record.torch)
        self.targets.append((record.torch, done.target.key))
        self.notes += done.notes
        if not done.text:
            raise Refused(
                f"{record.torch}: delete this call; MindSpore needs nothing in its place",
                f"{record.torch}：删除此调用即可，MindSpore 无需任何替代",
            )
        self.written[node] = (record, done.target)
        return done.text

    def receiver(self, function: ast.expr, record: Record) -> Argument | None:
        """What a method is called on, ported; None where PyTorch's name itself is called."""
        if not calls.is_method(record) or not isinstance(function, ast.Attribute):
            return None
        if self.scope.spelling(function) is not None and not _is_scheduler(function):
            return None
        return self.argument(function.value, _ANYWHERE, "position")

    def argument(self, node: ast.expr, parent: ast.AST, by: str) -> Argument:
        """An argument, ported itself."""
        if isinstance(node, ast.Starred):
            return Argument(f"*{self.render(node.value, node)}", node, by)
        return values.argument(self.render(node, parent), by)

    def arguments(self, node: ast.Call, receiver: Argument | None = None) -> calls.Arguments:
        """The arguments of a call, ported themselves."""
        if any(k.arg is None for k in node.keywords):
            text = self.source.text(node.func)
            raise Refused(
                f"{text}: which parameters ** fills can't be told from the code",
                f"{text}：无法从代码判断 ** 填入哪些参数",
            )
        return calls.Arguments(
            tuple(self.argument(a, node, "position") for a in node.args),
            {
                str(k.arg): values.argument(self.source.text(k.value), "keyword")
                if k.arg in _NEVER_KEPT
                else self.argument(k.value, k, "keyword")
                for k in node.keywords
            },
            receiver,
        )

    def resolve(self, node: ast.Attribute | ast.Name) -> Record | None:
        """The record that a name refers to; None if it is none of PyTorch's."""
        found = self.scope.spelling(node)
        if found is None:
            return None
        spelling, certain = found
        name = self.facts.torch_name(spelling)
        if name is None:
            if certain and not self.is_constant(node):
                raise Refused(
                    f"{spelling} is no name of PyTorch that msmap knows",
                    f"{spelling} 不是 msmap 已知的 PyTorch 名称",
                )
            return None
        record = self.facts.find(name)
        if record is None:
            raise Refused(f"{name} is known, but has no record yet", f"{name} 已知，但尚无记录")
        return record

    def is_constant(self, node: ast.Attribute | ast.Name) -> bool:
        """Whether a name begins with a constant, whose attribute it is: torch.__version__.split."""
        found = self.scope.spelling(node.value) if isinstance(node, ast.Attribute) else None
        name = self.facts.torch_name(found[0]) if found else None
        record = self.facts.find(name) if name else None
        return record is not None and record.kind == "constant"

    def called(self, node: ast.Call) -> Record | None:
        """The record of a method that is called on an object; None if no record has the name."""
        function = node.func
        if not isinstance(function, ast.Attribute):
            return None
        if self.scope.spelling(function) is not None and not _is_scheduler(function):
            return None
        if not self.scope.is_object(function.value):
            return None
        kind = self.receivers.kind(function.value)
        if kind == "other":
            return None
        candidates = self.facts.methods(function.attr)
        records = [r for c in candidates if (r := self.facts.find(c)) is not None]
        # Lists and dictionaries have methods of PyTorch's containers.
        likely = [c for c in candidates if owner_kind(c) in (kind or "tensor", "tensor")]
        if not records and likely:
            raise Refused(
                f"{likely[0]} is known, but has no record yet", f"{likely[0]} 已知，但尚无记录"
            )
        if len(records) > 1:
            return self.meant(node, function.value, records)
        return records[0] if records else None

    def meant(self, node: ast.Call, receiver: ast.expr, records: list[Record]) -> Record:
        """Which of several records a bare method means."""
        if own := [r for r in records if r.torch == self.own]:
            return own[0]
        kind = self.receivers.kind(receiver)
        fitting = [r for r in records if owner_kind(r.torch) == kind] or records
        if len(fitting) == 1 or self.alike(node, fitting):
            return fitting[0]
        method = f".{ast.unparse(node.func).rpartition('.')[2]}()"
        for record in fitting:
            if owner_kind(record.torch) == "tensor":
                text = self.source.text(receiver)
                self.notes.append(
                    Text(
                        f"{text} is taken for a tensor: {method} is {record.torch}",
                        f"将 {text} 视为 Tensor：{method} 即 {record.torch}",
                    )
                )
                return record
        raise Refused(
            f"{method} may be {' or '.join(r.torch for r in fitting)}",
            f"{method} 可能是 {' 或 '.join(r.torch for r in fitting)}",
        )

    def alike(self, node: ast.Call, records: list[Record]) -> bool:
        """Whether the call becomes the same whichever record it means."""
        assert isinstance(node.func, ast.Attribute)
        notes, refusals = list(self.notes), list(self.refusals)
        try:
            found = {
                calls.write(r, self.arguments(node, self.receiver(node.func, r))).text
                for r in records
            }
        except Refused:
            return False
        finally:
            self.notes, self.refusals = notes, refusals
        return len(found) == 1

    def name(self, node: ast.Attribute | ast.Name) -> str | None:
        """A PyTorch name that is not called: a dtype, a property, a function as a value."""
        found = self.scope.spelling(node)
        if found is None:
            return self.field(node) if isinstance(node, ast.Attribute) else None
        canonical = self.facts.torch_name(found[0])
        if canonical and (dtype := self.facts.mindspore_dtype(canonical)):
            return dtype
        record = self.resolve(node)
        if record is None:
            return None
        best = record.targets[0] if record.targets else None
        if record.kind == "constant" and best is not None and best.expression:
            self.records.append(record.torch)
            self.targets.append((record.torch, best.key))
            return best.expression
        typed = node in self.types and best is not None and best.kind == "class"
        if best is None or best.api is None or not (typed or best.category in _SAFE_AS_VALUE):
            raise Refused(
                f"{record.torch} without a call: its arguments differ in MindSpore",
                f"{record.torch} 未被直接调用：其参数在 MindSpore 中有差异",
            )
        self.records.append(record.torch)
        return best.api

    def field(self, node: ast.Attribute) -> str | None:
        """A field of a result (``torch.max(x, 1).values``) or a property of a tensor."""
        properties = [r for c in self.facts.methods(node.attr) if (r := self.facts.find(c))]
        if len(properties) == 1 and properties[0].kind == "property":
            if not self.scope.is_object(node.value):
                return None
            receiver = self.argument(node.value, _ANYWHERE, "position")
            return self.write(node, properties[0], calls.Arguments((), {}, receiver))
        if not isinstance(node.value, ast.Call):
            return None
        inner = self.render(node.value, node)
        _, target = self.written.get(node.value, (None, None))
        fields = target.returns.fields if target and target.returns else {}
        return inner + fields.get(node.attr, f".{node.attr}")

    def class_definition(self, node: ast.ClassDef) -> str | None:
        """A class whose bases are PyTorch classes: bases and members are renamed."""
        renamed: dict[ast.AST, str] = {}
        members: dict[str, str] = {}
        for base in node.bases:
            if isinstance(base, ast.Attribute | ast.Name) and (record := self.resolve(base)):
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
        return self.splice(node, renamed)


def _types(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that name a type: in annotations, and what isinstance compares with."""
    for node in ast.walk(tree):
        found: list[ast.AST | None] = []
        if isinstance(node, ast.arg | ast.AnnAssign):
            found = [node.annotation]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found = [node.returns]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found = list(node.args[1:]) if node.func.id in ("isinstance", "issubclass") else []
        for part in found:
            yield from ast.walk(part) if part is not None else ()


def _is_scheduler(method: ast.Attribute) -> bool:
    """Whether a method is called on what many call ``lr_scheduler``, like PyTorch's module."""
    name = method.value
    return isinstance(name, ast.Name) and name.id == "lr_scheduler" and method.attr.islower()


def _is_open(node: ast.AST, parent: ast.AST) -> bool:
    """Whether an expression may stand in its parent without parentheses."""
    if isinstance(parent, ast.Call):
        return node is not parent.func
    if isinstance(parent, ast.Subscript):
        return node is parent.slice
    return isinstance(parent, ast.stmt | ast.keyword | ast.Tuple | ast.List | ast.Set | ast.Dict)
