"""What follows from a record and the signatures: relations nobody typed, and the category."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from msmap import model
from msmap.curated import schema
from msmap.messages import Message
from msmap.port.arguments import placeholders
from msmap.signatures.parse import same_default
from msmap.signatures.release import Side
from msmap.vocabulary import RELATIONS, UNIVERSAL_ABSENT, worst

RECEIVER = "self"


@dataclass(frozen=True, slots=True)
class Open:
    """A difference of the signatures that a record doesn't account for: in words, and as what."""

    said: str
    parameter: model.Parameter


@dataclass(frozen=True, slots=True)
class Relations:
    """All parameters of a target with their relations, and what the record leaves open."""

    parameters: tuple[model.Parameter, ...]
    unaccounted: tuple[Open, ...]


def parameters(
    written: Sequence[schema.Parameter],
    source: Side,
    target: Side,
    expression: str | None = None,
    by_position: bool = False,
) -> Relations:
    """The relations of a target: those written in the record, then those that follow.

    ``by_position`` pairs inputs of the same place whatever their names, as layers are called.

    Whatever follows but changes results (another default, a parameter that one side lacks) is
    in ``unaccounted`` too: the record must say it.
    """
    found = [_written(p, source, target) for p in written]
    torch_done = {n for p in written for n in p.torch_names}
    mindspore_done = {n for p in written for n in p.mindspore_names}
    open_points: list[Open] = []
    if expression is not None:
        free = placeholders(expression) - mindspore_done
        names = [*([RECEIVER] if source.kind in ("method", "property") else []), *source.names()]
        for name in (n for n in names if n not in torch_done):
            if name in free:
                found.append(_derived(name, name, "same", source, target))
            else:
                _absent(name, source, target, found, open_points)
        return Relations(tuple(found), tuple(open_points))

    available = [n for n in target.names() if n not in mindspore_done]
    for torch, mindspore, relation in _receivers(source, target, torch_done, mindspore_done):
        found.append(_derived(torch, mindspore, relation, source, target))
        torch_done.add(torch)
        available = [n for n in available if n != mindspore]
    for name in (n for n in source.names() if n not in torch_done):
        other = _neighbour(name, source, target, available) if by_position else None
        if other is not None and other != name:
            available.remove(other)
            _pair(name, other, "renamed", source, target, found, open_points)
            continue
        if name not in available:
            _absent(name, source, target, found, open_points)
            continue
        available.remove(name)
        if _default_dtype(name, source, target):
            found.append(replace(_derived(name, name, "same", source, target), cases=_DTYPE_CASES))
            continue
        placed = source.position(name) in (None, target.position(name))
        _pair(name, name, "same" if placed else "reordered", source, target, found, open_points)
    for name in (n for n in available if not target.variadic(n)):
        if target.required(name):
            set_ = _derived(None, name, "target_only_must_set", source, target)
            open_points.append(Open(f"MindSpore's `{name}` must be set", set_))
            continue
        found.append(_derived(None, name, "target_only_keep_default", source, target))
        open_points.append(Open(Message("MindSpore's `{}` is extra", name), found[-1]))
    return Relations(tuple(found), tuple(open_points))


# PyTorch's None stands for its default dtype, which is float32 unless someone changes it.
_DTYPE_CASES = (
    model.Case("none", {}, None, None),
    model.Case("any", {"dtype": "{dtype}"}, None, None),
)


def _default_dtype(name: str, source: Side, target: Side) -> bool:
    defaults = (source.default(name), target.default(name))
    return name == "dtype" and defaults == ("None", "mindspore.float32")


def _neighbour(name: str, source: Side, target: Side, available: list[str]) -> str | None:
    """The target's input in the same place, unless the name itself stands elsewhere."""
    place = source.position(name)
    if place is None or name in available:
        return name if name in available else None
    return next((n for n in available if target.position(n) == place), None)


