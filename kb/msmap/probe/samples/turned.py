"""Examples of MindSpore's documentation turned round: what they give to MindSpore's API is given
to PyTorch's.

MindSpore isn't there. Its tensors are PyTorch's, its dtypes too, and of all else that an example
calls it is noted what it was called with. ``msmap.probe.turned`` says what may be read.
"""

from __future__ import annotations

import ast
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from typing import Any

from msmap.probe import documented
from msmap.probe.documented import ORIGIN
from msmap.probe.samples import drawing
from msmap.probe.samples.call import Call, Gap, Known, fitting
from msmap.probe.samples.examples import held
from msmap.probe.samples.tensors import DTYPES
from msmap.signatures.parse import Signature, parse

# Of one API, and of a name.
_MOST_EACH = 4
_MOST = 12
_ALLOWED = ("numpy", "math")
_TENSORS = ("Tensor", "tensor", "Parameter")
# What examples make tensors with, beside NumPy.
_FILLED = ("ones", "zeros", "rand", "randn")
_DTYPES = {name: name for name in DTYPES} | {"bool_": "bool", "int_": "int64", "float_": "float32"}


@dataclass(frozen=True, slots=True)
class Item:
    """One of MindSpore's APIs, its examples, and which of PyTorch's parameters its own are."""

    api: str
    kind: str
    signatures: tuple[Signature, ...]
    call: tuple[Signature, ...]
    names: Mapping[str, Sequence[str]]
    sources: tuple[str, ...]

    @property
    def leaf(self) -> str:
        """What stands last in its name."""
        return self.api.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class _Taken:
    """A call of an API in an example: what it is of, what made it if a layer, what it is given."""

    receiver: Any
    made: tuple[tuple[Any, ...], Mapping[str, Any]]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]


def read(told: str) -> list[Item]:
    """What ``msmap.probe.turned`` says of a name."""
    return [
        Item(
            one["api"], one["kind"], tuple(map(parse, one["signatures"])),
            tuple(map(parse, one["call"])), one["names"], tuple(one["sources"]),
        )
        for one in (json.loads(told) if told else ())
    ]  # fmt: skip


def calls(known: Known, told: str) -> Iterator[Call | Gap]:
    """The calls of a PyTorch name that examples of MindSpore's come to."""
    count = 0
    for item in read(told):
        taken: list[_Taken] = []
        with suppress(Exception), redirect_stdout(io.StringIO()):
            _run(item, taken)
        for one in taken[:_MOST_EACH]:
            if count == _MOST:
                return
            try:
                yield _turned(known, item, one, f"{ORIGIN}-{count}")
                count += 1
            except Gap as gap:
                yield gap


class _Theirs:
    """What a name of MindSpore's stands for, without MindSpore."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return _found(f"{self._name}.{attribute}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        leaf = name_of(self).rpartition(".")[2]
        if leaf in _TENSORS:
            return _tensor(*args, **kwargs)
        if leaf in _FILLED:
            return _filled(leaf, *args, **kwargs)
        return _Made(name_of(self), args, kwargs)


def name_of(value: _Theirs) -> str:
    """The name that it is written by."""
    name: str = vars(value)["_name"]
    return name


@dataclass(frozen=True, slots=True)
class _Made:
    """What came of a call of MindSpore's: nothing is known of it but the call."""

    name: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]

    def __call__(self, *args: Any, **kwargs: Any) -> _Made:
        return _Made("", args, kwargs)


def _found(name: str) -> Any:
    import torch

    dtype = _DTYPES.get(name.rpartition(".")[2])
    return getattr(torch, dtype) if dtype else _Theirs(name)


def _tensor(input_data: Any = None, dtype: Any = None, **_: Any) -> Any:
    import numpy as np
    import torch

    if isinstance(input_data, torch.Tensor):
        made = input_data.clone()
    elif isinstance(input_data, np.ndarray | np.generic):
        made = torch.from_numpy(np.array(input_data))
    else:
        made = torch.tensor(input_data)
    return made if dtype is None else made.to(_dtype(dtype))


def _filled(name: str, size: Any, dtype: Any = None, **_: Any) -> Any:
    import torch

    made = getattr(torch, name)(size)
    return made if dtype is None else made.to(_dtype(dtype))


def _dtype(value: Any) -> Any:
    import numpy as np
    import torch

    if isinstance(value, torch.dtype):
        return value
    return torch.from_numpy(np.zeros(1, dtype=value)).dtype


def _run(item: Item, taken: list[_Taken]) -> None:
    """Run all examples one after another; what one raises doesn't stop the next."""
    drawing.seed()
    scope: dict[str, Any] = {}
    for name in ("mindspore", "ms", "ops", "mint", "nn", "Tensor"):
        _bind(scope, name, "mindspore" if name in ("mindspore", "ms") else f"mindspore.{name}")
    exec("import numpy as np", scope)
    seen: set[str] = set()
    for source in item.sources:
        with suppress(Exception):
            for statement in ast.parse(source).body:
                if isinstance(statement, ast.Import | ast.ImportFrom):
                    _import(statement, scope)
                    continue
                for node in ast.walk(statement):
                    if isinstance(node, ast.Call) and ast.unparse(node) not in seen:
                        seen.add(ast.unparse(node))
                        with suppress(Exception):
                            taken += _take(item, node, _evaluator(scope))
                exec(compile(ast.Module([statement], []), "<example>", "exec"), scope)


