"""Checks made ready to run: both sides written out, inputs in one form, and what they hash to."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any

from msmap import model
from msmap.assemble import derive
from msmap.assemble.base import Base
from msmap.curated import schema
from msmap.port.attempt import attempt

_WORD = re.compile(r"\w+")
# What stands in a MindSpore side as the port of what is inside.
PORTED = re.compile(r"\{\{(.+?)\}\}", re.DOTALL)


def ready(
    written: Iterable[schema.Check],
    owner: str,
    inputs: Mapping[str, str | schema.Input],
    made: Base,
    targets: Sequence[model.Target] = (),
) -> tuple[model.Check, ...]:
    """Checks ready to run: both sides written out, inputs in one form, and their hashes."""
    shared = {name: _input(value) for name, value in inputs.items()}
    mapping = _mapping(targets)
    return tuple(_check(c, owner, shared, made, targets, mapping) for c in written)


def _check(
    written: schema.Check,
    owner: str,
    inputs: Mapping[str, dict[str, object]],
    made: Base,
    targets: Sequence[model.Target],
    mapping: Sequence[object],
) -> model.Check:
    ported = written.mindspore is None
    place = (owner, written.id)
    mindspore = written.mindspore or ""
    used_targets: list[str] = []

    def port_of(code: str) -> str:
        done = port(code, place, made, written.target)
        used_targets.extend([key for name, key in done.targets if name == owner])
        return done.whole or ""

    if ported:
        mindspore = port_of(written.torch)
    elif "{{" in mindspore:
        mindspore = PORTED.sub(lambda m: port_of(m[1].strip()), mindspore)
        if place in made.failed_ports:
            # Half a check is none: lint says what can't be ported.
            mindspore = ""
    used = {**inputs, **{name: _input(value) for name, value in written.inputs.items()}}
    words = set(_WORD.findall(f"{written.torch}\n{mindspore}"))
    # Ranks make their own: what was made before they part is of a runtime that can't be parted.
    plain = {} if written.ranks else {n: value for n, value in used.items() if n in words}
    made_check = model.Check(
        id=written.id,
        torch=written.torch.strip(),
        mindspore=mindspore.strip(),
        ported=ported,
        target=written.target or next(iter(used_targets), "") or _chosen(mindspore, targets),
        inputs=plain,
        expect=written.expect,
        gives={str(side): text for side, text in written.gives.items()},
        gradient=written.gradient and not written.ranks,
        modes=tuple(written.modes or ()),
        ranks=written.ranks,
        rtol=written.tolerance.rtol if written.tolerance else None,
        atol=written.tolerance.atol if written.tolerance else None,
        why=derive.text(written.tolerance.why) if written.tolerance else None,
        raises=written.raises,
        hash="",
        evidence=(),
    )
    state = model.state_of(targets, made_check.target)
    # Variants are ports by the same mapping.
    carried = mapping if ported and written.expect == "same" else ()
    hash_ = fingerprint(made_check, state, carried, made.generation)
    # ``replace`` takes thrice as long over so many.
    return model.Check(*(*_BEFORE_HASH(made_check), hash_, ()))


*_BEFORE, _HASH, _EVIDENCE = (field.name for field in fields(model.Check))
assert (_HASH, _EVIDENCE) == ("hash", "evidence")
_BEFORE_HASH = attrgetter(*_BEFORE)


def _mapping(targets: Sequence[model.Target]) -> list[object]:
    """All that the rewriter reads of some targets, where it isn't the usual."""
    return [
        {
            "key": t.key,
            **_said({"given": t.given, "absent": t.absent}),
            **({"returns": (t.returns.value, t.returns.fields)} if t.returns else {}),
            "parameters": [_relation(p) for p in (*t.parameters, *t.inputs)],
        }
        for t in targets
    ]


def _said(keys: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in keys.items() if value}


def _relation(parameter: model.Parameter) -> dict[str, object]:
    told = _told(parameter, _PARAMETER, _UNTOLD[model.Parameter])
    if parameter.cases:
        told["cases"] = [(c.when, c.set, c.refuse is None) for c in parameter.cases]
    return told


