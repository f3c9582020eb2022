"""What lists, dicts and loaders of users' code give, as far as it is known what they hold."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from msmap.infer import call_graph
from msmap.infer.dict_keys import Key
from msmap.infer.iteration import iterated
from msmap.infer.values import datasets, torch
from msmap.infer.values.classes import hold
from msmap.infer.values.lattice import (
    ARRAY,
    CONTAINER,
    LISTS,
    NONE,
    NOTHING,
    PLAIN,
    TENSOR,
    UNKNOWN,
    Function,
    Instance,
    Items,
    Keyed,
    Mapped,
    Object,
    Value,
    either_held,
    held,
    is_tensor,
    join,
    joined,
    optional,
    shared,
)

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading

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
    reading: Reading, node: ast.Call, function: ast.Attribute, base: Keyed, given: list[Value]
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
        found = base.get(node.args[0])
        if len(node.args) == 1:
            return optional(found)
        return join(found, given[-1]) if len(given) == len(node.args) else UNKNOWN
    return UNKNOWN


def method_of_mapped(name: str, base: Mapped, given: list[Value]) -> Value:
    """A method of a dict that is annotated: what it holds stays as the annotation tells it."""
    if name in ("keys", "values"):
        return Items(None, base.key if name == "keys" else base.each)
    if name == "items":
        return Items(None, Items((base.key, base.each)))
    if name in ("get", "pop", "setdefault") and given:
        found = base.each if name != "get" else optional(base.each)
        return found if len(given) == 1 else join(base.each, given[-1])
    return base if name == "copy" else UNKNOWN


def layer(
    reading: Reading,
    made: Instance,
    node: ast.Call,
    positional: list[Value],
    keywords: dict[str, Value],
) -> Instance:
    """A layer, with what it gives, or holds."""
    gives: Value | None = UNKNOWN if "return_indices" in keywords else None
    if made.name == "torch.nn.Sequential" and positional:
        last = positional[-1]
        if isinstance(last, Instance) and last.owner == "module":
            gives = last.gives or torch.layer(last.classes, [])
    elif made.name in LISTS:
        one = len(positional) == len(node.args) == 1
        gives = _held_by(positional[0]) if one else None
        if one and (each := reading.dicts.get(node.args[0], UNKNOWN)) is not UNKNOWN:
            gives = each
        if not node.args and not node.keywords:
            gives = NOTHING
    return Instance("module", made.name, gives=gives, maker=node)


def _held_by(given: Value) -> Value | None:
    """What layers may be that a list or a dict of them is made of; None for any."""
    if isinstance(given, Instance) and given.name in LISTS:
        return given.gives
    if isinstance(given, Items | Keyed) and given.values == ():
        return NOTHING
    if isinstance(given, Keyed):
        found = joined(given.values)
    else:
        found = given.element if isinstance(given, Items) else UNKNOWN
    return None if found is UNKNOWN else found


# Methods of lists and dicts of layers that add one, or those of another.
_ADDING = frozenset(("append", "insert", "add_module", "register_module"))
_ADDING_ALL = frozenset(("extend", "update"))


def method_of_layers(
    reading: Reading, function: ast.Attribute, base: Instance, positional: list[Value]
) -> Value:
    """A method of a list or a dict of layers."""
    name, each = function.attr, held(base)
    if name in _ADDING or name in _ADDING_ALL:
        added = positional[-1] if positional else UNKNOWN
        more = _held_by(added) if name in _ADDING_ALL else added
        put_layer(reading, function.value, base, None if more is UNKNOWN else more)
        return base
    if name == "values":
        return Items(None, each)
    if name == "items":
        return Items(None, Items((PLAIN, each)))
    if name == "keys":
        return Items(None, PLAIN)
    return each if name == "pop" else UNKNOWN


def put_layer(reading: Reading, node: ast.expr, base: Instance, added: Value | None) -> None:
    """A list or a dict of layers holds one more, under the name that it has there."""
    after = replace(base, gives=either_held(base.gives, added))
    if isinstance(node, ast.Name):
        reading.scope.bind(node.id, after)
    elif isinstance(node, ast.Attribute):
        of = reading.peek(node.value)
        if isinstance(of, Object):
            hold(of.entry, node.attr, after)


def loader(
    reading: Reading,
    made: Instance,
    node: ast.Call,
    positional: list[Value],
    keywords: dict[str, Value],
) -> Value:
    """A loader, with the batches that it gives where it puts them together itself."""
    if any(isinstance(one, ast.Starred) for one in node.args):
        return made
    for keyword in node.keywords:
        if keyword.arg is None:
            keys = reading.keys_of(keyword.value)
            if keys is None:
                return made
            keywords |= {name: _spread(key) for name, key in keys.items()}
    samples = positional[0] if positional else keywords.get("dataset", UNKNOWN)
    collate = keywords.get("collate_fn")
    if isinstance(collate, Function) and len(positional) <= _COLLATED:
        one = Items(None, sample(reading, samples), mutable=True)
        batch = call_graph.result(reading, collate, [one], {})
        return made if batch is UNKNOWN else replace(made, gives=shared(batch))
    own = {"collate_fn", "batch_size", "batch_sampler"}.intersection(keywords)
    if own - {"batch_size"} or len(positional) > _COLLATED or keywords.get("batch_size") is NONE:
        return made
    batch = _batch(_counted(reading, samples, sample(reading, samples)))
    return made if batch is UNKNOWN else replace(made, gives=batch)


def _spread(key: Key) -> Value:
    """What a keyword may be that ``**`` gives: a loader asks whether it is None."""
    is_none = any(isinstance(one, ast.Constant) and one.value is None for one in key.values)
    return NONE if is_none else UNKNOWN


def part(reading: Reading, name: str, positional: list[Value], keywords: dict[str, Value]) -> Value:
    """What is made of datasets: a part of one gives its samples, several joined those of all."""
    if name == "torch.utils.data.ConcatDataset":
        whole = positional[0] if positional else keywords.get("datasets", UNKNOWN)
        each = whole.values if isinstance(whole, Items) and whole.values else ()
        gives = joined(sample(reading, one) for one in each)
    else:
        whole = positional[0] if positional else keywords.get("dataset", UNKNOWN)
        gives = sample(reading, whole)
    found = Instance("dataset", "torch.utils.data.Subset", gives=gives)
    return Items(None, found) if name == "torch.utils.data.random_split" else found


# What gives samples of datasets that it is made of.
PARTS = (
    "torch.utils.data.Subset", "torch.utils.data.ConcatDataset", "torch.utils.data.random_split",
)  # fmt: skip


def sample(reading: Reading, dataset: Value) -> Value:
    """What a dataset gives at an index."""
    if isinstance(dataset, Instance):
        if dataset.name == "torch.utils.data.TensorDataset":
            return Items(None, TENSOR)
        return dataset.gives or UNKNOWN if dataset.owner == "dataset" else UNKNOWN
    # Where a dataset has __getitems__, a loader takes that.
    if isinstance(dataset, Object) and dataset.entry.member("__getitems__") is None:
        getter = reading.member(dataset.entry, "__getitem__")
        return reading.result(getter) if isinstance(getter, Function) else UNKNOWN
    return UNKNOWN


def _counted(reading: Reading, dataset: Value, one: Value) -> Value:
    """A sample with its numbers told from texts, which are put together as tensors alone."""
    if not isinstance(dataset, Object) or not isinstance(one, Items) or one.values is None:
        return one
    getter = reading.member(dataset.entry, "__getitem__")
    node = getter.node if isinstance(getter, Function) else None
    if not isinstance(node, ast.FunctionDef):
        return one
    numbers = datasets.numbers(node)
    values = (
        ARRAY if value is PLAIN and at in numbers else value for at, value in enumerate(one.values)
    )
    return replace(one, values=tuple(values))


# Beyond these arguments by position stands collate_fn, after sampler and the like.
_COLLATED = 2


def _batch(one: Value) -> Value:
    """What samples become that are put together: tensors and arrays are tensors."""
    if is_tensor(one) or one is ARRAY:
        return TENSOR
    if isinstance(one, Items):
        if one.values is None:
            return Items(None, _batch(one.each), mutable=True)
        return Items(tuple(map(_batch, one.values)), UNKNOWN, mutable=True)
    if isinstance(one, Keyed):
        return Keyed(one.keys, tuple(map(_batch, one.values)))
    if isinstance(one, Mapped):
        return Mapped(one.key, _batch(one.each))
    return UNKNOWN


def passed_on(name: str, positional: Sequence[Value], starred: bool) -> Value:
    """What a function of Python's own library gives of what it is given."""
    first = positional[0] if positional and not starred else UNKNOWN
    module, _, leaf = name.partition(".")
    if module == "copy":
        return first
    if module == "random":
        return iterated(first) if leaf == "choice" else Items(None, iterated(first), mutable=True)
    if leaf in ("cycle", "islice", "tqdm"):
        return Items(None, iterated(first))
    if leaf == "repeat":
        return Items(None, first)
    if leaf == "chain":
        return Items(None, UNKNOWN if starred else joined(map(iterated, positional)))
    if leaf in ("OrderedDict", "defaultdict", "ChainMap", "deque"):
        return CONTAINER
    return UNKNOWN
