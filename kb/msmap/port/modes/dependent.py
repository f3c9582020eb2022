"""Whether what a module computes depends on its mode: by its layers, or by what its code asks."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from msmap.code.tree import children
from msmap.infer.environment import builtin
from msmap.infer.interpreter import Reading
from msmap.infer.values.lattice import (
    FOREIGN,
    UNKNOWN,
    Class,
    Entry,
    Function,
    Members,
    Path,
    Value,
    each,
    owner_kind,
    settled,
)

# Layers that compute one thing in training, and another in evaluation mode.
_ALWAYS = frozenset(f"torch.nn.{name}" for name in (
    "AlphaDropout", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "Dropout", "Dropout1d",
    "Dropout2d", "Dropout3d", "FeatureAlphaDropout", "LazyBatchNorm1d", "LazyBatchNorm2d",
    "LazyBatchNorm3d", "Module", "RReLU", "SyncBatchNorm", "Transformer", "TransformerDecoder",
    "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer",
))  # fmt: skip
# Layers that do so where an argument says it, by its place; what it is where it is left out.
_TOLD = {
    "torch.nn.GRU": ("dropout", 5, 0),
    "torch.nn.LSTM": ("dropout", 5, 0),
    "torch.nn.MultiheadAttention": ("dropout", 2, 0),
    "torch.nn.RNN": ("dropout", 6, 0),
    **{
        f"torch.nn.{lazy}InstanceNorm{n}d": ("track_running_stats", 3 if lazy else 4, False)
        for lazy in ("", "Lazy")
        for n in (1, 2, 3)
    },
}
_MODULE = "torch.nn.Module"
# Layers of a rate, which may be 0.
_RATES = ("torch.nn.Dropout", "torch.nn.AlphaDropout", "torch.nn.FeatureAlphaDropout")
# The name by which a module asks for its mode.
_ASKED = "training"
_FORWARD = "forward"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Dependent:
    """What of a tree depends on the mode; each class and function is looked at once."""

    def __init__(self) -> None:
        self._known: dict[ast.AST, bool] = {}
        self._setting: dict[ast.AST, list[ast.Assign | ast.AnnAssign | ast.Expr]] = {}

    def made(self, home: Reading, node: ast.Call, around: ast.AST | None) -> bool:
        """Whether the module that a call makes depends on its mode, or nobody can tell.

        Args:
            home: the reading of the file.
            node: the call.
            around: the function that the call stands in.
        """
        if self._scan(home, [node], _parameters(around)):
            return True
        # What it is given may be made further up in the function.
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        body = around if around is not None else home.source.tree
        if body not in self._setting:
            kinds = (ast.Assign, ast.AnnAssign, ast.Expr)
            self._setting[body] = [one for one in ast.walk(body) if isinstance(one, kinds)]
        return any(
            self._scan(home, [one], _parameters(around))
            for one in self._setting[body]
            if _fills(one, names)
        )

    def entry(self, entry: Entry) -> bool:
        """Whether the objects of a class depend on their mode, or nobody can tell."""
        if entry.node in self._known:
            return self._known[entry.node]
        # Where it asks for itself, the rest decides.
        self._known[entry.node] = False
        found = self._known[entry.node] = entry.is_open or any(map(self._own, entry.lineage))
        return found

    def _own(self, entry: Entry) -> bool:
        home: Reading = entry.home
        roots = (one.name for one in entry.bases if isinstance(one, Path))
        named = [home.canonical(name) or "" for name in roots]
        if any(_depends(name, None) for name in named):
            return True
        handed = _handed(entry.node)
        for node in entry.node.body:
            given = _parameters(node) if getattr(node, "name", "") != _FORWARD else frozenset()
            if self._scan(home, [node], given, handed):
                return True
        return False

    def _function(self, made: Function) -> bool:
        if made.node not in self._known:
            self._known[made.node] = False
            self._known[made.node] = self._scan(made.home, [made.node], _parameters(made.node))
        return self._known[made.node]

    def _scan(
        self, home: Reading, nodes: Iterable[ast.AST], given: frozenset[str],
        handed: frozenset[str] = frozenset(),
    ) -> bool:  # fmt: skip
        """Whether some code makes layers that depend on the mode, or asks for it.

        Args:
            home: the reading of the file that it stands in.
            nodes: the code.
            given: the parameters of the function, whose calls make nobody knows what.
            handed: the attributes that are set to what a constructor is given.
        """
        every = list(_walk(nodes))
        called = {n.func: n for n in every if isinstance(n, ast.Call)}
        for node in every:
            if isinstance(node, ast.Attribute) and node.attr == _ASKED:
                return True
            if not isinstance(node, ast.Name | ast.Attribute):
                continue
            call = called.get(node)
            if isinstance(node, ast.Attribute) and _is_self(node.value):
                if call is not None and node.attr in handed:
                    return True
                continue
            if call is not None and isinstance(node, ast.Name) and node.id in given:
                return True
            if any(self._value(home, one, call) for one in each(value_of(home, node))):
                return True
        return False

    def _value(self, home: Reading, value: Value, call: ast.Call | None) -> bool:
        """Whether something that is named, and called if there is a ``call``, depends on it."""
        if isinstance(value, Path):
            return _depends(home.canonical(value.name) or "", call)
        if isinstance(value, Class):
            return owner_kind(value.entry.torch_base) == "module" and self.entry(value.entry)
        if isinstance(value, Function):
            return self._function(value)
        # What another library makes may be anything.
        return value is FOREIGN and call is not None and _makes(call.func)


def _walk(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of some code that say what it makes: no annotations, and no tests of classes."""
    ahead = list(nodes)
    for node in ahead:
        yield node
        tests = isinstance(node, ast.Call) and getattr(node.func, "id", "") in _TESTS
        skipped = [getattr(node, name, None) for name in ("annotation", "returns")]
        ahead += () if tests else (one for one in children(node) if one not in skipped)


