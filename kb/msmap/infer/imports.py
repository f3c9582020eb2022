"""Import statements: what the names that they bind stand for."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from msmap.infer.environment import imported
from msmap.infer.values.lattice import FOREIGN, Imported

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading
    from msmap.infer.modules import Module


def names(reading: Reading, node: ast.Import) -> None:
    """Modules are imported, under their own names or others."""
    for alias in node.names:
        whole = alias.name if alias.asname else alias.name.partition(".")[0]
        own = reading.place.imported(0, alias.name) if reading.place is not None else None
        found = imported(whole) if own is None else own[-1 if alias.asname else 0]
        reading.scope.bind(alias.asname or whole, found)


def parts(reading: Reading, node: ast.ImportFrom) -> None:
    """Parts of a module are imported, or all that a star brings."""
    module = node.module or ""
    if reading.place is not None:
        own = reading.place.imported(node.level, module, [alias.name for alias in node.names])
        if own is not None:
            _of_tree(reading, node, own[-1])
            return
    for alias in node.names:
        if alias.name == "*":
            ours = node.level == 0 and module.partition(".")[0] == "torch"
            reading.scope.take_all([module if ours else None])
        elif node.level:
            reading.scope.bind(alias.asname or alias.name, FOREIGN)
        else:
            name = alias.asname or alias.name
            reading.scope.bind(name, imported(f"{module}.{alias.name}"))
            reading.scope.taken.add(name)


def _of_tree(reading: Reading, node: ast.ImportFrom, module: Module) -> None:
    """Names of another file of the tree are imported."""
    scope = reading.scope
    for alias in node.names:
        if alias.name != "*":
            scope.bind(alias.asname or alias.name, Imported(module, alias.name))
            continue
        given, stars = module.given()
        scope.take_all(stars)
        for name in given:
            scope.bind(name, Imported(module, name))
