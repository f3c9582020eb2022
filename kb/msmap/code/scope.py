"""Which names of a source stand for PyTorch's, and which for something else."""

from __future__ import annotations

import ast

from msmap import names
from msmap.code.source import Source

# Modules that code uses without showing the import; their attributes are no tensor's methods.
_MODULES = frozenset(
    ("np", "numpy", "math", "random", "os", "sys", "re", "json", "plt", "mindspore", "ms")
)


class Scope:
    """Names bound by the imports of a source, over the usual short forms of PyTorch's modules."""

    def __init__(self, source: Source) -> None:
        self._torch: dict[str, str] = {}
        self._other = _MODULES
        for node in source.all(ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                self._bind(alias.asname or whole, whole)
        for taken in source.all(ast.ImportFrom):
            for alias in taken.names if taken.level == 0 else ():
                self._bind(alias.asname or alias.name, f"{taken.module}.{alias.name}")

    def _bind(self, name: str, meaning: str) -> None:
        if meaning.partition(".")[0] == "torch":
            self._torch[name] = meaning
        else:
            self._other |= {name}

    def spelling(self, node: ast.AST) -> tuple[str, bool] | None:
        """What ``a.b.c`` or an imported ``a`` is called in full, and whether an import says so.

        None if it doesn't start at PyTorch.
        """
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id in self._other:
            return None
        if node.id in self._torch:
            return ".".join([self._torch[node.id], *reversed(parts)]), True
        text = ".".join([node.id, *reversed(parts)])
        return (text, node.id == "torch") if names.is_torch_spelling(text) else None

    def is_object(self, node: ast.expr) -> bool:
        """Whether something may be a tensor or a layer: no module, and not ``self`` itself."""
        if isinstance(node, ast.Name):
            return node.id not in self._other and node.id not in ("self", "cls")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return node.func.id != "super"
        while isinstance(node, ast.Attribute):
            node = node.value
        return not (isinstance(node, ast.Name) and node.id in self._other)
