"""Values for parameters, by their name, type and default: what hypothesis draws calls from."""

from __future__ import annotations

import ast
import re
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from msmap.probe.samples.call import Text
from msmap.signatures.parse import Parameter

Shape = tuple[int, ...]

SHAPES: tuple[Shape, ...] = ((3,), (2, 3), (4, 4), (2, 4, 6), (2, 4, 6, 6), (2, 4, 4, 4, 4), ())
# Never given: where a tensor is, how it is laid out, what it is written to.
IDLE = frozenset({
    "out", "device", "layout", "pin_memory", "requires_grad", "memory_format", "generator",
    "non_blocking", "group", "stream", "validate_args", "foreach", "fused", "capturable",
    "differentiable", "size_average", "reduce", "names", "async_op", "check_invariants",
})  # fmt: skip

_ONE_OF: dict[str, tuple[Any, ...]] = {
    "kernel_size": (1, 2, 3, (2, 2)), "stride": (1, 2), "padding": (0, 1), "dilation": (1, 2),
    "groups": (1, 2), "p": (0.5, 0.25, 1.0, 2.0), "dropout": (0.0, 0.5), "prob": (0.5,),
    "eps": (1e-5, 1e-3), "lr": (0.01, 0.1), "momentum": (0.1, 0.9), "weight_decay": (0.0, 0.1),
    "alpha": (1, 2, 0.5), "beta": (1, 2, 0.5), "gamma": (0.1, 0.5), "window_length": (5, 8, 1),
    "reduction": ("mean", "sum", "none"), "rounding_mode": ("trunc", "floor"),
    "mode": ("nearest", "bilinear", "linear", "bicubic", "constant", "max", "min", "fan_in", True),
    "padding_mode": ("zeros", "reflect", "border", "replicate"), "align_corners": (True, False),
    "norm": ("ortho", "forward", "backward"), "indexing": ("ij", "xy"), "side": ("left", "right"),
    "approximate": ("none", "tanh"), "nonlinearity": ("relu", "tanh", "leaky_relu"),
    "data": ([1, 2, 3], [[1.0, 2.5], [3.0, -4.0]], 3, 2.5, True, [True, False], (1, 2)),
    "upscale_factor": (2, 1), "downscale_factor": (2, 3), "scale_factor": (2, 2.0, 0.5),
    "size": ((2, 3), (3,), (4, 6), 3, (2, 2)), "sizes": ((2, 3), (3, 2)), "dims": ((0, 1), (1,)),
    "output_size": (3, (3, 2), (4, 4)), "dim": (0, 1, -1), "axis": (0, 1, -1), "n": (3, 5, 1),
    "dim0": (0, -1), "dim1": (1, -2), "start_dim": (0, 1), "end_dim": (-1, 2), "step": (1, 2),
    "start": (0, 1, 0.5), "end": (4, 5), "steps": (3, 5), "normalized_shape": ((6,), (3,), 6),
    "optimizer": (Text("optimizer"),), "lr_lambda": (Text("lambda epoch: 0.9 ** epoch"),),
    "params": (Text("net.parameters()"),), "parameters": (Text("net.parameters()"),),
    "model": (Text("net"),), "module": (Text("net"),), "base_lr": (0.01,), "max_lr": (0.1,),
    "total_steps": (20,), "milestones": ([2, 5],), "T_max": (10,), "T_0": (4,), "step_size": (3,),
    "total_iters": (4,), "factor": (0.5,), "power": (1.0, 2.0), "norm_type": (2.0, 1.0),
    "ord": (2, 1, "fro", "nuc", float("inf"), None), "max_norm": (1.0, 0.1), "gain": (1.0, 2.0),
    "sparsity": (0.1, 0.5), "margin": (1.0, 0.5),
    "dtype": (Text("torch.float64"), Text("torch.int64")),
    "lambd": (0.5, 0.1), "threshold": (0.1, 1.0), "value": (2.0, 0.5, -1.0), "lower": (0.125,),
    "upper": (0.3,), "negative_slope": (0.01, 0.2), "min_val": (-1.0,), "max_val": (1.0,),
    "total_count": (3, 10), "cutoffs": ([2, 4],), "n_classes": (6,), "depth": (2,),
    "type1": (Text("torch.float32"),), "type2": (Text("torch.int64"), Text("torch.complex64")),
    "from_": (Text("torch.float32"),), "to": (Text("torch.int32"), Text("torch.float64")),
    "seed": (3,), "tau": (1.0, 0.5), "hard": (False,), "val": (0.5, 2.0), "std": (1.0, 0.5),
    "mean": (0.0, 1.0), "low": (0, 1), "high": (5, 10), "batch_first": (True, False),
    "padding_value": (0.0, -1.0), "lengths": ([3, 2],), "num_layers": (1, 2), "nhead": (2,),
}  # fmt: skip
_CHANNELS = frozenset({"in_channels", "num_features", "num_channels", "channels", "num_parameters"})
_FEATURES = frozenset({"in_features", "input_size", "embed_dim", "d_model", "in1_features",
                       "in2_features", "embedding_dim"})  # fmt: skip
