"""What a launcher tells its processes: torchrun's variables of the environment become msrun's."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from msmap.model import Text
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter

# What torchrun sets, and what msrun sets to the same.
_NAMES = {"RANK": "RANK_ID", "LOCAL_RANK": "DEVICE_ID", "WORLD_SIZE": "RANK_SIZE"}
_STARTS = "torch.distributed.init_process_group"
# What reads a variable that it is given first.
_READERS = ("os.getenv", "os.environ.get", "os.environ.__contains__")
_WRITERS = ("os.putenv", "os.environ.setdefault")
_ENVIRONMENT = "os.environ"


@rule(Phase.PREPARE)
def port(work: Rewriter) -> None:
    """Name the variables as msrun does, in a file whose processes find each other by PyTorch.

    Other files stay, and so does a variable that the file sets: who starts them isn't known. It
    comes before all else, which takes over what is in it.
    """
    for key, new in _renamed(work):
        text = work.source.between(*work.source.span(key))
        work.changes.put(key, f"{text[0]}{new}{text[-1]}")


@rule(Phase.NAMES)
def tell(work: Rewriter) -> None:
    """Say which variables have other names, of those that are still read."""
    for key, new in _renamed(work):
        change, old = work.changes.around(key), str(key.value)
        if change is not None and new in change[2]:
            note = Text(
                f"torchrun sets {old}, msrun {new}.",
                f"torchrun 设置的是 {old}，msrun 设置的是 {new}。",
            )
            work.notes.append(note)
            work.said.setdefault(key, []).append(note)


def _renamed(work: Rewriter) -> Iterator[tuple[ast.Constant, str]]:
    """The constants that name such a variable, and what it is called here."""
    if not work.source.mentions("RANK", "WORLD_SIZE"):
        return
    if not any(_STARTS in use.names for use in work.uses.values()):
        return
    every = work.source.nodes
    nodes = [*every.of(ast.Subscript), *every.of(ast.Call), *every.of(ast.Compare)]
    names = _names(work)
    own = {key.value for key in _keys(nodes, names, ast.Store, _WRITERS)}
    for key in _keys(nodes, names, ast.Load, _READERS):
        new = _NAMES.get(str(key.value)) if key.value not in own else None
        # Where texts within texts stand isn't told by every Python.
        text = work.source.between(*work.source.span(key))
        if new is not None and text[1:-1] == key.value:
            yield key, new


def _keys(
    nodes: Sequence[ast.AST], names: Mapping[str, str], context: type, functions: Sequence[str]
) -> Iterator[ast.Constant]:
    """The constants that name a variable which is taken so, or given to one of the functions."""
    for node in nodes:
        key: ast.expr | None = None
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, context):
            key = node.slice if _dotted(node.value, names) == _ENVIRONMENT else None
        elif isinstance(node, ast.Call) and node.args:
            key = node.args[0] if _dotted(node.func, names) in functions else None
        elif isinstance(node, ast.Compare) and context is ast.Load:
            tested = isinstance(node.ops[0], ast.In | ast.NotIn)
            among = _dotted(node.comparators[0], names) == _ENVIRONMENT
            key = node.left if tested and among else None
        if isinstance(key, ast.Constant):
            yield key


def _names(work: Rewriter) -> Mapping[str, str]:
    """What names of ``os`` stand for, where nothing else in the file binds them."""
    found: dict[str, set[str]] = {}
    for node in work.imports:
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            whole = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            found.setdefault(name, set()).add(whole + (alias.name if alias.asname else name))
    every = work.source.nodes
    bound = {n.id for n in every.of(ast.Name) if not isinstance(n.ctx, ast.Load)}
    bound |= every.parameters
    bound |= {n.name for n in every.of(ast.FunctionDef)}
    bound |= {n.name for n in every.of(ast.AsyncFunctionDef)}
    bound |= {n.name for n in every.of(ast.ClassDef)}
    return {
        name: next(iter(meant))
        for name, meant in found.items()
        if len(meant) == 1 and name not in bound and next(iter(meant)).partition(".")[0] == "os"
    }


def _dotted(node: ast.expr, names: Mapping[str, str]) -> str:
    """The dotted name that an expression is, of ``os``; "" if it is none."""
    if isinstance(node, ast.Name):
        return names.get(node.id, "")
    if isinstance(node, ast.Attribute):
        inner = _dotted(node.value, names)
        return f"{inner}.{node.attr}" if inner else ""
    return ""
