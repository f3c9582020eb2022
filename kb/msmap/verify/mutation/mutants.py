"""Mutants of a record: its mapping with one mistake in it, and its checks ported by that."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from msmap import model
from msmap.assemble import checks
from msmap.assemble.base import Base
from msmap.curated import schema
from msmap.model import Check, Record, Target
from msmap.port.targets import source_signatures
from msmap.signatures.parse import Signature, parse
from msmap.verify.mutation import reagents as probes
from msmap.verify.mutation import siblings, slips, templates

_NAME = re.compile(r"\bmindspore(?:\.[A-Za-z_]\w*)+")

# Kinds of mistakes, as reports call them.
KINDS: dict[str, str] = {
    "default": "a default that differs is not written out",
    "swap": "two parameters are exchanged",
    "transform": "a value is not transformed, or as another case",
    "keyword": "a parameter loses its keyword",
    "lost": "an argument is dropped",
    "sibling": "the target is another API",
    "state": "a state mapping is dropped or exchanged",
    "returns": "the result is not wrapped",
    "expression": "an expression has another literal or order",
    "member": "a method of a subclass keeps its name",
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A record with one mistake; ``equivalent`` says why no call could come out otherwise."""

    record: str
    target: str
    kind: str
    change: str
    targets: tuple[Target, ...]
    equivalent: str = ""


@dataclass(frozen=True, slots=True)
class Changed:
    """A check before and after; without a MindSpore side the port is now refused."""

    before: Check
    after: Check
    state: tuple[model.State, ...]


def mutants(record: Record, base: Base) -> list[Mutant]:
    """All mutants of a record, in the order of its targets; those alike are made once."""
    found: list[Mutant] = []
    for place, target in enumerate(record.targets):
        if target.remove:
            continue
        for kind, change, wrong, equivalent in _of_target(record, target, base):
            targets = (*record.targets[:place], wrong, *record.targets[place + 1 :])
            mutant = Mutant(record.torch, target.key, kind, change, targets, equivalent)
            if all(targets != other.targets for other in found):
                found.append(mutant)
    return found


def changed(written: schema.Record, mutant: Mutant, base: Base) -> list[Changed]:
    """The checks of a record that a mutant ports otherwise, the most ordinary first."""
    record = base.records[mutant.record]
    made = probes.with_targets(base, record, mutant.targets)
    found = []
    # Some are of other releases alone, and not in the base.
    files = {check.id: check for check in written.checks}
    for before in record.checks:
        check = files[before.id]
        (after,) = checks.ready([check], record.torch, written.inputs, made, mutant.targets)
        state = model.state_of(mutant.targets, after.target)
        # What runs, not what the mapping says besides.
        after = replace(after, hash=checks.fingerprint(after, state))
        if after.hash != checks.fingerprint(before, model.state_of(record.targets, before.target)):
            found.append(Changed(before, after, state))
    return sorted(found, key=lambda c: (c.before.expect != "same", not c.before.ported))


def without_effect(mutant: Mutant, base: Base) -> bool:
    """Whether no call that the record covers is written otherwise."""
    record = base.records[mutant.record]
    return mutant.kind != "state" and not probes.differ(record, mutant.targets, mutant.target, base)


_Mistake = tuple[str, str, Target, str]


def _of_target(record: Record, target: Target, base: Base) -> Iterator[_Mistake]:
    # A function that becomes a layer made and called has arguments for both.
    texts = target.signatures if record.kind == "class" else (*target.signatures, *target.call)
    signatures = [parse(text) for text in texts]
    source = [
        s
        for s in source_signatures(record)
        if all(s.get(n) for n in target.given) and not any(_needs(s, n) for n in target.absent)
    ]
    for slip in slips.of(target.parameters, source, signatures, target.api, target.expression):
        wrong = replace(target, parameters=slip.parameters)
        yield slip.kind, slip.change, wrong, slip.equivalent
    called = [parse(text) for text in target.call]
    forward = [parse(text) for text in record.call]
    for slip in slips.of(target.inputs, forward, called, f"{target.api}.construct"):
        wrong = replace(target, inputs=slip.parameters)
        yield slip.kind, f"input {slip.change}", wrong, slip.equivalent
    yield from _siblings(target, source, base)
    yield from _states(target)
    yield from _returns(target)
    yield from _expressions(target, base)
    for old, new in target.members.items():
        members = {k: v for k, v in target.members.items() if k != old}
        yield "member", f"`{old}` is not renamed {new}", replace(target, members=members), ""


