"""What the functions and methods of PyTorch give, by what its own annotations say."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from msmap.infer.values import lattice
from msmap.infer.values.lattice import DTYPE, NONE, PLAIN, SIZE, TENSOR, UNKNOWN, Items, Value

_PLAIN = frozenset(
    ("int", "float", "bool", "str", "complex", "Number", "SymInt", "SymFloat", "SymBool", "bytes",
     "_int", "_float", "_bool", "number")
)  # fmt: skip
_NAMED: Mapping[str, Value] = {
    "Tensor": TENSOR,
    "torch.Tensor": TENSOR,
    "Parameter": lattice.instance("tensor", "torch.nn.Parameter"),
    "Size": SIZE,
    "torch.Size": SIZE,
    "None": NONE,
    "Module": lattice.instance("module"),
    "nn.Module": lattice.instance("module"),
    "device": lattice.instance("object", "torch.device"),
    "torch.device": lattice.instance("object", "torch.device"),
    "Generator": lattice.instance("object", "torch.Generator"),
    "PackedSequence": lattice.instance("object", "torch.nn.utils.rnn.PackedSequence"),
    "dtype": DTYPE,
    "ndarray": lattice.ARRAY,
    "numpy.ndarray": lattice.ARRAY,
}
_SEQUENCES = frozenset(
    ("list", "List", "Sequence", "Iterator", "Iterable", "Generator", "KeysView", "ValuesView")
)
_UNION = ("Union", "Optional")
# What the annotations leave open.
_ALL_TENSORS = Items(None, TENSOR)
# Names that a literal can't be given for, and those that a tensor can't.
_NO_NUMBER = frozenset(("Tensor", "None"))
_NO_TENSOR = frozenset(("int", "str", "bool", "dtype", "str | ellipsis | None", "Size", "None"))


def annotation(node: ast.expr | None) -> Value:
    """What an annotation of PyTorch's own says that there is."""
    if node is None:
        return UNKNOWN
    if isinstance(node, ast.Constant):
        return NONE if node.value is None else UNKNOWN
    if isinstance(node, ast.Name | ast.Attribute):
        text = ast.unparse(node)
        if text in _PLAIN:
            return PLAIN
        if "return_types." in text:
            return Items(None, TENSOR, named=text.rpartition("return_types.")[2])
        return _NAMED.get(text, UNKNOWN)
    if isinstance(node, ast.BinOp):
        return lattice.join(annotation(node.left), annotation(node.right))
    if isinstance(node, ast.Tuple):
        return Items(tuple(map(annotation, node.elts)))
    return _generic(node) if isinstance(node, ast.Subscript) else UNKNOWN


def _generic(node: ast.Subscript) -> Value:
    name = ast.unparse(node.value).rpartition(".")[2]
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if not inner:
        return Items(())
    if name in _SEQUENCES:
        return Items(None, annotation(inner[0]))
    if name in ("tuple", "Tuple"):
        last = inner[-1]
        if isinstance(last, ast.Constant) and last.value is ...:
            return Items(None, annotation(inner[0]))
        return Items(tuple(map(annotation, inner)))
    if name in _UNION:
        found = [annotation(part) for part in inner]
        return lattice.joined([*found, NONE] if name == "Optional" else found)
    return UNKNOWN


@dataclass(frozen=True, slots=True)
class _Overload:
    """How one overload may be called, and what it gives; None: its receiver."""

    names: tuple[str, ...]
    positional: int
    required: frozenset[str]
    known: frozenset[str]
    variadic: bool
    open: bool
    types: Mapping[str, frozenset[str]]
    gives: Value | None


