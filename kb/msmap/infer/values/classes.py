"""Classes of a source: what their methods set on their objects."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msmap.code.source import BLOCKS, Source
from msmap.code.tree import children
from msmap.infer import monkey_patching
from msmap.infer.environment import Scope
from msmap.infer.values import functions
from msmap.infer.values.datasets import DATASET
from msmap.infer.values.lattice import (
    BASES,
    FOREIGN,
    UNKNOWN,
    Class,
    Entry,
    Function,
    Instance,
    Object,
    Value,
    join,
    joined,
    owner_kind,
)

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading


def field(reading: Reading, entry: Entry, name: str) -> Value | None:
    """What the methods of a class set an attribute of ``self`` to, or None.

    So do those of its bases; and those of what comes from it, whose object it may be.
    """
    found: list[Value] = []
    for one in (*entry.lineage, *entry.derived()):
        if one.setters is None:
            one.setters = _setters(one)
            one.sets_any = monkey_patching.sets_any(one.home.source, one.node)
        if name in one.setters:
            # What is asked for while it is collected may be set again.
            one.asked = one.asked or one.collecting
            if one.home is reading or not one.home.busy:
                _collect(one.home, one)
            found.append(one.fields.get(name, UNKNOWN))
    if not found:
        return None
    anything = any(one.sets_any for one in (*entry.lineage, *entry.derived()))
    return UNKNOWN if anything or reading.is_set_outside(entry, name) else joined(found)


def is_torn(entry: Entry) -> bool:
    """Whether a module has ``forward`` from a class that is no module, or is called by it there."""
    if owner_kind(entry.torch_base) != "module":
        return False
    above = entry.lineage[1:]
    mixed = (one for one in above if owner_kind(one.torch_base) != "module")
    return any(one.torn for one in above) or any(_says_forward(one) for one in mixed)


def _says_forward(entry: Entry) -> bool:
    return "forward" in entry.members or any(
        isinstance(node, ast.Attribute)
        and node.attr == "forward"
        and (_is_named(node.value, "self") or _is_super(node.value))
        for node in ast.walk(entry.node)
    )


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _is_named(node.func, "super")


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def note_class(reading: Reading, node: ast.ClassDef, entry: Entry) -> None:
    """A class is defined that comes from one of PyTorch's, or may."""
    root = entry.torch_base
    if is_torn(entry):
        entry.tear()
        ours = [one for one in node.bases if reading.uses.pop(one, None)]
        reading.note((ours or node.bases)[0], "torn", (root,), Class(entry))
    elif root:
        reading.note(node, "class", (root,), Class(entry))
    elif isinstance(entry.members.get("forward"), Function) and reading.source.mentions("torch"):
        for base, found in zip(node.bases, entry.bases, strict=True):
            unknown = found in (UNKNOWN, FOREIGN)
            if unknown or (isinstance(found, Class) and found.entry.is_open):
                reading.note(base, "base", (BASES["module"],), Class(entry))
                break


def above(reading: Reading) -> Value:
    """What ``super()`` gives in a method of a class of the source."""
    scope: Scope | None = reading.scope
    while scope is not None:
        for found in list(scope.now.values())[:1]:
            if isinstance(found, Object | Class) and scope.kind == "function":
                return Object(found.entry, above=True)
        scope = scope.parent
    return UNKNOWN


def keep(entry: Entry, name: str, found: Value) -> None:
    """A method sets an attribute of its object."""
    if entry.collecting:
        before = entry.fields.get(name)
        entry.fields[name] = found if before is None else join(before, found)


def hold(entry: Entry, name: str, found: Value) -> None:
    """An attribute of an object holds more, wherever that is said."""
    before = entry.fields.get(name)
    if entry.collecting or before is not None:
        entry.fields[name] = found if before is None else join(before, found)


