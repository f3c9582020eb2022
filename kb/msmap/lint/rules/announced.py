"""Rules about targets that MindSpore has announced to remove."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msmap.curated import schema
from msmap.lint.rule import Found, Subject, rule
from msmap.messages import Message
from msmap.signatures.files import Api

# The caveat that tells of it.
TOLD = "goes-in-a-later-release"
# A note of a signature that changes is about a parameter or an overload: the API stays.
_CHANGES = re.compile(r"Non-backward-compatible change (?!.*\binterface will be .*\bremoved\b)")
_API = re.compile(r"\bmindspore(?:\.[A-Za-z_]\w*)+")
_METHOD = re.compile(r"\.([A-Za-z_]\w*)\(")


@rule("record")
def what_goes_is_told(subject: Subject) -> Found:
    """A target of which MindSpore announced the removal has a caveat `goes-in-a-later-release`.

    It names the API, and what to write instead. A composition has it for each API that it calls.
    """
    told = " ".join(c.text.en for c in subject.written.caveats if c.id == TOLD)
    words, apis = set(re.findall(r"\w+", told)), subject.base.mindspore.apis
    for index, target, _ in subject.targets():
        for name, note in going(target, apis):
            if name.rsplit(".", 1)[1] not in words:
                yield Message("no caveat {} names {}: {}", TOLD, name, note), ("targets", index)


def going(target: schema.Target, apis: Mapping[str, Api]) -> Iterator[tuple[str, str]]:
    """MindSpore's names in what a target writes that are announced to go, with what is said."""
    for name in dict.fromkeys(_written(target)):
        note = apis[name].deprecated if name in apis else ""
        if note and not _CHANGES.match(note):
            yield name, note


def _written(target: schema.Target) -> Iterator[str]:
    """MindSpore's names in what a target writes, those of a tensor's methods among them."""
    if target.api is not None:
        yield target.api
    for code in _code(target):
        yield from _API.findall(code)
        yield from (f"mindspore.Tensor.{name}" for name in _METHOD.findall(_API.sub("", code)))


def _code(target: schema.Target) -> Iterator[str]:
    """The pieces of code that a port is put together from."""
    for parameter in (*target.parameters, *target.inputs):
        yield parameter.value or ""
        for case in parameter.cases:
            yield from case.set.values()
    yield target.expression or ""
    if target.returns is not None:
        yield target.returns.value or ""
