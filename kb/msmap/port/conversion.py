"""What PyTorch's arguments become under one target: target parameters and their source text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from msmap.code.refusal import Refused
from msmap.model import Case, Parameter, Text
from msmap.port import arguments as values
from msmap.port.arguments import Argument
from msmap.port.bind import Bound
from msmap.signatures.parse import Signature, parse, same_default
from msmap.vocabulary import UNIVERSAL_ABSENT

CONSTRUCTOR = "moved_to_constructor"


@dataclass(slots=True)
class Setting:
    """A value for a target parameter; ``positional`` if PyTorch's caller wrote it by position."""

    text: str
    positional: bool
    constructor: bool = False
    items: tuple[Argument, ...] | None = None


@dataclass(slots=True)
class Carried:
    """Settings by target parameter, and notes on what was dropped or deserves a look."""

    settings: dict[str, Setting] = field(default_factory=dict)
    notes: list[Text] = field(default_factory=list)
    assumed: list[Assumed] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Assumed:
    """What an argument is taken for, and what to write where it is something else."""

    argument: Argument
    what: str
    note: Text


def with_defaults(bound: Bound) -> dict[str, Argument]:
    """Every parameter's argument, PyTorch's default standing in for those left out."""
    return {**_defaults(bound.signature.text), **bound.given}


@lru_cache(maxsize=4096)
def _defaults(signature: str) -> dict[str, Argument]:
    """The defaults of a signature as arguments."""
    return {
        parameter.name: values.argument(parameter.default)
        for parameter in parse(signature).parameters
        if parameter.default not in (None, "...")
    }


def carry(
    name: str, bound: Bound, parameters: Sequence[Parameter], targets: Sequence[Signature]
) -> Carried:
    """Apply a target's parameter relations to a bound call.

    A PyTorch default is written out unless one of the ``targets`` (overloads) has the same.

    Raises:
        Refused: an argument can't be carried over; the reason names it.
    """
    carried = Carried()
    arguments = with_defaults(bound)
    covered: set[str] = set()
    for parameter in parameters:
        if parameter.relation == "target_only_must_set":
            for mindspore in parameter.mindspore:
                text = fill(name, parameter.value or "", arguments)
                carried.settings[mindspore] = Setting(text, positional=False)
            continue
        mine = [n for n in parameter.torch if n in arguments]
        covered.update(parameter.torch)
        if not mine:
            continue
        given = not bound.given.keys().isdisjoint(mine)
        if not parameter.mindspore:
            if given:
                _leave_out(name, parameter, bound.given, carried)
            continue
        for mindspore, text, case in _settings(name, parameter, arguments):
            if given or not is_default(text, mindspore, targets):
                source = arguments[mine[0]]
                carried.settings[mindspore] = Setting(
                    text,
                    positional=source.by == "position" and not parameter.keyword,
                    constructor=parameter.relation == CONSTRUCTOR,
                    items=source.items if text == source.text else None,
                )
                if case is not None and case.note is not None and given:
                    _note(carried, source, case.assumes, case.note)
    for left in [n for n in bound.given if n not in covered]:
        if bound.signature.get(left) is not None or not any(t.open_keywords for t in targets):
            raise Refused(
                "argument",
                f"{name}: the record says nothing about `{left}`",
                f"{name}：记录未说明参数 `{left}`",
            )
        # Both sides take keywords of any name.
        carried.settings[left] = Setting(bound.given[left].text, positional=False)
    return carried


def _note(carried: Carried, argument: Argument, assumes: str, note: Text) -> None:
    """Remember what there is to say of an argument, once."""
    if not assumes:
        carried.notes.append(note)
    elif (made := Assumed(argument, assumes, note)) not in carried.assumed:
        carried.assumed.append(made)


def is_default(text: str, mindspore: str, targets: Sequence[Signature]) -> bool:
    """Whether a target parameter has that value anyway, so that it isn't written."""
    for signature in targets:
        if (known := signature.get(mindspore)) is not None:
            if known.default is None:
                return False
            return (_kept if len(text) <= _SHORT else _alike)(text, known.default)
    return False


def _alike(text: str, default: str) -> bool:
    """Whether source text is the value of a default."""
    folded = values.fold(text)
    return same_default(text if folded is values.UNKNOWN else repr(folded), default)


