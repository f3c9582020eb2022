"""The two sides of a check: code run on each framework from the same NumPy inputs."""

from __future__ import annotations

import ast
import linecache
import sys
import textwrap
import types
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
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
        self._problem = training.names(tree)
        if isinstance(last, ast.Call) and _makes(last.func):
            self._callee = self._expression(last.func)
            inputs = ast.Call(ast.Name("_layer", ast.Load()), last.args, last.keywords)
            self._called = ast.unparse(inputs)
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
        """The value of the last expression."""
        scope = self.scope(tensors)
        exec(self._body, scope)
        if self.layer is not None and self._inputs is not None:
            return eval(self._inputs, scope | {"_layer": self.layer})
        return self.trained(eval(self._last, scope))


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

    def cast(self, dtype: str) -> None:
        import torch

        self.layer.to(getattr(torch, dtype))

    def set_mode(self, training: bool) -> None:
        if self.layer is not None:
            self.layer.train(training)

    def problem(self) -> dict[str, Any]:
        return training.torch_problem()

    def trained(self, value: Any) -> Any:
        return training.torch_steps(value)

    @contextmanager
    def doubled(self) -> Iterator[TorchSide]:
        """The same side in float64, with the same layer: what it gives is exact in comparison."""
        import torch

        arrays = {
            n: a.astype(np.float64) if "float" in self.dtypes[n] else a
            for n, a in self.arrays.items()
        }
        dtypes = {n: "float64" if "float" in d else d for n, d in self.dtypes.items()}
        before = torch.get_default_dtype()
        torch.set_default_dtype(torch.float64)
        try:
            exact = TorchSide(self.code, arrays, dtypes, self.strided)
            exact.prepare(exact.tensors())
            if self.layer is not None:
                exact.layer.load_state_dict(self.layer.state_dict())
                exact.layer.train(self.layer.training)
            yield exact
        finally:
            torch.set_default_dtype(before)

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
    """The MindSpore side; ``graph`` compiles the last expression with mindspore.jit."""

    def __init__(
        self,
        code: str,
        arrays: Arrays,
        dtypes: dict[str, str],
        strided: frozenset[str] = frozenset(),
        graph: bool = False,
        cast: bool = False,
    ) -> None:
        super().__init__(code, arrays, dtypes, strided, cast)
        self.graph = graph

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

    def cast(self, dtype: str) -> None:
        import mindspore

        for parameter in self.layer.get_parameters():
            if "float" in str(parameter.dtype).lower():
                parameter.set_dtype(getattr(mindspore, dtype))

    def set_mode(self, training: bool) -> None:
        if self.layer is not None:
            self.layer.set_train(training)

    def problem(self) -> dict[str, Any]:
        return training.mindspore_problem()

    def trained(self, value: Any) -> Any:
        return training.mindspore_steps(value, self.graph)

    def run(self, tensors: dict[str, Any]) -> Any:
        # An optimizer is made outside of what is compiled: its step is.
        if not self.graph or self._problem:
            return super().run(tensors)
        import mindspore

        scope = self.scope(tensors)
        names = ", ".join(self.arrays)
        if self.layer is not None and self._inputs is not None:
            exec(self._body, scope)
            scope["_layer"] = self.layer
            lines = [f"return {self._called}"]
        else:
            # What is computed from inputs outside would be a constant inside, without gradient.
            *before, last = ast.parse(self.code).body
            lines = [*(ast.unparse(s) for s in before), f"return {ast.unparse(last)}"]
        source = f"def _graph({names}):\n" + textwrap.indent("\n".join(lines), "    ") + "\n"
        file = self._file.replace(">", " compiled>")
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        # Where mindspore.jit looks for the source.
        scope["__file__"] = file
        exec(compile(source, file, "exec"), scope)
        return mindspore.jit(scope["_graph"])(*(scope[name] for name in self.arrays))

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
