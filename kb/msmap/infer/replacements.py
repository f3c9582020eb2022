"""Names of PyTorch's that the code gives another meaning: ``torch.zeros = own``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence

from msmap.infer.values.lattice import BASES, Path, Value

# What a class does by these, its objects do: with others of them it is another class.
_MEANING = ("forward", "__init__", "__call__", "__new__", "step", "reset_parameters")


class Replaced:
    """Which names are set by a source, wherever it does so."""

    def __init__(self, canonical: Callable[[str], str | None]) -> None:
        self._canonical = canonical
        self._names: set[str] = set()
        self._owners: set[str] = set()

    def add(self, before: str, name: str) -> None:
        """A member of a module or of a class of PyTorch's is set."""
        whole = f"{before}.{name}"
        self._names.add(self._canonical(whole) or whole)
        owner = self._canonical(before) or before
        if name in _MEANING and owner not in BASES.values():
            self._owners.add(owner)

    def called(self, node: ast.Call, positional: Sequence[Value]) -> None:
        """Something called ``setattr`` is called, Python's own or that of a test."""
        first = positional[0] if positional else None
        wanted = 3
        if not isinstance(first, Path) or len(node.args) < wanted:
            return
        if isinstance(node.args[1], ast.Constant) and isinstance(node.args[1].value, str):
            self.add(first.name, node.args[1].value)

    def patched(self, calls: Iterable[ast.Call]) -> None:
        """Calls of ``patch`` or ``setattr`` set what a text names: ``mock.patch("torch.abs")``."""
        for call in calls:
            leaf = getattr(call.func, "attr", getattr(call.func, "id", ""))
            texts = [one.value for one in call.args[:2] if isinstance(one, ast.Constant)]
            text = texts[0] if texts and isinstance(texts[0], str) else ""
            if leaf == "object" and call.args and not isinstance(call.args[0], ast.Constant):
                text = f"{ast.unparse(call.args[0])}.{text}" if text else ""
            elif leaf not in ("patch", "setattr"):
                continue
            before, _, name = text.rpartition(".")
            if name and (self._canonical(text) or before.partition(".")[0] == "torch"):
                self.add(before, name)

    def among(self, spellings: Iterable[str]) -> str:
        """The first of some names that has another meaning; "" if none has."""
        for spelling in spellings if self._names else ():
            name = self._canonical(spelling) or spelling
            if name in self._names or name in self._owners:
                return name
        return ""
