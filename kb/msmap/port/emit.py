"""The MindSpore call, written out."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache

from msmap.code.refusal import Refused
from msmap.port import arguments as values
from msmap.port.arguments import Argument
from msmap.port.conversion import Setting
from msmap.signatures.parse import Signature, parse

RECEIVER = "self"


def receiver(text: str, given: Argument | None) -> str:
    """An expression as it may stand before a dot; a call that was ``given`` so needs no look."""
    if given is not None and given.node.__class__ is ast.Call and given.text == text:
        return text
    return values.embedded(text, open_place=False, before_dot=True)


def arguments(signature: Signature | None, settings: dict[str, Setting]) -> str:
    """The argument list: by position as far as PyTorch's caller did, then keywords in order."""
    if signature is None:
        return ", ".join(
            s.text if s.positional else f"{name}={s.text}" for name, s in settings.items()
        )
    written: list[str] = []
    by_position, left = True, len(settings)
    for parameter in signature.parameters:
        if not left:
            break
        setting = settings.get(parameter.name)
        if setting is None:
            by_position = by_position and not parameter.positional
            continue
        left -= 1
        if parameter.kind == "var_positional":
            items = setting.items or ()
            written += [item.text for item in items] or [setting.text]
        elif parameter.kind == "positional_only" or (
            by_position and parameter.positional and (setting.positional)
        ):
            written.append(setting.text)
        else:
            by_position = False
            written.append(f"{parameter.name}={setting.text}")
    if left:
        # The signature takes keywords of any name.
        others = (name for name in settings if signature.get(name) is None)
        written += [f"{name}={settings[name].text}" for name in others]
    return ", ".join(written)


@lru_cache(maxsize=4096)
def _names(signature: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names of all parameters of a signature, and of those that must be given."""
    parameters = parse(signature).parameters
    return (
        frozenset(p.name for p in parameters),
        frozenset(p.name for p in parameters if p.required),
    )


def overload(name: str, signatures: Sequence[Signature], settings: dict[str, Setting]) -> Signature:
    """The first overload of the target that takes all settings and misses nothing.

    Raises:
        Refused: there is none.
    """
    wanted = set(settings)
    for signature in signatures:
        names, needed = _names(signature.text)
        if (wanted <= names or signature.open_keywords) and needed <= wanted:
            return signature
    strange = ", ".join(f"`{n}`" for n in sorted(wanted)) or "no argument"
    raise Refused(
        "target",
        f"{name} has no overload that takes {strange}",
        f"{name} 没有接受 {strange} 的重载",
    )
