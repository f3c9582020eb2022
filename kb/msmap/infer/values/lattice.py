"""What a name of users' code may stand for: PyTorch's, proved to be another's, or unknown."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

_OWNERS = (
    ("torch.Tensor", "tensor"),
    ("torch.optim.lr_scheduler.", "scheduler"),
    ("torch.optim.swa_utils.", "object"),
    ("torch.optim.", "optimizer"),
    ("torch.nn.Parameter", "tensor"),
    ("torch.nn.parameter.", "tensor"),
    ("torch.nn.Buffer", "tensor"),
    ("torch.nn.UninitializedParameter", "tensor"),
    ("torch.nn.functional.", "tensor"),
    ("torch.nn.init.", "tensor"),
    ("torch.nn.utils.", "object"),
    ("torch.nn.", "module"),
    ("torch.utils.data.DataLoader", "loader"),
    ("torch.amp.GradScaler", "scaler"),
    ("torch.cuda.amp.GradScaler", "scaler"),
    ("torch.cpu.amp.GradScaler", "scaler"),
)
# Where the methods of an owner's classes are told.
BASES = {
    "tensor": "torch.Tensor",
    "module": "torch.nn.Module",
    "optimizer": "torch.optim.Optimizer",
    "scheduler": "torch.optim.lr_scheduler.LRScheduler",
    "scaler": "torch.amp.GradScaler",
}


@lru_cache(maxsize=1 << 14)
def owner_kind(name: str) -> str:
    """Whose a name of PyTorch's is, such as tensor, module or optimizer; else ""."""
    if name.endswith("Tensor") and name.count(".") <= 2 and name.startswith("torch."):
        return "tensor"
    return next((kind for start, kind in _OWNERS if name.startswith(start)), "")


class Value:
    """Something that an expression may give.

    Nobody changes one. None is frozen, though: that would make it take three times as long to make,
    and most of what is read is made of them.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Single(Value):
    """One of the values that say nothing more: compared by identity."""

    name: str


UNKNOWN: Value = Single("unknown")
# Proved to be none of PyTorch's: other libraries, files, and all that they give.
OTHER: Value = Single("other")
# NumPy itself and what is in it; what its functions give.
NUMPY: Value = Single("numpy")
ARRAY: Value = Single("array")
# Numbers, texts and what is made of them.
PLAIN: Value = Single("plain")
# A dtype, which is no number and no text.
DTYPE: Value = Single("dtype")
# One or the other: a number of NumPy's, or of Python's own.
EITHER: Value = Single("array or plain")
NONE: Value = Single("None")
# None of these is PyTorch's, and neither is what they give.
OTHERS = (OTHER, PLAIN, DTYPE, NUMPY, ARRAY, EITHER)
NUMBERS = (ARRAY, PLAIN, EITHER)
# What another package's import gives: no tensor itself, but its results may be anything.
FOREIGN: Value = Single("foreign")
# An open file or what stands for one, and the modules that make them.
FILE: Value = Single("file")
STREAMS: Value = Single("streams")
# What annotations are written with.
TYPING: Value = Single("typing")


@dataclass(unsafe_hash=True, slots=True)
class Path(Value):
    """A name of PyTorch's as an import proves it, such as ``torch.nn``."""

    name: str


@dataclass(unsafe_hash=True, slots=True)
class Builtin(Value):
    """One of Python's own functions."""

    name: str


@dataclass(unsafe_hash=True, slots=True)
class Instance(Value):
    """An object of a class of PyTorch's, or of one of several, whose names ``|`` joins.

    ``gives`` is what a layer gives when it is called, a loader batch by batch, or a list or dict of
    layers one by one; ``optional`` says that it may be None, ``guessed`` that its usual name alone
    says so.
    """

    owner: str
    name: str
    optional: bool = False
    guessed: bool = False
    gives: Value | None = None
    # The call that made it.
    maker: object = None
    # What a tensor is proved to hold: "integers", or "" for anything; "infinite" where it may hold
    # numbers next to -inf.
    holds: str = ""

    @property
    def classes(self) -> list[str]:
        """The names of the classes that it may be of."""
        return self.name.split("|")


