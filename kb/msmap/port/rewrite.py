"""PyTorch code in, MindSpore code out: every call and name that the base knows, in place."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from msmap.code import arguments as values
from msmap.code import guesses
from msmap.code.arguments import Argument
from msmap.code.modules import Module
from msmap.code.reading import Use
from msmap.code.refusal import Refused
from msmap.code.resolve import Facts, Meaning, Resolver
from msmap.code.source import Source
from msmap.code.values import FILE, PLAIN, UNKNOWN, Class, Instance, Value, is_tensor
from msmap.model import Edit, Port, Record, Refusal, Target, Text
from msmap.port import call as calls
from msmap.port import layers, layout, templates
from msmap.port.changes import Changes, is_open, parent_of

# A name may stand for its counterpart without a call only if arguments mean the same there.
_SAFE_AS_VALUE = ("no_params", "identical", "target_more_params")

# MindSpore has no such names: what is dropped anyway need not be ported.
_NEVER_KEPT = ("memory_format", "layout")

# What begins with what it is a part of.
_PARTS = (ast.Attribute, ast.Subscript)


def rewrite(
    source: str,
    facts: Facts,
    target: str | None = None,
    own: str | None = None,
    known: Mapping[str, Value] | None = None,
    place: Module | None = None,
) -> Port:
    """Port a PyTorch expression or a few lines, keeping everything else as written.

    Args:
        source: Python source.
        facts: the base.
        target: key of the target to use, instead of the best: for the one call of ``own``, else
            for the outermost call.
        own: the record whose check the source is: names that nothing binds are its inputs, and a
            bare method means it, where it may be several.
        known: what names stand for that the source doesn't bind.
        place: the same source as a file of a tree, for what it imports of other files.

    Raises:
        SyntaxError: the source isn't Python.
    """
    text = Source(source) if place is None else place.source
    resolver = Resolver(text, facts, own, known, place)
    pinned: dict[ast.AST, str] = {}
    if target is not None and text.tree.body:
        owned = resolver.owned()
        chosen = owned[0] if len(owned) == 1 else _outermost(text.tree.body[-1])
        pinned = {chosen: target} if chosen is not None else {}
    rewriter = _Rewriter(resolver, pinned)
    rewriter.run()
    changes = rewriter.changes.all()
    refusals = [refusal for _, _, refusal in sorted(rewriter.refused, key=lambda r: r[0])]
    return Port(
        source,
        text.replaced(text.tree, changes),
        tuple(dict.fromkeys(rewriter.notes)),
        tuple(refusals),
        tuple(dict.fromkeys(rewriter.records)),
        tuple(dict.fromkeys(rewriter.targets)),
        tuple(
            Edit(*text.place(begin), *text.place(end), new)
            for begin, end, new in changes
            if new != text.between(begin, end)
        ),
        dict.fromkeys(rewriter.records, "curated"),
    )


def _outermost(statement: ast.stmt) -> ast.AST | None:
    """The call that a statement makes; of a layer called in place, the making of the layer."""
    value = getattr(statement, "value", None)
    while isinstance(value, _PARTS):
        value = value.value
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Call):
        value = value.func
    return value if isinstance(value, ast.AST) else None


class _Rewriter:
    """Each use of PyTorch in a source written for MindSpore, the inner ones first."""

    def __init__(self, resolver: Resolver, pinned: Mapping[ast.AST, str]) -> None:
        self.resolver, self.pinned = resolver, pinned
        self.source, self.facts = resolver.source, resolver.facts
        self.uses = resolver.reading.uses
        self.changes = Changes(self.source)
        self.notes: list[Text] = []
        # With the byte offset of where each begins, and the node that it is of.
        self.refused: list[tuple[int, ast.AST, Refusal]] = []
        self.records: list[str] = []
        self.targets: list[tuple[str, str]] = []
        # What a node became, without the parentheses that it needs where it stands.
        self.bare: dict[ast.AST, str] = {}
        self.written: dict[ast.AST, tuple[Record, Target]] = {}
        self.handlers: dict[str, Callable[[Use], None]] = {
            "name": self.name,
            "call": self.call,
            "method": self.call,
            "possible": self.call,
            "read": self.read,
            "result": self.result,
            "device": self.device,
            "set": self.set,
            "value": self.value,
            "field": self.field,
            "member": self.member,
            "layer": self.layer,
            "class": self.class_definition,
            "text": self.f_string,
        }

    def run(self) -> None:
        """Make all changes, and remember what is refused."""
        for use in sorted(self.uses.values(), key=lambda use: self.source.order(use.node)):
            try:
                self.handlers[use.how](use)
            except Refused as refused:
                self.refuse(use.node, refused)

    def refuse(self, node: ast.AST, refused: Refused) -> None:
        """Remember that a node stays as it is, and why."""
        begin, end = self.source.span(node)
        text = self.source.between(begin, end)
        places = (*self.source.place(begin), *self.source.place(end))
        self.refused.append((begin, node, Refusal(*places, refused.kind, text, refused.reason)))

    def put(self, use: Use, text: str, called: bool) -> None:
        """A node becomes a text; in parentheses where it is no call and needs them."""
        node: Any = use.node
        if node.lineno != node.end_lineno and not self.resolver.own:
            text = layout.kept(self.changes.text(use.node), text)
        self.bare[use.node] = text
        if not called:
            parent = parent_of(self.source, use.statement, use.node)
            before_dot = isinstance(parent, ast.Attribute)
            text = values.embedded(text, is_open(use.node, parent), before_dot)
        begin, end = self.source.span(use.node)
        # What was refused in an argument that is left out is none.
        while self.refused and self.refused[-1][0] >= begin:
            if self.changes.text(self.refused[-1][1]) in text:
                break
            self.refused.pop()
        self.changes.add(begin, end, text)

    def argument(self, node: ast.expr, by: str) -> Argument:
        """An argument, ported itself."""
        if isinstance(node, ast.Starred):
            return Argument(f"*{self.changes.text(node.value)}", node, by)
        text = self.bare.get(node) or self.changes.text(node)
        read: ast.expr | None = node
        if isinstance(node, ast.NamedExpr) or self.changes.within(node):
            made = values.argument(text, by)
            text, read = made.text, made.node
        if self.resolver.own or node.__class__ is ast.Constant:
            return Argument(text, read, by)
        reading = self.resolver.reading
        found = reading.given.get(node)
        unclear = found is None or found is UNKNOWN
        maybe_none = not reading.snippet and _may_be_none(found)
        return Argument(text, read, by, None, _proved(found), unclear, True, maybe_none)

    def arguments(self, node: ast.Call, receiver: ast.expr | None = None) -> calls.Arguments:
        """The arguments of a call, ported themselves, and what a method is called on."""
        on = None if receiver is None else self.argument(receiver, "position")
        if any(k.arg is None for k in node.keywords):
            text = self.source.text(node.func)
            raise Refused(
                "unpacked",
                f"{text}: which parameters ** fills can't be told from the code",
                f"{text}：无法从代码判断 ** 填入哪些参数",
            )
        return calls.Arguments(
            tuple(self.argument(a, "position") for a in node.args),
            {
                str(k.arg): values.argument(self.source.text(k.value), "keyword")
                if k.arg in _NEVER_KEPT
                else self.argument(k.value, "keyword")
                for k in node.keywords
            },
            on,
        )

    def call(self, use: Use) -> None:
        """A call of a name, or of a method on an object."""
        node = use.node
        assert isinstance(node, ast.Call)
        meaning = self.resolver.meaning(use)
        record = meaning.record
        receiver = node.func.value if meaning.receiver else None  # type: ignore[attr-defined]
        arguments = self.arguments(node, receiver)
        _check(record, arguments)
        if len(meaning.records) > 1:
            self.alike(meaning, arguments)
        if meaning.note is not None:
            self.notes.append(meaning.note)
        self.write(use, record, arguments)

    def alike(self, meaning: Meaning, arguments: calls.Arguments) -> None:
        """Refuse what becomes another thing for each record that may be meant."""
        if len({calls.write(r, arguments).text for r in meaning.records}) > 1:
            may = [r.torch for r in meaning.records]
            raise Refused(
                "ambiguous", f"it may be {' or '.join(may)}", f"可能是 {' 或 '.join(may)}"
            )

    def write(self, use: Use, record: Record, arguments: calls.Arguments) -> None:
        """A use of a record's API under the target that takes it."""
        done = calls.write(record, arguments, self.pinned.get(use.node))
        if self.is_done(done.target, arguments):
            return
        self.complete(record, done.target)
        self.records.append(record.torch)
        self.targets.append((record.torch, done.target.key))
        self.notes += done.notes
        if not done.text:
            raise Refused(
                "removable",
                f"{record.torch}: delete this call; MindSpore needs nothing in its place",
                f"{record.torch}：删除此调用即可，MindSpore 无需任何替代",
            )
        unpacked = any(isinstance(a.node, ast.Starred) for a in arguments.positional)
        if unpacked and values.argument(done.text).node is None:
            raise Refused(
                "unpacked",
                f"{record.torch}: what * unpacks can't stand where its counterpart needs it",
                f"{record.torch}：对应写法中无法使用 * 解包的参数",
            )
        self.written[use.node] = (record, done.target)
        text = done.text
        is_next = use.node in self.resolver.reading.nexts and not self.resolver.own
        if is_next and not isinstance(values.argument(text).node, ast.GeneratorExp):
            # Where PyTorch gives an iterator MindSpore may give a list.
            text = f"iter({text})"
        self.put(use, text, done.called)

    def is_done(self, target: Target, arguments: calls.Arguments) -> bool:
        """Whether a method's receiver was prepared by an earlier run: ``x.bool().any()``."""
        if arguments.receiver is None or not (target.expression or "").startswith("{self}."):
            return False
        between, _, last = str(target.expression).removeprefix("{self}").rpartition(".")
        return bool(between) and "{" not in last and arguments.receiver.text.endswith(between)

    def complete(self, record: Record, target: Target) -> None:
        """Refuse a template that needs a name which the code doesn't have."""
        if self.resolver.own or self.resolver.reading.snippet:
            return
        for name in templates.free(target):
            if not self.source.mentions(name):
                raise Refused(
                    "argument",
                    f"{record.torch}: `{name}` is needed, and nothing in the code makes it",
                    f"{record.torch}：需要 `{name}`，而代码中没有得到它",
                )

    def name(self, use: Use) -> None:
        """A PyTorch name that is not called: a dtype, a function as a value, a class."""
        canonical = self.resolver.reading.canonical(use.names[0])
        if canonical and (dtype := self.facts.mindspore_dtype(canonical)):
            self.put(use, dtype, True)
            return
        record = self.resolver.meaning(use).record
        best = record.targets[0] if record.targets else None
        if record.kind == "constant" and best is not None and best.expression:
            self.records.append(record.torch)
            self.targets.append((record.torch, best.key))
            self.put(use, best.expression, False)
            return
        stands = use.typed or use.node in self.bases
        typed = stands and best is not None and best.kind == "class"
        set_here = isinstance(getattr(use.node, "ctx", None), ast.Store)
        safe = best is not None and best.api is not None and not set_here
        if best is None or not safe or not (typed or best.category in _SAFE_AS_VALUE):
            raise Refused(
                "value",
                f"{record.torch} without a call: its arguments differ in MindSpore",
                f"{record.torch} 未被直接调用：其参数在 MindSpore 中有差异",
            )
        self.records.append(record.torch)
        self.put(use, str(best.api), True)

    @cached_property
    def bases(self) -> dict[ast.AST, str]:
        """The names that stand for the bases of classes."""
        return {
            base: use.names[0]
            for use in self.uses.values()
            if isinstance(use.node, ast.ClassDef)
            for base in use.node.bases
        }

    def read(self, use: Use) -> None:
        """A property of an object is read."""
        node = use.node
        assert isinstance(node, ast.Attribute)
        meaning = self.resolver.meaning(use)
        arguments = calls.Arguments((), {}, self.argument(node.value, "position"))
        if len(meaning.records) > 1:
            self.alike(meaning, arguments)
        self.write(use, meaning.record, arguments)

    def result(self, use: Use) -> None:
        """A part of a result that was asked for by name: it may have a place instead."""
        node = use.node
        assert isinstance(node, ast.Attribute)
        _, target = self.written.get(node.value, (None, None))
        fields = target.returns.fields if target and target.returns else {}
        if node.attr in fields:
            self.changes.put(node, self.changes.text(node.value) + fields[node.attr])

    def device(self, use: Use) -> None:
        """A part of a device: MindSpore has no such objects."""
        if not self.resolver.own:
            name = use.names[0]
            raise Refused(
                "value",
                f"{name}: MindSpore has no objects for devices, but texts or None",
                f"{name}：MindSpore 没有设备对象，只有字符串或 None",
            )

    def set(self, use: Use) -> None:
        """A property of an object is set: its counterpart must be one too."""
        record = self.resolver.meaning(use).record
        if not _namesake(record, "property", use.node):
            raise Refused(
                "value",
                f"{record.torch} is set here: MindSpore has another way",
                f"此处对 {record.torch} 赋值：MindSpore 的写法不同",
            )

    def value(self, use: Use) -> None:
        """A method that isn't called stays a method only under the same name."""
        record = self.resolver.meaning(use).record
        best = _namesake(record, "method", use.node)
        if best is None or best.category not in _SAFE_AS_VALUE:
            raise Refused(
                "value",
                f"{record.torch} without a call: its arguments differ in MindSpore",
                f"{record.torch} 未被直接调用：其参数在 MindSpore 中有差异",
            )

    def field(self, use: Use) -> None:
        """A parameter or a buffer of a layer: it may have another name."""
        assert isinstance(use.node, ast.Attribute)
        maker = use.receiver.maker if isinstance(use.receiver, Instance) else None
        _, made = self.written.get(maker, (None, None))  # type: ignore[call-overload]
        new, note = layers.field(self.facts, use.names, use.node.attr, made)
        if note is not None:
            self.notes.append(note)
        self.rename(use.node, new)

    def member(self, use: Use) -> None:
        """A member of an own class that is a layer: it may have another name."""
        assert isinstance(use.node, ast.Attribute)
        self.rename(use.node, layers.members(self.facts, use.names[0]).get(use.node.attr, ""))

    def rename(self, node: ast.Attribute, new: str) -> None:
        """An attribute gets another name."""
        if new and new != node.attr:
            end = self.source.span(node)[1]
            self.changes.add(end - len(node.attr.encode()), end, new)

    def layer(self, use: Use) -> None:
        """A layer is called: its inputs may have other names."""
        node, made = use.node, use.receiver
        assert isinstance(node, ast.Call)
        assert isinstance(made, Instance)
        maker = made.maker
        layer = self.written.get(maker) if isinstance(maker, ast.AST) else None
        if layer is None:
            layer = layers.stands_for(self.facts, made, maker is not None)
        if layer is None or layer[0].kind != "class" or any(k.arg is None for k in node.keywords):
            return
        arguments = self.arguments(node)
        text = calls.write_inputs(*layer, arguments)
        before = [*(a.text for a in arguments.positional)]
        before += [f"{name}={a.text}" for name, a in arguments.keywords.items()]
        if text != ", ".join(before):
            whole = f"{self.changes.text(node.func)}({text})"
            self.changes.put(node, layout.kept(self.changes.text(node), whole))

    def class_definition(self, use: Use) -> None:
        """A class that comes from one of PyTorch's: members that MindSpore calls are renamed."""
        node = use.node
        assert isinstance(node, ast.ClassDef)
        assert isinstance(use.receiver, Class)
        renamed = layers.members(self.facts, use.names[0])
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                if statement.name in renamed:
                    begin, end = self.source.name_span(statement)
                    self.changes.add(begin, end, renamed[statement.name])
            elif isinstance(statement, ast.Assign):
                for target in statement.targets:
                    if isinstance(target, ast.Name) and target.id in renamed:
                        self.changes.add(*self.source.span(target), renamed[target.id])

    def f_string(self, use: Use) -> None:
        """An f-string as written: before Python 3.12 places inside it aren't known."""
        for inner in use.inner:
            if not self.stays(inner):
                named = inner.node.func if isinstance(inner.node, ast.Call) else inner.node
                text = ast.unparse(named)
                raise Refused(
                    "f_string",
                    f"{text} inside an f-string: move it out of the string",
                    f"f-string 中的 {text}：请将其移到字符串之外",
                )

    def stays(self, use: Use) -> bool:
        """Whether a use in an f-string is written alike for MindSpore, such as ``loss.item()``."""
        node = use.node
        if use.how not in ("method", "read") or (isinstance(node, ast.Call) and node.keywords):
            return False
        given = [] if isinstance(node, ast.Attribute) else node.args  # type: ignore[attr-defined]
        on = node.value if isinstance(node, ast.Attribute) else node.func.value  # type: ignore[attr-defined]
        arguments = [Argument(ast.unparse(a), a, "position") for a in (on, *given)]
        record = self.resolver.meaning(use).record
        done = calls.write(record, calls.Arguments(tuple(arguments[1:]), {}, arguments[0]))
        return done.text == ast.unparse(node)


