"""Calls that stand for all calls of an API, to see whether two mappings write any otherwise."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from dataclasses import replace

from msmap.assemble.base import Base
from msmap.infer.resolve import is_method
from msmap.model import Record, Target
from msmap.port import rewrite
from msmap.port.targets import source_signatures
from msmap.signatures.parse import Parameter, Signature, parse

# An argument of each kind that a case may ask for.
_EXAMPLES = {
    "none": "None", "bool": "True", "int": "3", "float": "0.25", "number": "3", "str": "'word'",
    "tuple": "(3, 4)", "dict": "{'a': v}", "subscript": "v[0]", "call": "f()", "expression": "v",
    "any": "v", "given": "v",
}  # fmt: skip


def with_targets(base: Base, record: Record, targets: tuple[Target, ...]) -> Base:
    """The base with other targets for one record; the base itself stays as it is."""
    made = copy.copy(base)
    made.records = {**base.records, record.torch: replace(record, targets=targets)}
    made.failed_ports = {}
    return made


def differ(record: Record, targets: tuple[Target, ...], key: str, base: Base) -> bool:
    """Whether other targets would write some call otherwise under the target ``key``."""
    other = with_targets(base, record, targets)
    return any(
        _ported(call, base, key, record) != _ported(call, other, key, record)
        for call in _calls(record)
    )


def _ported(call: str, base: Base, key: str, record: Record) -> str | None:
    return rewrite.rewrite(call, base, key, record.torch).whole


def _calls(record: Record) -> Iterator[str]:
    for signature in source_signatures(record):
        for call in _of_overload(record, signature):
            yield call
            for target in record.targets:
                if target.returns is not None:
                    yield from (f"{call}.{field}" for field in target.returns.fields)
                for member in target.members:
                    yield f"class C({record.torch}):\n    def {member}(self, x): ..."
            for text in record.call if record.kind == "class" else ():
                yield from (f"{call}({inputs})" for inputs in _arguments(record, parse(text)))


def _of_overload(record: Record, signature: Signature) -> Iterator[str]:
    if is_method(record):
        name = record.torch.rsplit(".", 1)[1]
        if record.kind == "property":
            yield f"x.{name}"
            return
        rest = Signature("", signature.parameters[1:])
        yield from (f"x.{name}({arguments})" for arguments in _arguments(record, rest))
        return
    if record.kind in ("constant", "dtype"):
        yield record.torch
        return
    yield from (f"{record.torch}({arguments})" for arguments in _arguments(record, signature))


def _arguments(record: Record, signature: Signature) -> Iterator[str]:
    """Argument lists: all by position, all by keyword, the fewest, and each value of each."""
    parameters = [p for p in signature.parameters if p.kind != "var_keyword"]
    first = [p for p in parameters if p.positional or p.kind == "var_positional"]
    for count in range(len(first) + 1):
        if all(not p.required for p in parameters if p not in first[:count]):
            yield ", ".join(p.name for p in first[:count])
    named = [p for p in parameters if p.kind not in ("positional_only", "var_positional")]
    yield _call(parameters, {p.name: p.name for p in named})
    for parameter in parameters:
        for value in dict.fromkeys(_values(record, parameter)):
            yield _call(parameters, {parameter.name: value})


def _call(parameters: list[Parameter], given: dict[str, str]) -> str:
    """The required arguments and those given, by keyword where that is possible."""
    words = []
    variadic = any(p.kind == "var_positional" and p.name in given for p in parameters)
    for p in parameters:
        value = given.get(p.name, p.name if p.required else None)
        if value is not None:
            plain = p.kind in ("positional_only", "var_positional") or (variadic and p.positional)
            words.append(value if plain else f"{p.name}={value}")
    return ", ".join(words)


def _values(record: Record, parameter: Parameter) -> Iterator[str]:
    yield parameter.name
    if parameter.default not in (None, "..."):
        yield str(parameter.default)
    for target in record.targets:
        for relation in (*target.parameters, *target.inputs):
            if parameter.name in relation.torch:
                yield from (e for case in relation.cases for e in _examples(case.when))
                yield from relation.allow


def _examples(when: str) -> list[str]:
    if match := re.fullmatch(r"tuple(\d+)", when):
        items = ", ".join(map(str, range(int(match[1]))))
        return [f"({items},)", f"[{items}]"]
    return [_EXAMPLES.get(when, when)]
