"""A fixed problem on which optimizers and schedulers are run, the same on both frameworks.

A linear layer of three inputs and two outputs, eight samples, and the mean of squared errors.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

_STEPS = 5
_RATES = 12
_NAMES = ("net", "optimizer")


def names(tree: ast.AST) -> bool:
    """Whether code uses ``net`` or ``optimizer`` without setting it."""
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in _NAMES}
    made = {
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    } | {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    return bool(used - made)


def _array(name: str, *shape: int) -> Any:
    from msmap.verify.trial import inputs

    return inputs.array(name, {"shape": list(shape), "dtype": "float32"})


def _rates(found: list[list[float]]) -> Any:
    import numpy as np

    return np.array(found, np.float32)


def _in_order(parameters: Iterable[Any]) -> list[Any]:
    """Weight and bias, in whichever order groups put them; one may be missing."""
    return sorted(parameters, key=lambda p: p.ndim, reverse=True)


def torch_problem() -> dict[str, Any]:
    """PyTorch's network, and an SGD over it."""
    import torch

    net = torch.nn.Linear(3, 2)
    with torch.no_grad():
        net.weight.copy_(torch.tensor(_array("weight", 2, 3)))
        net.bias.copy_(torch.tensor(_array("bias", 2)))
    return {"net": net, "optimizer": torch.optim.SGD(net.parameters(), lr=0.1)}


def mindspore_problem() -> dict[str, Any]:
    """MindSpore's network, and an experimental SGD over it."""
    import mindspore

    net = mindspore.nn.Dense(3, 2)
    net.weight.set_data(mindspore.Tensor(_array("weight", 2, 3)))
    net.bias.set_data(mindspore.Tensor(_array("bias", 2)))
    optimizer = mindspore.experimental.optim.SGD(net.trainable_params(), lr=0.1)
    return {"net": net, "optimizer": optimizer}


def _out(samples: Any, held: list[Any]) -> Any:
    """What a layer of a weight, and of a bias if there is one, gives."""
    out = samples @ held[0].T
    return out + held[1] if len(held) > 1 else out


def _thin(held: list[Any]) -> None:
    """Make the gradients sparse, as an embedding's are."""
    for parameter in held:
        parameter.grad = parameter.grad.to_sparse()


def torch_steps(value: Any) -> Any:
    """Parameters after each step of an optimizer, rates of a scheduler; else the value itself."""
    import torch

    if isinstance(value, torch.optim.Optimizer):
        held = _in_order(p for group in value.param_groups for p in group["params"])
        samples, wanted = (
            torch.tensor(_array("samples", 8, 3)),
            torch.tensor(_array("wanted", 8, 2)),
        )

        def loss() -> Any:
            value.zero_grad()
            error = (_out(samples, held) - wanted) ** 2
            error.mean().backward()
            return error.mean()

        found = []
        for _ in range(_STEPS):
            if isinstance(value, torch.optim.LBFGS):
                value.step(loss)
            else:
                loss()
                if isinstance(value, torch.optim.SparseAdam):
                    _thin(held)
                value.step()
            found.append([p.detach().clone() for p in held])
        return found
    if isinstance(value, torch.optim.lr_scheduler.LRScheduler):
        rates = []
        for _ in range(_RATES):
            rates.append([float(group["lr"]) for group in value.optimizer.param_groups])
            value.optimizer.step()
            value.step()
        return _rates(rates)
    return value


def mindspore_steps(value: Any, graph: bool = False) -> Any:
    """The same on MindSpore; ``graph`` compiles the step of an optimizer with mindspore.jit."""
    import mindspore

    experimental = mindspore.experimental.optim
    if isinstance(value, mindspore.nn.Optimizer | experimental.Optimizer):
        held = _in_order(value.parameters)
        samples = mindspore.Tensor(_array("samples", 8, 3))
        wanted = mindspore.Tensor(_array("wanted", 8, 2))

        def loss() -> Any:
            return ((_out(samples, held) - wanted) ** 2).mean()

        # The gradients are taken by place: in the optimizer's own order.
        run = mindspore.value_and_grad(loss, None, list(value.parameters))
        step = mindspore.jit(value) if graph else value
        found = []
        for _ in range(_STEPS):
            step(run()[1])
            found.append([p.value().copy() for p in held])
        return found
    if isinstance(value, experimental.lr_scheduler.LRScheduler):
        rates = []
        for _ in range(_RATES):
            rates.append([float(group["lr"]) for group in value.optimizer.param_groups])
            value.step()
        return _rates(rates)
    return value