# What is left out of a hash: all that is as here, so that a new key changes no hash where it isn't
# used, and all that decides nothing about a run.
_CHECK = model.Check(
    id="", torch="", mindspore="", ported=True, target="", inputs={}, expect="same", gives={},
    gradient=True, modes=(), ranks=0, rtol=None, atol=None, why=None, raises=None, hash="",
    evidence=(),
)  # fmt: skip
_STATE = model.State(torch="", mindspore=None, value="value", note=None)
_PARAMETER = model.Parameter(
    torch=(), mindspore=(), relation="same", derived=True, torch_default=None,
    mindspore_default=None, torch_position=None, mindspore_position=None, value=None, cases=(),
    allow=(), keyword=False, note=None,
)  # fmt: skip
_UNTOLD = {
    model.Check: ("id", "hash", "evidence", "why", "target", "ported"),
    model.State: ("note", "back"),
    model.Parameter: ("derived", "torch_position", "mindspore_position", "note"),
}


def _told(item: Any, usual: Any, untold: tuple[str, ...]) -> dict[str, object]:
    """The fields of an object that are not as usual, without those that decide nothing."""
    names, values = _fields(item.__class__, untold)
    told = zip(names, values(item), values(usual), strict=True)
    return {name: value for name, value, other in told if value != other}


@cache
def _fields(kind: type[Any], untold: tuple[str, ...]) -> tuple[tuple[str, ...], attrgetter[Any]]:
    """The names of some fields, and what gives their values."""
    names = tuple(field.name for field in fields(kind) if field.name not in untold)
    return names, attrgetter(*names)


_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False)


def fingerprint(
    made: model.Check,
    state: Sequence[model.State] = (),
    mapping: Sequence[object] = (),
    generation: int = 0,
) -> str:
    """Twelve hexadecimal digits over all that decides what a check does, and its variants.

    Args:
        made: the check.
        state: how the parameters of its layer are copied.
        mapping: what its variants are ported by; empty where it has none.
        generation: what variants are made of a check, as ``verify.plan.variants`` counts it.
    """
    content = _told(made, _CHECK, _UNTOLD[model.Check])
    if state:
        content["state"] = [_told(s, _STATE, _UNTOLD[model.State]) for s in state]
    if mapping:
        content["mapping"], content["generation"] = mapping, generation
    text = _ENCODER.encode(content)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _chosen(mindspore: str, targets: Sequence[model.Target]) -> str:
    """The target that the MindSpore side uses: the longest API name in it, else the best.

    Where every target is an API, code without any of them is advice: it shows none of them.
    """
    named = [
        t.key
        for t in targets
        if t.api is not None
        and t.api in mindspore
        and re.search(rf"{re.escape(t.api)}(?![\w.])", mindspore)
    ]
    if named:
        return max(named, key=len)
    methods = [
        t.key
        for t in targets
        if t.kind == "method" and f".{str(t.api).rsplit('.', 1)[1]}(" in mindspore
    ]
    composed = [t.key for t in targets[:1] if any(t.api is None for t in targets)]
    return (methods or composed or [""])[0]


def port(code: str, place: tuple[str, str], made: Base, target: str | None = None) -> model.Port:
    """The port of a piece of code; what can't be ported is remembered in the base."""
    done = attempt(code, made, target, place[0])
    if done.whole is None:
        made.failed_ports[place] = done
    return done


_SHORT = re.compile(r"^(?P<dtype>[a-z]+\d*)\[(?P<shape>[\d, ]*)\]( in (?P<range>\S+))?$")


def _input(value: str | schema.Input) -> dict[str, object]:
    """An input in full, from a mapping or from ``int64[4] in 0..5`` (upper bound excluded)."""
    if isinstance(value, schema.Input):
        return {k: v for k, v in value.model_dump().items() if v is not None}
    match = _SHORT.match(value)
    assert match is not None, "the schema allows no other text"
    shape = [int(n) for n in match["shape"].replace(" ", "").split(",") if n]
    full: dict[str, object] = {"shape": shape, "dtype": match["dtype"]}
    if match["range"]:
        low, _, high = match["range"].partition("..")
        full |= {"low": float(low), "high": float(high)}
    return full
