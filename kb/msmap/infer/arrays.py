"""Which arrays of NumPy's are of float64, which is what NumPy makes unless it is told otherwise."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from msmap.infer.values.lattice import ARRAY, NUMPY, PLAIN

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading

# Functions, and methods of generators, whose result is of float64 for any arguments, and how many
# arguments they have ahead of the dtype.
_MAKING = {
    "linspace": 5, "logspace": 5, "geomspace": 4, "zeros": 1, "ones": 1, "empty": 1, "eye": 3,
    "identity": 1, "hanning": 1, "hamming": 1, "blackman": 1,
}  # fmt: skip
_DRAWING = frozenset(
    ("rand", "randn", "random", "random_sample", "ranf", "sample", "uniform", "normal",
     "standard_normal", "standard_exponential", "standard_gamma", "standard_t", "standard_cauchy",
     "exponential", "gamma", "beta", "laplace", "lognormal", "chisquare", "gumbel", "logistic",
     "multivariate_normal", "dirichlet", "pareto", "power", "rayleigh", "triangular", "weibull")
)  # fmt: skip
# Functions and methods that give the dtype of what they take first.
_KEEPING = frozenset(
    ("reshape", "copy", "transpose", "flatten", "ravel", "squeeze", "swapaxes", "repeat", "sum",
     "mean", "std", "var", "min", "max", "cumsum", "cumprod", "prod", "clip", "round", "sin", "cos",
     "tan", "tanh", "exp", "expm1", "log", "log1p", "log2", "log10", "sqrt", "square", "abs",
     "absolute", "negative", "roll", "flip", "tile", "sort", "ascontiguousarray", "expand_dims",
     "zeros_like", "ones_like", "empty_like", "full_like", "diff", "diag")
)  # fmt: skip
_DEEP, _NESTED = 8, 3
_COPYING = ("array", "asarray", "asfarray")
_DOUBLE = ("float64", "double", "float_")
_PARTS = ("T", "real")


def is_double(reading: Reading, node: ast.expr) -> bool:
    """Whether an expression is proved to give an array of float64; nothing is noted of it."""
    if reading.doubling >= _NESTED:
        # What is made of itself proves nothing.
        return False
    reading.doubling += 1
    reading.quiet += 1
    found = _is_double(reading, node, 0)
    reading.quiet -= 1
    reading.doubling -= 1
    return found


def _is_double(reading: Reading, node: ast.expr, deep: int) -> bool:
    if isinstance(node, ast.Name):
        bound = reading.bindings.get(node.id)
        return (
            bool(bound)
            and deep < _DEEP
            and all(one is not None and _is_double(reading, one, deep + 1) for one in bound or ())
        )
    if isinstance(node, ast.Subscript):
        return _is_double(reading, node.value, deep)
    if isinstance(node, ast.Attribute):
        return node.attr in _PARTS and _is_double(reading, node.value, deep)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _is_double(reading, node.operand, deep)
    if isinstance(node, ast.BinOp):
        sides = node.left, node.right
        doubles = [_is_double(reading, side, deep) for side in sides]
        return any(doubles) and all(
            double or reading.peek(side) is PLAIN
            for double, side in zip(doubles, sides, strict=True)
        )
    return isinstance(node, ast.Call) and _is_called(reading, node, deep)


def _is_called(reading: Reading, node: ast.Call, deep: int) -> bool:
    function = node.func
    if not isinstance(function, ast.Attribute):
        return False
    leaf = function.attr
    dtypes = [one.value for one in node.keywords if one.arg == "dtype"]
    if leaf == "astype":
        dtypes += node.args[:1]
        return reading.peek(function.value) is ARRAY and all(map(_is_dtype, dtypes))
    if any(not _is_dtype(one) for one in dtypes) or any(one.arg is None for one in node.keywords):
        return False
    on = reading.peek(function.value)
    if on is ARRAY and leaf in _KEEPING and _is_double(reading, function.value, deep):
        return True
    if on is not NUMPY:
        # A generator: what it draws is of float64.
        return on is ARRAY and leaf in _DRAWING and _is_generator(reading, function.value)
    if leaf in _DRAWING:
        return True
    if leaf in _MAKING:
        return len(node.args) <= _MAKING[leaf] or _is_dtype(node.args[_MAKING[leaf]])
    if leaf in _COPYING:
        data = node.args[:1]
        return bool(dtypes or len(node.args) == 1) and (
            bool(dtypes)
            or any(_has_fraction(one) or _is_double(reading, one, deep) for one in data)
        )
    if leaf == "full":
        return bool(dtypes) or (len(node.args) == _FULL and _has_fraction(node.args[1]))
    if leaf == "arange":
        return bool(dtypes) or any(map(_has_fraction, node.args))
    return leaf in _KEEPING and any(_is_double(reading, one, deep) for one in node.args[:1])


# The arguments of ``full`` without a dtype.
_FULL = 2


def _is_generator(reading: Reading, node: ast.expr) -> bool:
    bound = reading.bindings.get(node.id) if isinstance(node, ast.Name) else [node]
    return bool(bound) and all(
        isinstance(one, ast.Call)
        and isinstance(one.func, ast.Attribute)
        and one.func.attr in ("default_rng", "RandomState", "Generator")
        for one in bound or ()
    )


def _is_dtype(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return node.value in _DOUBLE
    leaf = getattr(node, "attr", "") or getattr(node, "id", "")
    return leaf in (*_DOUBLE, "float")


def _has_fraction(node: ast.expr) -> bool:
    """Whether a list of literals, or a literal, has a float in it, and nothing but numbers."""
    if isinstance(node, ast.List | ast.Tuple):
        return any(map(_has_fraction, node.elts)) and all(map(_is_literal, node.elts))
    if isinstance(node, ast.UnaryOp):
        return _has_fraction(node.operand)
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


def _is_literal(node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Tuple):
        return all(map(_is_literal, node.elts))
    if isinstance(node, ast.UnaryOp):
        return _is_literal(node.operand)
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)
