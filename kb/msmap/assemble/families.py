"""Names that share one answer: a record covers them, and each is answered as if it were its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from msmap import model
from msmap.signatures.release import Signatures


def names(patterns: Iterable[str], torch: Signatures, written: Collection[str]) -> tuple[str, ...]:
    """The canonical names that patterns mean, sorted.

    Args:
        patterns: names, or what names begin with and a ``*``, which means no modules.
        torch: the names that there are.
        written: the names with a record of their own, which are none of a family.
    """
    found: set[str] = set()
    for pattern in patterns:
        found |= set(meant(pattern, torch)) - set(written)
    return tuple(sorted(found))


def meant(pattern: str, torch: Signatures) -> list[str]:
    """The canonical names that one pattern means, sorted; of an alias, what it stands for."""
    start = pattern.removesuffix("*")
    if start == pattern:
        found = torch.canonical(pattern)
        return [found] if found else []
    return sorted(
        {
            api.alias_of or name
            for name, api in torch.apis.items()
            if name.startswith(start) and api.kind != "module"
        }
    )


def covered(head: model.Record, name: str, torch: Signatures) -> model.Record:
    """The record of a name that another one covers."""
    api = torch.apis[name]
    return replace(
        head,
        torch=name,
        kind=api.kind,
        signatures=tuple(s.text for s in torch.side(name).signatures),
        call=tuple(s.text for s in torch.side(name, "call").signatures),
        overloads=(),
        deprecated=api.deprecated,
        example_torch="",
        example_mindspore="",
        covers=(),
        family=head.torch,
    )
