"""The MindSpore side of a check, compiled too."""

from __future__ import annotations

import ast
import linecache
import textwrap
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from msmap.verify.trial import ranks, training
from msmap.verify.trial.side import Arrays, Side, cotangent, floating

# The gradient of a sum is made by Tile, whose kernel takes no more here.
_MOST_DIMENSIONS = 8


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

        if "mindspore.scipy" in self.code:
            # The one part that has to be imported by whoever uses it.
            import_module("mindspore.scipy")
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

    def spread(self, code: Callable[[], Any]) -> tuple[Any, ...]:
        return ranks.mindspore(self.ranks, code)

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
            copies = {n: _copied(v) for n, v in zip(wanted, values, strict=True)}
            result = self.run(tensors | copies)
            parts = []
            for index, leaf in enumerate(floating(result, mindspore.Tensor)):
                weights = mindspore.Tensor(cotangent(leaf.shape, seed + index))
                weighted = leaf * weights
                if leaf.ndim > _MOST_DIMENSIONS:
                    weighted = weighted.reshape((leaf.size,))
                parts.append(weighted.sum().astype(mindspore.float32))
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


def _copied(value: Any) -> Any:
    """A copy, so that code may change its input in place: ``copy`` gives an empty tensor itself."""
    return value.copy() if value.size else value * 1
