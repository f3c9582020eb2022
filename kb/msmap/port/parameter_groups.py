"""Groups of parameters that an optimizer gets: whether any has a weight decay of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from msmap.code.source import Source
from msmap.model import Record

_PARAMS, _DECAY = "params", "weight_decay"
# What changes groups after the optimizer was made.
_LATER = ("param_groups", "add_param_group")
# What gives parameters, what passes on those that it gets, and what makes one.
_GIVING = ("parameters", "named_parameters", "trainable_params", "get_parameters")
_PASSING = ("list", "tuple", "set", "iter", "reversed", "sorted", "chain", "filter")
_MAKING = ("Parameter", "requires_grad_")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)


def target(source: Source, node: ast.AST, record: Record) -> str | None:
    """The key of the target that decays groups as PyTorch does, where one is seen to decay."""
    other = {c.target for c in record.caveats if c.when is not None and c.when.on == "grouped"}
    if not other or decay(source, node) != "seen":
        return None
    return next((t.key for t in record.targets if t.key not in other), None)


def decay(source: Source, node: ast.AST) -> Literal["seen", "unseen", ""]:
    """Whether groups that a call gets decay by themselves; "unseen" where nothing tells."""
    given = _given(node)
    plain = given is not None and _Reading(source).parameters(given)
    named = list(ast.walk(source.tree)) if source.mentions(_DECAY) else []
    if any(map(_sets, named)):
        return "seen"
    if plain and not source.mentions(*_LATER):
        return ""
    if any(map(_has, named)):
        return "seen"
    return "" if plain else "unseen"


def _given(node: ast.AST) -> ast.expr | None:
    if not isinstance(node, ast.Call):
        return None
    named = (k.value for k in node.keywords if k.arg == _PARAMS)
    return next(iter(node.args), None) or next(named, None)


def _sets(node: ast.AST) -> bool:
    """Whether something that may be a group gets a weight decay here."""
    if not isinstance(node, ast.Assign | ast.AugAssign):
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    set_here = (t.slice for t in targets if isinstance(t, ast.Subscript))
    return not _is_zero(node.value) and any(_text(one) == _DECAY for one in set_here)


def _has(node: ast.AST) -> bool:
    """Whether a group with a weight decay is written out here."""
    group = _group(node)
    return group is not None and _PARAMS in group and not _is_zero(group.get(_DECAY))


def _group(node: ast.AST) -> dict[object, ast.expr] | None:
    """What a dict that is written out holds; what ``**`` adds is under None."""
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return {key and _text(key): value for key, value in pairs}
    if isinstance(node, ast.Call) and _leaf(node.func) == "dict" and not node.args:
        return {keyword.arg: keyword.value for keyword in node.keywords}
    return None


class _Reading:
    """What stands for parameters in a source, by the names that it assigns."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._reading: set[str] = set()

    def parameters(self, node: ast.expr) -> bool:
        """Whether an expression is seen to give parameters, or groups that don't decay."""
        if isinstance(node, ast.Call):
            if _leaf(node.func) in _GIVING:
                return True
            passed = node.args[1:] if _leaf(node.func) == "filter" else node.args
            return _leaf(node.func) in _PASSING and all(map(self.parameters, passed))
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return all(map(self._one, node.elts))
        if isinstance(node, _COMPREHENSIONS):
            return self._one(node.elt)
        if isinstance(node, ast.BinOp):
            return self.parameters(node.left) and self.parameters(node.right)
        if isinstance(node, ast.IfExp):
            return self.parameters(node.body) and self.parameters(node.orelse)
        if isinstance(node, ast.Starred):
            return self.parameters(node.value)
        if not isinstance(node, ast.Name) or node.id in self._reading:
            return False
        found = list(self._assigned(node.id))
        self._reading.add(node.id)
        every = bool(found) and all(one is not None and self.parameters(one) for one in found)
        self._reading.discard(node.id)
        return every

    def _one(self, node: ast.expr) -> bool:
        """The same of a single parameter or group."""
        if isinstance(node, ast.Starred):
            return self.parameters(node.value)
        group = _group(node)
        if group is not None:
            return {*map(type, group)} == {str} and _is_zero(group.get(_DECAY))
        if isinstance(node, ast.Name):
            found = self._assigned(node.id)
            return all(one is None or _group(one) is None or self._one(one) for one in found)
        return isinstance(node, ast.Attribute) or (
            isinstance(node, ast.Call) and _leaf(node.func) in _MAKING
        )

    def _assigned(self, name: str) -> Iterator[ast.expr | None]:
        """What a name is bound to anywhere; None: nothing tells."""
        for made in self._source.all(ast.Assign):
            if any(getattr(one, "id", "") == name for one in made.targets):
                yield made.value
        annotated, added = self._source.all(ast.AnnAssign), self._source.all(ast.AugAssign)
        yield from (one.value for one in annotated if getattr(one.target, "id", "") == name)
        yield from (one.value for one in added if getattr(one.target, "id", "") == name)
        plain, waiting = self._source.all(ast.FunctionDef), self._source.all(ast.AsyncFunctionDef)
        for spec in (*(one.args for one in plain), *(one.args for one in waiting)):
            if any(one.arg == name for one in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)):
                yield None


def _is_zero(node: ast.expr | None) -> bool:
    """Whether a decay is none."""
    return node is None or (isinstance(node, ast.Constant) and node.value in (0, None))


def _text(node: ast.expr) -> object:
    """What a key says, if it is written out."""
    return node.value if isinstance(node, ast.Constant) else None


def _leaf(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
