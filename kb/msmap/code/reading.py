"""What the names, calls and attributes of a source mean, read in one walk over it."""

from __future__ import annotations

import ast
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from msmap import names
from msmap.code import classes, expressions, functions, guesses, hints, passed, settings, statements
from msmap.code.calls import method_names
from msmap.code.facts import Facts
from msmap.code.replaced import Replaced
from msmap.code.scopes import (
    USUAL_MODULES,
    Scope,
    Silent,
    builtin,
    declared,
    is_snippet,
    type_parameters,
)
from msmap.code.source import Source
from msmap.code.values import (
    BASES,
    FOREIGN,
    NONE,
    NUMPY,
    OTHER,
    UNKNOWN,
    Entry,
    Function,
    Imported,
    Instance,
    Object,
    Path,
    Value,
    instance,
    settled,
    shared,
)

if TYPE_CHECKING:
    from msmap.code.modules import Module

# The methods of Python's own containers and texts: nobody asks whether they are PyTorch's.
_PYTHON = frozenset(
    name for kind in (str, bytes, list, tuple, dict, set, io.TextIOBase) for name in dir(kind)
)
# What may bind names that nobody reads.
_MAKING = ("exec(", "globals()")
# What a check names and doesn't bind.
_INPUT = instance("tensor", "", False, True)


