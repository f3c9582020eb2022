"""One PyTorch call under one target: bind, carry, emit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from msmap.code.refusal import Refused
from msmap.infer.resolve import is_method
from msmap.model import Record, Target, Text
from msmap.port import arguments as values
from msmap.port import bind, conversion, emit, kernels
from msmap.port.arguments import Argument
from msmap.port.conversion import Setting
from msmap.signatures.parse import Signature, overloads, parse

# A name may stand for its counterpart without a call only if arguments mean the same there.
SAFE_AS_VALUE = ("no_params", "identical", "target_more_params")


@dataclass(slots=True)
class Arguments:
    """The arguments of a call as written; ``receiver`` is what a method was called on."""

    positional: tuple[Argument, ...]
    keywords: dict[str, Argument]
    receiver: Argument | None = None


@dataclass(slots=True)
class Written:
    """MindSpore source for one call, the target it came from and what to look at.

    ``called`` says that it is a call or a property, which keeps its meaning beside any operator;
    ``assumed`` is what arguments are taken for that are no literals.
    ``tried`` is why a better target didn't take the call.
    """

    text: str
    target: Target
    notes: tuple[Text, ...]
    bound: bind.Bound
    called: bool = False
    assumed: tuple[conversion.Assumed, ...] = ()
    tried: Text | None = None


def source_signatures(record: Record) -> Sequence[Signature]:
    """The overloads a record covers, with the receiver of a method as parameter ``self``."""
    texts = record.overloads or record.signatures or ("()",)
    return _of_methods(texts) if is_method(record) else overloads(texts)


@lru_cache(maxsize=1 << 14)
def _of_methods(texts: tuple[str, ...]) -> Sequence[Signature]:
    return [parse("(self" + ("" if text.startswith("()") else ", ") + text[1:]) for text in texts]


class _Kept:
    """What became of calls, by record and by all that is read of arguments: the same come again.

    Each record is told by its place in memory, and held so that no other one comes there. What is
    long comes once, and on a server anybody may send it.
    """

    def __init__(self) -> None:
        self.size = 0
        self.records: dict[int, tuple[Record, dict[object, Written | Refused]]] = {}

    def of(self, record: Record) -> dict[object, Written | Refused]:
        """What is kept of a record's calls."""
        if self.size > _MOST or len(self.records) > _RECORDS:
            self.records, self.size = {}, 0
        self.size += 1
        return self.records.setdefault(id(record), (record, {}))[1]


_MOST, _RECORDS, _LONG = 5_000, 400, 60
_kept = _Kept()


def _read_of(argument: Argument) -> object:
    """All that is read of an argument; None of one that isn't kept."""
    text, items = argument.text, argument.items
    if len(text) > _LONG or items is not None:
        return None
    return (
        text, argument.by, argument.proved, argument.unclear, argument.watched, argument.maybe_none,
        argument.node.__class__,
    )  # fmt: skip


def _shape(arguments: Arguments, key: str | None, device: str) -> object:
    """All that is read of the arguments of a call; None of those that aren't kept."""
    receiver, keywords = arguments.receiver, arguments.keywords
    every = [*arguments.positional, *keywords.values()]
    if receiver is not None:
        every.append(receiver)
    read = [_read_of(one) for one in every]
    if None in read:
        return None
    return (key, device, receiver is None, len(keywords), *keywords, *read)


def write(
    record: Record, arguments: Arguments, key: str | None = None, device: str = ""
) -> Written:
    """The call under the first target that takes it, or under the one that ``key`` names.

    Args:
        record: what is called.
        arguments: what it is called with.
        key: that of the target to use.
        device: where it has to run, such as CPU; "" for all devices.

    Raises:
        Refused: no target takes the call and runs on the device; the reason is that of the first
            target tried.
    """
    shape = _shape(arguments, key, device)
    found = None
    if shape is not None:
        known = _kept.records.get(id(record))
        found = None if known is None else known[1].get(shape)
    if found is None:
        try:
            found = _written(record, arguments, key, device)
        except Refused as refused:
            # Not the error itself: it holds the frames that it came through.
            found = Refused(refused.kind, refused.reason.en, refused.reason.zh)
        if shape is not None:
            _kept.of(record)[shape] = found
    if isinstance(found, Refused):
        raise Refused(found.kind, found.reason.en, found.reason.zh)
    return found


