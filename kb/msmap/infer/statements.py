"""Statements of users' code in the order in which they run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from msmap.code.tree import loaded
from msmap.infer import annotations as hints
from msmap.infer import (
    call_graph,
    children,
    effects,
    float64,
    imports,
    monkey_patching,
    narrowing,
    operators,
    registries,
)
from msmap.infer.environment import State, merged
from msmap.infer.expressions import head, peek, value
from msmap.infer.iteration import iterated
from msmap.infer.results import computed, item
from msmap.infer.values.classes import keep, note_class, set_forward, set_in_dict
from msmap.infer.values.containers import put_layer
from msmap.infer.values.lattice import (
    CONTAINER,
    FILE,
    FOREIGN,
    LISTS,
    NONE,
    OTHER,
    OTHERS,
    UNKNOWN,
    Class,
    Entry,
    Instance,
    Items,
    Keyed,
    Mapped,
    Object,
    Path,
    Several,
    Value,
    join,
    shared,
)

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading

# Deeper loops are read once, with nothing known of what is bound before them.
_DEEP = 4


def block(reading: Reading, body: Sequence[ast.stmt]) -> bool:
    """Read statements; whether the place after them is never reached."""
    for node in body:
        reading.statement = node
        if _STATEMENTS[node.__class__](reading, node):
            # What follows is never run, and still has names to be read.
            rest = body[body.index(node) + 1 :]
            if rest:
                block(reading, rest)
            return True
    return False


def assign(reading: Reading, target: ast.expr, found: Value) -> None:
    """Bind what stands left of ``=`` to a value."""
    kind = target.__class__
    if kind is ast.Name:
        reading.scope.bind(target.id, found)  # type: ignore[attr-defined]
    elif kind in (ast.Tuple, ast.List):
        _unpack(reading, target.elts, found)  # type: ignore[attr-defined]
    elif kind is ast.Starred:
        assign(reading, target.value, Items(None, iterated(found), mutable=True))  # type: ignore[attr-defined]
    elif kind is ast.Attribute:
        _set(reading, target, found)  # type: ignore[arg-type]
    elif kind is ast.Subscript:
        _put(reading, target, found)  # type: ignore[arg-type]


def _unpack(reading: Reading, targets: Sequence[ast.expr], found: Value) -> None:
    values = found.values if isinstance(found, Items) else None
    known = values is not None and len(values) == len(targets)
    if not known or any(t.__class__ is ast.Starred for t in targets):
        each = iterated(found)
        for target in targets:
            one = Items(None, each) if target.__class__ is ast.Starred else each
            assign(reading, target, one)
        return
    for target, one in zip(targets, values or (), strict=True):
        assign(reading, target, one)


def _set(reading: Reading, target: ast.Attribute, found: Value) -> None:
    base = head(reading, target.value)
    children.attribute_set(reading, target, base, found)
    if isinstance(base, Object):
        keep(base.entry, target.attr, shared(found))
        if base.entry.torch_base:
            reading.note_field(target, [base.entry.torch_base])
            reading.note_buffer(target, base, found)
            if target.attr == "forward":
                reading.note_member(target, base.entry)
    elif isinstance(base, Instance) and base.owner == "module":
        reading.note_field(target, base.classes, base)
        if target.attr == "forward":
            reading.note(target, "member", (base.classes[0],), base)
    elif target.attr == "forward" and (isinstance(base, Class) or base is UNKNOWN):
        set_forward(reading, target, base)
    elif isinstance(base, Instance) and base.owner == "tensor":
        reading.note_set(target, base)
    elif isinstance(base, Path):
        reading.note_name(target, f"{base.name}.{target.attr}")
        reading.replaced.add(base.name, target.attr)


def _put(reading: Reading, target: ast.Subscript, found: Value) -> None:
    if monkey_patching.is_globals(target.value, reading.scope is reading.module):
        key = target.slice.value if isinstance(target.slice, ast.Constant) else None
        if isinstance(key, str):
            reading.module.bind(key, UNKNOWN)
        else:
            reading.module.forget()
    base = peek(reading, target.value)
    operators.indexed(reading, target.slice, base, peek(reading, target.slice), "__setitem__")
    effects.assigned(reading, target, base)
    set_in_dict(reading, target)
    if isinstance(base, Items) and base.mutable and target.value.__class__ is ast.Name:
        each = join(base.element, found) if base.values != () else found
        reading.scope.bind(target.value.id, Items(None, each, mutable=True))
    elif isinstance(base, Keyed) and target.value.__class__ is ast.Name:
        key = target.slice.value if isinstance(target.slice, ast.Constant) else None
        after: Value = CONTAINER
        if key is not None:
            known = dict(zip(base.keys, base.values, strict=True)) | {key: found}
            after = Keyed(tuple(known), tuple(known.values()))
        reading.scope.bind(target.value.id, after)
    elif isinstance(base, Instance) and base.name in LISTS:
        put_layer(reading, target.value, base, None if found is UNKNOWN else found)
    elif isinstance(base, Mapped) and target.value.__class__ is ast.Name:
        each = join(base.each, found)
        if each != base.each:
            reading.scope.bind(target.value.id, Mapped(base.key, each))


def _assign(reading: Reading, node: ast.Assign) -> None:
    targets = node.targets
    if len(targets) > 1 or node.value.__class__ is not ast.Name:
        found = value(reading, node.value)
        found = shared(found) if len(targets) > 1 else found
    elif targets[0].__class__ in (ast.Tuple, ast.List):
        # The container itself has no other name by this, but what is in it has.
        found = peek(reading, node.value)
        if isinstance(found, Items):
            values = None if found.values is None else tuple(map(shared, found.values))
            found = replace(found, values=values, each=shared(found.each))
    else:
        found = shared(value(reading, node.value))
    if found.__class__ is Keyed:
        found = registries.kept(reading, targets, found)
    for target in targets:
        assign(reading, target, found)
        if target.__class__ is ast.Subscript:
            operators.stored(reading, target, node.value, found)
    effects.hold(reading, targets, node.value, found)


def _is_default(reading: Reading) -> bool:
    """Whether what makes objects of the class that is read may be given another value."""
    entry = reading.scope.entry
    if reading.scope.kind != "class" or entry is None:
        return False
    return bool(entry.node.decorator_list) or UNKNOWN in entry.roots or FOREIGN in entry.roots


def _annotated(reading: Reading, node: ast.AnnAssign) -> None:
    told = hints.told(reading, node.annotation)
    found = UNKNOWN
    if node.value is not None:
        found = value(reading, node.value)
        if found in (UNKNOWN, NONE) or (found is CONTAINER and isinstance(told, Mapped)):
            found = told if told is not UNKNOWN else found
        if found.__class__ is Keyed:
            found = registries.kept(reading, [node.target], found)
        if told is UNKNOWN and _is_default(reading):
            found = UNKNOWN
    elif node.target.__class__ is ast.Name and reading.scope.kind != "class":
        return
    else:
        found = told
    assign(reading, node.target, found)


def _augmented(reading: Reading, node: ast.AugAssign) -> None:
    target = node.target
    reading.quiet += 1
    before = peek(reading, ast.copy_location(loaded(target), target))
    reading.quiet -= 1
    added = value(reading, node.value)
    if before.__class__ is Instance:
        children.joined(reading, node, before)
        effects.changed(reading, target)
        float64.beside(reading, target, before, node.value, added)
    if not reading.quiet:
        reading.augmented[node] = before, added
    assign(reading, target, computed(before, added, node.op))


def _expression(reading: Reading, node: ast.Expr) -> None:
    if reading.source.mentions("exec", "globals") and monkey_patching.binds_any(node.value):
        reading.module.forget()
    peek(reading, node.value)


def _if(reading: Reading, node: ast.If) -> bool:
    scope = reading.scope
    ends: list[State] = []
    # Two thousand elif are two thousand levels: no frame for each.
    while True:
        value(reading, node.test)
        yes = narrowing.changes(reading, node.test, True)
        no = narrowing.changes(reading, node.test, False)
        before, never = scope.now, narrowing.never(reading, node.test)
        scope.now = {**before, **yes}
        if not block(reading, node.body) and not never:
            ends.append(scope.now)
        scope.now = {**before, **no} if no else before
        rest = node.orelse
        if len(rest) == 1 and rest[0].__class__ is ast.If:
            node = rest[0]
            reading.statement = node
            continue
        if not block(reading, rest):
            ends.append(scope.now)
        break
    if ends:
        scope.now = merged(ends)
    return not ends


def _loop(reading: Reading, body: Sequence[ast.stmt], start: Callable[[], None]) -> None:
    scope = reading.scope
    deep = len(reading.loops) >= _DEEP
    if deep:
        scope.now = dict.fromkeys(scope.now, UNKNOWN)
    for again in range(3):
        entered, mark = dict(scope.now), len(reading.noted)
        reading.loops.append([])
        start()
        if not block(reading, body):
            reading.loops[-1].append(scope.now)
        after = merged([entered, *reading.loops.pop()])
        changed = [key for key, old in entered.items() if after[key] != old]
        scope.now = after
        if not changed or deep or again > 1:
            break
        reading.forget(mark)
        if again:
            scope.now |= dict.fromkeys(changed, UNKNOWN)


def _for(reading: Reading, node: ast.For | ast.AsyncFor) -> None:
    over = peek(reading, node.iter)
    each = iterated(over) if node.__class__ is ast.For else UNKNOWN
    effects.each(reading, node.target, node.iter, over)
    _loop(reading, node.body, lambda: assign(reading, node.target, each))
    block(reading, node.orelse)


def _while(reading: Reading, node: ast.While) -> None:
    def start() -> None:
        value(reading, node.test)
        reading.scope.now = {
            **reading.scope.now, **narrowing.changes(reading, node.test, True)
        }  # fmt: skip

    _loop(reading, node.body, start)
    block(reading, node.orelse)


def _leave_loop(reading: Reading, _: ast.stmt) -> bool:
    if reading.loops:
        reading.loops[-1].append(reading.scope.now)
        reading.scope.now = dict(reading.scope.now)
    return True


def _return(reading: Reading, node: ast.Return) -> bool:
    reading.scope.returns.append(NONE if node.value is None else value(reading, node.value))
    return True


def _raise(reading: Reading, node: ast.Raise) -> bool:
    for part in (node.exc, node.cause):
        if part is not None:
            peek(reading, part)
    return True


def _try(reading: Reading, node: Any) -> bool:
    scope = reading.scope
    before = dict(scope.now)
    log: list[tuple[str, Value]] = []
    scope.logs.append(log)
    ended = block(reading, node.body)
    scope.logs.pop()
    ends: list[State] = []
    normal = scope.now
    for name, found in log:
        before[name] = join(before[name], found) if name in before else found
    for handler in node.handlers:
        scope.now = dict(before)
        if handler.type is not None:
            reading.type_named(handler.type)
        if handler.name is not None:
            scope.bind(handler.name, OTHER)
        if not block(reading, handler.body):
            ends.append(scope.now)
    scope.now = normal
    if not ended:
        ended = block(reading, node.orelse)
    if not ended:
        ends.append(scope.now)
    if ends:
        scope.now = merged(ends)
    elif node.finalbody:
        scope.now = before
    return block(reading, node.finalbody) or not ends


def _with(reading: Reading, node: ast.With | ast.AsyncWith) -> bool:
    kept_through = True
    for part in node.items:
        found = value(reading, part.context_expr)
        if part.optional_vars is not None:
            kept = found if found is FILE or found in OTHERS else UNKNOWN
            assign(reading, part.optional_vars, kept)
        kept_through = kept_through and (found is FILE or isinstance(found, Instance))
    scope = reading.scope
    before = dict(scope.now)
    ended = block(reading, node.body)
    if kept_through:
        return ended
    # A manager may swallow what is raised inside, before anything is bound there.
    scope.now = merged([before, scope.now])
    return ended and all(isinstance(n, ast.Return) for n in node.body[-1:])


def _function(reading: Reading, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    kind = ""
    for decorator in node.decorator_list:
        found = peek(reading, decorator)
        kind = kind or _decorated(decorator, found)
    arguments = node.args
    for default in (*arguments.defaults, *arguments.kw_defaults):
        if default is not None:
            value(reading, default)
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    for one in (*every, arguments.vararg, arguments.kwarg):
        if one is not None and one.annotation is not None:
            reading.type_named(one.annotation)
    if node.returns is not None:
        reading.type_named(node.returns)
    made = reading.function(node, kind)
    reading.scope.bind(node.name, UNKNOWN if kind == "decorated" and made.entry is None else made)


_KINDS = {"staticmethod": "static", "classmethod": "class", "property": "property",
          "cached_property": "property"}  # fmt: skip


def _decorated(node: ast.expr, found: Value) -> str:
    name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
    if name in _KINDS:
        return _KINDS[name]
    kept = isinstance(found, Path | Instance)
    return "" if kept or name in ("abstractmethod", "wraps", "override") else "decorated"


def _class(reading: Reading, node: ast.ClassDef) -> None:
    for decorator in node.decorator_list:
        peek(reading, decorator)
    bases = []
    for base in node.bases:
        plain = base.value if isinstance(base, ast.Subscript) else base
        typed, reading.typed = reading.typed, True
        found = peek(reading, base)
        reading.typed = typed
        if base is not plain:
            found = head(reading, plain)
        if isinstance(found, Path) and (name := reading.canonical(found.name)) is not None:
            found = Path(name)
        bases.append(UNKNOWN if isinstance(found, Several) else found)
    for keyword in node.keywords:
        value(reading, keyword.value)
    entry = Entry(node, tuple(bases), home=reading)
    for one in bases:
        if isinstance(one, Class):
            one.entry.heirs.append(entry)
    reading.class_body(entry)
    note_class(reading, node, entry)
    if node.decorator_list or node.keywords:
        call_graph.escape(Class(entry))
    reading.scope.bind(node.name, Class(entry))


def _delete(reading: Reading, node: ast.Delete) -> None:
    for target in node.targets:
        if target.__class__ is ast.Name:
            reading.scope.bind(target.id, UNKNOWN)
        elif target.__class__ is ast.Subscript:
            base = peek(reading, target.value)
            children.deleted(reading, target, base)
            item(base, target.slice)
            peek(reading, target.slice)
        elif target.__class__ is ast.Attribute:
            children.deleted(reading, target, head(reading, target.value))


def _type_alias(reading: Reading, node: Any) -> None:
    assign(reading, node.name, UNKNOWN)


def _nothing(_: Reading, __: ast.stmt) -> None:
    return None


def _assert(reading: Reading, node: ast.Assert) -> None:
    value(reading, node.test)
    if node.msg is not None:
        value(reading, node.msg)
    reading.scope.now = {**reading.scope.now, **narrowing.changes(reading, node.test, True)}


def _match(reading: Reading, node: ast.Match) -> bool:
    value(reading, node.subject)
    scope = reading.scope
    before = scope.now
    ends: list[State] = [before]
    for case in node.cases:
        scope.now = dict(before)
        whole = narrowing.of_pattern(reading, case.pattern)
        if whole is not UNKNOWN and isinstance(node.subject, ast.Name):
            scope.now[node.subject.id] = whole
        for part in ast.walk(case.pattern):
            if isinstance(part, ast.MatchValue | ast.MatchClass):
                reading.type_named(part.value if isinstance(part, ast.MatchValue) else part.cls)
            elif isinstance(part, ast.MatchAs | ast.MatchStar) and part.name is not None:
                inner = getattr(part, "pattern", None)
                told = UNKNOWN if inner is None else narrowing.of_pattern(reading, inner)
                scope.bind(part.name, told)
            elif isinstance(part, ast.MatchMapping) and part.rest is not None:
                scope.bind(part.rest, CONTAINER)
        if case.guard is not None:
            value(reading, case.guard)
        if not block(reading, case.body):
            ends.append(scope.now)
    scope.now = merged(ends)
    return False


_STATEMENTS: dict[type[ast.AST], Callable[[Any, Any], bool | None]] = {
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Expr: _expression,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Break: _leave_loop,
    ast.Continue: _leave_loop,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Try: _try,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Import: imports.names,
    ast.ImportFrom: imports.parts,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Delete: _delete,
    ast.Assert: _assert,
    ast.Match: _match,
    ast.Pass: _nothing,
    ast.Global: _nothing,
    ast.Nonlocal: _nothing,
}
if hasattr(ast, "TryStar"):
    _STATEMENTS[ast.TryStar] = _try
if hasattr(ast, "TypeAlias"):
    _STATEMENTS[ast.TypeAlias] = _type_alias
