"""What ``**`` of a dict may give, where the code shows all keys that the dict ever gets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from msmap.code.source import Source


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a dict: what it may stand for, and whether the dict always has it."""

    values: tuple[ast.expr, ...]
    always: bool = True


Keys = dict[str, Key]
_Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
# What binds names of its own, which hide those around it.
_SCOPES = (*_FUNCTIONS, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_NAMING = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs,
    ast.MatchStar,
)  # fmt: skip
# What only reads a dict that it is given, or whose method it is.
_READERS = frozenset(
    ("len", "print", "sorted", "list", "tuple", "set", "dict", "str", "repr", "iter", "copy",
     "deepcopy", "dumps", "dump", "info", "debug", "pprint", "pformat")
)  # fmt: skip
_ASKING = frozenset(("get", "keys", "values", "items", "copy"))
# Where one dict is made of others, so many in one another.
_DEEP = 8
# What may change the names of a module by texts: Python's functions, no methods of those names.
_BY_TEXT = re.compile(r"(?<![\w.])(?:globals|exec|eval)\s*\(|(?<![\w.])(?:locals|vars)\s*\(\s*\)")


class Dicts:
    """The dicts of a source, by the names and places under which they are kept."""

    def __init__(self, source: Source) -> None:
        self.source = source

    @cached_property
    def _parents(self) -> Mapping[ast.AST, ast.AST]:
        return self.source.nodes.parents

    @cached_property
    def _declared(self) -> frozenset[str]:
        every = [one.names for one in self.source.all(ast.Global)]
        every += [one.names for one in self.source.all(ast.Nonlocal)]
        return frozenset(name for names in every for name in names)

    @cached_property
    def shared(self) -> bool:
        """Whether names of the module may be set by texts."""
        return _BY_TEXT.search(self.source.whole) is not None

    def keys(self, node: ast.expr, depth: int = 0) -> Keys | None:
        """The keys that a dict may have where it stands; None where others may come.

        A dict that has a name, or a place in one that has, is followed through what binds it and
        what changes it, wherever that stands; whoever is given the dict itself might change it.
        """
        if depth > _DEEP:
            return None
        path = _path(node)
        if path is None:
            return self._made(node, depth)
        name, *inner = path
        scope = self._scope(node, name)
        if scope is None:
            return None
        bindings = self._bindings(scope, name)
        if not bindings:
            return None
        found: Keys | None = None
        for value in bindings.values():
            part = self._inner(value, inner, depth)
            if part is None:
                return None
            found = part if found is None else _either(found, part)
        only = next(iter(bindings)) if len(bindings) == 1 else None
        return self._changed(found or {}, scope, path, node, only, depth)

    def module_name(self, node: ast.expr) -> str:
        """The name of the module that a dict is kept under; "" where it is a function's."""
        path = _path(node)
        if path is None or not isinstance(self._scope(node, path[0]), ast.Module):
            return ""
        return path[0]

    # What makes a dict.

    def _made(self, node: ast.expr, depth: int) -> Keys | None:
        if isinstance(node, ast.Dict):
            parts = zip(node.keys, node.values, strict=True)
            return self._joined(parts, depth)
        if isinstance(node, ast.IfExp):
            yes, no = self._made(node.body, depth), self._made(node.orelse, depth)
            return None if yes is None or no is None else _either(yes, no)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._joined([(None, node.left), (None, node.right)], depth)
        if not isinstance(node, ast.Call):
            return None
        function = node.func
        named = _named(node)
        leaf = function.attr if isinstance(function, ast.Attribute) else ""
        if isinstance(function, ast.Name) and function.id == "dict" and len(node.args) < 2:
            return self._joined([*((None, one) for one in node.args), *named], depth)
        if leaf == "copy" and not node.args and not node.keywords:
            return self.keys(function.value, depth + 1)  # type: ignore[attr-defined]
        if leaf in ("copy", "deepcopy") and len(node.args) == 1 and not node.keywords:
            return self.keys(node.args[0], depth + 1)
        return None

    def _joined(self, parts: Iterable[tuple[ast.expr | None, ast.expr]], depth: int) -> Keys | None:
        """Keys with what they stand for, and dicts that are put in, where there is no key."""
        found: Keys = {}
        for key, value in parts:
            if key is None:
                inner = self.keys(value, depth + 1)
                if inner is None:
                    return None
                found = _over(found, inner)
            elif isinstance(key, ast.Constant) and isinstance(key.value, str):
                found[key.value] = Key((value,))
            else:
                return None
        return found

    def _inner(self, node: ast.expr, path: list[str], depth: int) -> Keys | None:
        """The keys of a dict within one that is written out."""
        for name in path:
            here = self._made(node, depth) if isinstance(node, ast.Dict | ast.Call) else None
            key = None if here is None else here.get(name)
            if key is None or not key.always or len(key.values) > 1:
                return None
            node = key.values[0]
        # Under another name it might be changed too.
        return self._made(node, depth)

    # Names.

    def _scope(self, node: ast.AST, name: str) -> _Scope | None:
        """The function, or the module, that binds a name which stands somewhere; None: another."""
        if name in self._declared:
            return None
        here: ast.AST | None = node
        direct = True
        while here is not None:
            if isinstance(here, ast.Module):
                return here
            # What a class binds isn't seen in its methods.
            seen = isinstance(here, _SCOPES) and (direct or not isinstance(here, ast.ClassDef))
            if seen and self._binds(here, name):
                return here if isinstance(here, ast.FunctionDef | ast.AsyncFunctionDef) else None
            direct = direct and not isinstance(here, _FUNCTIONS)
            here = self._parents.get(here)
        return None

    def _binds(self, scope: ast.AST, name: str) -> bool:
        return name in self._stored.get(scope, ()) or name in self._otherwise.get(scope, ())

    @cached_property
    def _stored(self) -> Mapping[ast.AST, set[str]]:
        """The names that each scope binds by a target."""
        found: dict[ast.AST, set[str]] = {}
        for node in self._parents:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                found.setdefault(self._owner(node), set()).add(node.id)
        return found

    @cached_property
    def _otherwise(self) -> Mapping[ast.AST, set[str]]:
        """Those that it binds as a parameter, by an import, a definition or a pattern."""
        found: dict[ast.AST, set[str]] = {}
        for node in self._parents:
            if isinstance(node, ast.arg):
                name = node.arg
            elif isinstance(node, ast.alias):
                name = (node.asname or node.name).partition(".")[0]
            elif isinstance(node, _NAMING):
                name = node.name or ""
            else:
                continue
            found.setdefault(self._owner(node), set()).add(name)
        return found

    def _owner(self, node: ast.AST) -> ast.AST:
        """The scope that a node stands in."""
        here = self._parents[node]
        while here in self._parents and not isinstance(here, _SCOPES):
            here = self._parents[here]
        return here

    def _bindings(self, scope: _Scope, name: str) -> dict[ast.stmt, ast.expr]:
        """The statements that bind a name, with what they bind it to; {} if any does otherwise."""
        found: dict[ast.stmt, ast.expr] = {}
        stored = 0
        for node in self.source.nodes.names.get(name, ()):
            if isinstance(node.ctx, ast.Load) or self._scope(node, name) is not scope:
                continue
            stored += 1
            statement = self._parents[node]
            if isinstance(statement, ast.Assign) and statement.targets == [node]:
                found[statement] = statement.value
            elif isinstance(statement, ast.AnnAssign) and statement.target is node:
                if statement.value is not None:
                    found[statement] = statement.value
                else:
                    stored -= 1
            elif isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.BitOr):
                stored -= 1
        # A function, a class, an import or a parameter may bind it as well.
        others = name in self._otherwise.get(scope, ())
        return {} if others or len(found) < stored else found

    # What changes it.

    def _changed(
        self, found: Keys, scope: _Scope, path: list[str], used: ast.AST, bound: ast.stmt | None,
        depth: int,
    ) -> Keys | None:  # fmt: skip
        """The keys of a dict with those that come and go after it was made."""
        for node in self.source.nodes.names[path[0]]:
            if self._scope(node, path[0]) is not scope:
                continue
            if not isinstance(node.ctx, ast.Load) and not self._is_augmented(node):
                continue
            chain, top = self._chain(node)
            if chain[: len(path)] != path[: len(chain)]:
                continue
            before = self._is_sure(top, used, bound)
            new = self._at(top, chain, path, depth)
            if new is None:
                return None
            for key, one in new.items():
                if one.values:
                    found = _over(found, {key: one if before else replace(one, always=False)})
                elif key in found:
                    found[key] = replace(found[key], always=False)
        return found

    def _is_augmented(self, node: ast.Name) -> bool:
        return isinstance(self._parents[node], ast.AugAssign)

    def _chain(self, node: ast.expr) -> tuple[list[str], ast.expr]:
        """A name and the texts that it is asked for in turn, and the whole of that."""
        chain = [getattr(node, "id", "")]
        while True:
            above = self._parents.get(node)
            if not isinstance(above, ast.Subscript) or above.value is not node:
                return chain, node
            key = above.slice
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                return chain, node
            chain.append(key.value)
            node = above

    def _at(self, top: ast.expr, chain: list[str], path: list[str], depth: int) -> Keys | None:
        """What a place says of the keys of a dict: those without values go; None: anything."""
        above = self._parents[top]
        beyond = len(chain) - len(path)
        is_read = isinstance(getattr(top, "ctx", None), ast.Load)
        if beyond > 1 or (beyond == 1 and is_read):
            # What a key stands for is asked, or changed itself.
            return {}
        if beyond == 1:
            if isinstance(above, ast.Assign) and above.targets == [top]:
                return {chain[-1]: Key((above.value,))}
            if isinstance(above, ast.AugAssign | ast.AnnAssign):
                return {chain[-1]: Key((top,), always=False)}
            return {chain[-1]: Key(())} if isinstance(above, ast.Delete) else None
        if beyond < 0:
            return {} if is_read and self._asks_outside(above, top) else None
        return self._at_dict(top, above, depth) if is_read else self._put_in(above, depth)

    def _put_in(self, above: ast.AST, depth: int) -> Keys | None:
        """What ``|=`` adds."""
        return self.keys(above.value, depth + 1) if isinstance(above, ast.AugAssign) else None

    def _at_dict(self, top: ast.expr, above: ast.AST, depth: int) -> Keys | None:
        if isinstance(above, ast.keyword):
            return {} if above.arg is None else None
        if isinstance(above, ast.Dict):
            return {} if any(v is top and k is None for k, v in _items(above)) else None
        if isinstance(above, ast.Subscript):
            return {} if above.value is top and isinstance(above.ctx, ast.Load) else None
        if self._asks(above, top) or isinstance(above, ast.If | ast.For | ast.comprehension):
            return {}
        call = self._parents.get(above)
        if not isinstance(above, ast.Attribute) or not isinstance(call, ast.Call):
            return {} if self._is_given(above, top) else None
        if call.func is not above:
            return None
        if above.attr in _ASKING:
            return {}
        if above.attr == "update":
            return self._joined([*((None, one) for one in call.args), *_named(call)], depth)
        key = call.args[0] if call.args else None
        is_text = isinstance(key, ast.Constant) and isinstance(key.value, str)
        if above.attr == "setdefault" and is_text and len(call.args) == 2:
            return {key.value: Key((call.args[1],))}  # type: ignore[union-attr]
        if above.attr == "pop" and is_text:
            return {key.value: Key(())}  # type: ignore[union-attr]
        return None

    def _is_given(self, above: ast.AST, top: ast.expr) -> bool:
        """Whether something is given to what only reads it, or to ``|``, which makes another."""
        if isinstance(above, ast.BinOp | ast.AugAssign):
            return isinstance(above.op, ast.BitOr)
        if not isinstance(above, ast.Call) or top not in above.args:
            return False
        function = above.func
        leaf = getattr(function, "attr", getattr(function, "id", ""))
        if leaf == "update" and isinstance(function, ast.Attribute):
            return True
        return leaf in _READERS

    def _asks(self, above: ast.AST, top: ast.expr) -> bool:
        if isinstance(above, ast.Compare):
            return isinstance(above.ops[0], ast.In | ast.NotIn) and top in above.comparators
        return isinstance(above, ast.FormattedValue | ast.UnaryOp)

    def _asks_outside(self, above: ast.AST, top: ast.expr) -> bool:
        """Whether a dict around is only asked for what it has, and gives none of it."""
        if isinstance(above, ast.Call) and top in above.args:
            return isinstance(above.func, ast.Name) and above.func.id in ("print", "len", "str")
        return self._asks(above, top)

    def _is_sure(self, top: ast.AST, used: ast.AST, bound: ast.stmt | None) -> bool:
        """Whether a change has been made wherever a dict is used: behind what makes it, ahead."""
        if bound is None or self._owner(top) is not self._owner(bound):
            return False
        if self._owner(used) is not self._owner(bound):
            return False
        statement = top
        while not isinstance(statement, ast.stmt):
            statement = self._parents[statement]
        same = self._parents[statement] is self._parents[bound]
        same = same and bound.lineno < statement.lineno < used.lineno  # type: ignore[attr-defined]
        return same and self._block(statement) == self._block(bound)

    def _block(self, node: ast.stmt) -> str:
        """The block of what is around that a statement stands in."""
        above = self._parents[node]
        blocks = ("body", "orelse", "finalbody")
        return next((name for name in blocks if node in getattr(above, name, ())), "")