def _pair(
    torch: str, mindspore: str, relation: str, source: Side, target: Side,
    found: list[model.Parameter], open_points: list[Open],
) -> None:  # fmt: skip
    """Two parameters that belong together; another default is worse than another name."""
    ours, theirs = source.defaults(torch), target.defaults(mindspore)
    # A required parameter that became optional changes nothing for who passes it.
    if None in ours or any(same_default(a, b) for a in ours for b in theirs):
        found.append(_derived(torch, mindspore, relation, source, target))
        return
    found.append(_derived(torch, mindspore, "default_differs", source, target))
    said = Message(
        "`{}` defaults to {} in PyTorch and {} in MindSpore",
        torch,
        source.default(torch) or Message("nothing"),
        target.default(mindspore) or Message("nothing"),
    )
    open_points.append(Open(said, found[-1]))


def _absent(
    name: str, source: Side, target: Side, found: list[model.Parameter], open_points: list[Open]
) -> None:
    if name in UNIVERSAL_ABSENT:
        found.append(_derived(name, None, "universal_absent", source, target))
        return
    found.append(_derived(name, None, "source_only_unsupported", source, target))
    open_points.append(Open(Message("PyTorch's `{}` has no counterpart", name), found[-1]))


def _receivers(
    source: Side, target: Side, torch_done: set[str], mindspore_done: set[str]
) -> Iterable[tuple[str, str, str]]:
    """Where the object a method is called on comes from or goes to."""
    from_method = source.kind in ("method", "property") and RECEIVER not in torch_done
    to_method = target.kind in ("method", "property") and RECEIVER not in mindspore_done
    first_torch = next((n for n in source.names() if n not in torch_done), None)
    first_mindspore = next((n for n in target.names() if n not in mindspore_done), None)
    if from_method and to_method:
        yield RECEIVER, RECEIVER, "same"
    elif from_method and first_mindspore:
        yield RECEIVER, first_mindspore, "same"
    elif to_method and first_torch:
        yield first_torch, RECEIVER, "moved_to_method"


def _written(parameter: schema.Parameter, source: Side, target: Side) -> model.Parameter:
    torch, mindspore = parameter.torch_names, parameter.mindspore_names
    return model.Parameter(
        torch=torch,
        mindspore=mindspore,
        relation=parameter.relation,
        derived=False,
        torch_default=source.default(torch[0]) if torch else None,
        mindspore_default=target.default(mindspore[0]) if mindspore else None,
        torch_position=source.position(torch[0]) if torch else None,
        mindspore_position=target.position(mindspore[0]) if mindspore else None,
        value=parameter.value,
        cases=tuple(
            model.Case(c.when, c.set, text(c.refuse), text(c.note), c.assumes or "")
            for c in parameter.cases
        ),
        allow=tuple(parameter.allow),
        keyword=parameter.keyword,
        note=text(parameter.note),
    )


def _derived(
    torch: str | None, mindspore: str | None, relation: str, source: Side, target: Side
) -> model.Parameter:
    return model.Parameter(
        torch=(torch,) if torch else (),
        mindspore=(mindspore,) if mindspore else (),
        relation=relation,
        derived=True,
        torch_default=source.default(torch) if torch else None,
        mindspore_default=target.default(mindspore) if mindspore else None,
        torch_position=source.position(torch) if torch else None,
        mindspore_position=target.position(mindspore) if mindspore else None,
        value=None,
        cases=(),
        allow=(),
        keyword=False,
        note=None,
    )


def text(value: schema.Bilingual | None) -> model.Text | None:
    """A bilingual text of a data file as the store keeps it."""
    return None if value is None else model.Text(value.en, value.zh)


def category(
    target: schema.Target, relations: Iterable[model.Parameter], caveats: Iterable[schema.Caveat]
) -> str:
    """The category of difference of a target: the worst that anything about it says."""
    if target.remove:
        return "removable"
    if target.expression is not None:
        return "composite"
    relations = list(relations)
    found = [RELATIONS[p.relation].category for p in relations]
    if not relations:
        found.append("no_params")
    if target.returns is not None:
        found.append("return_differs")
    for caveat in caveats:
        mine = caveat.target in (None, target.key)
        if mine and caveat.parameter is None and caveat.impact in ("silent", "error"):
            found.append("behaviour_differs")
    return worst(found)
