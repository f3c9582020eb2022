"""Names of one operation: function, method, layer; and what of one form holds for all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from msmap import model, names

# Where either framework keeps forms of one operation. What else has such a name is something else:
# torch.nn.init.ones_ fills, torch.ones makes.
_HOMES = {
    *("torch", "torch.Tensor", "torch.nn", "torch.nn.functional", "torch.linalg", "torch.special"),
    *("mindspore", "mindspore.Tensor", "mindspore.nn", "mindspore.ops", "mindspore.mint"),
    *("mindspore.mint.nn", "mindspore.mint.nn.functional", "mindspore.mint.linalg"),
    "mindspore.mint.special",
}
# One operation under several names.
_ONE: tuple[set[str], ...] = ({"bmm", "matmul", "mm"}, {"dense", "linear"})
_METHOD = re.compile(r"[\])}]\.([A-Za-z_]\w*)\(")


@cache
def operation(name: str) -> str:
    """What all forms of an operation have in common; the name itself where it has no forms.

    >>> {operation(n) for n in ("torch.nn.AvgPool2d", "torch.nn.functional.avg_pool2d")}
    {'avgpool2d'}
    >>> {operation(n) for n in ("torch.add", "torch.Tensor.add_", "mindspore.mint.add")}
    {'add'}
    >>> operation("torch.nn.init.ones_")
    'torch.nn.init.ones_'
    """
    if name.rpartition(".")[0] not in _HOMES:
        return name
    stem = names.stem(name)
    return next((min(group) for group in _ONE if stem in group), stem)


def forms(name: str, known: Iterable[str]) -> list[str]:
    """The other forms of an operation of PyTorch's, of some names.

    Names of one place that differ in upper case alone, as torch.Tensor and torch.tensor do, are
    none.
    """
    home, _, leaf = name.rstrip("_").rpartition(".")

    def another(other: str) -> bool:
        place, _, last = other.rstrip("_").rpartition(".")
        return (place, last.lower()) != (home, leaf.lower()) or last == leaf

    own = operation(name)
    return [n for n in known if n != name and operation(n) == own and another(n)]


def rests_on(target: model.Target) -> frozenset[str]:
    """The operations of MindSpore's that a target calls, as ``operation`` names them."""
    called = [target.api] if target.api else list(model.uses(target))
    methods = _METHOD.findall(target.expression or "")
    return frozenset(map(operation, [*called, *(f"mindspore.Tensor.{m}" for m in methods)]))


def expected(
    name: str, records: Mapping[str, model.Record]
) -> list[tuple[model.Record, model.Caveat, tuple[str, ...]]]:
    """The caveats of other forms that a record should have too, or say why not.

    A caveat is about the targets that it names, all if it names none. It holds for another form
    that rests on the same operation of MindSpore's; one about a parameter only where it is the very
    same API, since another has parameters of its own. What is ``own`` holds for its record alone.

    Returns:
        the other record, its caveat, and the keys of the targets that it is about here.
    """
    record = records[name]
    told = {caveat.id for caveat in record.caveats}
    found = []
    for other in (records[form] for form in forms(name, records)):
        for caveat in other.caveats:
            if caveat.id in told or caveat.own:
                continue
            about = [t for t in other.targets if caveat.target in (None, t.key)]
            keys = tuple(
                t.key for t in record.targets if any(_share(caveat, one, t) for one in about)
            )
            if keys:
                found.append((other, caveat, keys))
    return found


def _share(caveat: model.Caveat, one: model.Target, other: model.Target) -> bool:
    """Whether what is said of a target is said of another one."""
    if caveat.parameter is not None:
        return one.api is not None and one.api == other.api
    return not rests_on(one).isdisjoint(rests_on(other))