def _needs(signature: Signature, name: str) -> bool:
    found = signature.get(name)
    return found is not None and found.required


def _siblings(target: Target, source: Sequence[Signature], base: Base) -> Iterator[_Mistake]:
    for api in siblings.nearest(target, source, base.mindspore):
        wrong = replace(target, api=api.name, signatures=api.signatures, call=api.call)
        yield "sibling", f"{target.api} -> {api.name}", wrong, _synonym(target.api or "", api.name)


def _synonym(one: str, other: str) -> str:
    return f"{one} and {other} compute the same" if siblings.synonyms(one, other) else ""


def _states(target: Target) -> Iterator[_Mistake]:
    state = target.state
    for place, rule in enumerate(state):
        rest = (*state[:place], *state[place + 1 :])
        yield "state", f"no state mapping of `{rule.torch}`", replace(target, state=rest), ""
        if rule.value != "value":
            plain = (*state[:place], replace(rule, value="value"), *state[place + 1 :])
            change = f"state `{rule.torch}` is copied as it is"
            yield "state", change, replace(target, state=plain), ""
        for change, text in templates.changes(rule.value):
            wrong = (*state[:place], replace(rule, value=text), *state[place + 1 :])
            what = f"state `{rule.torch}`, {rule.value}: {change}"
            yield "state", what, replace(target, state=wrong), ""
    kept = [i for i, rule in enumerate(state) if rule.mindspore is not None]
    for i, j in itertools.pairwise(kept):
        swapped = list(state)
        swapped[i] = replace(state[i], mindspore=state[j].mindspore)
        swapped[j] = replace(state[j], mindspore=state[i].mindspore)
        change = f"state `{state[i].torch}` and `{state[j].torch}` are exchanged"
        yield "state", change, replace(target, state=tuple(swapped)), ""


def _returns(target: Target) -> Iterator[_Mistake]:
    returns = target.returns
    if returns is None:
        return
    if returns.value is not None:
        wrong = replace(target, returns=replace(returns, value=None))
        yield "returns", f"the result is not wrapped in {returns.value}", wrong, ""
        for change, text in templates.changes(returns.value):
            wrong = replace(target, returns=replace(returns, value=text))
            yield "expression", f"result, {returns.value}: {change}", wrong, ""
    names = list(returns.fields)
    for name in names:
        fields = {k: v for k, v in returns.fields.items() if k != name}
        wrong = replace(target, returns=replace(returns, fields=fields))
        yield "returns", f"field `{name}` of the result stays", wrong, ""
    for one, other in itertools.pairwise(names):
        swap = {one: returns.fields[other], other: returns.fields[one]}
        wrong = replace(target, returns=replace(returns, fields=returns.fields | swap))
        yield "returns", f"fields `{one}` and `{other}` are exchanged", wrong, ""


def _expressions(target: Target, base: Base) -> Iterator[_Mistake]:
    expression = target.expression
    if expression is None:
        return
    for change, text in templates.changes(expression):
        same = templates.equivalent(expression, text)
        reason = "the operands may be exchanged" if same else ""
        yield "expression", change, replace(target, expression=text), reason
    for name in dict.fromkeys(_NAME.findall(expression)):
        for api in siblings.alike(name, base.mindspore)[:1]:
            text = re.sub(rf"\b{re.escape(name)}\b(?!\.)", api.name, expression)
            reason = _synonym(name, api.name)
            yield "sibling", f"{name} -> {api.name}", replace(target, expression=text), reason
