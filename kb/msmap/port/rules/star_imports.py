"""Names like PyTorch's that only an import with a star may bring, from where nobody can look."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msmap.code.refusal import Refused
from msmap.code.source import Source
from msmap.code.tree import children
from msmap.names import TORCH_PREFIXES
from msmap.port.mode import Mode
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter

_HOMES = {**TORCH_PREFIXES, "torch": "torch"}


_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler)


@rule(Phase.PREPARE, modes=Mode.FILE)
def port(work: Rewriter) -> None:
    """Say of each that it may be PyTorch's; it stays."""
    reading = work.resolver.reading
    if None not in reading.module.stars:
        return
    stars = ", ".join(_stars(work.source))
    bound = frozenset(_bound(work.source)) | work.imported
    for node, spelling in _chains(work.source, bound):
        name = reading.canonical(spelling)
        if name is None:
            continue
        function = node.func if isinstance(node, ast.Call) else node
        shown = ast.unparse(function)
        work.unproved.add(node)
        work.about[node] = name
        work.refuse(node, Refused(
            "possible",
            f"{shown} may be {name}: it comes by {stars}, a file that isn't among"
            " those that are read, or can't be read; port it together with that, or import the"
            " name itself",
            f"{shown} 可能是 {name}：它来自 {stars}，而该文件不在读取范围内或无法读取；"
            "请与该文件一起转写，或直接导入此名称",
        ))  # fmt: skip


def _stars(source: Source) -> Iterator[str]:
    every = source.all(ast.ImportFrom)
    found = (one for one in every if any(alias.name == "*" for alias in one.names))
    yield from (f"`{ast.unparse(one)}`" for one in found)


def _bound(source: Source) -> Iterator[str]:
    """The names that a source binds itself, wherever that is, but by imports."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, _NAMED):
            yield node.name or ""


def _chains(source: Source, bound: frozenset[str]) -> Iterator[tuple[ast.expr, str]]:
    """The dotted names that begin with one of PyTorch's which nothing binds, and what they say.

    Of a call it is the call.
    """
    ahead: list[tuple[ast.AST, ast.AST | None]] = [(source.tree, None)]
    for node, outer in ahead:
        parts: list[str] = []
        first = node
        while isinstance(first, ast.Attribute):
            parts.append(first.attr)
            first = first.value
        home = _HOMES.get(first.id) if isinstance(first, ast.Name) and parts else None
        if home is not None and first.id not in bound:  # type: ignore[attr-defined]
            called = isinstance(outer, ast.Call) and outer.func is node
            yield (outer if called else node), ".".join([home, *reversed(parts)])  # type: ignore[misc]
            continue
        ahead += [(child, node) for child in children(node)]