@lru_cache(maxsize=1 << 14)
def instance(owner: str, name: str = "", optional: bool = False, guessed: bool = False) -> Instance:
    """An object of a class of PyTorch's; the same arguments give the same object."""
    return Instance(owner, name or BASES.get(owner, ""), optional, guessed)


TENSOR = instance("tensor")
INTEGERS = replace(TENSOR, holds="integers")
INFINITE = replace(TENSOR, holds="infinite")
DOUBLES = replace(TENSOR, holds="doubles")
SIZE = Instance("size", "torch.Size")


@dataclass(unsafe_hash=True, slots=True)
class Items(Value):
    """A container: its values one by one where they are known, else what all of them are.

    What can be changed is known no longer once others may see it.
    """

    values: tuple[Value, ...] | None
    each: Value = UNKNOWN
    mutable: bool = False
    # Of a result with names, what it is called, max or linalg_eigh; of one of several, joined by |.
    # The values by name are like the others.
    named: str = ""

    @property
    def element(self) -> Value:
        """What iterating over it gives."""
        return self.each if self.values is None else joined(self.values)


CONTAINER = Items(None, UNKNOWN, mutable=True)


@dataclass(unsafe_hash=True, slots=True)
class Keyed(Value):
    """A dict whose keys are all known; known no longer once others may see it, unless ``fixed``."""

    keys: tuple[object, ...]
    values: tuple[Value, ...]
    fixed: bool = False

    def get(self, index: ast.expr) -> Value:
        """What a subscript gives: what all of them may where the key isn't written out."""
        if not isinstance(index, ast.Constant):
            return joined(self.values)
        key = index.value
        for one, value in zip(reversed(self.keys), reversed(self.values), strict=True):
            if one.__class__ is key.__class__ and one == key:
                return value
        return UNKNOWN


@dataclass(unsafe_hash=True, slots=True)
class Mapped(Value):
    """A dict as an annotation tells it: what its keys are, and what stands under each."""

    key: Value
    each: Value


@dataclass(unsafe_hash=True, slots=True)
class Giving(Value):
    """What gives one value when it is called, such as a method, or a class that is annotated."""

    gives: Value


@dataclass(eq=False, slots=True)
class Function(Value):
    """A function of the source, with the scope that it stands in and the class that it is of."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    scope: object
    statement: ast.stmt | None = None
    entry: Entry | None = None
    # "", "static", "class", "property" or "decorated", of which nothing is known.
    kind: str = ""
    result: Value | None = None
    done: bool = False
    running: bool = False
    # The reading of the file that it stands in.
    home: Any = None
    # What its calls pass to the parameters that nothing annotates; whether others may call it,
    # whether it is read after all its calls, and whether they are therefore known to be all.
    passed: dict[str, Value] | None = None
    open: bool = False
    after: bool = False
    settled: bool = False
    # What it gives, by what is passed.
    results: dict[tuple[Value, ...], Value] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Entry:
    """A class of the source: its bases, what its body binds, and what its methods set on self."""

    node: ast.ClassDef
    bases: tuple[Value, ...]
    members: dict[str, Value] = field(default_factory=dict)
    setters: dict[str, list[Function]] | None = None
    fields: dict[str, Value] = field(default_factory=dict)
    # Whether its methods set attributes by names that come from elsewhere.
    sets_any: bool = False
    # The buffers that its own methods register, and whether each is saved.
    buffers: dict[str, bool] | None = None
    collected: bool = False
    collecting: bool = False
    asked: bool = False
    # The classes that come from it.
    heirs: list[Entry] = field(default_factory=list)
    # The reading of the file that it stands in.
    home: Any = None

    # Told by the bases: the class and its bases in the source, nearest first; those of all bases
    # that stand not in the source; the class of PyTorch's that it comes from, "" if none is proved;
    # whether it may have members that nothing tells.
    lineage: list[Entry] = field(init=False)
    roots: list[Value] = field(init=False)
    torch_base: str = field(init=False)
    is_open: bool = field(init=False)
    # Whether a method of a module is told by classes of which some are none: none is renamed then.
    torn: bool = False

    def __post_init__(self) -> None:
        self.lineage = []
        ahead = [self]
        for entry in ahead:
            if entry not in self.lineage:
                self.lineage.append(entry)
                ahead += [base.entry for base in entry.bases if isinstance(base, Class)]
        self.roots = [b for e in self.lineage for b in e.bases if not isinstance(b, Class)]
        self.torch_base = next((b.name for b in self.roots if isinstance(b, Path)), "")
        self.is_open = any(b in (UNKNOWN, FOREIGN) for b in self.roots)

    def member(self, name: str) -> Value | None:
        """What the body of the class, or of a base, binds to a name."""
        for entry in self.lineage:
            if name in entry.members:
                return entry.members[name]
        return None

    def derived(self) -> list[Entry]:
        """The classes that come from it."""
        found: dict[Entry, None] = {}
        ahead = [self]
        for one in ahead:
            new = [other for other in one.heirs if other not in found]
            found |= dict.fromkeys(new)
            ahead += new
        return list(found)

    def tear(self) -> None:
        """Nothing is known of what it has from its classes of PyTorch's."""
        self.torn, self.torch_base, self.is_open = True, "", True