def refuse_missing(record: Record) -> None:
    """Nothing, where MindSpore has a counterpart.

    Raises:
        Refused: it has none; what to do instead is the reason.
    """
    if record.missing is not None:
        raise Refused(
            "missing",
            f"{record.torch} has no counterpart: {record.missing.en}",
            f"{record.torch} 没有对应的 API：{record.missing.zh}",
        )


def _written(record: Record, arguments: Arguments, key: str | None, device: str) -> Written:
    refuse_missing(record)
    positional = arguments.positional
    if arguments.receiver is not None and is_method(record):
        positional = (arguments.receiver, *positional)
    bound = bind.bind(
        record.torch,
        source_signatures(record),
        positional,
        arguments.keywords,
        ranked=bool(record.overloads),
    )
    refused: list[Refused] = []
    elsewhere: Target | None = None
    try:
        for target in kernels.order(record.targets, device):
            if key is not None and target.key != key:
                continue
            if not _applies(target, bound):
                continue
            try:
                written = _write_under(record, bound, target)
            except Refused as error:
                refused.append(error)
                continue
            if device and target.lacks(device):
                elsewhere = elsewhere or target
                continue
            if refused:
                notes = (*fallen_through(target, refused[0].reason), *written.notes)
                return replace(written, notes=notes, tried=refused[0].reason)
            return written
        if elsewhere is not None:
            tried = refused[0].reason if refused else None
            said = kernels.said(record, elsewhere, [device], tried)
            raise Refused("target", said.en, said.zh)
        if refused:
            raise refused[0]
    finally:
        # An error holds the frames that it came through: this one mustn't hold it in turn.
        refused.clear()
    raise Refused(
        "target",
        f"{record.torch}: no target covers a call with these arguments",
        f"{record.torch}：没有任何目标覆盖这种参数组合的调用",
    )


def fallen_through(target: Target, reason: Text) -> tuple[Text, ...]:
    """That a better target was tried first, why it refused, and where this one runs."""
    devices = ", ".join(d for d in target.runs_on or target.ran_on if not target.lacks(d)) or "?"
    # The id of an expression says nothing to who doesn't read the record; the code is before them.
    en, zh = target.api or "an expression", f" {target.api}" if target.api else "表达式"
    return (
        Text(
            f"{reason.en.removesuffix('.')}; ported to {en} instead, which runs on {devices}",
            f"{reason.zh.removesuffix('。')}；因此改用{zh}，其运行平台为 {devices}",
        ),
    )


def _applies(target: Target, bound: bind.Bound) -> bool:
    given = set(bound.given)
    return given.issuperset(target.given) and given.isdisjoint(target.absent)


def _write_under(record: Record, bound: bind.Bound, target: Target) -> Written:
    if target.remove:
        return Written("", target, (target.note,) if target.note else (), bound)
    if target.expression is not None:
        text, carried = _once(bound, lambda one: _composed(record.torch, one, target))
    else:
        text, carried = _once(bound, lambda one: _call(record, one, target))
    notes, assumed = tuple(carried.notes), tuple(carried.assumed)
    if target.returns is not None and target.returns.value is not None:
        text = conversion.fill(
            record.torch, target.returns.value, {"result": values.argument(text)}
        )
        return Written(text, target, notes, bound, False, assumed)
    return Written(text, target, notes, bound, target.expression is None, assumed)


_Made = tuple[str, conversion.Carried]


