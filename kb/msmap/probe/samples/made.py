"""Calls made from signatures, where PyTorch has no samples of its own, by hypothesis."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from msmap.probe.samples import drawing, recipes, values
from msmap.probe.samples.call import Call, Gap, Known, Text
from msmap.signatures.parse import Parameter, Signature

_MOST = 100
_FEWEST = 25
_MEMBERS = 10
_TIMES = 4
Arguments = tuple[tuple[Any, ...], dict[str, Any]]


def calls(known: Known) -> Iterator[Call | Gap]:
    """Calls of a name made from its signatures, most of which PyTorch will refuse."""
    drawing.seed()
    yield from _written(known)
    if known.api.kind in ("constant", "dtype", "module"):
        yield from _named(known)
    elif known.is_property:
        for place, shape in enumerate(values.SHAPES):
            yield _made(known, place, (_plain(shape),), {})
    elif known.form == "layer":
        yield from _layers(known)
    else:
        yield from _functions(known)


def warm() -> None:
    """Draw something: hypothesis collects garbage the first time, which takes most of a second."""

    @hypothesis.settings(max_examples=1, database=None)
    @hypothesis.given(st.none())
    def one(drawn: None) -> None:
        del drawn

    one()


def _made(
    known: Known, place: int, args: tuple[Any, ...], kwargs: dict[str, Any], **rest: Any
) -> Call:
    return Call(
        **{"name": known.name, "form": known.form, "args": args, "kwargs": kwargs,
           "origin": "made", "label": f"made-{place}"} | rest
    )  # fmt: skip


def _plain(shape: tuple[int, ...]) -> Any:
    import torch

    return torch.rand(shape) * 4 - 2


def _named(known: Known) -> Iterator[Call]:
    """What is named, not called: a constant as it is, a dtype as that of a tensor."""
    if known.api.kind == "dtype":
        for place, shape in enumerate(((2, 3), (), (0,))):
            kwargs = {"dtype": Text(known.name)}
            yield _made(known, place, (shape,), kwargs, name="torch.ones", form="function")
    elif known.api.kind == "constant":
        module = known.name.rpartition(".")[0]
        yield _made(known, 0, (Text(module),), {}, form="property")


def _functions(known: Known) -> Iterator[Call | Gap]:
    """Calls of a function, a method or a class, whose instances are then asked for something."""
    place = 0
    receiver = "x" if known.form == "method" else ""
    owner = known.name.rpartition(".")[0]
    for signature in known.signatures:
        for _, drawn, kwargs in _drawn(known, signature, receiver):
            mine = owner in ("torch.Tensor", "torch") or not receiver
            args = drawn if mine else (_OWNERS.get(owner, Text("net")), *drawn[1:])
            place += 1
            call = _made(known, place, args, kwargs)
            yield call
            if any(value is values.SCALAR for value in (*args, *kwargs.values())):
                yield _made(known, place, args, kwargs, then=((_plain((3,)),), {}), form="layer",
                            label=f"made-{place}-called")  # fmt: skip
            if known.api.kind == "class":
                yield from _members(call, place)
            if place >= _MOST:
                return


def _written(known: Known) -> Iterator[Call]:
    """Calls of what no signature tells how to call."""
    texts = recipes.TEXTS.get(known.name, ())
    if not known.signatures and known.api.kind == "class" and known.name.endswith("Tensor"):
        texts = (f"{known.name}([1, 2, 3])", f"{known.name}([[0, 1], [2, 3]])")
    for place, text in enumerate(texts):
        label = f"made-written-{place}"
        yield _made(known, place, (), {}, around=text, label=label, form="function")


# What methods of other classes than Tensor are called on.
_OWNERS = {"torch.nn.Module": Text("net"), "torch.optim.Optimizer": Text("optimizer")}


def _layers(known: Known) -> Iterator[Call | Gap]:
    place = 0
    for made in known.signatures:
        for base, args, kwargs in _drawn(known, made, ""):
            for given in known.calls:
                then = _once(given, base, place)
                place += 1
                yield _made(known, place, args, kwargs, then=then)


def _once(signature: Signature, base: values.Shape, number: int) -> Arguments:
    """Arguments of what a layer is called with: tensors of the shape that it is made for."""
    import torch

    rows = [p for p in signature.parameters if p.required]
    shapes = [base, base[1:], (2, *base)]
    found = []
    for parameter in rows:
        shape = shapes[number % 3] if number % 5 == 0 else base
        whole = parameter.name in ("target", "labels") and number % 2
        found.append(torch.randint(0, 2, shape) if whole else _plain(shape))
    return tuple(found), {}


def _drawn(
    known: Known, signature: Signature, receiver: str
) -> Iterator[tuple[values.Shape, tuple[Any, ...], dict[str, Any]]]:
    """Arguments for a signature, with the shape that they are about, drawn the same every time."""
    found: list[tuple[values.Shape, tuple[Any, ...], dict[str, Any]]] = []

    @hypothesis.seed(zlib.crc32(f"{known.name}{signature.text}".encode()))
    @hypothesis.settings(
        max_examples=max(_FEWEST, _MOST // len(known.signatures)),
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(_arguments(signature, receiver))
    def one(drawn: Any) -> None:
        found.append(drawn)

    with suppress(Gap, hypothesis.errors.HypothesisException):
        one()
    yield from found


@st.composite
def _arguments(draw: DrawFn, signature: Signature, receiver: str) -> Any:
    base = draw(st.sampled_from(values.SHAPES))
    args = [values.tensor(draw, receiver, base)] if receiver else []
    kwargs: dict[str, Any] = {}
    for parameter in signature.parameters:
        if parameter.kind == "var_positional":
            args += _several(draw, parameter, base) if not kwargs else []
        elif parameter.required or (parameter.name not in values.IDLE and draw(_rarely())):
            value = values.given(draw, parameter, base)
            if value is parameter:
                if parameter.required:
                    raise Gap("object")
            elif parameter.required and parameter.positional and not kwargs:
                args.append(value)
            elif parameter.kind not in ("var_keyword", "positional_only"):
                kwargs[parameter.name] = value
    return base, tuple(args), kwargs


def _rarely() -> Any:
    return st.sampled_from((False, False, True))


def _several(draw: DrawFn, parameter: Parameter, base: values.Shape) -> list[Any]:
    count = draw(st.integers(1, 3))
    if "int" in parameter.annotation:
        return [draw(st.integers(1, 4)) for _ in range(count)]
    return [values.tensor(draw, parameter.name, base) for _ in range(count)]


def _members(call: Call, place: int) -> Iterator[Call]:
    """What can be read of an instance, and how likely a distribution finds what it gave."""
    import torch

    if place > _TIMES * _MEMBERS:
        return
    with suppress(Exception):
        made = _evaluated(call)
        if isinstance(made, torch.distributions.Distribution):
            drawn = made.sample()
            for ask in ("mean", "variance", "stddev", "mode"):
                yield _asked(call, f".{ask}", place)
            yield _asked(call, ".entropy()", place)
            for ask in ("log_prob", "cdf"):
                yield _asked(call, f".{ask}(value)", place, value=drawn)
            yield _asked(call, ".sample((2,))", place)
        elif hasattr(made, "__enter__"):
            around = "with {}:\n    y = x * 2\ny"
            label = f"made-{place}-with"
            yield replace(call, around=around, inputs={"x": _plain((2, 3))}, label=label)
        elif isinstance(made, torch.distributions.Transform):
            for ask in ("", ".inv"):
                yield _asked(call, f"{ask}(value)", place, value=_plain((3,)).abs())
        else:
            names = [n for n in sorted(vars(type(made))) if not n.startswith("_")]
            for name in names[:_MEMBERS]:
                if not callable(getattr(made, name)):
                    yield _asked(call, f".{name}", place)


def _asked(call: Call, after: str, place: int, **inputs: Any) -> Call:
    return replace(call, around="{}" + after, inputs=inputs, label=f"made-{place}-{_slug(after)}")


def _slug(text: str) -> str:
    return re.sub(r"\W+", "-", text).strip("-") or "call"


def _evaluated(call: Call) -> Any:
    import torch

    where: Any = torch
    for part in call.name.split(".")[1:]:
        where = getattr(where, part)
    return where(*call.args, **call.kwargs)
