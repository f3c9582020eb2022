"""One parameter's relation, or a pair of them, got wrong in each way that a record may."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from msmap.model import Case, Parameter
from msmap.port import arguments as values
from msmap.port.conversion import is_default
from msmap.signatures.parse import Signature
from msmap.verify.mutation import templates

# Parameters that may be exchanged without any effect, by the end of the target's name.
_EXCHANGEABLE: dict[str, set[str]] = {
    "mint.transpose": {"dim0", "dim1"},
    "swapdims": {"dim0", "dim1"},
    "swapaxes": {"axis0", "axis1"},
    "mint.max": {"input", "other"},
    "SmoothL1Loss.construct": {"logits", "labels", "input", "target"},
    "HuberLoss.construct": {"logits", "labels", "input", "target"},
    "L1Loss.construct": {"logits", "labels", "input", "target"},
    "MSELoss.construct": {"logits", "labels", "input", "target"},
    "GaussianNLLLoss.construct": {"logits", "labels"},
    "CosineEmbeddingLoss.construct": {"logits_x1", "logits_x2"},
    "huber_loss": {"input", "target"},
    "l1_loss": {"input", "target"},
    "gaussian_nll_loss": {"x", "target"},
    "cosine_embedding_loss": {"input1", "input2"},
    "cosine_similarity": {"x1", "x2"},
    "promote_types": {"type1", "type2"},
    "swap_tensors": {"t1", "t2"},
    "addcmul": {"tensor1", "tensor2"},
    # Of these functions and methods a and b give what b and a do.
    "bitwise_and": {"input", "other", "self"},
    "bitwise_or": {"input", "other", "self"},
    "bitwise_xor": {"input", "other", "self"},
    "gcd": {"input", "other", "self", "x1", "x2"},
    "hypot": {"input", "other", "self", "x1", "x2"},
    "logaddexp": {"input", "other", "self"},
    "logical_and": {"input", "other", "self"},
    "logical_or": {"input", "other", "self"},
    "logical_xor": {"input", "other", "self"},
    "ne": {"input", "other", "self"},
    "eq": {"input", "other", "self"},
}
# What these reduce over is a set: the order of the dimensions says nothing.
_REDUCTIONS = ("std", "var", "sum", "mean", "prod", "any", "all", "amax", "amin", "vector_norm")


_NUMBERS = ("int", "float", "Number", "_size", "_t")


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake: its kind, in words, and the relations that it makes.

    ``equivalent`` says why no call could come out otherwise.
    """

    kind: str
    change: str
    parameters: tuple[Parameter, ...]
    equivalent: str = ""


def of(
    parameters: Sequence[Parameter],
    source: Sequence[Signature],
    target: Sequence[Signature],
    api: str | None,
    expression: str | None = None,
) -> Iterator[Slip]:
    """All mistakes in the relations of one target; ``api`` is None for an ``expression``.

    ``source`` are the overloads of PyTorch's that this target takes; what is in none of them is
    left alone.
    """
    known = {p.name for s in source for p in s.parameters}
    for place, parameter in enumerate(parameters):
        if parameter.torch and known.isdisjoint(parameter.torch):
            continue
        for kind, change, wrong, equivalent in _alone(parameter, target, api):
            made = [*parameters[:place], *wrong, *parameters[place + 1 :]]
            yield Slip(kind, change, tuple(made), equivalent)
    carried = [i for i, p in enumerate(parameters) if _plainly_carried(p, known)]
    for number, i in enumerate(carried):
        one = parameters[i]
        near = (
            j for j in carried[number + 1 :]
            if _sort(one, source) == _sort(parameters[j], source)
        )  # fmt: skip
        for j in [*near][:1]:
            other = parameters[j]
            swap = {one.mindspore[0]: other.mindspore[0], other.mindspore[0]: one.mindspore[0]}
            made = list(parameters)
            made[i], made[j] = _retarget(one, swap), _retarget(other, swap)
            reason = _exchangeable(swap, api, expression)
            change = f"{_said(one)} and {_said(other)} are exchanged"
            yield Slip("swap", change, tuple(made), reason)


def _exchangeable(swap: dict[str, str], api: str | None, expression: str | None) -> str:
    names = set(swap)
    if expression is not None:
        turned = templates.exchanged(expression, {f"{{{a}}}": f"{{{b}}}" for a, b in swap.items()})
        return "the operands may be exchanged" if templates.equivalent(expression, turned) else ""
    ends = [end for end in _EXCHANGEABLE if f".{api}".endswith(f".{end}")]
    if any(names <= _EXCHANGEABLE[end] for end in ends):
        return f"{api} gives the same with {' and '.join(sorted(names))} exchanged"
    return ""


_Alone = tuple[str, str, tuple[Parameter, ...], str]


def _alone(parameter: Parameter, target: Sequence[Signature], api: str | None) -> Iterator[_Alone]:
    if parameter.relation == "target_only_must_set":
        if all(_optional(n, target) for n in parameter.mindspore):
            yield "default", f"{_said(parameter)} is not set", (), ""
        yield from _templates(parameter, api)
        return
    if not (parameter.torch and parameter.mindspore):
        return
    if parameter.keyword:
        loose = replace(parameter, keyword=False)
        yield "keyword", f"{_said(parameter)} may be passed by position", (loose,), ""
    yield from _lost(parameter, target, api)
    yield from _transforms(parameter)
    yield from _templates(parameter, api)


