"""Imports of packages made for PyTorch stay, and say what to write instead."""

from __future__ import annotations

import ast

from msmap import packages
from msmap.code.refusal import Refused
from msmap.port.mode import SOURCES
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter


@rule(Phase.NAMES, modes=SOURCES)
def port(work: Rewriter) -> None:
    """Refuse the imports of packages made for PyTorch: nothing of theirs is written."""
    for node in work.imports:
        for module in _modules(work, node):
            if found := packages.of(module):
                name, package = found
                en, zh = package.instead
                reason = (f"{name} stays: {en}", f"{name} 保留原样：{zh}")
                work.refuse(node, Refused("import", *reason))
                break


def _modules(work: Rewriter, node: ast.Import | ast.ImportFrom) -> list[str]:
    """The modules outside the tree that an import names."""
    place = work.resolver.reading.place
    if isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    elif node.level:
        return []
    else:
        modules = [node.module or ""]
        whole = [f"{node.module}.{alias.name}" for alias in node.names]
        modules += [one for one in whole if one in packages.PACKAGES]
    return [m for m in modules if place is None or place.imported(0, m) is None]
