"""Signature files of the installed frameworks."""

from __future__ import annotations

import importlib
import importlib.util
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from msmap.errors import FrameworkMissing
from msmap.signatures import files
from msmap.signatures.files import CALLABLE_KINDS, Api
from msmap.signatures.readers import (
    aliases,
    docstrings,
    mindspore_api,
    objects,
    torch_api,
    torch_names,
)
from msmap.signatures.readers import texts as render
from msmap.signatures.readers.objects import Named


class Reader(Protocol):
    """What a framework's names are read with."""

    def api(self, named: Named) -> Api:
        """Everything known about one name."""


# The public names, and what reads them once all are known.
Adapter = tuple[Callable[[], Iterable[Named]], Callable[[list[Named]], Reader]]
_ADAPTERS: dict[str, Adapter] = {
    "torch": (torch_names.names, torch_api.Reader),
    "mindspore": (mindspore_api.names, mindspore_api.Reader),
}


@dataclass(frozen=True)
class Summary:
    """What a collection wrote."""

    path: Path
    names: int
    callables: int
    without_signature: tuple[str, ...]
    kinds: tuple[tuple[str, int], ...]
    sources: tuple[tuple[str, int], ...]


def run(framework: str, directory: Path) -> Summary:
    """The signature file of an installed framework, written into a directory."""
    if framework not in _ADAPTERS:
        raise ValueError(f"unknown framework {framework!r}, expected one of {sorted(_ADAPTERS)}")
    if importlib.util.find_spec(framework) is None:
        raise FrameworkMissing(
            "{} is not installed; run `pip install {}` and collect again", framework, framework
        )
    apis = read(*_ADAPTERS[framework])
    _check(apis)
    # Without its build label.
    version = str(importlib.import_module(framework).__version__).partition("+")[0]
    path = directory / f"{framework}-{version}.jsonl"
    files.write(apis, path)
    return summary(path, apis)


def read(
    names: Callable[[], Iterable[Named]], reader: Callable[[list[Named]], Reader]
) -> list[Api]:
    """Every public name of an installed framework."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(names())
        apis = list(map(reader(found).api, found))
        said = {n.name: docstrings.alias(objects.documentation(n.value)) for n in found}
        return aliases.documented(apis, said)


def _check(apis: list[Api]) -> None:
    """Nothing; raises if a signature is not Python."""
    for api in apis:
        for text in (*api.signatures, *api.call):
            if not render.parses(text):
                raise ValueError(f"{api.name}: the signature {text!r} is not Python")


def summary(path: Path, apis: list[Api]) -> Summary:
    """The counts of a file's APIs."""
    callables = [api for api in apis if api.kind in CALLABLE_KINDS]
    return Summary(
        path=path,
        names=len(apis),
        callables=len(callables),
        without_signature=tuple(sorted(api.name for api in callables if not api.signatures)),
        kinds=tuple(sorted(Counter(api.kind for api in apis).items())),
        sources=tuple(sorted(Counter(api.source for api in apis if api.source).items())),
    )