@dataclass(unsafe_hash=True, slots=True)
class Class(Value):
    """A class of the source."""

    entry: Entry


@dataclass(unsafe_hash=True, slots=True)
class Object(Value):
    """An object of a class of the source; ``above`` says that it is what super() gives."""

    entry: Entry
    above: bool = False


@dataclass(unsafe_hash=True, slots=True)
class Method(Value):
    """A function of the source, bound to an object; ``exact`` if it is no derived class's."""

    function: Function
    exact: bool = False


@dataclass(unsafe_hash=True, slots=True)
class Several(Value):
    """One of several classes or functions: what is called through it is all of them."""

    values: tuple[Value, ...]


class Members(Value, ABC):
    """A module of the source's tree: its names are what its file binds."""

    __slots__ = ()

    @abstractmethod
    def member(self, name: str) -> Value:
        """What one of the names stands for."""


@dataclass(unsafe_hash=True, slots=True)
class Imported(Value):
    """A name of another file: what it stands for is asked where it is used."""

    module: Members
    name: str


def settled(value: Value) -> Value:
    """The value itself, or what the name stands for that it is in another file."""
    return value.module.member(value.name) if isinstance(value, Imported) else value


def is_tensor(value: Value) -> bool:
    """Whether something is proved to be a tensor."""
    return isinstance(value, Instance) and value.owner == "tensor"


def optional(value: Value) -> Value:
    """The value, or None."""
    if isinstance(value, Instance) and not value.optional:
        return replace(value, optional=True)
    return value


def shared(value: Value) -> Value:
    """The value as others see it who may have changed it."""
    if isinstance(value, Keyed):
        return value if value.fixed else CONTAINER
    if isinstance(value, Items) and value.mutable:
        return CONTAINER
    return value


def join(one: Value, two: Value) -> Value:
    """What both may be: unknown where they differ in kind."""
    if one is two or one == two:
        return one
    one, two = settled(one), settled(two)
    if one is NONE or two is NONE:
        return optional(two if one is NONE else one)
    if isinstance(one, Instance) and isinstance(two, Instance) and one.owner == two.owner:
        name = _names(one, two)
        if not name:
            return UNKNOWN
        may_miss, guessed = one.optional or two.optional, one.guessed or two.guessed
        gives = one.gives if one.gives == two.gives else UNKNOWN
        if name in LISTS:
            gives = either_held(one.gives, two.gives)
        maker = one.maker if one.maker is two.maker else None
        either = one.holds or two.holds
        holds = either if one.holds == two.holds or either == INFINITE.holds else ""
        return Instance(one.owner, name, may_miss, guessed, gives, maker, holds)
    if isinstance(one, Items) and isinstance(two, Items):
        return _items(one, two)
    if isinstance(one, Keyed) and isinstance(two, Keyed) and one.keys == two.keys:
        return Keyed(one.keys, tuple(map(join, one.values, two.values)))
    if one in NUMBERS and two in NUMBERS:
        return EITHER
    if DTYPE in (one, two):
        # Whoever is passed it must not take it for a device's text.
        return UNKNOWN
    if one in OTHERS and two in OTHERS:
        return OTHER
    if _is_module(one) and _is_module(two):
        return instance("module")
    if isinstance(one, _CALLED) and isinstance(two, _CALLED):
        return Several(tuple(dict.fromkeys((*each(one), *each(two)))))
    return UNKNOWN


