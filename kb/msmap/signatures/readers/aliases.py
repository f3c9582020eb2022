"""Which public names are other spellings of one API, and which name is the canonical one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from msmap.signatures.files import Api
from msmap.signatures.readers import docstrings, objects
from msmap.signatures.readers import texts as render
from msmap.signatures.readers.objects import Named

# Variants that a framework exports only for its other modules.
_VARIANT = re.compile(r"(?:_ext|_op|_impl|Ext)$")

Preference = tuple[bool, int, int, bool, bool, int, str]


def identical(found: Sequence[Named], homes: Sequence[str]) -> dict[str, str]:
    """The canonical name of every other name of the same class, function or dtype.

    The name that the framework's own docstrings refer to most often wins, then the namespace
    listed first in `homes`; in one namespace the name the object calls itself, then the
    shortest, then the first in the alphabet. Internal variants never win.
    """
    mentions = Counter(
        name
        for named in found
        for name in docstrings.references(objects.documentation(named.value))
    )
    groups: dict[int, list[Named]] = {}
    for named in found:
        if objects.identified(named):
            groups.setdefault(id(named.value), []).append(named)
    chosen: dict[str, str] = {}
    for group in groups.values():
        first = min(group, key=lambda named: _preference(named, homes, mentions))
        chosen.update({named.name: first.name for named in group if named is not first})
    return chosen


def _preference(named: Named, homes: Sequence[str], mentions: Counter[str]) -> Preference:
    rank = homes.index(named.home) if named.home in homes else len(homes)
    variant = _VARIANT.search(named.name) is not None
    own = objects.attribute(named.value, "__name__")
    said = objects.safe_repr(named.value) if named.kind == "dtype" else named.name
    return (
        variant,
        -mentions[named.name],
        rank,
        said != named.name,
        own != named.name.rpartition(".")[2],
        len(named.name),
        named.name,
    )


def documented(apis: Sequence[Api], said: Mapping[str, str]) -> list[Api]:
    """The APIs with the aliases that docstrings declare; `said` gives what each one names."""
    names = {api.name: api for api in apis}
    targets = {api.name: _target(api, said.get(api.name, ""), names) for api in apis}
    return [
        replace(api, alias_of=_end(api.name, targets)) if targets[api.name] else api for api in apis
    ]


def _target(api: Api, said: str, names: Mapping[str, Api]) -> str:
    home = api.name.rpartition(".")[0]
    root = api.name.partition(".")[0]
    for candidate in (f"{home}.{said.rpartition('.')[2]}", said, f"{root}.{said}"):
        other = names.get(candidate) if said else None
        if other and other is not api and other.kind == api.kind and _alike(api, other):
            return candidate
    return api.alias_of


def _alike(one: Api, other: Api) -> bool:
    """Whether both can be called with the same number of positional arguments."""
    # A docstring can name the wrong API, as that of mindspore.ops.multiply in 2.10.0 does.
    if not one.signatures or not other.signatures:
        return True
    return bool(_counts(one) & _counts(other))


def _counts(api: Api) -> set[int]:
    """The numbers of positional arguments that an API's signatures accept."""
    counts: set[int] = set()
    for text in api.signatures:
        spec = render.parsed(text).args
        most = len(spec.posonlyargs) + len(spec.args)
        # Variadic parameters stand for a few more.
        extra = 4 if spec.vararg else 0
        counts.update(range(most - len(spec.defaults), most + extra + 1))
    return counts


def _end(name: str, targets: Mapping[str, str]) -> str:
    seen = {name}
    while targets[name] and targets[name] not in seen:
        name = targets[name]
        seen.add(name)
    return name
