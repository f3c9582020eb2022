"""Names of one operation, function, method, layer, and what is said of one and holds for all."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Protocol

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


class Targeted(Protocol):
    """A target, as written or as joined."""

    @property
    def api(self) -> str | None:
        """The counterpart; None if it is an expression, or nothing."""


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


class Kin:
    """Names of PyTorch's by operation and by the API of their target: siblings are found here."""

    def __init__(self, best: Mapping[str, str]) -> None:
        """Group names.

        Args:
            best: the names, with the API of their best target; "" where it is none.
        """
        self._best = best
        self._of: dict[str, list[str]] = {}
        self._with: dict[str, list[str]] = {}
        for name, api in best.items():
            self._of.setdefault(operation(name), []).append(name)
            self._with.setdefault(api, []).append(name)

    def forms(self, name: str) -> list[str]:
        """The other forms of an operation.

        Names of one place that differ in upper case alone, as torch.Tensor and torch.tensor do, are
        none.
        """
        home, _, leaf = name.rstrip("_").rpartition(".")

        def another(other: str) -> bool:
            place, _, last = other.rstrip("_").rpartition(".")
            return (place, last.lower()) != (home, leaf.lower()) or last == leaf

        return [n for n in self._of[operation(name)] if n != name and another(n)]

    def siblings(self, name: str) -> list[str]:
        """The other forms, then what else MindSpore's very same API is the best target of."""
        own, api = self.forms(name), self._best[name]
        others = self._with[api] if api else ()
        return [*own, *(n for n in others if n != name and n not in own)]


def best_api(targets: Sequence[Targeted]) -> str:
    """The API of the best of a record's targets; "" if it is none."""
    return (targets[0].api if targets else None) or ""


def rests_on(target: model.Target) -> frozenset[str]:
    """The operations of MindSpore's that a target calls, as ``operation`` names them."""
    called = [target.api] if target.api else list(model.uses(target))
    methods = _METHOD.findall(target.expression or "")
    return frozenset(map(operation, [*called, *(f"mindspore.Tensor.{m}" for m in methods)]))


def expected(
    name: str, records: Mapping[str, model.Record], kin: Kin
) -> list[tuple[model.Record, model.Caveat, tuple[str, ...]]]:
    """The caveats of siblings that a record should have too, or say why not.

    A caveat is about the targets that it names, all if it names none. It holds for another form
    that rests on the same operation of MindSpore's; one about a parameter only where it is the very
    same API, since another has parameters of its own. Of what is no form, what is said of the best
    target holds, but for its parameters. What is ``own`` holds for its record alone.

    Args:
        name: the record's.
        records: it and its siblings, by name.
        kin: all records' names.

    Returns:
        the other record, its caveat, and the keys of the targets that it is about here.
    """
    record = records[name]
    told = {caveat.id for caveat in record.caveats}
    same = set(kin.forms(name))
    found = []
    for other in (records[sibling] for sibling in kin.siblings(name)):
        form = other.torch in same
        for caveat in other.caveats:
            if caveat.id in told or caveat.own or not (form or caveat.parameter is None):
                continue
            about = [t for t in _targets(other, form) if caveat.target in (None, t.key)]
            mine = _targets(record, form)
            keys = tuple(t.key for t in mine if any(_share(caveat, one, t) for one in about))
            if keys:
                found.append((other, caveat, keys))
    return found


def _targets(record: model.Record, form: bool) -> tuple[model.Target, ...]:
    """The targets that records have in common: any of two forms, else the best."""
    return record.targets if form else record.targets[:1]


def _share(caveat: model.Caveat, one: model.Target, other: model.Target) -> bool:
    """Whether what is said of a target is said of another one."""
    if caveat.parameter is not None:
        return one.api is not None and one.api == other.api
    return not rests_on(one).isdisjoint(rests_on(other))
