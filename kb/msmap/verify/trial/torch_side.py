"""The PyTorch side of a check, in float64 too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from msmap.verify.trial import ranks, training
from msmap.verify.trial.side import Side, cotangent, floating

# The dtype that a layer is made in.
_HELD = re.compile(r"\bdtype=torch\.(b?float16|float32)\b")


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

    def has_floats(self) -> bool:
        """Whether the layer holds parameters or buffers that a cast changes."""
        held = () if self.layer is None else self.layer.state_dict().values()
        return any(one.is_floating_point() for one in held)

    def drawn(self) -> bool:
        """Whether random numbers were drawn since the last seed."""
        import torch

        found = torch.random.get_rng_state()
        return not torch.equal(
            found, torch.Generator().manual_seed(torch.initial_seed()).get_state()
        )

    def set_mode(self, training: bool) -> None:
        if self.layer is not None:
            self.layer.train(training)

    def spread(self, code: Callable[[], Any]) -> tuple[Any, ...]:
        return ranks.torch(self.ranks, code)

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
            layered = self.layer is not None
            code = _HELD.sub("dtype=torch.float64", self.code) if layered else self.code
            exact = TorchSide(code, arrays, dtypes, self.strided)
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
        for index, leaf in enumerate(floating(result, torch.Tensor)):
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
