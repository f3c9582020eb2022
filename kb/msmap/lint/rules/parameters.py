"""Rules about names, parameters and what the signatures say of them."""

from __future__ import annotations

import ast

from msmap.assemble import derive
from msmap.curated import paths, schema
from msmap.lint import mend
from msmap.lint.rule import Found, Subject, rule
from msmap.messages import Message
from msmap.port import arguments as values
from msmap.signatures.parse import parse, same_default
from msmap.signatures.release import Side


@rule("record")
def path_is_name(subject: Subject) -> Found:
    """The path of a record's file is the PyTorch name."""
    expected = subject.found.directory / "records" / paths.path_of(subject.written.torch)
    if subject.loaded.path.resolve() != expected.resolve():
        yield Message("{} belongs in {}", subject.written.torch, expected), ("torch",)


@rule("record")
def name_exists(subject: Subject) -> Found:
    """PyTorch and MindSpore have the names that the record gives."""
    name = subject.written.torch
    if name not in subject.base.torch.apis:
        yield Message("PyTorch {} has no {}", subject.base.torch.release, name), ("torch",)
    for index, target, _ in subject.targets():
        if target.api is not None and target.api not in subject.base.mindspore.apis:
            release = subject.base.mindspore.release
            yield Message("MindSpore {} has no {}", release, target.api), ("targets", index, "api")


@rule("record")
def parameter_exists(subject: Subject) -> Found:
    """Every parameter that a record names is in a signature (or in the target's expression)."""
    base, name = subject.base, subject.written.torch
    for index, target, _ in subject.targets():
        torch = {*_source(subject).names(), derive.RECEIVER}
        theirs = {*base.mindspore.side(target.api).names(), derive.RECEIVER}
        inputs = set(base.mindspore.side(target.api, "call").names())
        forward = set(base.torch.side(name, "call").names())
        if target.expression is not None:
            theirs = values.placeholders(target.expression)
        elif base.torch.side(name).kind != "class":
            theirs |= inputs
        for where, parameters, ours, other in (
            ("parameters", target.parameters, torch, theirs),
            ("inputs", target.inputs, forward, inputs),
        ):
            for number, parameter in enumerate(parameters):
                place = ("targets", index, where, number)
                for missing in sorted(set(parameter.torch_names) - ours):
                    yield Message("PyTorch's {} has no parameter `{}`", name, missing), place
                set_ = {k for c in parameter.cases for k in c.set}
                for missing in sorted({*parameter.mindspore_names, *set_} - other):
                    yield Message("{} has no parameter `{}`", target.key, missing), place
        for condition in (*target.given, *target.absent):
            if condition not in torch:
                yield (
                    Message("PyTorch's {} has no parameter `{}`", name, condition),
                    ("targets", index),
                )
    yield from _triggers(subject, {*_source(subject).names(), derive.RECEIVER})


def _triggers(subject: Subject, torch: set[str]) -> Found:
    """Of parameters that say which calls a caveat bites."""
    for number, caveat in enumerate(subject.written.caveats):
        named = caveat.when.parameters if isinstance(caveat.when, schema.When) else ()
        for missing in sorted({*named} - torch):
            name = subject.written.torch
            yield (
                Message("PyTorch's {} has no parameter `{}`", name, missing),
                ("caveats", number, "when"),
            )


def _source(subject: Subject) -> Side:
    """PyTorch's overloads, as the record narrows them."""
    side = subject.base.torch.side(subject.written.torch)
    texts = subject.written.overloads
    return Side(side.kind, tuple(map(parse, texts))) if texts else side


@rule("record")
def parameter_accounted(subject: Subject) -> Found:
    """What differs between the signatures is said: defaults, and parameters one side lacks."""
    written = subject.written
    for index, target in enumerate(written.targets):
        for key in ("parameters", "inputs"):
            points = subject.base.unaccounted.get((written.torch, target.key, key), ())
            made = map(mend.parameter, mend.pairs(point.parameter for point in points))
            lines = mend.entries(written, ("targets", index, key), made)
            said = sorted(point.said for point in points)
            for text in said:
                # Below the last, for all of them: two may be one parameter of two names.
                below = lines if text == said[-1] else ""
                yield (
                    Message("{}: {}; say how it is carried over", target.key, text),
                    ("targets", index),
                    below,
                )