_TESTS = ("isinstance", "issubclass")


def _depends(name: str, call: ast.Call | None) -> bool:
    """Whether layers of a canonical name depend on the mode; as a call makes them, if there is."""
    if name in _TOLD:
        if call is None:
            return True
        keyword, place, _ = _TOLD[name]
        found = [k.value for k in call.keywords if k.arg == keyword] + call.args[place : place + 1]
        if any(k.arg is None for k in call.keywords) or any(
            isinstance(one, ast.Starred) for one in call.args
        ):
            return True
        return any(not (isinstance(one, ast.Constant) and not one.value) for one in found)
    if name not in _ALWAYS or (name == _MODULE and call is None):
        return False
    if call is not None and name.startswith(_RATES):
        rate = [k.value for k in call.keywords if k.arg == "p"] + call.args[:1]
        return not (rate and isinstance(rate[0], ast.Constant) and rate[0].value == 0)
    return True


def _makes(function: ast.expr) -> bool:
    """Whether what is called is named like a class, or like what makes models."""
    name = getattr(function, "attr", getattr(function, "id", ""))
    return name[:1].isupper() or name.startswith(("create", "build", "make", "get", "load"))


def value_of(home: Reading, node: ast.expr) -> Value:
    """What a name of a file, or a part of one, stands for when all of the file has run."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return UNKNOWN
    found = settled(home.exported(node.id) or builtin(node.id) or UNKNOWN)
    for part in reversed(parts):
        if isinstance(found, Path):
            found = Path(f"{found.name}.{part}")
        elif isinstance(found, Members):
            found = settled(found.member(part))
        elif found is not FOREIGN:
            return UNKNOWN
    return found


def _fills(node: ast.Assign | ast.AnnAssign | ast.Expr, names: set[str]) -> bool:
    """Whether a statement sets one of some names, or puts something into what one stands for."""
    if isinstance(node, ast.Expr):
        call = node.value
        on = (
            call.func.value
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
            else None
        )
        return isinstance(on, ast.Name) and on.id in names
    targets: Sequence[ast.expr] = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(n, ast.Name) and n.id in names for one in targets for n in ast.walk(one))


def _parameters(node: ast.AST | None) -> frozenset[str]:
    """The names of the parameters of a function, of those of functions in it too."""
    found: set[str] = set()
    for one in ast.walk(node) if node is not None else ():
        if isinstance(one, _FUNCTIONS):
            found.update(a.arg for a in ast.walk(one.args) if isinstance(a, ast.arg))
    return frozenset(found - {"self", "cls"})


def _handed(node: ast.ClassDef) -> frozenset[str]:
    """The attributes that methods of a class set to what they are given."""
    return frozenset(_attributes(node))


def _attributes(owner: ast.ClassDef) -> Iterator[str]:
    for method in owner.body:
        given = _parameters(method) if isinstance(method, _FUNCTIONS) else frozenset()
        for node in ast.walk(method):
            value = node.value if isinstance(node, ast.Assign) else None
            if isinstance(node, ast.Assign) and isinstance(value, ast.Name) and value.id in given:
                targets = (t for t in node.targets if isinstance(t, ast.Attribute))
                yield from (t.attr for t in targets if _is_self(t.value))


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"
