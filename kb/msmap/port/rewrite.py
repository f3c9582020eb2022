"""PyTorch code in, MindSpore code out: every call and name that the base knows, in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from msmap.code import arguments as values
from msmap.code.arguments import Argument
from msmap.code.refusal import Refused
from msmap.code.resolve import NAMES, Facts, Resolver
from msmap.code.source import Change, Source, located
from msmap.model import Edit, Port, Record, Refusal, Target, Text
from msmap.port import call as calls

# A name may stand for its counterpart without a call only if arguments mean the same there.
_SAFE_AS_VALUE = ("no_params", "identical", "target_more_params")

# MindSpore has no such names: what is dropped anyway need not be ported.
_NEVER_KEPT = ("memory_format", "layout")

# What begins with what it is a part of, and where any expression may stand as it is.
_PARTS = (ast.Attribute, ast.Subscript)
_OPEN = (ast.stmt, ast.keyword, ast.Tuple, ast.List, ast.Set, ast.Dict)

# A receiver goes into a template or an argument list: parentheses are set there.
_ANYWHERE = ast.Expr(ast.Constant(None))


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
    text = Source(source)
    resolver = Resolver(text, facts, own)
    pinned: dict[ast.AST, str] = {}
    if target is not None and text.tree.body:
        owned = resolver.owned()
        chosen = owned[0] if len(owned) == 1 else _outermost(text.tree.body[-1])
        pinned = {chosen: target} if chosen is not None else {}
    walk = _Walk(resolver, pinned)
    changes = walk.within(text.tree)
    refusals = sorted(walk.refusals, key=lambda r: (r.line, r.column))
    return Port(
        source,
        None if refusals else text.replaced(text.tree, changes),
        tuple(dict.fromkeys(walk.notes)),
        tuple(refusals),
        tuple(dict.fromkeys(walk.records)),
        tuple(dict.fromkeys(walk.targets)),
        tuple(
            Edit(*text.place(begin), *text.place(end), new)
            for begin, end, new in changes
            if new != text.between(begin, end)
        ),
        dict.fromkeys(walk.records, "curated"),
    )


def _outermost(statement: ast.stmt) -> ast.AST | None:
    """The call that a statement makes; of a layer called in place, the making of the layer."""
    value = getattr(statement, "value", None)
    while isinstance(value, _PARTS):
        value = value.value
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Call):
        value = value.func
    return value if isinstance(value, ast.AST) else None


class _Walk:
    """One pass over a source; ``changes`` gives what to replace in a node."""

    def __init__(self, resolver: Resolver, pinned: Mapping[ast.AST, str]) -> None:
        self.resolver, self.pinned = resolver, pinned
        self.source, self.scope, self.facts = resolver.source, resolver.scope, resolver.facts
        self.notes: list[Text] = []
        self.refusals: list[Refusal] = []
        self.records: list[str] = []
        self.targets: list[tuple[str, str]] = []
        self.written: dict[ast.AST, tuple[Record, Target]] = {}
        # What was written as a call or a property needs no parentheses anywhere.
        self.called: set[ast.AST] = set()

    @cached_property
    def types(self) -> frozenset[ast.AST]:
        """The nodes that name a type."""
        return frozenset(_types(self.source))

    def changes(self, node: ast.AST, parent: ast.AST) -> list[Change]:
        """What to replace in a node, so that all in it is ported as it may stand in its parent."""
        try:
            made = self.ported(node)
        except Refused as refused:
            self.refuse(node, refused)
            return []
        if made is None:
            return self.within(node)
        if isinstance(made, list):
            return made
        if node not in self.called:
            before_dot = isinstance(parent, ast.Attribute)
            made = values.embedded(made, _is_open(node, parent), before_dot)
        return [(*self.source.span(node), made)]

    def within(self, node: ast.AST) -> list[Change]:
        """The changes in a node that itself stays."""
        found: list[Change] = []
        # A comprehension would be one frame more for each level of nested code.
        for child in located(node):
            if not isinstance(child, ast.Constant):
                found += self.changes(child, node)
        return found

    def render(self, node: ast.AST, parent: ast.AST) -> str:
        """A node's text with all in it ported, as it may stand in its parent."""
        return self.source.replaced(node, self.changes(node, parent))

    def refuse(self, node: ast.AST, refused: Refused) -> None:
        """Remember that a node stays as it is, and why."""
        begin, end = self.source.span(node)
        self.refusals.append(
            Refusal(
                *self.source.place(begin),
                *self.source.place(end),
                refused.kind,
                self.source.between(begin, end),
                refused.reason,
            )
        )

    def ported(self, node: ast.AST) -> str | list[Change] | None:
        """New text for a node that is a PyTorch name or call; None if it is looked at in parts."""
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, NAMES) and isinstance(node.ctx, ast.Load):
            return self.name(node)
        if isinstance(node, ast.ClassDef):
            return self.class_definition(node)
        if isinstance(node, ast.JoinedStr):
            return self.f_string(node)
        return None

    def f_string(self, node: ast.JoinedStr) -> list[Change]:
        """An f-string as written: before Python 3.12 places inside it aren't known."""
        for part in ast.walk(node):
            if not isinstance(part, NAMES):
                continue
            found = self.scope.spelling(part)
            known = found is not None and self.facts.torch_name(found[0]) is not None
            if not known and isinstance(part, ast.Attribute) and found is None:
                methods = self.facts.methods(part.attr) if self.scope.is_object(part.value) else ()
                known = any(self.facts.find(name) for name in methods)
            if known:
                text = ast.unparse(part)
                raise Refused(
                    "f_string",
                    f"{text} inside an f-string: move it out of the string",
                    f"f-string 中的 {text}：请将其移到字符串之外",
                )
        return []

    def call(self, node: ast.Call) -> str | list[Change] | None:
        """A call of a PyTorch name, of a layer made in place, or of a method."""
        if isinstance(node.func, ast.Call):
            inner = self.changes(node.func, node)
            layer = self.written.get(node.func)
            if layer is None or layer[0].kind != "class":
                rest = (self.changes(child, node) for child in located(node)[1:])
                return inner + [change for changes in rest for change in changes]
            made = self.source.replaced(node.func, inner)
            return f"{made}({calls.write_inputs(*layer, self.arguments(node))})"
        meaning = self.resolver.call(node, self.alike)
        if meaning is None:
            return None
        if meaning.note is not None:
            self.notes.append(meaning.note)
        return self.write(node, meaning.record, self.arguments(node, meaning.record))

    def write(self, node: ast.AST, record: Record, arguments: calls.Arguments) -> str:
        """A call of a record's API under the target that takes it."""
        done = calls.write(record, arguments, self.pinned.get(node))
        self.records.append(record.torch)
        self.targets.append((record.torch, done.target.key))
        self.notes += done.notes
        if not done.text:
            raise Refused(
                "removable",
                f"{record.torch}: delete this call; MindSpore needs nothing in its place",
                f"{record.torch}：删除此调用即可，MindSpore 无需任何替代",
            )
        self.written[node] = (record, done.target)
        if done.called:
            self.called.add(node)
        return done.text

    def argument(self, node: ast.expr, parent: ast.AST, by: str) -> Argument:
        """An argument, ported itself."""
        if isinstance(node, ast.Starred):
            return Argument(f"*{self.render(node.value, node)}", node, by)
        changes = self.changes(node, parent)
        text = self.source.replaced(node, changes)
        if changes or isinstance(node, ast.NamedExpr):
            return values.argument(text, by)
        return Argument(text, node, by)

    def arguments(self, node: ast.Call, record: Record | None = None) -> calls.Arguments:
        """The arguments of a call, ported themselves, and what a record's method is called on."""
        on = self.resolver.receiver(node.func, record) if record else None
        receiver = None if on is None else self.argument(on, _ANYWHERE, "position")
        if any(k.arg is None for k in node.keywords):
            text = self.source.text(node.func)
            raise Refused(
                "unpacked",
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

    def alike(self, node: ast.Call, records: Sequence[Record]) -> bool:
        """Whether the call becomes the same whichever record it means."""
        notes, refusals = list(self.notes), list(self.refusals)
        try:
            found = {calls.write(r, self.arguments(node, r)).text for r in records}
        except Refused:
            return False
        finally:
            self.notes, self.refusals = notes, refusals
        return len(found) == 1

    def name(self, node: ast.Attribute | ast.Name) -> str | list[Change] | None:
        """A PyTorch name that is not called: a dtype, a property, a function as a value."""
        found = self.scope.spelling(node)
        if found is None:
            return self.field(node) if isinstance(node, ast.Attribute) else None
        canonical = self.facts.torch_name(found[0])
        if canonical and (dtype := self.facts.mindspore_dtype(canonical)):
            return dtype
        record = self.resolver.name(node)
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
                "value",
                f"{record.torch} without a call: its arguments differ in MindSpore",
                f"{record.torch} 未被直接调用：其参数在 MindSpore 中有差异",
            )
        self.records.append(record.torch)
        return best.api

    def field(self, node: ast.Attribute) -> str | list[Change] | None:
        """A field of a result (``torch.max(x, 1).values``) or a property of a tensor."""
        record = self.resolver.property(node)
        if record is not None:
            receiver = self.argument(node.value, _ANYWHERE, "position")
            return self.write(node, record, calls.Arguments((), {}, receiver))
        if not isinstance(node.value, ast.Call):
            return None
        inner = self.changes(node.value, node)
        _, target = self.written.get(node.value, (None, None))
        fields = target.returns.fields if target and target.returns else {}
        if node.attr not in fields:
            return inner
        return self.source.replaced(node.value, inner) + fields[node.attr]

    def class_definition(self, node: ast.ClassDef) -> list[Change] | None:
        """A class whose bases are PyTorch classes: bases and members are renamed."""
        renamed: list[Change] = []
        bases: set[ast.AST] = set()
        members: dict[str, str] = {}
        for base in node.bases:
            if isinstance(base, NAMES) and (record := self.resolver.name(base)):
                best = record.targets[0] if record.targets else None
                if best is not None and best.api is not None:
                    renamed.append((*self.source.span(base), best.api))
                    bases.add(base)
                    members |= best.members
                    self.records.append(record.torch)
        if not renamed:
            return None
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and method.name in members:
                renamed.append((*self.source.name_span(method), members[method.name]))
        kept = (child for child in located(node) if child not in bases)
        return sorted([*renamed, *(c for child in kept for c in self.changes(child, node))])


def _types(source: Source) -> Iterator[ast.AST]:
    """The nodes that name a type: in annotations, and what isinstance compares with."""
    found: list[ast.AST | None] = [node.annotation for node in source.all(ast.arg)]
    found += [node.annotation for node in source.all(ast.AnnAssign)]
    found += [node.returns for node in source.all(ast.FunctionDef)]
    found += [node.returns for node in source.all(ast.AsyncFunctionDef)]
    for node in source.all(ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in ("isinstance", "issubclass"):
            found += node.args[1:]
    for part in found:
        yield from ast.walk(part) if part is not None else ()


def _is_open(node: ast.AST, parent: ast.AST) -> bool:
    """Whether an expression may stand in its parent without parentheses."""
    if isinstance(parent, ast.Call):
        return node is not parent.func
    if isinstance(parent, ast.Subscript):
        return node is parent.slice
    return isinstance(parent, _OPEN)