@rule("record")
def relation_fits_signatures(subject: Subject) -> Found:
    """A relation doesn't contradict names and defaults, and says more than they do."""
    for index, written, target in subject.targets():
        found = [p for p in target.parameters if not p.derived]
        used = [name for p in found for name in p.mindspore]
        for number, (entry, parameter) in enumerate(zip(written.parameters, found, strict=True)):
            place = ("targets", index, "parameters", number)
            name = "/".join(parameter.torch)
            equal = same_default(parameter.torch_default, parameter.mindspore_default)
            if entry.relation == "renamed" and parameter.torch == parameter.mindspore:
                yield Message("`{}` has the same name on both sides", name), place
            if entry.relation == "default_differs" and equal and not _changes(entry):
                yield Message("`{}` has the same default on both sides", name), place
            if entry.relation in ("same", "renamed") and not equal and not _changes(entry):
                both_needed = parameter.mindspore_default is not None
                if both_needed and parameter.torch_default is not None:
                    text = Message("`{}` has another default in MindSpore: default_differs", name)
                    yield text, place, mend.key(place, "relation", "default_differs")
            plain = entry.model_dump(exclude_defaults=True).keys() <= {
                "torch", "mindspore", "relation",
            }  # fmt: skip
            # Another entry that takes the name too leaves nothing implied.
            alone = all(used.count(name) == 1 for name in parameter.mindspore)
            alike = plain and alone and parameter.torch == parameter.mindspore
            if entry.relation == "same" and alike:
                yield Message("`{}` is the same anyway; leave it out", name), place


def _changes(entry: schema.Parameter) -> bool:
    return entry.value is not None or bool(entry.cases)


@rule("record")
def placeholders_known(subject: Subject) -> Found:
    """A {placeholder} names a parameter of PyTorch's, or what `parameters` makes of one."""
    torch = {*_source(subject).names(), derive.RECEIVER}
    inputs = set(subject.base.torch.side(subject.written.torch, "call").names())
    for index, target in enumerate(subject.written.targets):
        place: tuple[str | int, ...] = ("targets", index)
        made = {name for p in target.parameters for name in p.mindspore_names}
        yield from _strange([target.expression or ""], torch | made, (*place, "expression"))
        if target.returns is not None:
            texts = [target.returns.value or ""]
            yield from _strange(texts, {"result"}, (*place, "returns"))
        for where, parameters, known in (
            ("parameters", target.parameters, torch), ("inputs", target.inputs, inputs)
        ):  # fmt: skip
            for number, parameter in enumerate(parameters):
                texts = [parameter.value or ""]
                texts += [text for case in parameter.cases for text in case.set.values()]
                yield from _strange(texts, known, (*place, where, number))


def _strange(texts: list[str], known: set[str], place: tuple[str | int, ...]) -> Found:
    for name in sorted({n for text in texts for n in values.placeholders(text)} - known):
        yield Message("{{{}}} is no parameter that could fill it", name), place


@rule("record")
def source_parses(subject: Subject) -> Found:
    """Every expression in a record is Python once its placeholders are filled."""
    for index, target in enumerate(subject.written.targets):
        place = ("targets", index)
        texts = [target.expression] if target.expression else []
        for parameter in (*target.parameters, *target.inputs):
            texts += [parameter.value] if parameter.value else []
            texts += [text for case in parameter.cases for text in case.set.values()]
        texts += [text for s in target.state for text in (s.value, s.back) if text]
        if target.returns is not None and target.returns.value:
            texts.append(target.returns.value)
        for text in texts:
            filled = values.fill(text, _Anything())
            try:
                ast.parse(filled, mode="eval")
            except SyntaxError as error:
                yield Message("{!r} is not an expression: {}", text, error.msg), place


class _Anything(dict[str, values.Argument]):
    """Every placeholder filled with a pair of names."""

    def __missing__(self, key: str) -> values.Argument:
        return values.argument("(a, b, c, d, e, f)")


@rule("record")
def dangerous_default_explained(subject: Subject) -> Found:
    """A default that differs on the best target has a caveat or a note that says what happens."""
    written = subject.written
    told = {c.parameter for c in written.caveats}
    for target in written.targets[:1]:
        for number, parameter in enumerate(target.parameters):
            if parameter.relation != "default_differs" or parameter.note is not None:
                continue
            if told.isdisjoint((*parameter.torch_names, *parameter.mindspore_names)):
                name = parameter.torch_names[0]
                text = Message(
                    "no caveat with `parameter: {}` (or note) says what its default changes", name
                )
                yield text, ("targets", 0, "parameters", number), _untold(written, name)


def _untold(written: schema.Record, name: str) -> str:
    """A caveat of a parameter's default, and the check that shows it."""
    made = mend.slug(name, "default")
    caveat = mend.caveat(made, parameter=name, shown_by=[made])
    check = mend.check(made, mindspore=mend.TODO, expect="differs")
    return "\n".join(
        (
            mend.entries(written, ("caveats",), [caveat], block=True),
            mend.entries(written, ("checks",), [check], block=True),
        )
    )