def _check(record: Record, arguments: calls.Arguments) -> None:
    """Refuse what only the value of an argument tells."""
    every = (*arguments.positional, *arguments.keywords.values())
    if any(a.proved == "file" for a in every):
        raise Refused(
            "argument",
            f"{record.torch}: an open file is passed; MindSpore takes a path",
            f"{record.torch}：传入的是已打开的文件；MindSpore 只接受路径",
        )
    sole = every[0] if len(every) == 1 and record.torch in _OF_DATA_OR_SIZES else None
    if sole is not None and sole.unclear and values.kind(sole.node) == "unknown":
        raise Refused(
            "ambiguous",
            f"{record.torch}: nothing proves whether `{sole.text}` is data or a size; write"
            " torch.tensor or torch.empty",
            f"{record.torch}：无法证明 `{sole.text}` 是数据还是大小；"
            "请改写为 torch.tensor 或 torch.empty",
        )


_OF_DATA_OR_SIZES = {f"torch.{kind}Tensor" for kind in (
    "", "Long", "Int", "Short", "Char", "Byte", "Bool", "Float", "Double", "Half", "BFloat16",
)}  # fmt: skip


def _proved(found: Value | None) -> str:
    if found is PLAIN or found is FILE:
        return "plain" if found is PLAIN else "file"
    if found is None or guesses.is_guess(found):
        return ""
    return "tensor" if is_tensor(found) else ""


def _may_be_none(found: Value | None) -> bool:
    return found is UNKNOWN or (isinstance(found, Instance) and found.optional)


def _namesake(record: Record, kind: str, node: ast.AST) -> Target | None:
    """The best target, if it is of a kind and called as what stands in the source."""
    best = record.targets[0] if record.targets else None
    if best is None or best.kind != kind or best.api is None:
        return None
    return best if best.api.endswith(f".{_leaf(node)}") else None


def _leaf(node: ast.AST) -> str:
    return getattr(node, "attr", "")