@dataclass(slots=True)
class Use:
    """A place where something of PyTorch's is used, or may be.

    ``how`` is one of: name, call (of a name), method (called on what is proved), read (a property
    of what is proved), set (a property is), value (a method that is not called), result (a part of
    one), field (of a layer), buffer (of an own module, that is set), setting (an argument that is
    kept), member (of an own class that comes from one of PyTorch's), layer (called), class
    (defined), torn (a base of a class that is a module only in part), base (of a class that may be
    a module), device (a part of one), operator, own (eval, which calls the own class's train),
    possible, text (in an f-string).
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


class Reading:
    """The uses of PyTorch in a source, by the node that each is of.

    Args:
        source: what is read.
        facts: the base.
        known: what names stand for that the source doesn't bind.
        own: the record whose check or sample the source is: names that nothing binds are inputs,
            and a method of its name is meant where nothing tells otherwise.
        place: where the source stands in a tree of files, by which it is begun and finished then.
    """

    def __init__(
        self,
        source: Source,
        facts: Facts,
        known: Mapping[str, Value] | None = None,
        own: str | None = None,
        place: Module | None = None,
    ) -> None:
        self.source, self.facts, self.own, self.place = source, facts, own, place
        self.known = known or {}
        self.uses: dict[ast.AST, Use] = {}
        self.noted: list[ast.AST] = []
        # What the arguments of PyTorch's functions are, and those of next().
        self.given: dict[ast.AST, Value] = {}
        self.nexts: set[ast.AST] = set()
        # The tensors that are formatted, and the f-string that each stands in, if it is one.
        self.formatted: dict[ast.expr, ast.AST | None] = {}
        # What made the views that attributes hold, and views of views; and what is changed later.
        self.viewed: dict[str | ast.AST, ast.expr] = {}
        self.changed: set[ast.AST] = set()
        self.snippet = place is None and is_snippet(source.tree)
        self.module = self.scope = Scope("module")
        self.statement: ast.stmt | None = None
        self.loops: list[list[dict[str, Value]]] = []
        self.quiet = 0
        self.depth = 0
        self.typed = False
        self.text: ast.AST | None = None
        self._canonical: dict[str, str | None] = {}
        self._returns: dict[str, tuple[str, ...]] = {}
        self._methods: dict[tuple[str, str, str], tuple[str, ...]] = {}
        self._states: dict[str, Mapping[str, object]] = {}
        self._collecting: list[Entry] = []
        self._poisoned: set[str] = set()
        # The attributes that are taken of what nothing is known of.
        self.loose: set[str] = set()
        # The names of PyTorch's that the code gives another meaning.
        self.replaced = Replaced(self.canonical)
        # Whether what stands outside of functions is being read.
        self.busy = False
        if place is None and (source.mentions("torch") or self.snippet or own or known):
            self.begin()
            self.finish()

    def begin(self) -> None:
        """Read what stands outside of functions."""
        if self.source.mentions("global", "nonlocal"):
            self._poisoned = declared(self.source)
        self._poisoned |= type_parameters(self.source)
        self.busy = True
        statements.block(self, self.source.tree.body)
        self.busy = False

    def finish(self) -> None:
        """Read the functions."""
        self.leave(self.module)

    # Expressions.

    # These functions themselves: a call in between is paid for every node.
    value = expressions.value
    peek = expressions.peek
    head = expressions.head
    block = statements.block

    def result(self, made: Function) -> Value:
        """What a function of the source, or of another file, gives."""
        home = made.home
        if home is self:
            return functions.result(self, made)
        if home.busy:
            return UNKNOWN
        depth, home.depth = home.depth, max(home.depth, self.depth)
        found = functions.result(home, made)
        home.depth = depth
        return found

    def field(self, entry: Entry, name: str) -> Value | None:
        """What the methods of a class set an attribute of their object to, or None."""
        return classes.field(self, entry, name)

    def type_named(self, node: ast.expr) -> None:
        """Note the types that an annotation or a test names."""
        hints.note(self, node)

    # Names.

    def lookup(self, name: str) -> Value:
        """What a name stands for here."""
        here = self.scope
        found = here.now.get(name)
        if found is not None:
            if found.__class__ is Imported:
                found = settled(found)
            return UNKNOWN if name in self._poisoned else found
        scope, live = here.parent, here.live
        while scope is not None:
            if scope.kind != "class" or live:
                found = (scope.now if live else scope.ever).get(name)
                if found is not None:
                    if name in self._poisoned:
                        return UNKNOWN
                    if found.__class__ is Imported:
                        found = settled(found)
                    return found if live else shared(found)
            live = live and scope.live
            scope = scope.parent
        return self._unbound(name)

    def is_bound(self, name: str) -> bool:
        """Whether the source itself says what a name stands for."""
        scope: Scope | None = self.scope
        while scope is not None:
            if name in scope.ever:
                return True
            scope = scope.parent
        return bool(self.module.stars)

    def exported(self, name: str) -> Value | None:
        """What a name stands for when all of the source has run, as other files see it; or None."""
        if name in self._poisoned or name in self.outside:
            return UNKNOWN
        found = self.module.now.get(name)
        if found is not None:
            return shared(settled(found))
        return self._starred(name)

    def _starred(self, name: str) -> Value | None:
        """What a name is that one of the imports with a star may bring."""
        for module in reversed(self.module.stars):
            if module is None:
                return UNKNOWN
            if not name.startswith("_") and self.canonical(f"{module}.{name}") is not None:
                return Path(f"{module}.{name}")
        return None

    def _unbound(self, name: str) -> Value:
        if (known := self.known.get(name)) is not None:
            return known
        if (brought := self._starred(name)) is not None:
            return brought
        if name == "torch":
            return UNKNOWN if self.source.mentions(*_MAKING) else Path("torch")
        if (found := builtin(name)) is not None:
            return found
        if self.own or self.snippet:
            return self._free(name)
        return UNKNOWN

    def _free(self, name: str) -> Value:
        """What a name stands for that short code uses without binding it."""
        if name in names.TORCH_PREFIXES and (self.snippet or self.own):
            return Path(names.TORCH_PREFIXES[name])
        if name in USUAL_MODULES:
            if name in ("np", "numpy"):
                return NUMPY
            return FOREIGN if name in ("mindspore", "ms") else OTHER
        if name == "self":
            return FOREIGN
        found = guesses.called(name)
        return _INPUT if self.own and found is UNKNOWN else found

    def part(self, node: ast.Attribute) -> Value:
        """What an attribute of something is that code brings along without showing it."""
        base = node.value
        if isinstance(base, ast.Name) and base.id == "self" and not self.is_bound("self"):
            return guesses.called(node.attr)
        return FOREIGN

    # What the base tells.

    def canonical(self, spelling: str) -> str | None:
        """The canonical name of a full spelling, or None."""
        found = self._canonical.get(spelling, "")
        if found == "":
            found = self._canonical[spelling] = self.facts.torch_name(spelling)
        return found

    def same_as(self, found: Iterable[str]) -> tuple[str, ...]:
        """Methods by their canonical names: ``clip`` of a tensor is ``clamp``."""
        return tuple(dict.fromkeys(self.canonical(name) or name for name in found))

    def methods(self, base: Instance, name: str) -> tuple[str, ...]:
        """The canonical names that a method or a property of an object may have."""
        of = base.owner, base.name, name
        found = self._methods.get(of)
        if found is None:
            found = self._methods[of] = method_names(self, base, name)
        return found

    def kind_of(self, spelling: str) -> str:
        """The kind of a full spelling; "" if nobody knows it."""
        name = self.canonical(spelling)
        return "" if name is None else self.facts.torch_kind(name)

    def returns(self, name: str) -> tuple[str, ...]:
        """The signatures of a name that say what it gives."""
        found = self._returns.get(name)
        if found is None:
            found = tuple(text for text in self.facts.returns(name) if " -> " in text)
            self._returns[name] = found
        return found

    def state(self, name: str) -> Mapping[str, object]:
        """The parameters and buffers of a layer, by PyTorch's name."""
        found = self._states.get(name)
        if found is None:
            record = self.facts.find(name)
            best = record.targets[:1] if record is not None else ()
            found = self._states[name] = {s.torch: s for t in best for s in t.state}
        return found

    # Functions and classes.

    def assign(self, target: ast.expr, found: Value) -> None:
        """Bind a target here."""
        statements.assign(self, target, found)

    def function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, kind: str = ""
    ) -> Function:
        """A function that is defined here; its body is read when all around it was."""
        entry = self.scope.entry
        made = Function(node, self.scope, self.statement, entry, kind, home=self)
        owner = self.scope
        while (owner.kind == "class" or owner.live) and owner.parent is not None:
            owner = owner.parent
        owner.deferred.append(made)
        owner.capture()
        return made

    def leave(self, scope: Scope, around: Function | None = None) -> None:
        """A scope has ended, that of a function or of the source: the functions in it are read."""
        if scope.live and scope.parent is not None:
            scope.parent.deferred += scope.deferred
            return
        passed.read(self, scope.deferred, around)

    def class_body(self, entry: Entry) -> None:
        """Read the body of a class where it stands."""
        outer = self.scope
        self.scope = scope = Scope("class", outer, live=True)
        scope.entry = entry
        statement = self.statement
        statements.block(self, entry.node.body)
        self.scope, self.statement = outer, statement
        entry.members = {name: shared(found) for name, found in scope.now.items()}

    def member(self, entry: Entry, name: str) -> Value | None:
        """What the body of a class binds to a name, unless it is set from outside."""
        found = entry.member(name)
        if found is None or isinstance(found, Function):
            return found
        return UNKNOWN if self.is_set_outside(entry, name) else settled(found)

    def is_set_outside(self, entry: Entry, name: str) -> bool:
        """Whether this file or that of a class sets an attribute from outside of a class."""
        return name in self.outside or name in entry.home.outside

    @cached_property
    def outside(self) -> frozenset[str]:
        """The attributes that are set from outside a class: what they are nothing tells."""
        return frozenset(classes.set_elsewhere(self.source))

    def silent(self, scope: Scope) -> Silent:
        """Nothing that is read is noted."""
        return Silent(self, scope)

    # What is used.

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
            if how not in ("possible", "layer"):
                whole = self.uses.setdefault(
                    self.text, Use(self.text, "text", used, self.statement)
                )
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
        name = node.func.attr
        named = tuple(found or self.same_as(self.facts.methods(name)))
        if named and not (name in _PYTHON and f"torch.Tensor.{name}" not in named):
            self.note(node, "possible", named)

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

    def note_result(self, node: ast.Attribute) -> None:
        """A part of a result is taken by its name."""
        self.note(node, "result", ())

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
        elif isinstance(base, Instance) and not base.guessed and settings.of(self, base, node.attr):
            self.note(node, "setting", tuple(classes), base)

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

    def note_applied(self, node: ast.Call, base: Instance) -> None:
        """A layer is called."""
        if base.owner == "module":
            self.note(node, "layer", tuple(base.classes), base)