_POSITIVE = frozenset({
    "scale", "rate", "concentration", "concentration0", "concentration1", "df", "df1", "df2",
    "probs", "temperature", "alpha", "std", "input_lengths", "var", "running_var",
})  # fmt: skip
_INDICES = frozenset({"index", "indices", "offsets", "target_lengths", "input_lengths", "lengths"})
_MASKS = frozenset({"mask", "condition", "attn_mask"})
_FUNCTIONS = frozenset({"func", "fn", "f", "function", "callable", "distance_function"})
SCALAR = Text("lambda x: torch.sum(x * x)")
_MATRIX = 2


def given(draw: DrawFn, parameter: Parameter, base: Shape) -> Any:
    """A value for a parameter; the parameter itself where nothing is known that it could be."""
    name, kind = parameter.name, parameter.annotation
    literal = re.search(r"Literal(\[.*?\])", kind)
    if literal:
        return draw(st.sampled_from(ast.literal_eval(literal[1])))
    if "Tensor" in kind and name not in ("params", "parameters"):
        return _of_tensors(draw, parameter, base)
    if name in _CHANNELS:
        return base[1] if len(base) > 1 else (base or (3,))[0]
    if name in _FEATURES:
        return (base or (3,))[-1]
    if name in _ONE_OF:
        return draw(st.sampled_from(_ONE_OF[name]))
    if name in _FUNCTIONS or "Callable" in kind:
        return draw(st.sampled_from((Text("torch.sin"), SCALAR)))
    return _by_type(draw, parameter, base)


def _by_type(draw: DrawFn, parameter: Parameter, base: Shape) -> Any:
    kind, default = parameter.annotation, parameter.default
    if kind.startswith("bool") or default in ("True", "False"):
        return draw(st.booleans())
    if "Sequence[int" in kind or "Size" in kind or "tuple[int" in kind:
        return draw(st.sampled_from([(2, 3), (3,), (1, 2), base]))
    if "float" in kind or "Number" in kind or _is(default, float):
        return draw(st.sampled_from((0.5, 1.0, 2.0, -1.5)))
    if "int" in kind or _is(default, int):
        return draw(st.sampled_from((1, 2, 3, 4)))
    if "list[" in kind or "Iterable" in kind or parameter.name in ("tensors", "sequences"):
        return [tensor(draw, parameter.name, base) for _ in range(draw(st.integers(1, 3)))]
    if parameter.required and kind in ("", "Any", "None"):
        return tensor(draw, parameter.name, base)
    return parameter


def _is(default: str | None, kind: type) -> bool:
    try:
        return type(ast.literal_eval(default or "")) is kind
    except (ValueError, SyntaxError):
        return False


def _of_tensors(draw: DrawFn, parameter: Parameter, base: Shape) -> Any:
    kind = parameter.annotation
    several = re.search(r"(list|tuple|Sequence|Iterable)\[", kind)
    if several and ("Tensor | " not in kind or draw(st.booleans())):
        return [tensor(draw, parameter.name, base) for _ in range(draw(st.integers(1, 3)))]
    if ("float" in kind or "Number" in kind) and draw(st.booleans()):
        return draw(st.sampled_from((0.5, 2.0, 1.5)))
    return tensor(draw, parameter.name, base)


def tensor(draw: DrawFn, name: str, base: Shape) -> Any:
    """A tensor for a parameter, of the shape that a call is about or one that goes with it."""
    import torch

    shape = draw(_shapes(base))
    if name in _INDICES:
        return torch.randint(0, 2, shape)
    if name in _MASKS:
        return torch.rand(shape) > 0.5
    kind = draw(st.sampled_from(("float", "float", "float", "float", "int", "bool")))
    if name in _POSITIVE:
        return torch.rand(shape) * 0.8 + 0.1
    if kind == "int":
        return torch.randint(0, 4, shape)
    if kind == "bool":
        return torch.rand(shape) > 0.5
    return torch.rand(shape) * 4 - 2


def _shapes(base: Shape) -> SearchStrategy[Shape]:
    found = [base, base, base, base, base[-1:], base[:1], base[:-1]]
    if len(base) >= _MATRIX:
        found += [(*base[:-2], base[-1], base[-2]), (base[-1], base[-1]), (1, *base[1:])]
    return st.sampled_from(found)
