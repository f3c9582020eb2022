"""Where a source uses PyTorch, or may: each use by the node that it is of."""

from __future__ import annotations

import ast
import io
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msmap import npu
from msmap.code import fragments
from msmap.infer import settings
from msmap.infer.facts import Facts
from msmap.infer.values import classes
from msmap.infer.values.lattice import BASES, NONE, UNKNOWN, Class, Entry, Instance, Object, Value

# The methods of Python's own containers and texts: nobody asks whether they are PyTorch's.
_PYTHON = frozenset(
    name for kind in (str, bytes, list, tuple, dict, set, io.TextIOBase) for name in dir(kind)
)
_TENSORS = "torch.Tensor."


def _splits(node: ast.Call) -> bool:
    """Whether a text is split: a tensor's method needs a size."""
    assert isinstance(node.func, ast.Attribute)
    first = node.args[0] if node.args else None
    if first is None:
        return node.func.attr == "split" and not node.keywords
    return isinstance(first, ast.Constant) and isinstance(first.value, str | bytes)


@dataclass(slots=True)
class Use:
    """A place where something of PyTorch's is used, or may be.

    ``how`` is one of: name, call (of a name), method (called on what is proved), read (a property
    of what is proved), set (a property is), value (a method that is not called), result (a part of
    one), field (of a layer), buffer (of an own module, that is set), setting (an argument that is
    kept), member (of an own class that comes from one of PyTorch's), layer (called), class
    (defined), super (the constructor of a layer, by a class that comes from it), made (a class
    without a constructor of its own is called), heir (it is not called), above (what its layer
    computes is asked for), torn (a base of a class
    that is a module only in part), base (of a class that may be a module), device (a part of one),
    child (a layer that a Sequential gets or loses by a name), kept (``_modules``), joined (lists of
    layers, by an operator),
    operator, own (eval, which calls the own class's train), possible, perhaps (a property of what
    nothing is known of), text (in an f-string).
    ``names`` are PyTorch's: spellings of a name or a call, else canonical ones.
    """

    node: ast.AST
    how: str
    names: tuple[str, ...]
    statement: ast.stmt | None
    receiver: Value = UNKNOWN
    typed: bool = False
    # Of an operator, what was seen of it, one of ``TRIGGERS``; of what is changed, its place.
    seen: str = ""
    inner: list[Use] = field(default_factory=list)


