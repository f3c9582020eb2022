"""What lists, dicts and loaders of users' code give, as far as it is known what they hold."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from msmap.code.values import (
    ARRAY,
    CONTAINER,
    NONE,
    PLAIN,
    TENSOR,
    UNKNOWN,
    Function,
    Instance,
    Items,
    Keyed,
    Object,
    Value,
    is_tensor,
    join,
    joined,
    optional,
)

if TYPE_CHECKING:
    from msmap.code.reading import Reading

_CHANGING = frozenset(("append", "insert", "add", "appendleft"))


def method_of_items(
    reading: Reading, function: ast.Attribute, base: Items, positional: list[Value]
) -> Value:
    """A method of a container: what it adds is known where the container has a name."""
    name = function.attr
    if base.mutable and function.value.__class__ is ast.Name:
        after: Value = CONTAINER
        if name in _CHANGING and positional:
            each = positional[-1] if base.values == () else join(base.element, positional[-1])
            after = Items(None, each, mutable=True)
        elif name in ("pop", "reverse", "sort", "clear", "count", "index", "remove", "copy"):
            after = Items(None, base.element, mutable=True)
        reading.scope.bind(function.value.id, after)
    if name == "pop":
        return base.element
    if base.named:
        return UNKNOWN
    return CONTAINER if name == "copy" else UNKNOWN


def method_of_keyed(
    reading: Reading, node: ast.Call, function: ast.Attribute, base: Keyed
) -> Value:
    """A method of a dict whose keys are known: no others than these leave it as it was."""
    name = function.attr
    if name not in ("get", "keys", "values", "items") and function.value.__class__ is ast.Name:
        reading.scope.bind(function.value.id, CONTAINER)
    if name == "keys":
        return Items(None, PLAIN)
    if name in ("values", "items"):
        each = joined(base.values)
        return Items(None, each if name == "values" else Items((PLAIN, each)))
    if name in ("get", "pop") and node.args:
        return optional(base.get(node.args[0])) if len(node.args) == 1 else UNKNOWN
    return UNKNOWN


def loader(
    reading: Reading, made: Instance, positional: list[Value], keywords: dict[str, Value]
) -> Value:
    """A loader, with the batches that it gives where it puts them together itself."""
    samples = positional[0] if positional else keywords.get("dataset", UNKNOWN)
    own = {"collate_fn", "batch_size", "batch_sampler"}.intersection(keywords)
    if own - {"batch_size"} or len(positional) > _COLLATED or keywords.get("batch_size") is NONE:
        return made
    if isinstance(samples, Instance) and samples.name == "torch.utils.data.TensorDataset":
        return replace(made, gives=Items(None, TENSOR, mutable=True))
    one = UNKNOWN
    if isinstance(samples, Object):
        getter = reading.member(samples.entry, "__getitem__")
        one = reading.result(getter) if isinstance(getter, Function) else UNKNOWN
    batch = _batch(one)
    return made if batch is UNKNOWN else replace(made, gives=batch)


# Beyond these arguments by position stands collate_fn, after sampler and the like.
_COLLATED = 2


def _batch(one: Value) -> Value:
    """What samples become that are put together: tensors and arrays are tensors."""
    if is_tensor(one) or one is ARRAY:
        return TENSOR
    if isinstance(one, Items) and one.values is not None:
        return Items(tuple(map(_batch, one.values)), UNKNOWN, mutable=True)
    if isinstance(one, Keyed):
        return Keyed(one.keys, tuple(map(_batch, one.values)))
    return UNKNOWN