# What holds layers, and what is held by one that holds none yet.
# Parameters and buffers that MindSpore's norms and embeddings call otherwise.
RENAMED = ("weight", "bias", "running_mean", "running_var")
LISTS = ("torch.nn.ModuleList", "torch.nn.ModuleDict")
NOTHING = Single("nothing")


def either_held(one: Value | None, two: Value | None) -> Value | None:
    """What a list or dict of layers holds that holds one thing or another; None for any layer."""
    if one is NOTHING or two is NOTHING:
        return two if one is NOTHING else one
    found = UNKNOWN if one is None or two is None else join(one, two)
    return None if found is UNKNOWN else found


def held(value: Instance) -> Value:
    """What a list or dict of layers gives one by one."""
    return instance("module") if value.gives in (None, NOTHING) else value.gives


# What is called, one or the other.
_CALLED = (Class, Function, Giving, Path, Several)


def each(value: Value) -> tuple[Value, ...]:
    """The value itself, or all that it may be of several."""
    return value.values if isinstance(value, Several) else (value,)


# What a class of one's own may do in another way than PyTorch's modules do it.
_OF_MODULES = frozenset(
    ("add_module", "apply", "buffers", "children", "cpu", "cuda", "double", "eval", "float",
     "get_buffer", "get_parameter", "get_submodule", "half", "load_state_dict", "modules",
     "named_buffers", "named_children", "named_modules", "named_parameters", "npu", "parameters",
     "register_buffer", "register_module", "register_parameter", "requires_grad_", "state_dict",
     "to", "train", "type", "weight", "bias", "zero_grad")
)  # fmt: skip


def _is_module(value: Value) -> bool:
    """Whether something is a layer, or an object of an own class that has a module's methods."""
    if isinstance(value, Instance):
        return value.owner == "module"
    if not isinstance(value, Object) or owner_kind(value.entry.torch_base) != "module":
        return False
    lineage = value.entry.lineage
    return not any(_OF_MODULES & one.members.keys() for one in lineage)


def _names(one: Instance, two: Instance) -> str:
    """The classes that one of two objects of the same owner may be of, as an object names them."""
    if one.name == two.name:
        return one.name
    above = BASES.get(one.owner, "")
    every = list(dict.fromkeys([*one.classes, *two.classes]))
    if one.owner != "module" or above in every or len(every) > _SEVERAL:
        return above
    return "|".join(every)


# An object may be of one of so many layers; of more it is a layer.
_SEVERAL = 4


def _items(one: Items, two: Items) -> Items:
    mutable, named = one.mutable or two.mutable, ""
    if one.named and two.named:
        named = "|".join(sorted({*one.named.split("|"), *two.named.split("|")}))
    mine, its = one.values, two.values
    if mine is not None and its is not None and len(mine) == len(its):
        values = tuple(map(join, mine, its))
        return Items(values, UNKNOWN, mutable, named)
    if mine == () or its == ():
        return Items(None, two.element if mine == () else one.element, mutable, named)
    return Items(None, join(one.element, two.element), mutable, named)


def joined(values: Iterable[Value]) -> Value:
    """What all of some values may be; unknown if there are none."""
    found: Value | None = None
    for value in values:
        found = value if found is None else join(found, value)
        if found is UNKNOWN:
            break
    return UNKNOWN if found is None else found
