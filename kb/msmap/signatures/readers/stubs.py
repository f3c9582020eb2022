"""Definitions found in `.pyi` stub files and other Python sources."""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path

from msmap.signatures.readers import texts as render

Definition = ast.FunctionDef | ast.AsyncFunctionDef


@lru_cache(maxsize=64)
def load(path: Path) -> dict[str, tuple[Definition, ...]]:
    """Every function and method of a file by qualified name, overloads in file order."""
    return parse(path.read_text(encoding="utf-8"))


def parse(text: str) -> dict[str, tuple[Definition, ...]]:
    """Every function and method of a source text by qualified name, overloads in order."""
    found: dict[str, list[Definition]] = {}
    _gather(ast.parse(text).body, "", found)
    return {name: _variants(nodes) for name, nodes in found.items()}


def _gather(body: list[ast.stmt], prefix: str, found: dict[str, list[Definition]]) -> None:
    for node in body:
        if isinstance(node, Definition):
            found.setdefault(prefix + node.name, []).append(node)
        elif isinstance(node, ast.ClassDef):
            _gather(node.body, f"{prefix}{node.name}.", found)


def _variants(nodes: list[Definition]) -> tuple[Definition, ...]:
    """The overloads, or the last definition when it replaces the ones before it."""
    overloads = [node for node in nodes if _marked(node, "overload")]
    return tuple(overloads) if overloads else (nodes[-1],)


def _marked(node: Definition, mark: str) -> bool:
    return any(ast.unparse(decorator).split(".")[-1] == mark for decorator in node.decorator_list)


def signatures(
    path: Path, qualname: str, resolve: render.Resolve, *, bound: bool = False
) -> tuple[str, ...]:
    """The signatures a file gives a function or method, () when it has none."""
    if not path.is_file():
        return ()
    nodes = load(path).get(qualname, ())
    texts = (
        render.definition(node, resolve, bound=bound and not _marked(node, "staticmethod"))
        for node in nodes
    )
    return tuple(dict.fromkeys(texts))


def constructors(path: Path, qualname: str, resolve: render.Resolve) -> tuple[str, ...]:
    """The signatures a file gives a class's `__init__` or `__new__`, () when it has neither."""
    for method in ("__init__", "__new__"):
        found = signatures(path, f"{qualname}.{method}", resolve, bound=True)
        if found:
            return tuple(dict.fromkeys(text.rsplit(" -> ", 1)[0] for text in found))
    return ()
