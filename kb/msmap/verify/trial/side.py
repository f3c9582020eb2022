"""A side of a check: code run on one framework from NumPy inputs that both get."""

from __future__ import annotations

import ast
import linecache
import sys
import types
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from msmap.verify.trial import training

Arrays = dict[str, Any]
_MATRIX = 2
# Dtypes in which a layer's own parameters are held where its inputs come in them.
_CAST = ("float16", "bfloat16", "float64")


class Side(ABC):
    """One framework's code, split into statements and the expression whose value counts.

    Where the expression calls a layer made in place, or one that a statement made, ``layer``
    is that layer after ``prepare``, if asked for with its parameters in the dtype of the inputs.
    ``views`` are flat views of the contiguous inputs of the last call of ``tensors``.
    """

    def __init__(
        self,
        code: str,
        arrays: Arrays,
        dtypes: dict[str, str],
        strided: frozenset[str] = frozenset(),
        cast: bool = False,
    ) -> None:
        self.casts = cast
        # In so many processes that know each other; 0 is in this one.
        self.ranks = 0
        self.code, self.arrays, self.dtypes, self.strided = code, arrays, dtypes, strided
        self.views: dict[str, Any] = {}
        # mindspore.jit reads the source of what it compiles.
        self._file = f"<check {type(self).__name__}>"
        linecache.cache[self._file] = (len(code), None, code.splitlines(True), self._file)
        tree = ast.parse(code)
        if not tree.body or not isinstance(tree.body[-1], ast.Expr):
            raise ValueError("the last line of a check must be an expression")
        last = tree.body[-1].value
        self.layer: Any = None
        self._body = compile(ast.Module(tree.body[:-1], []), self._file, "exec")
        self._last = self._expression(last)
        self._callee = self._inputs = None
        # Inputs of which a layer is made, once: what is computed later has no gradient to them.
        self.made_of: frozenset[str] = frozenset()
        self._problem = training.names(tree)
        if isinstance(last, ast.Call) and _makes(last.func):
            self._callee = self._expression(last.func)
            inputs = ast.Call(ast.Name("_layer", ast.Load()), last.args, last.keywords)
            self._called = ast.unparse(inputs)
            self._inputs = self._expression(ast.fix_missing_locations(inputs))
            later = ast.Module([*tree.body[:-1], ast.Expr(inputs)], [])
            self.made_of = frozenset(_named(last.func) - _named(later))

    def _expression(self, node: ast.expr) -> Any:
        return compile(ast.Expression(node), self._file, "eval")

    @abstractmethod
    def tensor(self, name: str, array: Any) -> Any:
        """An input as this framework's tensor."""

    @abstractmethod
    def is_layer(self, value: Any) -> bool:
        """Whether a callee is a layer with parameters and a mode."""

    @abstractmethod
    def cast(self, dtype: str) -> None:
        """Hold the layer's floating parameters in a dtype."""

    @abstractmethod
    def set_mode(self, training: bool) -> None:
        """Put the layer in training or in evaluation mode."""

    @abstractmethod
    def problem(self) -> dict[str, Any]:
        """A small network and an optimizer, for code that names ``net`` or ``optimizer``."""

    @abstractmethod
    def trained(self, value: Any) -> Any:
        """What an optimizer or a scheduler does in a few steps; anything else as it is."""

    @abstractmethod
    def spread(self, code: Callable[[], Any]) -> tuple[Any, ...]:
        """What code gives in each of ``ranks`` processes."""

    @abstractmethod
    def globals(self) -> dict[str, Any]:
        """What the code can name besides its inputs."""

    def prepare(self, tensors: dict[str, Any]) -> None:
        """Make the layer, if the code makes one in place."""
        if self._callee is None or self.ranks:
            return
        scope = self.scope(tensors)
        exec(self._body, scope)
        made = eval(self._callee, scope)
        self.layer = made if self.is_layer(made) else None
        found = {d for d in self.dtypes.values() if "float" in d}
        if self.casts and self.layer is not None and len(found) == 1 and found <= set(_CAST):
            self.cast(found.pop())

    def scope(self, tensors: dict[str, Any]) -> dict[str, Any]:
        """The names that the code sees: those of a module, which is where MindSpore looks.

        mindspore.grad wants the module's name of functions that the code defines, and
        mindspore.jit the module itself, for the source.
        """
        module = types.ModuleType("check")
        module.__file__ = self._file
        module.__dict__.update(self.globals() | tensors)
        if self._problem:
            module.__dict__.update(self.problem())
        sys.modules["check"] = module
        return module.__dict__

    def tensors(self) -> dict[str, Any]:
        """Fresh tensors of all inputs."""
        found = {name: self._laid_out(name, array) for name, array in self.arrays.items()}
        self.views = {n: t.view(-1) for n, t in found.items() if t.is_contiguous()}
        return found

    def _laid_out(self, name: str, array: Any) -> Any:
        """The tensor of an input, as a transposed view where it is to be non-contiguous."""
        if name not in self.strided or array.ndim < _MATRIX:
            return self.tensor(name, array)
        axes = tuple(reversed(range(array.ndim)))
        return self.tensor(name, np.ascontiguousarray(array.transpose(axes))).permute(*axes)

    def run(self, tensors: dict[str, Any]) -> Any:
        """The value of the last expression; of several ranks, that of each."""
        return self.spread(lambda: self._value(tensors)) if self.ranks else self._value(tensors)

    def _value(self, tensors: dict[str, Any]) -> Any:
        scope = self.scope(tensors)
        exec(self._body, scope)
        if self.layer is not None and self._inputs is not None:
            return eval(self._inputs, scope | {"_layer": self.layer})
        return self.trained(eval(self._last, scope))


def _makes(node: ast.expr) -> bool:
    return isinstance(node, ast.Call | ast.Name)


def _named(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def cotangent(shape: Any, seed: int) -> Any:
    """Fixed weights for the sum whose gradient is compared."""
    return np.random.default_rng(seed).standard_normal(tuple(shape)).astype(np.float32)


def floating(value: Any, kind: type) -> list[Any]:
    """The floating tensors of a framework in a result, in order."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, tuple | list):
        return [leaf for v in value for leaf in floating(v, kind)]
    if isinstance(value, kind) and "float" in str(value.dtype).lower():  # type: ignore[attr-defined]
        return [value]
    return []
