"""What the names, calls and attributes of a source mean, read in one walk over it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from msmap import names, npu
from msmap.code import fragments
from msmap.code.source import Source
from msmap.infer import annotations as hints
from msmap.infer import (
    call_graph,
    dict_keys,
    dynamic,
    expressions,
    monkey_patching,
    registries,
    statements,
    usual_names,
)
from msmap.infer import infinities as infinite
from msmap.infer.aliasing import augmented, sharing
from msmap.infer.calls import method_names
from msmap.infer.environment import (
    USUAL_MODULES,
    Scope,
    Silent,
    builtin,
    declared,
    is_snippet,
    type_parameters,
)
from msmap.infer.facts import Facts
from msmap.infer.replacements import Replaced
from msmap.infer.uses import Uses
from msmap.infer.values import classes, functions
from msmap.infer.values.lattice import (
    FOREIGN,
    NUMPY,
    OTHER,
    UNKNOWN,
    Entry,
    Function,
    Imported,
    Instance,
    Path,
    Value,
    instance,
    settled,
    shared,
)

if TYPE_CHECKING:
    from msmap.infer.modules import Module

# What may bind names that nobody reads.
_MAKING = ("exec(", "globals()")
# What a check names and doesn't bind.
_INPUT = instance("tensor", "", False, True)


class Reading(Uses):
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
        super().__init__(facts, own)
        self.source, self.place = source, place
        self.known = known or {}
        # What the arguments of PyTorch's functions are, and those of next().
        self.given: dict[ast.AST, Value] = {}
        self.nexts: set[ast.AST] = set()
        # What comprehensions of dicts hold under their keys.
        self.dicts: dict[ast.AST, Value] = {}
        # What calls, fields of own objects and parameters are, what calls run, and what augmented
        # assignments change and add: for those whose aliases are asked for.
        self.values: dict[ast.AST, Value] = {}
        self.callees: dict[ast.AST, Value] = {}
        self.augmented: dict[ast.AugAssign, tuple[Value, Value]] = {}
        self.follows = bool(source.all(ast.AugAssign)) or source.mentions("_(", *sharing.SAID)
        # The calls whose results share memory in one of the frameworks only, where that matters.
        self.shared: dict[ast.Call, str] = {}
        # What made the views that attributes hold, and views of views; and what is changed later.
        self.viewed: dict[str | ast.AST, ast.expr] = {}
        self.changed: set[ast.AST] = set()
        # Numbers beside tensors of float64, which MindSpore would round.
        self.exact: set[ast.expr] = set()
        # Calls that take a tensor of float64.
        self.doubles: set[ast.AST] = set()
        # Calls that take such a number where MindSpore's counterpart takes no tensor.
        self.rounded: set[ast.AST] = set()
        # By calls of layers that take a tensor of float64, what made the layers.
        self.layers: dict[ast.AST, ast.Call] = {}
        # By calls of the source's own modules that take such a tensor, their classes.
        self.modules: dict[ast.AST, Entry] = {}
        self.snippet = place is None and is_snippet(source.tree)
        self.module = self.scope = Scope("module")
        self.loops: list[list[dict[str, Value]]] = []
        self.depth = 0
        # How many questions for arrays of float64 stand in one another.
        self.doubling = 0
        self._canonical: dict[str, str | None] = {}
        self._returns: dict[str, tuple[str, ...]] = {}
        self._methods: dict[tuple[str, str, str], tuple[str, ...]] = {}
        self._states: dict[str, Mapping[str, object]] = {}
        self._collecting: list[Entry] = []
        self._poisoned: set[str] = set()
        # The attributes that are taken of what nothing is known of.
        self.loose: set[str] = set()
        # The functions that are given to modules which call them with their layers.
        self.applied: set[ast.AST] = set()
        # The names of PyTorch's that the code gives another meaning.
        self.replaced = Replaced(self.canonical)
        if source.mentions("patch", "setattr"):
            self.replaced.patched(source.nodes.of(ast.Call))
        # Whether tensors may hold numbers next to -inf.
        self.boundless = source.mentions(*infinite.SAID)
        # Whether what stands outside of functions is being read.
        self.busy = False
        # Lines of code that somebody pasted: what their names usually stand for is meant.
        self.fragment = place is None and not self.snippet and fragments.is_fragment(source)
        pasted = self.snippet or self.fragment
        if place is None and (source.mentions("torch") or pasted or own or known):
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
        if self.augmented or self.source.mentions("_(", *sharing.SAID):
            augmented.note(self)

    # Expressions.

    # These functions themselves: a call in between is paid for every node.
    value = expressions.value
    peek = expressions.peek
    head = expressions.head
    block = statements.block

    def result(self, made: Function) -> Value:
        """What a function of the source, or of another file, gives."""
        home = made.home
        if made.entry is not None and self.is_set_outside(
            made.entry, getattr(made.node, "name", "")
        ):
            return UNKNOWN
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

    @cached_property
    def is_bare(self) -> bool:
        """Whether the source has nothing of PyTorch's but methods on what others hand to it."""
        return self.place is not None and not self.place.names_torch

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
            # The names of a class are seen in its own statements alone.
            if scope.kind != "class":
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
        if self.own or self.snippet or self.fragment:
            return self._free(name)
        return UNKNOWN

    def _free(self, name: str) -> Value:
        """What a name stands for that short code uses without binding it."""
        if name in names.TORCH_PREFIXES:
            return Path(names.TORCH_PREFIXES[name])
        if name in USUAL_MODULES:
            if name in ("np", "numpy"):
                return NUMPY
            return FOREIGN if name in ("mindspore", "ms") else OTHER
        if name == "self":
            return FOREIGN
        found = usual_names.called(name)
        return _INPUT if self.own and found is UNKNOWN else found

    def part(self, node: ast.Attribute) -> Value:
        """What an attribute of something is that code brings along without showing it."""
        base = node.value
        if isinstance(base, ast.Name) and base.id == "self" and not self.is_bound("self"):
            return usual_names.called(node.attr)
        return FOREIGN

    # What the base tells.

    def canonical(self, spelling: str) -> str | None:
        """The canonical name of a full spelling, or None."""
        found = self._canonical.get(spelling, "")
        if found == "":
            found = self.facts.torch_name(npu.cuda(spelling))
            self._canonical[spelling] = found
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
        owner.capture(self.source, node)
        return made

    def leave(self, scope: Scope, around: Function | None = None) -> None:
        """A scope has ended, that of a function or of the source: the functions in it are read."""
        if scope.live and scope.parent is not None:
            scope.parent.deferred += scope.deferred
            return
        call_graph.read(self, scope.deferred, around)

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
        home: Reading = entry.home
        return self._sets(name) or (home is not self and home._sets(name))

    def is_patched(self, made: Function) -> bool:
        """Whether another function may have been put in the place of a method."""
        name = getattr(made.node, "name", "")
        return made.entry is not None and self.is_set_outside(made.entry, name)

    def _sets(self, name: str) -> bool:
        return name in self.outside or self._patched.sets(name)

    @cached_property
    def _patched(self) -> monkey_patching.Patched:
        return monkey_patching.read(self.source)

    @cached_property
    def unchanged(self) -> frozenset[str]:
        """The names that are bound once, and stand for what nobody changes."""
        return registries.unchanged(self.source.nodes)

    def keys_of(self, node: ast.expr) -> dict_keys.Keys | None:
        """The keys of a dict, where the code shows all that it may have."""
        name = self._dicts.module_name(node)
        if name and (
            self._dicts.shared or (self.place is not None and self.place.is_told_elsewhere(name))
        ):
            return None
        return self._dicts.keys(node)

    @cached_property
    def _dicts(self) -> dict_keys.Dicts:
        return dict_keys.Dicts(self.source)

    @cached_property
    def bindings(self) -> dict[str, list[ast.expr | None]]:
        """What each name is bound to, anywhere in the source; None of what isn't assigned."""
        return registries.bindings(self.source.nodes)

    @cached_property
    def finds_by_text(self) -> bool:
        """Whether anything may find a function of the source by a text."""
        return dynamic.finds_by_text(self)

    @cached_property
    def computed(self) -> dynamic.Computed:
        """The names that the source puts together and asks for."""
        return dynamic.computed(self)

    @cached_property
    def outside(self) -> frozenset[str]:
        """The attributes that are set from outside a class: what they are nothing tells."""
        return frozenset(classes.set_elsewhere(self.source))

    def around(self, node: ast.AST) -> ast.AST:
        """The function that a statement stands in, or the module."""
        while not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
            node = self.source.nodes.parents[node]
        return node

    @cached_property
    def infinities(self) -> frozenset[str]:
        """The names that stand for numbers next to -inf."""
        return infinite.names(self.source)

    def silent(self, scope: Scope) -> Silent:
        """Nothing that is read is noted."""
        return Silent(self, scope)
