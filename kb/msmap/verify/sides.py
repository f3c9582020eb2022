"""The two sides of a check: code run on each framework from the same NumPy inputs."""

from __future__ import annotations

import ast
import linecache
import sys
import types
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

Arrays = dict[str, Any]


class Side(ABC):
    """One framework's code, split into statements and the expression whose value counts.

    Where the expression calls a layer made in place, or one that a statement made, ``layer``
    is that layer after ``prepare``.
    """

    def __init__(self, code: str, arrays: Arrays, dtypes: dict[str, str]) -> None:
        self.arrays, self.dtypes = arrays, dtypes
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
        if isinstance(last, ast.Call) and _makes(last.func):
            self._callee = self._expression(last.func)
            inputs = ast.Call(ast.Name("_layer", ast.Load()), last.args, last.keywords)
            self._inputs = self._expression(ast.fix_missing_locations(inputs))

    def _expression(self, node: ast.expr) -> Any:
        return compile(ast.Expression(node), self._file, "eval")

    @abstractmethod
    def tensor(self, name: str, array: Any) -> Any:
        """An input as this framework's tensor."""

    @abstractmethod
    def is_layer(self, value: Any) -> bool:
        """Whether a callee is a layer with parameters and a mode."""

    @abstractmethod
    def globals(self) -> dict[str, Any]:
        """What the code can name besides its inputs."""

    def prepare(self, tensors: dict[str, Any]) -> None:
        """Make the layer, if the code makes one in place."""
        if self._callee is None:
            return
        scope = self.scope(tensors)
        exec(self._body, scope)
        made = eval(self._callee, scope)
        self.layer = made if self.is_layer(made) else None

    def scope(self, tensors: dict[str, Any]) -> dict[str, Any]:
        """The names that the code sees: those of a module, which is where MindSpore looks.

        mindspore.grad wants the module's name of functions that the code defines, and
        mindspore.jit the module itself, for the source.
        """
        module = types.ModuleType("check")
        module.__file__ = self._file
        module.__dict__.update(self.globals() | tensors)
        sys.modules["check"] = module
        return module.__dict__

    def tensors(self) -> dict[str, Any]:
        """Fresh tensors of all inputs."""
        return {name: self.tensor(name, array) for name, array in self.arrays.items()}

    def run(self, tensors: dict[str, Any]) -> Any:
        """The value of the last expression."""
        scope = self.scope(tensors)
        exec(self._body, scope)
        if self.layer is not None and self._inputs is not None:
            return eval(self._inputs, scope | {"_layer": self.layer})
        return eval(self._last, scope)


def _makes(node: ast.expr) -> bool:
    return isinstance(node, ast.Call | ast.Name)


class TorchSide(Side):
    """The PyTorch side."""

    def globals(self) -> dict[str, Any]:
        import torch

        return {"torch": torch, "np": np, "nn": torch.nn, "F": torch.nn.functional}

    def tensor(self, name: str, array: Any) -> Any:
        import torch

        made = torch.tensor(array)
        return made.bfloat16() if self.dtypes[name] == "bfloat16" else made

    def is_layer(self, value: Any) -> bool:
        import torch

        return isinstance(value, torch.nn.Module)

    def gradients(self, wanted: list[str], seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Gradients of a weighted sum of the result, for inputs and for the layer's parameters.

        Empty where the result depends on no input in a differentiable way.
        """
        import torch

        tensors = self.tensors()
        starts = {name: tensors[name].requires_grad_() for name in wanted}
        # A copy, so that code may change its input in place.
        copies = {name: start.clone() for name, start in starts.items()}
        result = self.run(tensors | copies)
        total = None
        for index, leaf in enumerate(_floating(result, torch.Tensor)):
            if leaf.requires_grad:
                part = (leaf * torch.tensor(cotangent(leaf.shape, seed + index))).sum().double()
                total = part if total is None else total + part
        weights = dict(self.layer.named_parameters()) if self.layer is not None else {}
        if total is None:
            return {}, {}
        keys = [*starts, *weights]
        values = [*starts.values(), *weights.values()]
        found = torch.autograd.grad(total, values, allow_unused=True)
        by_key = {
            key: torch.zeros_like(value) if g is None else g
            for key, value, g in zip(keys, values, found, strict=True)
        }
        return {k: by_key[k] for k in starts}, {k: by_key[k] for k in weights}


class MindSporeSide(Side):
    """The MindSpore side."""

    def globals(self) -> dict[str, Any]:
        import mindspore

        return {"mindspore": mindspore, "ms": mindspore, "np": np}

    def tensor(self, name: str, array: Any) -> Any:
        import mindspore

        made = mindspore.Tensor(array)
        return made.astype(mindspore.bfloat16) if self.dtypes[name] == "bfloat16" else made

    def is_layer(self, value: Any) -> bool:
        import mindspore

        return isinstance(value, mindspore.nn.Cell)

    def gradients(self, wanted: list[str], seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """The same gradients as on the PyTorch side."""
        import mindspore

        tensors = self.tensors()

        def total(*values: Any) -> Any:
            copies = {n: v.copy() for n, v in zip(wanted, values, strict=True)}
            result = self.run(tensors | copies)
            parts = []
            for index, leaf in enumerate(_floating(result, mindspore.Tensor)):
                weights = mindspore.Tensor(cotangent(leaf.shape, seed + index))
                parts.append((leaf * weights).sum().astype(mindspore.float32))
            return sum(parts[1:], parts[0])

        # Not by p.name: a layer on its own and inside a network may call a parameter differently.
        named = dict(self.layer.parameters_and_names()) if self.layer is not None else {}
        named = {name: p for name, p in named.items() if p.requires_grad}
        weights = list(named.values())
        positions = tuple(range(len(wanted))) or None
        grad = mindspore.grad(total, positions, weights or None)
        found = grad(*(tensors[name] for name in wanted))
        by_input, by_weight = (
            found if positions and weights else (found, ()) if positions else ((), found)
        )
        if positions and not isinstance(by_input, tuple):
            by_input = (by_input,)
        return (
            dict(zip(wanted, by_input, strict=True)),
            dict(zip(named, by_weight, strict=True)),
        )


def cotangent(shape: Any, seed: int) -> Any:
    """Fixed weights for the sum whose gradient is compared."""
    return np.random.default_rng(seed).standard_normal(tuple(shape)).astype(np.float32)


def _floating(value: Any, kind: type) -> list[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, tuple | list):
        return [leaf for v in value for leaf in _floating(v, kind)]
    if isinstance(value, kind) and "float" in str(value.dtype).lower():  # type: ignore[attr-defined]
        return [value]
    return []
