"""Signature files of the installed frameworks."""

from __future__ import annotations

import importlib.util
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from msmap.errors import FrameworkMissing
from msmap.signatures import files
from msmap.signatures.files import CALLABLE_KINDS, Api
from msmap.signatures.readers import mindspore_api, torch_api
from msmap.signatures.readers import texts as render

_ADAPTERS = {
    "torch": (torch_api.version, torch_api.read),
    "mindspore": (mindspore_api.version, mindspore_api.read),
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
            f"{framework} is not installed; run `pip install {framework}` and collect again"
        )
    version, read = _ADAPTERS[framework]
    apis = read()
    _check(apis)
    path = directory / f"{framework}-{version()}.jsonl"
    files.write(apis, path)
    return summary(path, apis)


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