# The same few values and defaults come again and again; what is long comes once.
_SHORT = 60
_kept = lru_cache(maxsize=4096)(_alike)


def _settings(
    name: str, parameter: Parameter, arguments: dict[str, Argument]
) -> list[tuple[str, str, Case | None]]:
    source = arguments.get(parameter.torch[0])
    if source is not None and source.maybe_none and (either := _either(name, parameter, arguments)):
        return either
    for case in parameter.cases:
        if source is not None and values.fits(source, case.when):
            if case.refuse is not None:
                raise Refused("argument", f"{name}: {case.refuse.en}", f"{name}：{case.refuse.zh}")
            return [
                (target, fill(name, text, arguments), case) for target, text in case.set.items()
            ]
    if parameter.value is not None:
        return [(parameter.mindspore[0], fill(name, parameter.value, arguments), None)]
    if parameter.cases:
        raise Refused(
            "argument",
            f"{name}: no case of `{parameter.torch[0]}` fits this argument",
            f"{name}：参数 `{parameter.torch[0]}` 的这种写法没有对应情形",
        )
    if source is None:
        return []
    return [(parameter.mindspore[0], source.text, None)]


def _either(
    name: str, parameter: Parameter, arguments: dict[str, Argument]
) -> list[tuple[str, str, Case | None]]:
    """Settings for what may be None where the record has a case for that; () if it has none."""
    source = arguments[parameter.torch[0]]
    none = next((c for c in parameter.cases if c.when in ("none", "None") and not c.refuse), None)
    given = next((c for c in parameter.cases if values.fits(source, c.when)), None)
    if none is None or given is None or given.refuse:
        return []
    usual = none.set
    if not usual and parameter.mindspore_default is not None and len(parameter.mindspore) == 1:
        usual = {parameter.mindspore[0]: parameter.mindspore_default}
    if usual.keys() != given.set.keys():
        return []
    placeholder = "{" + parameter.torch[0] + "}"
    return [
        (
            target,
            fill(name, f"({text} if {placeholder} is None else {given.set[target]})", arguments),
            # It is asked for here.
            None if given.assumes == "given" else given,
        )
        for target, text in usual.items()
    ]


def fill(name: str, template: str, arguments: dict[str, Argument]) -> str:
    """A template filled with arguments.

    Raises:
        Refused: a placeholder has no value.
    """
    try:
        return values.fill(template, arguments)
    except KeyError as error:
        needed = error.args[0]
        raise Refused(
            "argument",
            f"{name}: {needed} has no value here",
            f"{name}：{needed} 在此没有取值",
        ) from None


# What losses had before `reduction`: False is another value than None, the default.
_OF_LOSSES = ("size_average", "reduce")


def _leave_out(
    name: str, parameter: Parameter, given: dict[str, Argument], carried: Carried
) -> None:
    torch = next(n for n in parameter.torch if n in given)
    found = given[torch]
    if any(values.fits(found, literal) for literal in parameter.allow):
        return
    if parameter.relation == "source_only_droppable":
        carried.notes.append(parameter.note or Text(f"`{torch}` is dropped", f"`{torch}` 已删除"))
        return
    if parameter.relation == "universal_absent":
        usual = found.text == "False" and torch not in _OF_LOSSES
        harmless = values.kind(found.node) == "none" or usual
        if harmless or UNIVERSAL_ABSENT.get(torch) == "drop":
            if not harmless:
                carried.notes.append(
                    Text(
                        f"`{torch}` is dropped: MindSpore's operators have no such parameter",
                        f"`{torch}` 已删除：MindSpore 的算子没有该参数",
                    )
                )
            return
    if parameter.note is None and torch in _OF_LOSSES:
        en, zh = "write reduction= instead", "请改写为 reduction="
        raise Refused(
            "argument", f"{name}: `{torch}={found.text}`: {en}", f"{name}：`{torch}`：{zh}"
        )
    why = parameter.note or Text(
        f"`{torch}` has no counterpart in MindSpore", f"MindSpore 没有与 `{torch}` 对应的参数"
    )
    raise Refused(
        "argument", f"{name}: `{torch}={found.text}`: {why.en}", f"{name}：`{torch}`：{why.zh}"
    )
