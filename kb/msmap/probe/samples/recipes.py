"""How what takes no plain values is used: containers, data sets, what works on a graph of calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Tensors that the texts name; ``torch`` is given so that nothing here imports it.
INPUTS: dict[str, Callable[[Any], Any]] = {
    "x": lambda torch: torch.rand(2, 3) * 4 - 2,
    "y": lambda torch: torch.rand(2, 3) * 4 - 2,
    "columns": lambda torch: torch.rand(1, 8, 6) * 4 - 2,
    "theta": lambda torch: torch.rand(1, 2, 3) * 2 - 1,
    "loc": lambda torch: torch.rand(3) * 2 - 1,
    "scale": lambda torch: torch.rand(3) + 0.5,
    "value": lambda torch: torch.rand(3) * 0.8 + 0.1,
}
_NORMAL = "torch.distributions.Normal(loc, scale)"
_PACKED = "torch.nn.utils.rnn.pack_padded_sequence(x, [3, 2], batch_first=True)"

TEXTS: dict[str, tuple[str, ...]] = {
    "torch.nn.Sequential": (
        "torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Flatten(0))(x)",
        "torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh())(x)",
    ),
    "torch.nn.ModuleList": (
        "torch.nn.ModuleList([torch.nn.ReLU(), torch.nn.Tanh()])[1](x)",
        "len(torch.nn.ModuleList([torch.nn.ReLU(), torch.nn.Tanh()]))",
    ),
    "torch.nn.ModuleDict": ("torch.nn.ModuleDict({'act': torch.nn.ReLU()})['act'](x)",),
    "torch.nn.ParameterList": ("torch.nn.ParameterList([torch.nn.Parameter(x)])[0]",),
    "torch.nn.ParameterDict": ("torch.nn.ParameterDict({'w': torch.nn.Parameter(x)})['w']",),
    "torch.nn.Parameter": ("torch.nn.Parameter(x)", "torch.nn.Parameter(x, requires_grad=False)"),
    "torch.nn.functional.affine_grid": (
        "torch.nn.functional.affine_grid(theta, (1, 1, 2, 3))",
        "torch.nn.functional.affine_grid(theta, (1, 1, 2, 3), align_corners=True)",
    ),
    "torch.nn.functional.fold": (
        "torch.nn.functional.fold(columns, (3, 4), (2, 2))",
        "torch.nn.functional.fold(columns, output_size=(3, 4), kernel_size=2)",
    ),
    "torch.nn.Fold": ("torch.nn.Fold((3, 4), (2, 2))(columns)",),
    "torch.from_numpy": ("torch.from_numpy(np.arange(6.0))", "torch.from_numpy(np.array([1, 2]))"),
    "torch.Tensor.backward": ("x.requires_grad_()\n(x * y).sum().backward()\nx.grad",),
    "torch.autograd.grad": ("x.requires_grad_()\ntorch.autograd.grad((x * x).sum(), x)",),
    "torch.autograd.backward": (
        "x.requires_grad_()\ntorch.autograd.backward((x * x).sum())\nx.grad",
    ),
    "torch.autograd.Variable": ("torch.autograd.Variable(x)",),
    "torch.Tensor": ("torch.Tensor([1.0, 2.5])", "torch.Tensor([[1, 2], [3, 4]])"),
    "torch.nn.utils.rnn.pack_padded_sequence": (f"{_PACKED}.data", f"{_PACKED}.batch_sizes"),
    "torch.nn.utils.rnn.pad_packed_sequence": (
        f"torch.nn.utils.rnn.pad_packed_sequence({_PACKED}, batch_first=True)",
    ),
    "torch.nn.utils.rnn.pack_sequence": ("torch.nn.utils.rnn.pack_sequence([x, y]).data",),
    "torch.utils.data.TensorDataset": (
        "torch.utils.data.TensorDataset(x, y)[1]", "len(torch.utils.data.TensorDataset(x))",
    ),
    "torch.utils.data.DataLoader": ("list(torch.utils.data.DataLoader(x, batch_size=2))",),
    "torch.utils.data.Subset": ("torch.utils.data.Subset(x, [1])[0]",),
    "torch.utils.data.SequentialSampler": ("list(torch.utils.data.SequentialSampler(x))",),
    "torch.utils.data.BatchSampler": (
        "list(torch.utils.data.BatchSampler(torch.utils.data.SequentialSampler(x), 2, False))",
    ),
    "torch.distributions.kl_divergence": (
        f"torch.distributions.kl_divergence({_NORMAL}, torch.distributions.Normal(0.5, 2.0))",
    ),
    "torch.distributions.Independent": (
        f"torch.distributions.Independent({_NORMAL}, 1).log_prob(value)",
    ),
    "torch.distributions.TransformedDistribution": (
        f"torch.distributions.TransformedDistribution({_NORMAL}, "
        "[torch.distributions.ExpTransform()]).log_prob(value)",
    ),
    "torch.distributions.ComposeTransform": (
        "torch.distributions.ComposeTransform([torch.distributions.ExpTransform()])(value)",
    ),
    "torch.distributions.MultivariateNormal": (
        "torch.distributions.MultivariateNormal(loc, torch.diag(scale)).log_prob(value)",
        "torch.distributions.MultivariateNormal(loc, torch.diag(scale)).entropy()",
    ),
    "torch.autocast": ("with torch.autocast('cpu', enabled=False):\n    y = x * 2\ny",),
    "torch.nn.utils.clip_grad_value_": (
        "x = torch.nn.Parameter(x)\n(x * x).sum().backward()\n"
        "torch.nn.utils.clip_grad_value_([x], 0.5)\nx.grad",
    ),
}  # fmt: skip