def _once(bound: bind.Bound, write: Callable[[bind.Bound], _Made]) -> _Made:
    """What a call becomes; what may do something runs once, and in the order that it had.

    What would run twice, or ahead of what stood before it, becomes a parameter of a function.
    """
    costly = {n: a for n, a in bound.given.items() if a.costly}
    if not costly:
        return write(bound)
    whole = {n: f"__{n}__" for n in costly}
    # Of a tuple the parts may be wanted one by one.
    alone = {n: word for n, word in whole.items() if costly[n].elements is None}
    words: dict[str, str] = {}
    for words in (whole, alone):
        try:
            text, _ = write(_standing_in(bound, words, True))
            if not _disturbed(text, words):
                return write(bound)
            text, _ = write(_standing_in(bound, words, False))
            break
        except Refused:
            # Why says what the code says.
            continue
    else:
        return write(bound)
    ahead = _disturbed(text, words)
    if any(_OUTSIDE.search(costly[n].text) for n, word in words.items() if word in text):
        ahead = [n for n, word in words.items() if word in text]
    text, carried = write(_standing_in(bound, {n: words[n] for n in ahead}, False))
    names = []
    for parameter in ahead:
        plain = "x" if parameter == "self" else parameter
        while re.search(rf"\b{plain}\b", text):
            plain += "_"
        text = text.replace(words[parameter], plain)
        names.append(plain)
    given = ", ".join(costly[parameter].text for parameter in ahead)
    return f"(lambda {', '.join(names)}: {text})({given})", carried


# What means another thing within a function of its own.
_OUTSIDE = re.compile(r"\b(?:await|yield)\b|:=")


def _disturbed(text: str, words: Mapping[str, str]) -> list[str]:
    """The first of some arguments, up to which one runs twice or all don't run in their order."""
    there = [(name, text.count(word), text.find(word)) for name, word in words.items()]
    there = [one for one in there if one[1]]
    for at in range(len(there) + 1):
        places = [place for _, _, place in there[at:]]
        if places == sorted(places) and all(count == 1 for _, count, _ in there[at:]):
            return [name for name, _, _ in there[:at]]
    return []


def _standing_in(bound: bind.Bound, words: Mapping[str, str], watched: bool) -> bind.Bound:
    """A bound call in which some arguments are written as words."""
    changed = {n: replace(bound.given[n], text=word, watched=watched) for n, word in words.items()}
    return replace(bound, given=bound.given | changed)


def _composed(name: str, bound: bind.Bound, target: Target) -> _Made:
    carried = conversion.carry(name, bound, target.parameters, ())
    parts = {
        part: Argument(s.text, values.argument(s.text).node, "position", s.items)
        for part, s in carried.settings.items()
    }
    return conversion.fill(name, target.expression or "", parts), carried


def _call(record: Record, bound: bind.Bound, target: Target) -> _Made:
    signatures = overloads(target.signatures)
    called = overloads(target.call)
    carried = conversion.carry(record.torch, bound, target.parameters, (*signatures, *called))
    settings = dict(carried.settings)
    function = target.api or ""
    if target.kind in ("method", "property"):
        if emit.RECEIVER not in settings:
            raise Refused(
                "argument",
                f"{function} needs the object it is called on",
                f"{function} 缺少调用对象",
            )
        text = settings.pop(emit.RECEIVER).text
        on = emit.receiver(text, bound.given.get(emit.RECEIVER))
        function = f"{on}.{function.rsplit('.', 1)[1]}"
    if target.kind == "property":
        return function, carried
    outer = {k: v for k, v in settings.items() if not v.constructor}
    if target.kind == "class" and record.kind != "class":
        made = {k: v for k, v in settings.items() if v.constructor}
        function = f"{function}({_arguments(function, signatures, made)})"
        signatures = called
    return f"{function}({_arguments(function, signatures, outer)})", carried


def _arguments(name: str, signatures: Sequence[Signature], settings: dict[str, Setting]) -> str:
    signature = emit.overload(name, signatures, settings) if signatures else None
    return emit.arguments(signature, settings)


def write_inputs(record: Record, target: Target, arguments: Arguments) -> str:
    """The argument list with which a ported layer is called.

    Raises:
        Refused: an input of ``forward`` can't be carried over to ``construct``.
    """
    name = f"{record.torch}.forward"
    signatures = overloads(record.call)
    if not signatures or not target.call:
        if arguments.keywords:
            raise Refused(
                "argument",
                f"{name}: the inputs' names are not known; pass them by position",
                f"{name}：输入参数名未知，请按位置传参",
            )
        return ", ".join(a.text for a in arguments.positional)
    bound = bind.bind(name, signatures, arguments.positional, arguments.keywords)
    called = overloads(target.call)
    settings = conversion.carry(name, bound, target.inputs, called).settings
    return _arguments(f"{target.api}.construct", called, settings)