def _named(node: ast.Call) -> Iterator[tuple[ast.expr | None, ast.expr]]:
    """What a call gives by name, and what it unpacks, as the parts of a dict."""
    for keyword in node.keywords:
        yield None if keyword.arg is None else ast.Constant(keyword.arg), keyword.value


def _items(node: ast.Dict) -> Iterator[tuple[ast.expr | None, ast.expr]]:
    return zip(node.keys, node.values, strict=True)


def _path(node: ast.expr) -> list[str] | None:
    """A name, and the texts that it is asked for in turn; None for anything else."""
    inner: list[str] = []
    while isinstance(node, ast.Subscript):
        if not isinstance(node.slice, ast.Constant) or not isinstance(node.slice.value, str):
            return None
        inner.append(node.slice.value)
        node = node.value
    return [node.id, *reversed(inner)] if isinstance(node, ast.Name) else None


def _either(one: Keys, other: Keys) -> Keys:
    """The keys of one of two dicts."""
    found: Keys = {}
    for name in (*one, *other):
        here, there = one.get(name), other.get(name)
        values = (*(here.values if here else ()), *(there.values if there else ()))
        always = here is not None and there is not None and here.always and there.always
        found[name] = Key(values, always)
    return found


def _over(one: Keys, other: Keys) -> Keys:
    """The keys of a dict into which another one was put."""
    found = dict(one)
    for name, key in other.items():
        before = found.get(name)
        if before is None:
            found[name] = key
        else:
            # What was there before stays possible: where it is asked isn't told apart.
            values = (*before.values, *key.values)
            found[name] = Key(values, before.always or key.always)
    return found