def _lost(parameter: Parameter, target: Sequence[Signature], api: str | None) -> Iterator[_Alone]:
    """The argument goes missing, or what stands for it when it is left out does."""
    name = _said(parameter)
    default = parameter.torch_default
    if api is None:
        if default not in (None, "...") and parameter.value != default:
            fixed = replace(parameter, value=default, cases=())
            yield "lost", f"{name} is always {default}", (fixed,), ""
        return
    if not all(_optional(n, target) for n in parameter.mindspore):
        return
    gone = replace(parameter, relation="source_only_droppable", mindspore=(), value=None, cases=())
    ignored = parameter.relation == "accepted_ignored"
    reason = "the record says that MindSpore ignores it" if ignored else ""
    yield "lost", f"{name} is dropped", (gone,), reason
    silent = _silent(parameter, target)
    if silent is not None:
        yield "default", f"{name} is not written when left out", (silent,), reason


def _silent(parameter: Parameter, target: Sequence[Signature]) -> Parameter | None:
    """Carried over when it is given, and only then; None where its default isn't written anyway."""
    default = parameter.torch_default
    if default in (None, "..."):
        return None
    found = values.argument(str(default))
    whole = Case("any", {parameter.mindspore[0]: _plain(parameter)}, None, None)
    cases = list(parameter.cases) or [whole]
    place = next((i for i, c in enumerate(cases) if values.fits(found, c.when)), None)
    if place is None:
        return None
    case = cases[place]
    here = {parameter.torch[0]: found}
    # What depends on other arguments too is written in some call.
    fixed = all(values.placeholders(t) <= set(here) for t in case.set.values())
    if fixed and all(is_default(values.fill(t, here), n, target) for n, t in case.set.items()):
        return None
    given = [replace(case, when="given")] if case.when == "any" else []
    cases[place : place + 1] = [*given, replace(case, set={})]
    return replace(parameter, cases=tuple(cases))


def _transforms(parameter: Parameter) -> Iterator[_Alone]:
    """A value that is passed on as it is, and two cases that have each other's."""
    name, plain = _said(parameter), f"{{{parameter.torch[0]}}}"
    if parameter.value not in (None, plain):
        change = f"{name} is passed as it is, not as {parameter.value}"
        yield "transform", change, (replace(parameter, value=plain),), ""
    whole = {parameter.mindspore[0]: plain}
    cases = parameter.cases
    for place, case in enumerate(cases):
        if case.refuse is None and case.set not in ({}, whole):
            change = f"{name} is passed as it is where it is {case.when}"
            yield "transform", change, (_with_case(parameter, {place: whole}),), ""
    kept = [i for i, c in enumerate(cases) if c.refuse is None]
    for one, other in itertools.pairwise(kept):
        if cases[one].set != cases[other].set:
            swap = {one: cases[other].set, other: cases[one].set}
            change = f"{name} becomes for {cases[one].when} what it is for {cases[other].when}"
            yield "transform", f"{change}, and the reverse", (_with_case(parameter, swap),), ""


def _with_case(parameter: Parameter, sets: dict[int, dict[str, str]]) -> Parameter:
    cases = [replace(c, set=sets.get(i, c.set)) for i, c in enumerate(parameter.cases)]
    return replace(parameter, cases=tuple(cases))


def _templates(parameter: Parameter, api: str | None) -> Iterator[_Alone]:
    """Another literal, or two placeholders exchanged, in a value or in what a case sets."""
    name = _said(parameter)
    if parameter.value is not None:
        for change, text in templates.changes(parameter.value):
            wrong = replace(parameter, value=text)
            reason = _reason(parameter.value, text, api)
            yield "expression", f"{name}, {parameter.value}: {change}", (wrong,), reason
    for place, case in enumerate(parameter.cases):
        for key, template in case.set.items():
            for change, text in templates.changes(template):
                wrong = _with_case(parameter, {place: case.set | {key: text}})
                what = f"{name}, {key} = {template} where it is {case.when}: {change}"
                yield "expression", what, (wrong,), _reason(template, text, api)


def _reason(one: str, other: str, api: str | None) -> str:
    reduces = (api or "").rpartition(".")[2] in _REDUCTIONS
    if reduces and one.startswith("(") and sorted(one) == sorted(other):
        return f"{api} takes its dimensions in any order"
    return "the operands may be exchanged" if templates.equivalent(one, other) else ""


def _said(parameter: Parameter) -> str:
    return "`" + ", ".join(parameter.torch or parameter.mindspore) + "`"


def _plain(parameter: Parameter) -> str:
    return parameter.value or f"{{{parameter.torch[0]}}}"


def _plainly_carried(parameter: Parameter, known: set[str]) -> bool:
    return len(parameter.mindspore) == 1 and not known.isdisjoint(parameter.torch)


def _retarget(parameter: Parameter, names: dict[str, str]) -> Parameter:
    return replace(
        parameter,
        mindspore=tuple(names.get(n, n) for n in parameter.mindspore),
        cases=tuple(
            replace(c, set={names.get(k, k): v for k, v in c.set.items()}) for c in parameter.cases
        ),
    )


def _optional(name: str, signatures: Sequence[Signature]) -> bool:
    """Whether a call of the target is complete without it."""
    found = [p for s in signatures if (p := s.get(name))]
    return any(not p.required for p in found) or (bool(found) and len(found) < len(signatures))


def _sort(parameter: Parameter, source: Sequence[Signature]) -> str:
    """What sort of argument it takes: tensor, number, bool, str, or any."""
    name = parameter.torch[0]
    if name == "self":
        return "tensor"
    known = next((p for s in source if (p := s.get(name))), None)
    words = known.annotation if known else ""
    if "Tensor" in words:
        return "tensor"
    if "dtype" in words:
        return "dtype"
    default = parameter.torch_default
    this = values.kind(ast.parse(default, mode="eval").body) if default else "unknown"
    return {"int": "number", "float": "number", "bool": "bool", "str": "str"}.get(
        this, "number" if any(w in words for w in _NUMBERS) else "any"
    )
