"""What all calls of an own function pass: it says what parameters are that nothing annotates."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msmap.infer import annotations as hints
from msmap.infer.environment import Scope
from msmap.infer.values import functions
from msmap.infer.values.lattice import (
    BASES,
    NONE,
    PLAIN,
    UNKNOWN,
    Class,
    Entry,
    Function,
    Instance,
    Items,
    Method,
    Object,
    Path,
    Several,
    Value,
    each,
    instance,
    join,
    owner_kind,
    shared,
)

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading

# So many ways to call a function are followed.
_WAYS = 4


def placed(made: Function) -> list[ast.arg]:
    """The parameters by position without the receiver."""
    spec = made.node.args
    found = [*spec.posonlyargs, *spec.args]
    return found[1:] if made.entry is not None and made.kind != "static" else found


def bare(made: Function) -> list[ast.arg]:
    """The parameters that nothing annotates, or as a module of any kind.

    All of them where tensors may hold numbers next to -inf: no annotation tells.
    """
    every = (*placed(made), *made.node.args.kwonlyargs)
    if made.home is not None and made.home.boundless:
        return list(every)
    return [one for one in every if one.annotation is None or _is_wide(one.annotation)]


def _is_wide(node: ast.expr) -> bool:
    """Whether an annotation says no more than that something is a module."""
    if isinstance(node, ast.Subscript):
        return hints.leaf(node.value) == "Optional" and _is_wide(node.slice)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and node.value.endswith("Module")
    return hints.leaf(node) == "Module"


def bound(
    made: Function, positional: Sequence[Value], keywords: Mapping[str, Value]
) -> dict[str, Value]:
    """What a call gives each parameter that is bare; what it leaves out by default."""
    names = [one.arg for one in placed(made)]
    given = dict(zip(names, positional, strict=False)) | dict(keywords)
    left = defaults(made)
    return {
        one.arg: shared(given[one.arg]) if one.arg in given else left.get(one.arg, UNKNOWN)
        for one in bare(made)
    }


def defaults(made: Function) -> dict[str, Value]:
    """What the defaults of parameters are, as far as they are literals."""
    spec = made.node.args
    by_place = zip(reversed([*spec.posonlyargs, *spec.args]), reversed(spec.defaults), strict=False)
    by_name = zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
    return {
        one.arg: _literal(default) for one, default in (*by_place, *by_name) if default is not None
    }


def _literal(node: ast.expr) -> Value:
    if not isinstance(node, ast.Constant):
        return UNKNOWN
    return NONE if node.value is None else PLAIN


def note(
    called: Value, positional: Sequence[Value], keywords: Mapping[str, Value], starred: bool
) -> None:
    """An own function, a method or a class is called here, or one of several."""
    if isinstance(called, Several):
        for way in called.values:
            note(way, positional, keywords, starred)
        return
    made = _function(called)
    if made is None:
        return
    unclear = isinstance(called, Function) and called.entry is not None and called.kind != "static"
    may_differ = isinstance(called, Method) and not called.exact
    every = [made, *_overriding(made)] if may_differ else [made]
    for one in every:
        if starred or unclear or len(positional) > len(placed(one)):
            one.open = True
        elif not one.open:
            here = bound(one, positional, keywords)
            before = one.passed
            one.passed = (
                here if before is None else {n: join(v, here[n]) for n, v in before.items()}
            )


def _function(called: Value) -> Function | None:
    if isinstance(called, Class):
        found = called.entry.member("__init__")
        return found if isinstance(found, Function) else None
    if isinstance(called, Method):
        return called.function
    return called if isinstance(called, Function) else None


def _overriding(made: Function) -> Iterator[Function]:
    """The methods of derived classes that may be meant by a method of their base."""
    if made.entry is not None and not isinstance(made.node, ast.Lambda):
        for entry in made.entry.derived():
            found = entry.members.get(made.node.name)
            if isinstance(found, Function):
                yield found


def escape(found: Value) -> None:
    """A function or a class is used as a value: anything may call it."""
    for one in each(found):
        made = _function(one)
        if made is not None:
            made.open = True


def applied(reading: Reading, node: ast.Call, base: Value) -> None:
    """A function may be given to a module that calls it with each of its layers, and itself."""
    first = node.args[0] if len(node.args) == 1 and not node.keywords else None
    found = reading.lookup(first.id) if isinstance(first, ast.Name) else None
    if isinstance(base, Object):
        kind = owner_kind(base.entry.torch_base) if base.entry.member("apply") is None else ""
    else:
        kind = base.owner if isinstance(base, Instance) else ""
    if kind == "module" and isinstance(found, Function) and first is not None:
        reading.applied.add(first)
        if not reading.quiet:
            note(found, [instance("module")], {}, False)


def result(
    reading: Reading, called: Value, positional: Sequence[Value], keywords: Mapping[str, Value]
) -> Value:
    """What an own function gives to one call, by what this call passes."""
    made = _function(called)
    assert made is not None
    before = reading.result(made)
    known = not _is_vague(before)
    unclear = known or made.settled or made.kind == "decorated" or made.running
    unclear = unclear or reading.is_patched(made)
    if unclear or made.home is not reading or not bare(made):
        return before
    given = bound(made, positional, keywords)
    if all(value is UNKNOWN for value in given.values()):
        return before
    key = tuple(given.values())
    if key not in made.results:
        if len(made.results) >= _WAYS or reading.depth >= functions.DEEP:
            return before
        made.results[key] = before
        reading.quiet += 1
        made.results[key] = functions.read(reading, made, given)
        reading.quiet -= 1
    return made.results[key]


def _is_vague(value: Value) -> bool:
    """Whether nothing is known of what a function gives, or of one of several."""
    if isinstance(value, Items):
        return value.each is UNKNOWN if value.values is None else any(map(_is_vague, value.values))
    return value is UNKNOWN


# The order in which functions are read.


def read(reading: Reading, found: Sequence[Function], around: Function | None) -> None:
    """Read some functions of one scope, that of a function or of the source."""
    alone = reading.snippet or reading.own or reading.known
    for made in list(found) if alone else ordered(reading, found, around):
        if made.done:
            continue
        settle(reading, made)
        before, mark = made.passed, len(reading.noted)
        gives = functions.read(reading, made)
        if made.settled and made.passed != before:
            # It calls itself with something else: nothing is known of its parameters.
            made.settled, made.result = False, None
            reading.forget(mark)
            gives = functions.read(reading, made)
        if made.result is None and getattr(made.node, "returns", None) is None:
            made.result = gives


def ordered(reading: Reading, found: Sequence[Function], around: Function | None) -> list[Function]:
    """Some functions, as far as possible each after all that mention it.

    Of those for which that came out, what is noted by the time that they are read is all.
    """
    wanted = [made for made in found if _counts(reading, made)]
    if not wanted:
        return list(found)
    before = _mentioning(reading, found, wanted, around)
    # What stands in a lambda is hard to place: they are read first.
    order = dict.fromkeys(made for made in found if isinstance(made.node, ast.Lambda))
    on_way: set[Function] = set()
    ahead = [(made, False) for made in reversed(found)]
    # What makes objects comes as early as it can: the methods ask for what it sets.
    ahead += ((made, False) for made in wanted if getattr(made.node, "name", "") == "__init__")
    while ahead:
        made, is_done = ahead.pop()
        if is_done:
            order[made] = None
        elif made not in order and made not in on_way:
            on_way.add(made)
            ahead.append((made, True))
            ahead += ((one, False) for one in before.get(made, ()))
    place = {made: number for number, made in enumerate(order)}
    for made in wanted:
        made.after = all(place[one] <= place[made] for one in before[made])
    return list(order)


def settle(reading: Reading, made: Function) -> None:
    """All calls of a function are known by now, if they can be: what they pass counts."""
    if not made.after or made.open or not made.passed or _leaf(made) in reading.loose:
        return
    if all(value is UNKNOWN for value in made.passed.values()):
        return
    made.settled, made.result = True, None
    if made.entry is not None:
        for entry in (made.entry, *made.entry.derived()):
            entry.collected = False
            entry.fields.clear()


def _leaf(made: Function) -> str:
    name: str = getattr(made.node, "name", "")
    return "" if made.entry is None or name == "__init__" else name


def _counts(reading: Reading, made: Function) -> bool:
    """Whether calls may tell what the parameters of a function are."""
    node = made.node
    if isinstance(node, ast.Lambda) or made.kind in ("decorated", "property") or not bare(made):
        return False
    name, entry = node.name, made.entry
    if entry is not None and name != "__init__":
        foreign = any(not isinstance(root, Path) for root in entry.roots)
        if (
            foreign
            or name.startswith("__")
            or (entry.torch_base and _is_torch_s(reading, entry, name))
        ):
            return False
    if entry is None and isinstance(made.scope, Scope) and made.scope.kind == "function":
        # No other file can name it; whoever gets it makes it open.
        return True
    word = name if entry is None or name != "__init__" else entry.node.name
    return reading.place is None or not reading.place.is_told_elsewhere(word)


def _is_torch_s(reading: Reading, entry: Entry, name: str) -> bool:
    """Whether what a class comes from may call a method of its own of some name.

    Of a module that is none but modules' own: ``update`` of a scaler says nothing of it.
    """
    found = reading.facts.methods(name)
    if owner_kind(entry.torch_base) != "module":
        return name == "forward" or bool(found)
    whose = (f"{BASES['module']}.", f"{entry.torch_base}.")
    return name == "forward" or any(one.startswith(whose) for one in found)


def _mentioning(
    reading: Reading,
    found: Sequence[Function],
    wanted: Sequence[Function],
    around: Function | None,
) -> dict[Function, list[Function]]:
    """Of each function, those of them all that are to be read before it.

    They mention it, or make the objects that it is a method of. Whose name is a whole text
    somewhere may be called by that.
    """
    named: dict[str, list[Function]] = {}
    before: dict[Function, list[Function]] = {made: [] for made in found}
    makers: dict[Entry, Function] = {}
    for made in wanted:
        name, entry = getattr(made.node, "name", ""), made.entry
        if entry is None or name != "__init__":
            named.setdefault(name, []).append(made)
            continue
        for one in (entry, *entry.derived()):
            named.setdefault(one.node.name, []).append(made)
            inner = one.members.get("__init__")
            if isinstance(inner, Function) and inner is not made and inner in before:
                before[made].append(inner)
        makers[entry] = made
    for made in found if makers else ():
        for entry in made.entry.lineage if made.entry is not None else ():
            maker = makers.get(entry)
            if maker is not None and getattr(made.node, "name", "") != "__init__":
                before[made].append(maker)
    defined = [made for made in found if not isinstance(made.node, ast.Lambda)]
    starts = [made.node.lineno for made in defined]
    within = None if around is None else around.node
    said = {made: _said(made, reading.finds_by_text) for made in wanted}
    for made in wanted:
        name = getattr(made.node, "name", "")
        made.open = made.open or reading.computed.may_be(name, made.entry is not None)
    for name, line, how in reading.source.words(list(named), within):
        at = bisect_right(starts, line) - 1
        holder = defined[at] if at >= 0 and line <= (defined[at].node.end_lineno or 0) else None
        for made in named[name]:
            if not how and holder is not None and _is_in_docstring(holder, line):
                continue
            if how in said[made] or (how == "text" and name != getattr(made.node, "name", "")):
                # The name of a class is text in annotations.
                continue
            if holder is not None and made.entry is None and _is_parameter(holder, name):
                continue
            made.open = made.open or how == "text" or (how == "part" and made.entry is None)
            if holder is not None and holder is not made:
                before[made].append(holder)
    return before


def _is_in_docstring(holder: Function, line: int) -> bool:
    first = holder.node.body[0] if isinstance(holder.node.body, list) else None
    if not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Constant):
        return False
    return first.lineno <= line <= (first.end_lineno or 0)


def _said(made: Function, by_text: bool) -> tuple[str, ...]:
    """How the name of a function may stand somewhere and mean another thing."""
    if made.entry is not None:
        return ()
    return ("bound",) if by_text else ("bound", "part", "text")


def _is_parameter(holder: Function, name: str) -> bool:
    spec = holder.node.args
    every = (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)
    return any(one.arg == name for one in every)
