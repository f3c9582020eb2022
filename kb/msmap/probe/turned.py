"""Examples of MindSpore's candidates made ready to be turned round into calls of a PyTorch name.

Which parameter is which is what the candidates' targets and the signatures say, read backwards;
what the examples compute is found out beside PyTorch (``samples.turned``).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from msmap.curated import schema
from msmap.probe import documented
from msmap.probe.bench import Bench, Prepared

# Those of which a value goes over as it is.
_CARRIED = ("same", "renamed", "default_differs", "reordered", "moved_to_constructor")
# What only begins alike may be another operation.
_FOUND = ("record", "sibling", "same_name", "form", "published")


class Turned:
    """The examples for PyTorch's names, as the process that samples is told them."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        apis = bench.mindspore.apis.values()
        called = [a.name for a in apis if a.signatures and not a.alias_of]
        found = documented.read(called, bench.mindspore.release)
        self._examples = {
            api: sources for api, sources in found.items() if documented.calls(api, sources)
        }

    def of(self, prepared: Prepared) -> str:
        """What there is for a name, as one line of JSON; "" for nothing."""
        found = [item for key in prepared.targets for item in self._item(prepared, key)]
        return json.dumps(found) if found else ""

    def told(self, name: str) -> str:
        """The same by the canonical name."""
        return self.of(self._bench.prepare(name)) if self._examples else ""

    def digest(self, prepared: Prepared) -> str:
        """Eight hexadecimal digits over what there is for a name; "" for nothing."""
        told = self.of(prepared) if self._examples else ""
        return hashlib.sha256(told.encode()).hexdigest()[:8] if told else ""

    def _item(self, prepared: Prepared, key: str) -> Iterator[dict[str, Any]]:
        target = prepared.targets[key]
        known = self._bench.mindspore
        api = known.canonical(target.api or "")
        if api not in self._examples or prepared.ideas[key].found not in _FOUND:
            return
        yield {
            "api": api,
            "kind": known.kind(api),
            "signatures": known.texts(api),
            "call": known.texts(api, "call"),
            "names": backwards(target),
            "sources": self._examples[api],
        }


def backwards(target: schema.Target) -> Mapping[str, list[str]]:
    """PyTorch's parameters that one of MindSpore's may be, of those that the target speaks of.

    None of what isn't carried as it is; what the target doesn't speak of has its own name.
    """
    found: dict[str, list[str]] = {}
    for parameter in target.parameters:
        plain = parameter.relation in _CARRIED and not parameter.cases
        one = len(parameter.torch_names) == len(parameter.mindspore_names) == 1
        for name in parameter.mindspore_names:
            found.setdefault(name, []).extend(parameter.torch_names if plain and one else ())
    return found