class Uses(ABC):
    """The uses of PyTorch in a source, as they are noted while it is read."""

    def __init__(self, facts: Facts, own: str | None) -> None:
        self.facts, self.own = facts, own
        self.uses: dict[ast.AST, Use] = {}
        self.noted: list[ast.AST] = []
        # What was called where it may be a class of the source: it, or one of several.
        self.objects: dict[ast.AST, Value] = {}
        # The tensors that are formatted, and the f-string that each stands in, if it is one.
        self.formatted: dict[ast.expr, ast.AST | None] = {}
        # Where reading is: its statement, the f-string, whether in a type, and whether in silence.
        self.statement: ast.stmt | None = None
        self.text: ast.AST | None = None
        self.typed = False
        self.quiet = 0

    @property
    @abstractmethod
    def is_bare(self) -> bool:
        """Whether the source has nothing of PyTorch's but methods on what others hand to it."""

    @abstractmethod
    def methods(self, base: Instance, name: str) -> tuple[str, ...]:
        """The canonical names that a method or a property of an object may have."""

    @abstractmethod
    def same_as(self, found: Iterable[str]) -> tuple[str, ...]:
        """Methods by their canonical names."""

    @abstractmethod
    def state(self, name: str) -> Mapping[str, object]:
        """The parameters and buffers of a layer, by PyTorch's name."""

    def note(
        self,
        node: ast.AST,
        how: str,
        used: tuple[str, ...],
        receiver: Value = UNKNOWN,
    ) -> None:
        """Something of PyTorch's is used here, or may be."""
        if self.quiet:
            return
        use = Use(node, how, used, self.statement, receiver, self.typed)
        if self.text is not None:
            whole = self.uses.setdefault(self.text, Use(self.text, "text", used, self.statement))
            whole.inner.append(use)
            return
        self.uses[node] = use
        self.noted.append(node)

    def forget(self, mark: int) -> None:
        """What was noted since a mark is read again."""
        for node in self.noted[mark:]:
            self.uses.pop(node, None)
        del self.noted[mark:]

    def note_name(self, node: ast.AST, spelling: str) -> None:
        """A name of PyTorch's stands here, and isn't called."""
        self.note(node, "name", (spelling,))

    def note_call(self, node: ast.Call, spelling: str) -> None:
        """A name of PyTorch's is called."""
        self.note(node, "call", (spelling,))

    def note_called(self, node: ast.Call, base: Instance, how: str = "method") -> None:
        """A method is called on what is proved to be PyTorch's."""
        if self.quiet:
            return
        assert isinstance(node.func, ast.Attribute)
        if found := self.methods(base, node.func.attr):
            if self.facts.torch_kind(found[0]) == "property":
                # What a property gives is called here.
                self.note_read(node.func, base, found)
            else:
                self.note(node, how, found, base)
        elif base.owner == "module" and node.func.attr == "forward":
            self.note(node.func, "member", (base.classes[0],), base)
        elif base.guessed and self.own and self.own.endswith(f".{node.func.attr}"):
            self.note_possible(node)

    def note_possible(self, node: ast.Call, found: Sequence[str] | None = None) -> None:
        """A method is called that PyTorch has too, on what nothing is known of."""
        if self.quiet:
            return
        assert isinstance(node.func, ast.Attribute)
        if self.is_bare and not fragments.is_of_training(node):
            return
        name = npu.METHODS.get(node.func.attr, node.func.attr)
        named = tuple(found or self.same_as(self.facts.methods(name)))
        if named and not (name in _PYTHON and (_splits(node) or _TENSORS + name not in named)):
            self.note(node, "possible", named)

    def note_perhaps(self, node: ast.Attribute) -> None:
        """A property is read that hardly anything but PyTorch has, of what nothing is known of."""
        if self.quiet or self.own or self.is_bare:
            return
        self.note(node, "perhaps", self.same_as(self.facts.methods(node.attr)))

    def note_operator(self, node: ast.AST, found: tuple[str, ...], base: Value, seen: str) -> None:
        """An operator on a tensor is used in a way of which a record may have to say something."""
        if self.quiet or self.own or self.text is not None:
            return
        named = tuple(f"{BASES['tensor']}.{name}" for name in found)
        self.note(node, "operator", named, base)
        self.uses[node].seen = seen

    def note_formatted(self, node: ast.expr) -> None:
        """A tensor is formatted like a number."""
        if self.quiet or self.own:
            return
        self.formatted[node] = self.text
        if self.text is not None:
            used = (f"{BASES['tensor']}.__format__",)
            self.uses.setdefault(self.text, Use(self.text, "text", used, self.statement))

    def note_result(self, node: ast.Attribute, base: Value) -> None:
        """A part of a result is taken by its name."""
        self.note(node, "result", (), base)

    def note_device(self, node: ast.Attribute) -> None:
        """A part of a device is taken."""
        self.note(node, "device", (f"torch.device.{node.attr}",))

    def note_set(self, node: ast.Attribute, base: Instance) -> None:
        """A property of what is proved to be PyTorch's is set."""
        if self.quiet:
            return
        if found := self.methods(base, node.attr):
            self.note(node, "set", found, base)

    def note_read(self, node: ast.Attribute, base: Instance, found: tuple[str, ...]) -> None:
        """A property of what is proved to be PyTorch's is read, or a method is not called."""
        if self.quiet:
            return
        how = "read" if self.facts.torch_kind(found[0]) == "property" else "value"
        self.note(node, how, found, base)

    def note_field(
        self, node: ast.Attribute, classes: Sequence[str], base: Value = UNKNOWN
    ) -> None:
        """An attribute of a layer that PyTorch's classes have themselves, such as its weight."""
        if self.quiet:
            return
        if any(node.attr in self.state(name) for name in classes):
            self.note(node, "field", tuple(classes), base)
        elif (
            isinstance(base, Instance)
            and not base.guessed
            and settings.of(self.facts, base, node.attr)
        ):
            self.note(node, "setting", tuple(classes), base)

    def note_unclear(self, node: ast.AST, base: Value) -> None:
        """What layers hold under other names is asked for, of what may be any layer."""
        if not self.quiet and not self.own:
            self.note(node, "unclear", (BASES["module"],), base)

    def note_buffer(self, node: ast.Attribute, base: Object, found: Value) -> None:
        """An attribute of a module is set: if it is a buffer, MindSpore wants it told."""
        if self.quiet:
            return
        if found is not NONE and node.attr in classes.buffers(base.entry) and self.statement:
            self.note(self.statement, "buffer", (f"{BASES['module']}.register_buffer",), base)

    def note_member(self, node: ast.Attribute, entry: Entry) -> None:
        """A member of an own class is used, which another framework may call otherwise."""
        if root := entry.torch_base:
            self.note(node, "member", (root,))

    def note_made(self, node: ast.AST, how: str, found: Class) -> None:
        """What a layer's constructor gets is decided here, of a class that comes from a layer."""
        if not self.quiet and (layer := classes.made_by(found.entry, how == "super")):
            self.note(node, how, (layer,), found)

    def note_object(self, node: ast.Call, called: Value) -> None:
        """A class of the source is called, or one of several."""
        if not self.quiet and self.text is None:
            self.objects[node] = called

    def note_applied(self, node: ast.Call, base: Instance) -> None:
        """A layer is called."""
        if base.owner == "module":
            self.note(node, "layer", tuple(base.classes), base)


def annotates(use: Use) -> bool:
    """Whether a name stands in an annotation."""
    statement = use.statement
    if isinstance(statement, ast.AnnAssign):
        return use.typed and _place(statement.annotation) <= _place(use.node) < _end(statement)
    return use.typed and isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef)


def _place(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(statement: ast.AnnAssign) -> tuple[int, int]:
    """Where an annotation ends, in quotes or not."""
    node = statement.annotation
    return node.end_lineno or node.lineno, node.end_col_offset or 0
