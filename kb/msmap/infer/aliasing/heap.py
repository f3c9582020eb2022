"""Alias and escape analysis: what the target of ``x += y`` is, and who else holds it.

PyTorch changes the tensor itself, MindSpore binds the name to a new one. These are the same unless
something else refers to the tensor: another name, the caller, a container, an object, or a view.
Points-to sets are computed in the order of the code, functions by what all their calls pass.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from msmap.infer.values.lattice import (
    CONTAINER,
    FILE,
    NONE,
    OTHERS,
    Builtin,
    Class,
    Function,
    Instance,
    Items,
    Keyed,
    Mapped,
    Method,
    Object,
    Path,
    Several,
    Value,
    each,
    is_tensor,
)

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading


@dataclass(frozen=True, slots=True)
class Origin:
    """An object that an expression may give.

    ``kind`` is "tensor", "container", "other" (none of PyTorch's) or "unknown". ``place`` is "" for
    the object itself, else a "view" or, by an index, a "part" of it. ``old`` is what the same code
    made in an earlier iteration. ``held`` says that others may refer to it.
    """

    where: object
    kind: str = "unknown"
    place: str = ""
    held: bool = False
    old: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """What stands in a container under a key, or, without one, anywhere in it."""

    of: Origin
    key: object = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """What the calls of a function pass."""

    function: ast.AST
    name: str


Origins = frozenset[Origin]
NOTHING: Origins = frozenset()
OTHER: Origins = frozenset({Origin("other", "other")})
State = dict[str, Origins]
# Under this name a state has what was stored where others may find it.
STORED = ""
ANY = object()
# So many parameters and containers are followed one inside the other, and so many objects that one
# expression may give.
_DEEP = 3
_MANY = 24


def kind_of(value: Value | None) -> str:
    """The kind of what reading proves an expression to give."""
    if value is None:
        return "unknown"
    if is_tensor(value):
        return "tensor"
    if isinstance(value, Items | Keyed | Mapped) or value is CONTAINER:
        return "container"
    if value in OTHERS or value in (NONE, FILE):
        return "other"
    if isinstance(value, Path | Builtin | Function | Class | Object | Instance | Method | Several):
        return "other"
    return "unknown"


def merged(states: Sequence[State]) -> State:
    """What names may stand for after one of several ways."""
    result = dict(states[0]) if states else {}
    for state in states[1:]:
        for name, found in state.items():
            before = result.get(name)
            result[name] = found if before is None else before | found
    return result


class Heap:
    """What containers, attributes and parameters hold, over all of a source."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.items: dict[tuple[object, object], Origins] = {}
        # What is in the containers that calls make, of which each item is new.
        self.fresh: dict[object, str] = {}
        self.inside: dict[object, dict[object, None]] = {}
        self.fields: dict[str, Origins] = {}
        # What setattr() is given, by the name or under "" where that is computed.
        self.set_by_name: dict[str, Origins] = {}
        self.passed: dict[Parameter, Origins] = {}
        self.results: dict[ast.AST, Origins] = {}
        self.functions: dict[ast.AST, Function] = {}
        self.grown = False

    def add(self, table: dict[Any, Origins], key: object, found: Origins) -> None:
        """More may stand under a key of a table."""
        before = table.get(key, NOTHING)
        if not found <= before and (after := few(before | found)) != before:
            table[key] = after
            self.grown = True

    def named(self, name: str) -> Origins:
        """What getattr() may give by a name, or by any if it is ""."""
        tables = (self.fields, self.set_by_name)
        if not name:
            return few(NOTHING.union(*(found for one in tables for found in one.values())))
        found = NOTHING.union(*(one.get(name, NOTHING) for one in tables))
        return few(found | self.set_by_name.get("", NOTHING))

    def put(self, container: Iterable[Origin], key: object, found: Origins) -> None:
        """Something is stored in containers."""
        for one in container:
            self.put_one(one.where, key, hold(found))

    def put_one(self, where: object, key: object, found: Origins) -> None:
        """Something is stored in one container."""
        self.inside.setdefault(where, {})[key] = None
        self.items.setdefault((where, key), NOTHING)
        self.add(self.items, (where, key), found)

    def get(self, container: Iterable[Origin], key: object = ANY) -> Origins:
        """What containers give under a key, or one by one."""
        found: set[Origin] = set()
        for one in container:
            if one.kind == "tensor":
                place = "view" if one.place == "view" else "part"
                found.add(replace(one, place=place, held=True))
            elif one.where in self.fresh:
                where = one.where, "each" if key is ANY else key
                found.add(Origin(where, self.fresh[one.where], "", one.held or key is ANY))
            elif one.kind == "container":
                if key is not ANY:
                    found |= self.items.get((one.where, key), NOTHING)
                    found |= self.items.get((one.where, ANY), NOTHING)
                else:
                    for inner in self.inside.get(one.where, ()):
                        found |= self.items[one.where, inner]
                if one.held and isinstance(maker(one.where), str):
                    found.add(Origin(Item(one, key), held=True))
            elif one.kind == "unknown":
                found.add(Origin(Item(_shallow(one), key), held=True))
            else:
                found.add(one)
        return few(frozenset(found))

    def filled(self, one: Origin, value: Value | None) -> Origins:
        """An object, with what reading proves to be in it if it is a container."""
        if one.kind != "container" or value is None:
            return frozenset({one})
        if isinstance(value, Items) and value.values is not None:
            for number, inner in enumerate(value.values):
                self._fill(one, number, inner)
        elif isinstance(value, Items | Mapped) and kind_of(value.each) != "unknown":
            self._fill(one, ANY, value.each)
        elif isinstance(value, Keyed):
            for key, inner in zip(value.keys, value.values, strict=True):
                self._fill(one, key, inner)
        elif isinstance(one.where, Parameter):
            # What its calls pass tells more.
            return frozenset({replace(one, kind="unknown")})
        return frozenset({one})

    def _fill(self, one: Origin, key: object, value: Value) -> None:
        if kind_of(value) != "unknown":
            inner = Origin(Item(_shallow(one), key), kind_of(value), held=True)
            self.put_one(one.where, key, self.filled(inner, value))

    def resolved(self, found: Iterable[Origin], depth: int = 0) -> Origins:
        """The same with what calls pass to parameters; unknown where not all calls are known."""
        result: set[Origin] = set()
        for one in found:
            inner: Origins | None = None
            if one.kind in ("unknown", "tensor") and depth < _DEEP:
                inner = self._behind(one.where, depth)
            if inner is None:
                result.add(one)
            elif one.kind == "tensor":
                # Its kind is proved: what is passed tells its place.
                result.add(one)
                places = {x.place for x in inner if x.kind == "tensor" and x.place}
                result |= {replace(one, place=_through(one.place, place)) for place in places}
            else:
                result |= {replace(x, held=True, place=_through(one.place, x.place)) for x in inner}
        return frozenset(result)

    def is_open(self, one: Origin) -> bool:
        """Whether a tensor is a parameter that unknown callers pass, perhaps a view."""
        if one.kind != "tensor" or not isinstance(one.where, Parameter):
            return False
        made = self.functions.get(one.where.function)
        return made is None or not is_closed(made) or one.where not in self.passed

    def _behind(self, where: object, depth: int) -> Origins | None:
        if isinstance(where, Parameter):
            made = self.functions.get(where.function)
            found = self.passed.get(where)
            if made is None or not found:
                return None
            inner = self.resolved(found, depth + 1)
            return inner if is_closed(made) else inner | {Origin(("open", where), held=True)}
        if isinstance(where, Item):
            behind = self.resolved([where.of], depth + 1)
            if behind == {where.of}:
                return None
            return self.resolved(self.get(behind, where.key), depth + 1)
        return None


def _shallow(one: Origin) -> Origin:
    """The same, without what would make it deeper at each iteration of a loop."""
    deep, inner = 0, one.where
    while isinstance(inner, Item):
        deep, inner = deep + 1, inner.of.where
    return Origin("item", held=True) if deep >= _DEEP else one


def few(found: Origins) -> Origins:
    """The same, with those of which nothing is known as one where there are many."""
    if len(found) <= _MANY:
        return found
    known = {one for one in found if one.kind != "unknown"}
    return frozenset((known if len(known) <= _MANY else set()) | {Origin("item", held=True)})


def _through(outer: str, inner: str) -> str:
    """The place of a part of a part."""
    return outer if not inner else inner if not outer else "view"


def is_closed(made: Function) -> bool:
    """Whether all calls of a function are known."""
    return made.after and not made.open and not isinstance(made.node, ast.Lambda)


def hold(found: Iterable[Origin]) -> Origins:
    """The same as others see it, who may keep it."""
    return frozenset(one if one.held else replace(one, held=True) for one in found)


def view(found: Iterable[Origin], place: str = "view") -> Origins:
    """Views of tensors, or of what may be one."""
    return frozenset(
        replace(one, place=place if place == "view" or one.place != "view" else "view")
        for one in found
        if one.kind in ("tensor", "unknown")
    )


@dataclass(slots=True)
class Change:
    """What an augmented assignment or an in-place method changes.

    Attributes:
        kinds: the kinds of what the target may be.
        place: "" for the object itself, else "view" or "part", or "any" where it may be a view or
            not, as what callers pass that nobody knows.
        shared: whether anything else may refer to it.
        unknown: from where that comes of which nothing is known.
        read: whether the name is read afterwards.
        own: whether it is an item of a container that this function makes.
        of_tensor: whether it is an item of a tensor, which MindSpore changes too.
        makers: what makes it.
    """

    kinds: frozenset[str]
    place: str
    shared: bool
    unknown: frozenset[str]
    read: bool
    own: bool
    of_tensor: bool
    makers: frozenset[object]


def change(
    heap: Heap,
    found: Origins,
    others: Iterable[Origins],
    base: Origins,
    read: bool,
) -> Change:
    """What is changed.

    Args:
        heap: what containers and parameters hold.
        found: what the target refers to.
        others: what the other names, and all that is stored, refer to.
        base: what an item of is changed.
        read: whether the name is read afterwards.
    """
    seen = {(one.where, one.old) for them in others for one in them if one.kind != "other"}
    shared = any(
        one.held or (one.where, one.old) in seen or not isinstance(maker(one.where), ast.AST)
        for one in found
        if one.kind != "other"
    )
    behind = heap.resolved(found)
    places = {one.place for one in behind if one.kind != "other"}
    place = "view" if "view" in places else "part" if "part" in places else ""
    if any(heap.is_open(one) for one in found):
        place = "any"
    unknown = {_name(one.where) for one in behind if one.kind == "unknown"}
    own = any(one.kind == "container" and isinstance(one.where, ast.AST) for one in base)
    of_tensor = bool(base) and {one.kind for one in heap.resolved(base)} == {"tensor"}
    kinds = frozenset(one.kind for one in behind) or frozenset({"unknown"})
    makers = frozenset(maker(one.where) for one in behind)
    return Change(kinds, place, shared, frozenset(unknown), read, own, of_tensor, makers)


def maker(where: object) -> object:
    """What makes an object, or what it stands in."""
    while isinstance(where, tuple):
        where = where[0]
    return where


def _name(where: object) -> str:
    """How a text calls where something comes from."""
    where = maker(where)
    return where if isinstance(where, str) else type(where).__name__.lower()


def joined(one: Change | None, two: Change) -> Change:
    """Both of what the same code changes, the first time and later."""
    if one is None:
        return two
    place = max(one.place, two.place, key=("", "part", "view", "any").index)
    return Change(
        one.kinds | two.kinds, place, one.shared or two.shared, one.unknown | two.unknown,
        one.read or two.read, one.own or two.own, one.of_tensor and two.of_tensor,
        one.makers | two.makers,
    )  # fmt: skip


def callees(found: Value | None) -> list[Function]:
    """The functions of the source that a call may run."""
    if found is None:
        return []
    result = []
    for one in each(found):
        if isinstance(one, Method):
            result.append(one.function)
        elif isinstance(one, Function):
            result.append(one)
        elif isinstance(one, Class):
            inner = one.entry.member("__init__")
            result += [inner] if isinstance(inner, Function) else []
        elif isinstance(one, Object):
            inner = one.entry.member("__call__") or one.entry.member("forward")
            result += [inner] if isinstance(inner, Function) else []
    return result


def arguments(
    heap: Heap, made: Function, node: ast.Call, given: Callable[[ast.expr], Origins]
) -> Mapping[str, Origins]:
    """What a call passes to each parameter; to ``*args`` and ``**kwargs`` one by one."""
    spec = made.node.args
    names = [one.arg for one in (*spec.posonlyargs, *spec.args)]
    known = {*names, *(one.arg for one in spec.kwonlyargs)}
    if made.entry is not None and made.kind != "static":
        names = names[1:]
    found: dict[str, Origins] = {}
    for number, one in enumerate(node.args):
        if isinstance(one, ast.Starred):
            rest = heap.get(given(one.value))
            for name in names[number:]:
                found[name] = rest
            if spec.vararg is not None:
                _pack(heap, made, spec.vararg, ANY, rest)
            break
        if number < len(names):
            found[names[number]] = given(one)
        elif spec.vararg is not None:
            _pack(heap, made, spec.vararg, ANY, given(one))
    for keyword in node.keywords:
        if keyword.arg is None:
            rest = heap.get(given(keyword.value))
            found |= dict.fromkeys(known - found.keys(), rest)
        if keyword.arg in known:
            found[keyword.arg] = given(keyword.value)
        elif spec.kwarg is not None:
            inner = given(keyword.value)
            inner = inner if keyword.arg is not None else heap.get(inner)
            _pack(heap, made, spec.kwarg, keyword.arg or ANY, inner)
    return found


def _pack(heap: Heap, made: Function, rest: ast.arg, key: object, found: Origins) -> None:
    """What is passed beyond the parameters."""
    heap.put([Origin(Parameter(made.node, rest.arg), "container")], key, found)