def _collect(reading: Reading, entry: Entry) -> None:
    """Read the methods that set attributes, until what they set stays."""
    if entry.collected or entry.collecting:
        return
    entry.collecting = True
    entry.asked = False
    makers = dict.fromkeys(f for fs in (entry.setters or {}).values() for f in fs)
    reading.quiet += 1
    for _ in range(3):
        before = dict(entry.fields)
        for made in makers:
            functions.read(reading, made)
        if before == entry.fields or not entry.asked:
            break
    reading.quiet -= 1
    entry.collecting, entry.collected = False, True


def _targets(node: Any) -> list[ast.expr]:
    kind = node.__class__
    if kind is ast.Assign:
        ahead: list[Any] = node.targets
    elif kind is ast.With or kind is ast.AsyncWith:
        ahead = [item.optional_vars for item in node.items if item.optional_vars is not None]
    else:
        ahead = [node.target]
    if not any(one.__class__ in _WRAPPING for one in ahead):
        return ahead
    found: list[ast.expr] = []
    ahead = [*ahead]
    while ahead:
        target = ahead.pop()
        if isinstance(target, ast.Tuple | ast.List):
            ahead += target.elts
        elif isinstance(target, ast.Starred):
            ahead.append(target.value)
        else:
            found.append(target)
    return found


_WRAPPING = frozenset((ast.Tuple, ast.List, ast.Starred))
_SETTING: frozenset[type[ast.stmt]] = frozenset(
    (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)
)


def set_elsewhere(source: Source) -> Iterator[str]:
    """The attributes that are set from outside a class: what they are nothing tells."""
    for kind in _SETTING:
        for node in source.all(kind):
            for target in _targets(node):
                if isinstance(target, ast.Attribute):
                    base = target.value
                    if not (isinstance(base, ast.Name) and base.id == "self"):
                        yield target.attr


def buffers(entry: Entry) -> dict[str, bool]:
    """The buffers that the methods of a class and of its bases register: whether each is saved."""
    found: dict[str, bool] = {}
    for one in reversed(entry.lineage):
        if one.buffers is None:
            known = one.home is None or one.home.source.mentions("register_buffer")
            one.buffers = dict(_buffers(one.node)) if known else {}
        found |= one.buffers
    return found


def _buffers(node: ast.ClassDef) -> Iterator[tuple[str, bool]]:
    ahead: list[ast.AST] = [node]
    for call in ahead:
        ahead += children(call)
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        first = call.args[0] if call.args else None
        if call.func.attr != "register_buffer" or not _is_named(call.func.value, "self"):
            continue
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            saved = [
                *call.args[_SAVED:],
                *(k.value for k in call.keywords if k.arg == "persistent"),
            ]
            yield first.value, not any(getattr(one, "value", None) is False for one in saved)


# Where a buffer is told by position whether it is saved.
_SAVED = 2


def _setters(entry: Entry) -> dict[str, list[Function]]:
    """The methods of a class that set each attribute of ``self``."""
    found: dict[str, list[Function]] = {}
    for made in entry.members.values():
        if not isinstance(made, Function) or isinstance(made.node, ast.Lambda):
            continue
        if not made.node.args.args or made.kind == "static":
            continue
        myself = made.node.args.args[0].arg
        for name in _set_in(made.node, myself):
            found.setdefault(name, []).append(made)
    return found