def _evaluator(scope: Mapping[str, Any]) -> Callable[[ast.expr], Any]:
    def value(expression: ast.expr) -> Any:
        code = compile(ast.Expression(expression), "<example>", "eval")
        return held(eval(code, dict(scope)))

    return value


def _import(statement: ast.Import | ast.ImportFrom, scope: dict[str, Any]) -> None:
    """Bind what an import of MindSpore's gives; of others, only what computes is imported."""
    module = getattr(statement, "module", None)
    for alias in statement.names:
        name = f"{module}.{alias.name}" if module else alias.name
        root = name.partition(".")[0]
        if root == "mindspore":
            whole = alias.asname or (alias.name if module else root)
            _bind(scope, whole, name if alias.asname or module else root)
        elif root in _ALLOWED:
            exec(ast.unparse(statement), scope)


def _bind(scope: dict[str, Any], name: str, path: str) -> None:
    scope[name] = _found(path)


def _take(item: Item, node: ast.Call, value: Callable[[ast.expr], Any]) -> Iterator[_Taken]:
    """A call of the API, or of a layer that it made."""
    import torch

    if any(isinstance(a, ast.Starred) for a in node.args) or not all(k.arg for k in node.keywords):
        return
    ours = documented.last(node.func) in (item.leaf, f"{item.leaf}_ext")
    if item.kind == "method" and ours and isinstance(node.func, ast.Attribute):
        receiver = value(node.func.value)
        args = [value(a) for a in node.args]
        if isinstance(receiver, _Theirs) and args:  # Tensor.sub(x, y)
            receiver, *args = args
        if isinstance(receiver, torch.Tensor):
            yield _Taken(receiver, ((), {}), tuple(args), _keywords(node, value))
        return
    called = value(node.func)
    plain = isinstance(called, _Theirs) and ours and item.kind == "function"
    layer = isinstance(called, _Made) and called.name.rpartition(".")[2] == item.leaf
    if plain or (layer and item.kind == "class"):
        made = (called.args, called.kwargs) if layer else ((), {})
        yield _Taken(None, made, tuple(map(value, node.args)), _keywords(node, value))


def _keywords(node: ast.Call, value: Callable[[ast.expr], Any]) -> dict[str, Any]:
    return {str(k.arg): value(k.value) for k in node.keywords}


def _turned(known: Known, item: Item, taken: _Taken, label: str) -> Call:
    """The call of PyTorch's name that gives what a call of MindSpore's gave.

    Raises:
        Gap: there is none, or none that names and signatures tell.
    """
    if known.form == "layer":
        if item.kind != "class" or taken.kwargs or not _takes(known.calls, len(taken.args)):
            raise Gap("signature")
        args, kwargs = _given(known, item, _named(item.signatures, *taken.made))
        return Call(known.name, "layer", args, kwargs, (taken.args, {}), ORIGIN, label)
    call = item.call if item.kind == "class" else item.signatures
    values = _named(call, taken.args, taken.kwargs)
    if item.kind == "class":
        values |= _named(item.signatures, *taken.made)
    if known.form == "function":
        args, kwargs = _given(known, item, values, taken.receiver)
        return Call(known.name, "function", args, kwargs, ((), {}), ORIGIN, label)
    receiver = taken.receiver
    if receiver is None:
        # What a function computes from first is the object of a method.
        first = next((n for n in values if "self" in item.names.get(n, ())), None)
        if not values:
            raise Gap("signature")
        receiver = values.pop(first if first is not None else next(iter(values)))
    args, kwargs = _given(known, item, values)
    return Call(known.name, known.form, (receiver, *args), kwargs, ((), {}), ORIGIN, label)


def _takes(signatures: Sequence[Signature], count: int) -> bool:
    return any(s.variadic or count <= sum(p.positional for p in s.parameters) for s in signatures)


def _named(
    signatures: tuple[Signature, ...], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    """What was given by parameter of MindSpore's."""
    signature = fitting(signatures, len(args), frozenset(kwargs))
    names = [p.name for p in signature.parameters if p.positional]
    if len(names) < len(args):
        raise Gap("signature")
    found = dict(zip(names, args, strict=False)) | dict(kwargs)
    for value in found.values():
        if isinstance(value, _Theirs | _Made):
            raise Gap("callable" if isinstance(value, _Theirs) else "object")
    return found


_NOTHING = object()


def _given(
    known: Known, item: Item, values: Mapping[str, Any], receiver: Any = None
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What the first of PyTorch's signatures that takes it all is given: by position as far as
    nothing is left out, then by keyword.
    """
    for signature in known.signatures:
        ours = [p.name for p in signature.parameters]
        found: dict[str, Any] = {ours[0]: receiver} if receiver is not None and ours else {}
        for name, value in values.items():
            options = [n for n in item.names.get(name, [name]) if n in ours and n not in found]
            if not options:
                break
            found[options[0]] = value
        else:
            if all(p.name in found or not p.required for p in signature.parameters):
                return _written(signature, found)
    raise Gap("signature")


def _written(signature: Signature, found: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    args: list[Any] = []
    left = dict(found)
    for parameter in signature.parameters:
        if parameter.name not in left:
            break
        value = left.pop(parameter.name)
        if parameter.positional:
            args.append(value)
        elif parameter == signature.variadic and isinstance(value, list | tuple):
            args.extend(value)
        else:
            left[parameter.name] = value
            break
    return tuple(args), left
