"""A source while it is rewritten: its changes, what is said and refused, and its arguments."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar

from msmap import npu
from msmap.code import bindings
from msmap.code.bindings import Body, Place
from msmap.code.refusal import Refused
from msmap.code.source import Change
from msmap.infer import float64, usual_names
from msmap.infer.resolve import Resolver
from msmap.infer.uses import Use
from msmap.infer.values.lattice import (
    DTYPE,
    FILE,
    PLAIN,
    UNKNOWN,
    Builtin,
    Instance,
    Items,
    Value,
    is_tensor,
)
from msmap.model import Edit, Port, Record, Refusal, Target, Text
from msmap.port import arguments as values
from msmap.port import caveats, kernels, layout, marks, targets, unpacked
from msmap.port.arguments import Argument
from msmap.port.bind import Bound
from msmap.port.edits import Changes, is_open, parent_of
from msmap.port.mode import Mode
from msmap.port.training.loss import Loss
from msmap.vocabulary import DIFFERS

T = TypeVar("T")
# Stands for any call.
_CALL = ast.Call(ast.Name("made", ast.Load()), [], [])
# What PyTorch takes Python's own types for, as dtypes.
_TYPES = {
    "bool": "torch.bool", "int": "torch.int64", "float": "torch.float64",
    "complex": "torch.complex128",
}  # fmt: skip
# MindSpore has no such names: what is dropped anyway need not be ported.
_NEVER_KEPT = ("memory_format", "layout")


class Rewriter:
    """Each use of PyTorch in a source written for MindSpore, the inner ones first."""

    def __init__(self, text: str, resolver: Resolver, pinned: Mapping[ast.AST, str]) -> None:
        self.whole, self.resolver, self.pinned = text, resolver, pinned
        self.source, self.facts = resolver.source, resolver.facts
        self.uses = resolver.reading.uses
        self.changes = Changes(self.source)
        if resolver.own:
            self.mode = Mode.CHECK
        else:
            self.mode = Mode.SNIPPET if resolver.reading.snippet else Mode.FILE
        # The nodes of which something is written after what stands in them.
        self.nodes: set[ast.AST] = set()
        # What stands before a call, once that is written.
        self.before: dict[ast.AST, str] = {}
        self._once: dict[Callable[[Rewriter], Any], Any] = {}
        self.notes: list[Text] = []
        # With the byte offset of where each begins, and the node that it is of.
        self.refused: list[tuple[int, ast.AST, Refusal]] = []
        # What these were when that was found.
        self.texts: dict[ast.AST, str] = {}
        # The names to look up on what is no use of one.
        self.about: dict[ast.AST, str] = {}
        # What stays because nobody can tell whose the name is that it begins with.
        self.unproved: set[ast.AST] = set()
        # Those of which a comment of an earlier run says why they stay.
        self.kept: set[ast.AST] = set()
        self.records: list[str] = []
        self.targets: list[tuple[str, str]] = []
        # What a node became, without the parentheses that it needs where it stands.
        self.bare: dict[ast.AST, str] = {}
        # What became a call of something by its name.
        self.calls: set[ast.AST] = set()
        self.written: dict[ast.AST, tuple[Record, Target]] = {}
        # The statements in which a call became what it was called on.
        self.idle: list[ast.stmt] = []
        # The blocks and functions in which nothing turns gradients off any more, and the losses
        # that became functions, of which gradients are taken.
        self.ungraded: list[ast.stmt] = []
        # The blocks whose one manager is gone, and with it nothing of what they compute.
        self.through: set[ast.stmt] = set()
        # The calls that became managers which do nothing.
        self.nulls: set[ast.AST] = set()
        # Those of them that run where a layer is called.
        self.stopped: list[ast.stmt] = []
        self.losses: list[Loss] = []
        # Of functions, whether all that they give are values without their history.
        self.cutting: dict[ast.AST, bool] = {}
        self.cutting_now: list[ast.AST] = []
        # What gives groups of an optimizer, one of whose rates is read or set at once.
        self.rated: set[ast.AST] = set()
        # Of each call that was written, its arguments; of each use, what there is to say.
        self.bound: dict[ast.AST, Bound] = {}
        self.said: dict[ast.AST, list[Text]] = {}
        self.around = caveats.Around(
            self.source,
            self.uses,
            resolver.reading.changed,
            resolver.reading.given,
            resolver.reading.doubles | float64.makers(resolver.reading),
            resolver.reading.rounded | float64.makers(resolver.reading, rounded=True),
            alone=not resolver.own and resolver.reading.place is None,
        )
        # The classes that layers of a project become, by the name of PyTorch's class.
        self.made: dict[str, tuple[Target, ...]] = {}
        # What is taken for granted of a call and isn't proved: said once the call is written.
        self.doubts: dict[ast.AST, list[Text]] = {}
        # Of calls that don't run everywhere, what the file says of it.
        self.lacking: dict[ast.AST, Text] = {}
        # The caveats that a call triggers, and the record that they are of.
        self.bites: dict[ast.AST, tuple[Record, list[caveats.Bite]]] = {}

    def port(self) -> Port:
        """What came out of it."""
        changes = marks.removed(self.changes.all())
        refusals = [refusal for _, _, refusal in sorted(self.refused, key=lambda r: r[0])]
        return Port(
            self.whole,
            self.source.replaced(self.source.tree, changes),
            tuple(dict.fromkeys(self.notes)),
            tuple(refusals),
            tuple(dict.fromkeys(self.records)),
            tuple(dict.fromkeys(self.targets)),
            tuple(self.edits(changes)),
            dict.fromkeys(self.records, "curated"),
        )

    def edits(self, changes: list[Change]) -> Iterator[Edit]:
        """The changes that change something."""
        place = self.source.place
        for begin, end, new in changes:
            if new != self.source.between(begin, end):
                yield Edit(*place(begin), *place(end), new)

    def refuse(self, node: ast.AST, refused: Refused) -> None:
        """Remember that a node stays as it is, and why."""
        begin, end = self.source.span(node)
        text = self.source.between(begin, end)
        places = (*self.source.place(begin), *self.source.place(end))
        self.texts[node] = self.changes.text(node)
        self.refused.append((begin, node, Refusal(*places, refused.kind, text, refused.reason)))

    def warn(self, node: ast.AST, reason: Text, about: str = "") -> None:
        """Say above a node in the file that it may give other values than in PyTorch.

        The node may be ported or not. The file isn't finished until somebody has looked at it:
        status 0 without a comment in the file means the same numbers.

        Args:
            node: what may give other values.
            reason: what differs, and what to write instead.
            about: the name of PyTorch's to look up, where the node isn't a use of one.
        """
        if not self.resolver.own:
            if about:
                self.about[node] = about
            self.refuse(node, Refused(DIFFERS, reason.en, reason.zh))

    def doubt(self, node: ast.AST, reason: Text) -> None:
        """Say above a node, if it is ported, what is assumed of it that nothing proves."""
        self.doubts.setdefault(node, []).append(reason)

    def once(self, make: Callable[[Rewriter], T]) -> T:
        """What a function makes of the session, made once: what a rule has to know beforehand."""
        if make not in self._once:
            self._once[make] = make(self)
        found: T = self._once[make]
        return found

    def unmended(self, found: Iterable[caveats.Bite]) -> list[caveats.Bite]:
        """Caveats without those of the mode of a new layer, which is set where models are made."""
        return [bite for bite in found if bite.on != "mode" or self.resolver.reading.snippet]

    def call(
        self, node: ast.AST, record: Record, arguments: targets.Arguments, key: str | None = None
    ) -> targets.Written:
        """A call under a target that runs on the device asked for.

        Where none is asked for, the file says above the call where it doesn't run.

        Raises:
            Refused: no target takes the call and runs on the device.
        """
        device = "" if self.resolver.own else self.facts.device
        done = targets.write(record, arguments, key, device)
        lacks = [] if device else kernels.lacking(done.target)
        if lacks:
            self.lacking[node] = kernels.said(record, done.target, lacks, done.tried)
        return done

    def running(self, record: Record, target: Target) -> Text | None:
        """Where the target doesn't run whose name stands for something that others call.

        Returns:
            What the file has to say above it, where no device is asked for.

        Raises:
            Refused: it doesn't run on the device asked for.
        """
        if self.resolver.own:
            return None
        device = self.facts.device
        lacks = [device] * target.lacks(device) if device else kernels.lacking(target)
        said = kernels.said(record, target, lacks, None) if lacks else None
        if device and said is not None:
            raise Refused("target", said.en, said.zh)
        return said

    def put(self, use: Use, text: str, called: bool) -> None:
        """A node becomes a text; in parentheses where it is no call and needs them."""
        node: Any = use.node
        if node.lineno != node.end_lineno and not self.resolver.own:
            before = self.changes.text(use.node)
            target, sign, value = text.partition("] = ")
            if sign and values.argument(text).node is None:
                # An assignment takes parentheses around its value alone.
                text = f"{target}{sign}{layout.kept(before, value)}"
            else:
                text = layout.kept(before, text)
        begin = self.source.span(use.node)[0]
        # What was refused in an argument that is left out is none.
        while self.refused and self.refused[-1][0] >= begin:
            inner = self.refused[-1][1]
            # The change of a call around it may have taken in that of the node itself.
            if any(one in text for one in (self.changes.text(inner), self.texts[inner])):
                break
            self.refused.pop()
        self.write(use, text, called)

    def write(self, use: Use, text: str, called: bool) -> None:
        """The same of a node in which nothing was refused, whatever was refused behind it."""
        if _is_npu(use):
            text = npu.ascend(text)
        if not self.resolver.own and use.node in self.resolver.reading.exact:
            text = f"mindspore.Tensor({text}, mindspore.float64)"
        self.bare[use.node] = text
        if called and text.endswith(")"):
            self.calls.add(use.node)
        if not called:
            parent = parent_of(self.source, use.statement, use.node)
            before_dot = isinstance(parent, ast.Attribute)
            text = values.embedded(text, is_open(use.node, parent), before_dot)
        self.changes.put(use.node, text)

    def rename(self, node: ast.Attribute, new: str) -> None:
        """An attribute gets another name."""
        if new and new != node.attr:
            end = self.source.span(node)[1]
            self.changes.add(end - len(node.attr.encode()), end, new)

    def argument(self, node: ast.expr, by: str) -> Argument:
        """An argument, ported itself."""
        if isinstance(node, ast.Starred):
            return Argument(f"*{self.changes.text(node.value)}", node, by)
        text = self.bare.get(node) or self.changes.text(node)
        read: ast.expr | None = node
        if node in self.calls:
            # Long chains would be parsed again for each of their calls.
            read = _CALL
        elif isinstance(node, ast.NamedExpr) or self.changes.within(node):
            made = values.argument(text, by)
            text, read = made.text, made.node
        if self.resolver.own or node.__class__ is ast.Constant:
            return Argument(text, read, by)
        reading = self.resolver.reading
        found = reading.given.get(node)
        unclear = found is None or found is UNKNOWN
        maybe_none = not reading.snippet and _may_be_none(found)
        return Argument(text, read, by, None, _proved(found), unclear, True, maybe_none)

    def arguments(
        self, node: ast.Call, receiver: ast.expr | None = None, record: Record | None = None
    ) -> targets.Arguments:
        """The arguments of a call, ported themselves, and what a method is called on.

        Args:
            node: the call.
            receiver: what a method is called on.
            record: that of what is called, for what ``**`` may leave out.
        """
        on = None if receiver is None else self.argument(receiver, "position")
        return targets.Arguments(
            tuple(self.argument(a, "position") for a in node.args),
            dict(self._keywords(node, record)),
            on,
        )

    def _keyword(self, name: str, node: ast.expr) -> Argument:
        if name in _NEVER_KEPT:
            return values.argument(self.source.text(node), "keyword")
        found = self.resolver.reading.given.get(node) if name == "dtype" else None
        of = _TYPES.get(found.name) if isinstance(found, Builtin) else None
        text = None if of is None else self.facts.mindspore_dtype(of)
        return self.argument(node, "keyword") if text is None else values.argument(text, "keyword")

    def _keywords(self, node: ast.Call, record: Record | None) -> Iterator[tuple[str, Argument]]:
        """The keywords of a call, and what ``**`` gives where the code shows it."""
        use = self.uses.get(node)
        named = {keyword.arg for keyword in node.keywords}
        for keyword in node.keywords:
            if keyword.arg is not None:
                yield keyword.arg, self._keyword(keyword.arg, keyword.value)
                continue
            keys = None if self.resolver.own else self.resolver.reading.keys_of(keyword.value)
            given = None
            if use is not None and keys is not None:
                given = unpacked.keywords(keyword.value, use.statement, self.places)
            if given is not None and given.keys().isdisjoint(named):
                self.resolver.reading.given.update(
                    (value, UNKNOWN) for value in given.values() if isinstance(value, ast.Name)
                )
                yield from ((name, self._keyword(name, value)) for name, value in given.items())
                named.update(given)
                continue
            text = self.source.text(keyword.value)
            asked = None if keys is None else unpacked.asked(text, keys, record)
            if asked is None or not asked.keys().isdisjoint(named):
                function = self.source.text(node.func)
                is_place = isinstance(keyword.value, ast.Name | ast.Attribute | ast.Subscript)
                one = f'name={text}["name"]' if is_place else "name=value"
                raise Refused(
                    "unpacked",
                    f"{function}: which parameters ** fills can't be told from the code; write"
                    f" them one by one, as {one}",
                    f"{function}：无法从代码判断 ** 填入哪些参数；请逐个写出，如 {one}",
                )
            yield from asked.items()
            named.update(asked)

    @cached_property
    def places(self) -> dict[ast.stmt, tuple[Body, Place]]:
        """The body and the place of each statement."""
        return dict(unpacked.by_statement(self.bodies))

    def is_parameter(self, use: Use, node: ast.expr) -> bool:
        """Whether a name is a parameter of an own function: what it stands for, others decide."""
        if not isinstance(node, ast.Name) or self.resolver.own or self.resolver.reading.snippet:
            return False
        if node.id in self.imported:
            return False
        found = self.places.get(use.statement) if use.statement is not None else None
        body = None if found is None else found[0]
        while body is not None and node.id not in body.bindings:
            if node.id in body.parameters:
                return True
            body = body.outer
        return False

    def is_bound(self, use: Use, name: str) -> bool:
        """Whether a name is bound in the function that something stands in, or around that."""
        found = self.places.get(use.statement) if use.statement is not None else None
        body = self.bodies[0] if found is None else found[0]
        while name not in body.bindings and name not in body.parameters:
            if body.outer is None:
                return False
            body = body.outer
        return True

    @cached_property
    def within_texts(self) -> dict[ast.AST, Use]:
        """The uses that stand in f-strings."""
        texts = (use for use in self.uses.values() if use.how == "text")
        return {one.node: one for use in texts for one in use.inner}

    @cached_property
    def imports(self) -> list[ast.Import | ast.ImportFrom]:
        """All imports of the source."""
        return [*self.source.all(ast.Import), *self.source.all(ast.ImportFrom)]

    @cached_property
    def imported(self) -> set[str]:
        """The names that imports bind anywhere in the source."""
        named = (alias for node in self.imports for alias in node.names)
        return {(alias.asname or alias.name).partition(".")[0] for alias in named}

    @cached_property
    def bodies(self) -> list[Body]:
        """The module and all functions, with the places of their statements."""
        return bindings.bodies(self.source.tree, self.source.mentions(":="))

    @cached_property
    def bases(self) -> dict[ast.AST, str]:
        """The names that stand for the bases of classes."""
        return {
            base: use.names[0]
            for use in self.uses.values()
            if isinstance(use.node, ast.ClassDef)
            for base in use.node.bases
        }


def _is_npu(use: Use) -> bool:
    """Whether torch_npu is meant by what is recorded under the name that CUDA's has."""
    if use.how in ("name", "call"):
        return npu.cuda(use.names[0]) != use.names[0]
    node = use.node.func if isinstance(use.node, ast.Call) else use.node
    return getattr(node, "attr", "") in npu.METHODS


def _proved(found: Value | None) -> str:
    if found in (PLAIN, DTYPE, FILE):
        return "file" if found is FILE else "plain"
    if found is None or usual_names.is_guess(found):
        return ""
    if isinstance(found, Instance) and found.name == "torch.device":
        return "device"
    if isinstance(found, Items) and found.mutable and found.values is not None:
        return "list"
    return "tensor" if is_tensor(found) else ""


def _may_be_none(found: Value | None) -> bool:
    return found is UNKNOWN or (isinstance(found, Instance) and found.optional)