def _registered(node: ast.expr, myself: str) -> str:
    """The name of a buffer or a parameter that a method registers."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        on, first = node.func.value, node.args[0]
        registers = node.func.attr in ("register_buffer", "register_parameter")
        if registers and isinstance(on, ast.Name) and on.id == myself:
            return str(first.value) if isinstance(first, ast.Constant) else ""
    return ""


def _set_in(node: ast.AST, myself: str) -> dict[str, None]:
    found: dict[str, None] = {}
    ahead: list[ast.AST] = [node]
    for one in ahead:
        kind = one.__class__
        for block in BLOCKS[kind]:
            ahead += getattr(one, block)
        if kind is ast.Expr:
            if name := _registered(one.value, myself):  # type: ignore[attr-defined]
                found[name] = None
        elif kind in _SETTING:
            for target in _targets(one):
                if target.__class__ is ast.Attribute:
                    on: Any = target.value
                    if on.__class__ is ast.Name and on.id == myself:
                        found[target.attr] = None
    return found


def set_forward(reading: Reading, node: ast.AST, base: Value) -> None:
    """What a class or an object computes is set: another framework calls it otherwise."""
    is_class = isinstance(base, Class | Object)
    if is_class and isinstance(node, ast.Attribute):
        reading.note_member(node, base.entry)  # type: ignore[attr-defined]
    elif base is UNKNOWN or isinstance(base, Instance) or (is_class and base.entry.torch_base):  # type: ignore[attr-defined]
        reading.note(node, "set", (f"{BASES['module']}.forward",), base)


def set_by_name(reading: Reading, node: ast.Call, base: Value) -> None:
    """``setattr(net, "forward", f)``."""
    name = node.args[1] if len(node.args) > 1 else None
    if isinstance(name, ast.Constant) and name.value == "forward":
        set_forward(reading, node, base)


def set_past_its_class(reading: Reading, node: ast.Call) -> None:
    """``object.__setattr__(net, "forward", f)``, and what an object is asked for itself."""
    given = node.args[:-1]
    name = given[-1] if given else None
    if isinstance(name, ast.Constant) and name.value == "forward":
        assert isinstance(node.func, ast.Attribute)
        on = given[0] if given[1:] else node.func.value
        with reading.silent(reading.scope):
            base = reading.peek(on)
        set_forward(reading, node, base)


def set_in_dict(reading: Reading, target: ast.Subscript) -> None:
    """``net.__dict__["forward"] = f`` or ``vars(net)["forward"] = f``."""
    name, held = target.slice, target.value
    if not isinstance(name, ast.Constant) or name.value != "forward":
        return
    on: ast.expr | None = None
    if isinstance(held, ast.Attribute) and held.attr == "__dict__":
        on = held.value
    elif isinstance(held, ast.Call) and _is_named(held.func, "vars") and held.args:
        on = held.args[0]
    if on is not None:
        with reading.silent(reading.scope):
            base = reading.peek(on)
        set_forward(reading, target, base)


def made_by(entry: Entry, above: bool) -> str:
    """The layer of PyTorch's whose constructor makes objects of a class; "" if none does.

    Args:
        entry: the class.
        above: whether its own constructor asks, which calls that of its bases.
    """
    layer = entry.torch_base
    if owner_kind(layer) != "module" or layer == BASES["module"]:
        return ""
    lineage = entry.lineage[1:] if above else entry.lineage
    own = any("__init__" in one.members and not passes_on(one) for one in lineage)
    return "" if own else layer


def has_constructor(name: str | None) -> bool:
    """Whether own classes call the constructor of a name by that: a layer's, or a dataset's."""
    return name is not None and (owner_kind(name) == "module" or name == DATASET)


def passes_on(entry: Entry) -> bool:
    """Whether the constructor of a class hands on all that it gets, and doesn't look at it."""
    made = entry.members.get("__init__")
    if not isinstance(made, Function) or isinstance(made.node, ast.Lambda):
        return False
    spec = made.node.args
    if len(spec.posonlyargs) + len(spec.args) != 1 or spec.kwonlyargs:
        return False
    if spec.vararg is None or spec.kwarg is None:
        return False
    passed = f"__init__(*{spec.vararg.arg}, **{spec.kwarg.arg})"
    nodes = list(ast.walk(made.node))
    names = {spec.vararg.arg, spec.kwarg.arg}
    used = sum(isinstance(one, ast.Name) and one.id in names for one in nodes)
    calls = (ast.unparse(one) for one in nodes if isinstance(one, ast.Call))
    return used == len(names) and any(
        text.startswith("super(") and text.endswith(f").{passed}") for text in calls
    )


def is_straight(entry: Entry) -> bool:
    """Whether ``super()`` is the base that the class names: nothing comes between."""
    return all(len(one.bases) == 1 for one in (*entry.lineage, *entry.derived()))
