"""Rules about what checks prove: that they try every parameter, on values that tell APIs apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from msmap.assemble.checks import PORTED
from msmap.assemble.derive import RECEIVER
from msmap.lint import mend
from msmap.lint.rule import Found, Subject, rule
from msmap.messages import Message
from msmap.model import Check, Parameter
from msmap.port import arguments as values
from msmap.port import record_calls
from msmap.port.record_calls import Calls
from msmap.port.targets import source_signatures
from msmap.signatures.parse import Signature, parse
from msmap.vocabulary import UNIVERSAL_ABSENT

_UNCARRIED = ("source_only_unsupported", "universal_absent")
_LOST = ("source_only_droppable", "accepted_ignored")
_WORD = re.compile(r"[A-Za-z_]\w*")


@rule("record")
def parameters_are_used(subject: Subject) -> Found:
    """Every parameter that a record carries over is given by a check, not as its default alone.

    Its default is enough of one that is dropped. Private ones need none.
    """
    record = subject.record
    if record.kind not in ("class", "function", "method"):
        return
    for read, forward in ((record_calls.given, False), (record_calls.inputs, True)):
        relations = [p for t in record.targets for p in (t.inputs if forward else t.parameters)]
        texts = map(parse, record.call) if forward else source_signatures(record)
        wanted, plain = _wanted(texts, relations), set[str]()
        for check in record.checks:
            # Most records have given all by their first few checks.
            for part in _read(subject, check) if wanted else ():
                for name, arguments in read(part).items():
                    default = wanted.get(name)
                    if default is not None and all(_equal(a, default) for a in arguments):
                        plain.add(name)
                    else:
                        wanted.pop(name, None)
        for name, default in wanted.items():
            said = Message("no check gives `{}`", name)
            if name in plain:
                said = Message("checks give `{}` its default alone, {}", name, default)
            yield said, ("checks",), _with(subject, name, forward)


def _read(subject: Subject, check: Check) -> Iterator[Calls]:
    """The code of a check that PyTorch's API is called in, as it runs and as it is ported."""
    written = next(c for c in subject.written.checks if c.id == check.id)
    for code in (written.torch, *PORTED.findall(written.mindspore or "")):
        try:
            yield record_calls.read(code, subject.record, subject.base)
        except SyntaxError:  # which another rule tells
            continue


def _wanted(
    signatures: Iterable[Signature], relations: Iterable[Parameter]
) -> dict[str, str | None]:
    """The parameters that checks are to give, with the default that doesn't count."""
    told: dict[str, set[str]] = {}
    for relation in relations:
        for name in relation.torch:
            told.setdefault(name, set()).add(relation.relation)
    found: dict[str, str | None] = {}
    for parameter in chain.from_iterable(s.parameters for s in signatures):
        name = parameter.name
        private = name.startswith("_") or name == RECEIVER
        if private or parameter.kind == "var_keyword" or name in UNIVERSAL_ABSENT:
            continue
        if told.get(name, set()) <= {*_UNCARRIED}:
            continue
        lost = told[name] <= {*_UNCARRIED, *_LOST}
        found.setdefault(name, None if lost or parameter.default == "..." else parameter.default)
    return found


def _equal(argument: str, default: str) -> bool:
    one, other = values.fold(argument), values.fold(default)
    if values.UNKNOWN in (one, other):
        return argument == default
    return type(one) is type(other) and one == other


def _with(subject: Subject, name: str, forward: bool) -> str:
    """A check that gives a parameter, made of the first call that is there."""
    text = mend.TODO
    for read in (part for check in subject.record.checks for part in _read(subject, check)):
        node = next((n for n, _ in read.found), None)
        if node is not None and not forward:
            call = read.source.text(node)
            text = f"{call[:-1]}{', ' if call[-2] != '(' else ''}{name}={mend.TODO})"
            break
    made = mend.check(mend.slug("with", name), text)
    return mend.entries(subject.written, ("checks",), [made])


@rule("record")
def inputs_tell_apart(subject: Subject) -> Found:
    """What proves a target is given several values somewhere: of one alone, APIs are alike.

    `[[1.0]]` gives the same for `cumsum` and `cumprod`.
    """
    for _, _, target in subject.targets():
        found: list[tuple[int, str, str]] = []
        for place, check in enumerate(subject.record.checks):
            if check.target != target.key or check.expect != "same":
                continue
            specs = _given(subject, check)
            if any(map(_several, specs.values())):
                break
            found += [(place, name, str(spec["dtype"])) for name, spec in specs.items()]
        else:
            for place, name, dtype in found[:1]:
                said = Message(
                    "`{}` has one value alone, and no check of {} an input of more",
                    name,
                    target.key,
                )
                lines = mend.key(("checks", place), "inputs", {name: f"{dtype}[2, 3]"})
                yield said, ("checks", place), lines


def _given(subject: Subject, check: Check) -> dict[str, dict[str, object]]:
    """The inputs that a check gives to the API itself."""
    words: set[str] = set()
    for read in _read(subject, check):
        for arguments in (*record_calls.given(read).values(), *record_calls.inputs(read).values()):
            words |= {word for text in arguments for word in _WORD.findall(text)}
    return {name: spec for name, spec in check.inputs.items() if name in words}


def _several(spec: dict[str, object]) -> bool:
    """Whether an input has two values that differ."""
    if "values" in spec:
        return len({repr(value) for value in _flat(spec["values"])}) > 1
    count = 1
    for size in spec["shape"]:  # type: ignore[attr-defined]
        count *= size
    whole = "float" not in str(spec["dtype"])
    narrow = "high" in spec and float(str(spec["high"])) - float(str(spec["low"])) <= int(whole)
    return count > 1 and not narrow


def _flat(value: object) -> Iterator[object]:
    if isinstance(value, list):
        yield from chain.from_iterable(map(_flat, value))
    else:
        yield value
