"""Scopes of a source, and what their names stand for at a place and over all places."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msmap import npu
from msmap.code.source import Source
from msmap.infer.values.lattice import (
    FOREIGN,
    NONE,
    NUMPY,
    OTHER,
    STREAMS,
    TYPING,
    UNKNOWN,
    Builtin,
    Entry,
    Function,
    Instance,
    Path,
    Value,
    join,
    settled,
    shared,
)
from msmap.infer.values.libraries import BARS, of_library

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading

BUILTINS = frozenset(dir(builtins))
# Libraries that code for PyTorch uses beside it, and whose things are none of PyTorch's.
_LIBRARIES = sys.stdlib_module_names | {
    "numpy", "pandas", "scipy", "sklearn", "matplotlib", "PIL", "cv2", "seaborn", "yaml", "skimage",
    "h5py", "requests", "mindspore", "tensorflow", "jax", "nltk", "plotly", "networkx", "sympy",
}  # fmt: skip
# What short code uses of them without showing the import.
USUAL_MODULES = frozenset(
    ("np", "numpy", "math", "random", "os", "sys", "re", "json", "plt", "mindspore", "ms", "pd",
     "collections", "pathlib", "time", "itertools", "functools")
)  # fmt: skip

State = dict[str, Value]


def imported(module: str) -> Value:
    """What an import of a module, or of something in it, stands for."""
    first = module.partition(".")[0]
    if first in ("torch", npu.PACKAGE):
        return Path(module)
    if first in ("typing", "typing_extensions") or module.startswith("collections.abc"):
        return TYPING
    if first in ("io", "gzip", "bz2", "lzma", "tempfile"):
        return STREAMS
    if first == "numpy":
        return NUMPY
    if first == "tqdm":
        *inner, leaf = module.split(".")
        return of_library(first, "" if not inner or leaf in BARS else leaf)
    if first in sys.stdlib_module_names:
        return of_library(*module.split(".")[:2])
    return OTHER if first in _LIBRARIES else FOREIGN


class Scope:
    """The names that one part of a source binds.

    ``now`` is what they stand for at this place, ``ever`` what all their bindings agree on, which
    is what functions inside see. ``live`` says that the part runs where it stands, as
    comprehensions do.
    """

    __slots__ = (
        "deferred", "entry", "ever", "getter", "held", "holding", "inner", "kind", "live", "logs",
        "makers", "now", "parent", "returns", "stars", "taken", "words", "yielded",
    )  # fmt: skip

    def __init__(self, kind: str, parent: Scope | None = None, live: bool = False) -> None:
        self.kind, self.parent, self.live = kind, parent, live
        self.now: State = {}
        self.ever: State = {}
        # What others may refer to of what its names stand for: all of it, or what it is a part of.
        self.held: dict[str, str] = {}
        # What made the tensors that they stand for.
        self.makers: dict[str, ast.expr] = {}
        self.deferred: list[Function] = []
        self.returns: list[Value] = []
        # What it yields, if it does.
        self.yielded: list[Value] | None = None
        # The class whose body this is.
        self.entry: Entry | None = None
        # Whether it is a dataset's own getter, where NumPy often chooses the items.
        self.getter = False
        # Modules that a star imports from, in order; None for those that aren't PyTorch's.
        self.stars: list[str | None] = []
        # The names that were imported from modules one by one.
        self.taken: set[str] = set()
        # The functions inside: they may change what containers hold that they name.
        self.inner: list[tuple[Source, ast.AST]] = []
        self.words: set[str] = set()
        # The names of containers, by what is known of them.
        self.holding: set[str] = set()
        # What is bound while a try runs: its handlers may see any of it.
        self.logs: list[list[tuple[str, Value]]] = []

    def bind(self, name: str, value: Value) -> None:
        """A name stands for something from here on."""
        if (seen := shared(value)) is not value:
            self.holding.add(name)
            if (self.inner or self.words) and self._is_seen(name):
                value = seen
        self.now[name] = value
        before = self.ever.get(name)
        # A star of a file of the tree may bring what the name already stands for.
        again = before is None or settled(before) == settled(value)
        self.ever[name] = value if again or before is None else join(before, value)
        for log in self.logs:
            log.append((name, value))

    def take_all(self, modules: list[str | None]) -> None:
        """A star imports from modules: one that isn't PyTorch's may bring the same names as it."""
        self.stars += modules
        if None in modules:
            for name in self.taken:
                if isinstance(self.now.get(name), Path):
                    self.bind(name, UNKNOWN)
            self.forget()

    def forget(self) -> None:
        """Anything may have bound the names of objects of PyTorch's again."""
        for name, found in list(self.now.items()):
            if isinstance(found, Instance):
                self.bind(name, UNKNOWN)

    def capture(self, source: Source, function: ast.AST) -> None:
        """A function inside may see, and change, the containers whose names it says."""
        self.inner.append((source, function))
        for name in self.holding:
            value = self.now.get(name)
            if value is not None and (seen := shared(value)) is not value and self._is_seen(name):
                self.now[name] = seen

    def _is_seen(self, name: str) -> bool:
        """Whether a function inside says a name, be it in a text."""
        while self.inner:
            source, function = self.inner.pop()
            self.words.update(_WORD.findall(source.text(function)))
        return name in self.words


_WORD = re.compile(r"[^\W\d]\w*")


class Silent:
    """What is read in a scope while nothing is noted: no generator, which takes its time."""

    __slots__ = ("_before", "_reading", "_scope")

    def __init__(self, reading: Reading, scope: Scope) -> None:
        self._reading, self._scope, self._before = reading, scope, reading.scope

    def __enter__(self) -> None:
        self._reading.scope = self._scope
        self._reading.quiet += 1

    def __exit__(self, *_: object) -> None:
        self._reading.quiet -= 1
        self._reading.scope = self._before


def merged(states: Iterable[State]) -> State:
    """What names stand for after one of several ways; what one binds and another doesn't stays."""
    ways = list(states)
    if len(ways) == 1:
        return ways[0]
    result: State = dict(ways[0])
    for state in ways[1:]:
        if state == result:
            continue
        for name, value in state.items():
            before = result.get(name)
            if before is None:
                result[name] = value
            elif before is not value:
                result[name] = join(before, value)
    return result


_BUILTINS: dict[str, Value] = {name: Builtin(name) for name in BUILTINS} | {"None": NONE}


def builtin(name: str) -> Value | None:
    """One of Python's own names, or None."""
    return _BUILTINS.get(name)


def is_snippet(tree: ast.Module) -> bool:
    """Whether a source is one line as Python counts them, and imports nothing."""
    body = tree.body
    if not body:
        return False
    first = body[0].lineno
    if any(node.lineno != first for node in body):
        return False
    if any(isinstance(node, ast.Import | ast.ImportFrom) for node in body):
        return False
    inner = getattr(body[-1], "body", None)
    return not inner or inner[0].lineno == first


def type_parameters(source: Source) -> set[str]:
    """The names that definitions have as parameters of types, from Python 3.12 on."""
    defined: list[ast.stmt] = [*source.all(ast.FunctionDef), *source.all(ast.ClassDef)]
    defined += source.all(ast.AsyncFunctionDef)
    return {one.name for node in defined for one in getattr(node, "type_params", ())}


def declared(source: Source) -> set[str]:
    """The names that a function declares to be another scope's: they change at any time."""
    found = {name for node in source.all(ast.Global) for name in node.names}
    return found | {name for node in source.all(ast.Nonlocal) for name in node.names}