@lru_cache(maxsize=1 << 13)
def _overload(text: str) -> _Overload:
    node = ast.parse(f"def f{text}: ...").body[0]
    assert isinstance(node, ast.FunctionDef)
    spec = node.args
    placed = [*spec.posonlyargs, *spec.args]
    free = len(placed) - len(spec.defaults)
    required = [a.arg for a in placed[:free]]
    required += [a.arg for a, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if d is None]
    every = [*placed, *spec.kwonlyargs]
    self_typed = isinstance(node.returns, ast.Name) and node.returns.id in ("Self", "T")
    return _Overload(
        tuple(a.arg for a in (*every, spec.vararg) if a is not None),
        len(placed),
        frozenset(required),
        frozenset(a.arg for a in every),
        spec.vararg is not None,
        spec.kwarg is not None,
        {a.arg: _types(a.annotation) for a in every if a.annotation is not None},
        None if self_typed else annotation(node.returns),
    )


def parameters(text: str) -> tuple[str, ...]:
    """The names of the parameters of a signature."""
    return _overload(text).names


def _types(node: ast.expr) -> frozenset[str]:
    return frozenset(part.strip() for part in ast.unparse(node).split("|"))


_LINALG = "torch.linalg."


def with_names(function: str, found: Value) -> Value:
    """What a function gives; several tensors of torch.linalg have names, which no stub says."""
    if isinstance(found, Items) and found.values and function.startswith(_LINALG):
        return replace(found, named=f"linalg_{function.removeprefix(_LINALG)}")
    return found


def called(
    texts: Sequence[str],
    positional: Sequence[Value],
    keywords: Mapping[str, Value],
    receiver: Value | None,
    starred: bool,
) -> Value:
    """What a call gives: what all overloads that it fits agree on.

    Args:
        texts: the signatures, with what each gives.
        positional: what is passed by position.
        keywords: what is passed by name.
        receiver: what a method is called on.
        starred: more is passed than is known.
    """
    overloads = [_overload(text) for text in texts]
    if len(overloads) == 1:
        gives = overloads[0].gives
        return gives if gives is not None else receiver or UNKNOWN
    if not starred:
        overloads = [o for o in overloads if _fits(o, positional, keywords)] or overloads
    found = []
    for overload in overloads:
        found.append(overload.gives if overload.gives is not None else receiver or UNKNOWN)
    return lattice.joined(found)


def _fits(overload: _Overload, positional: Sequence[Value], keywords: Mapping[str, Value]) -> bool:
    if len(positional) > overload.positional and not overload.variadic:
        return False
    if keywords and not overload.open and not overload.known.issuperset(keywords):
        return False
    given = dict(zip(overload.names[: overload.positional], positional, strict=False))
    given.update(keywords)
    if not overload.required.issubset(given):
        return False
    types = overload.types
    return all(_suits(types.get(name), value) for name, value in given.items())


def _suits(types: frozenset[str] | None, value: Value) -> bool:
    if types is None:
        return True
    if value is PLAIN:
        return not types <= _NO_NUMBER
    if lattice.is_tensor(value):
        return not types <= _NO_TENSOR
    return True


# What neither annotations nor stubs say: the functions that PyTorch writes in Python without any.
_UNSAID: Mapping[str, Value] = {
    **dict.fromkeys(
        ("torch.Tensor.norm", "torch.Tensor.istft", "torch.Tensor.stft", "torch.Tensor.unflatten",
         "torch.Tensor.resize", "torch.Tensor.resize_as", "torch.Tensor.share_memory_",
         "torch.Tensor.to_sparse_coo", "torch.block_diag", "torch.cdist", "torch.chain_matmul",
         "torch.norm", "torch.tensordot", "torch.linalg.multi_dot", "torch.sparse.mm",
         "torch.special.logsumexp", "torch.autograd.variable", "torch.nn.functional.upsample",
         "torch.nn.functional.upsample_bilinear", "torch.nn.functional.upsample_nearest"),
        TENSOR,
    ),
    **dict.fromkeys(
        ("torch.Tensor.split", "torch.broadcast_tensors", "torch.Tensor.lu", "torch.lu"),
        _ALL_TENSORS,
    ),
    "torch.Tensor.backward": NONE,
    "torch.nn.Module.named_modules": Items(None, Items((PLAIN, lattice.instance("module")))),
}  # fmt: skip
# They give a tensor of each tensor, or all of one.
_EACH = ("torch.atleast_1d", "torch.atleast_2d", "torch.atleast_3d")
# They give a second result if they are told to.
_WITH_MORE = {
    "return_indices": ("torch.nn.functional.",),
    "return_inverse": ("torch.unique", "torch.unique_consecutive", "torch.Tensor.unique"),
    "return_counts": ("torch.unique", "torch.unique_consecutive", "torch.Tensor.unique"),
}
_POOLS = "max_pool"


def unsaid(name: str, positional: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """What a function gives of which no annotation tells; unknown where this doesn't either."""
    if name in _EACH:
        return TENSOR if len(positional) == 1 and lattice.is_tensor(positional[0]) else UNKNOWN
    more = any(key in keywords and name.startswith(starts) for key, starts in _WITH_MORE.items())
    if _POOLS in name and name.startswith("torch.nn.functional."):
        return UNKNOWN if more or len(positional) > _POOLED else TENSOR
    if name.startswith(_WITH_MORE["return_counts"]):
        return UNKNOWN if more or len(positional) > 1 else TENSOR
    if name in _UNSAID:
        return _UNSAID[name]
    if name.startswith("torch.nn.functional.") and name.count(".") == _IN_FUNCTIONAL:
        return TENSOR
    return UNKNOWN


DISTRIBUTION = "torch.distributions."
# What MindSpore's distributions lack, or call otherwise.
_OTHERWISE = ("sample", "rsample", "icdf", "expand", "mean", "mode", "stddev", "variance")
# What distributions give as tensors.
OF_DISTRIBUTIONS = frozenset(
    ("sample", "rsample", "log_prob", "cdf", "icdf", "entropy", "mean", "mode", "stddev",
     "variance")
)  # fmt: skip


def of_distribution(name: str, own: str | None) -> tuple[str, ...]:
    """The canonical name of a distribution's method that MindSpore's has in another way.

    In a check, that is the one whose record it belongs to.
    """
    found = f"{DISTRIBUTION}Distribution.{name}"
    return (found,) if (found == own if own else name in _OTHERWISE) else ()


# Beyond these arguments by position stands return_indices.
_POOLED = 6
_IN_FUNCTIONAL = 3

# Layers that give more than a tensor, or something else.
_OUTPUTS: Mapping[str, Value] = {
    **dict.fromkeys(("torch.nn.GRU", "torch.nn.RNN"), Items((TENSOR, TENSOR))),
    "torch.nn.LSTM": Items((TENSOR, Items((TENSOR, TENSOR)))),
    "torch.nn.MultiheadAttention": Items((TENSOR, lattice.optional(TENSOR))),
    "torch.nn.LSTMCell": Items((TENSOR, TENSOR)),
    "torch.nn.AdaptiveLogSoftmaxWithLoss": UNKNOWN,
    "torch.nn.Module": UNKNOWN,
    "torch.nn.DataParallel": UNKNOWN,
    "torch.nn.parallel.DistributedDataParallel": UNKNOWN,
    "torch.nn.ModuleList": UNKNOWN,
    "torch.nn.ModuleDict": UNKNOWN,
}  # fmt: skip


def layer(classes: Sequence[str], inputs: Sequence[Value]) -> Value:
    """What a layer of PyTorch's gives when it is called: tensors, but for a few."""
    found = lattice.joined(_OUTPUTS.get(name, TENSOR) for name in classes)
    packed = inputs and inputs[0] not in (UNKNOWN, NONE) and not lattice.is_tensor(inputs[0])
    if isinstance(found, Items) and packed and found.values is not None:
        return Items((inputs[0], *found.values[1:]))
    return found
