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
    "pooled": lambda torch: torch.rand(1, 1, 2, 2),
    "places": lambda torch: torch.tensor([[[[0, 3], [9, 14]]]]),
}

# What stands around the call of a name: users fill parameters, and clip gradients before a step.
_FILLED = "tensor = torch.nn.Parameter(tensor.clone())\n{}\ntensor"
_CLIPPED = (
    "grads = (x * 3, y[:, 0] * 2)\nnet.weight.grad, net.bias.grad = grads\n{}\n"
    "optimizer.step()\nnet.weight"
)
_AROUND = {
    "torch.nn.init.calculate_gain": "{}",
    "torch.nn.init.": _FILLED,
    "torch.nn.utils.clip_grad_norm_": _CLIPPED,
    "torch.nn.utils.clip_grad_value_": _CLIPPED,
}


def around(name: str) -> str:
    """The source around a call of a name, which stands at ``{}``."""
    return next((text for start, text in _AROUND.items() if name.startswith(start)), "{}")


_NORMAL = "torch.distributions.Normal(loc, scale)"
_PACKED = "torch.nn.utils.rnn.pack_padded_sequence(x, [3, 2], batch_first=True)"
# Methods of every layer, called on the network of ``verify.trial.training``.
_MODULE = {
    "eval": ("net.eval().training",),
    "train": (
        "net.train().training",
        "net.train(False).training",
        "net.train(mode=False).training",
    ),
    "float": ("net.float().weight",),
    "double": ("net.double().weight",),
    "half": ("net.half().weight",),
    "bfloat16": ("net.bfloat16().weight",),
    "type": ("net.type(torch.float64).weight",),
    "to": ("net.to(torch.float64).weight", "net.to(dtype=torch.float16).bias"),
    "cpu": ("net.cpu().weight",),
    "parameters": ("list(net.parameters())", "len(list(net.parameters()))"),
    "named_parameters": ("[name for name, _ in net.named_parameters()]",),
    "buffers": ("list(net.buffers())", "list(torch.nn.BatchNorm1d(3).buffers())"),
    "named_buffers": ("[name for name, _ in torch.nn.BatchNorm1d(3).named_buffers()]",),
    "children": ("len(list(torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Tanh()).children()))",),
    "named_children": ("[name for name, _ in torch.nn.Sequential(net).named_children()]",),
    "modules": ("len(list(torch.nn.Sequential(net).modules()))",),
    "named_modules": ("[name for name, _ in torch.nn.Sequential(net).named_modules()]",),
    "state_dict": ("net.state_dict()", "list(net.state_dict())"),
    "load_state_dict": ("net.load_state_dict({'weight': x, 'bias': x[:, 0]})\nnet.weight",),
    "requires_grad_": ("net.requires_grad_(False).weight.requires_grad",),
    "apply": ("net.apply(lambda layer: None).weight",),
    "zero_grad": ("net(x).sum().backward()\nnet.zero_grad()\nnet.weight.grad",),
    "get_parameter": ("net.get_parameter('weight')",),
    "get_submodule": ("torch.nn.Sequential(net).get_submodule('0').weight",),
    "register_buffer": ("net.register_buffer('kept', x)\nnet.kept",),
    "register_parameter": (
        "net.register_parameter('more', torch.nn.Parameter(x))\nlen(list(net.parameters()))",
    ),
    "add_module": ("net.add_module('more', torch.nn.Identity())\nnet.more(x)",),
    "register_module": ("net.register_module('more', torch.nn.Identity())\nnet.more(x)",),
    "register_forward_hook": (
        "net.register_forward_hook(lambda layer, given, gave: gave * 2)\nnet(x)",
    ),
    "register_forward_pre_hook": (
        "net.register_forward_pre_hook(lambda layer, given: given[0] * 2)\nnet(x)",
    ),
}

TEXTS: dict[str, tuple[str, ...]] = {
    **{f"torch.nn.Module.{name}": texts for name, texts in _MODULE.items()},
    "torch.nn.MaxUnpool2d": ("torch.nn.MaxUnpool2d(2)(pooled, places)",),
    "torch.nn.utils.parameters_to_vector": (
        "torch.nn.utils.parameters_to_vector(net.parameters())",
    ),
    "torch.nn.utils.weight_norm": ("torch.nn.utils.weight_norm(net)(x)",),
    "torch.func.jvp": ("torch.func.jvp(torch.sin, (x,), (y,))",),
    "torch.func.vjp": ("torch.func.vjp(torch.sin, x)[1](y)",),
    "torch.func.functional_call": (
        "torch.func.functional_call(net, dict(net.named_parameters()), (x,))",
    ),
    "torch.autograd.functional.jvp": ("torch.autograd.functional.jvp(torch.sin, x, y)",),
    "torch.autograd.functional.vjp": ("torch.autograd.functional.vjp(torch.sin, x, y)",),
    "torch.utils.checkpoint.checkpoint": (
        "torch.utils.checkpoint.checkpoint(torch.sin, x, use_reentrant=False)",
    ),
    "torch.nn.Sequential": (
        "torch.nn.Sequential(torch.nn.Identity(), torch.nn.Flatten(0))(x)",
        "torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh())(x)",
    ),
    "torch.nn.ModuleList": (
        "torch.nn.ModuleList([torch.nn.ReLU(), torch.nn.Flatten(0)])[1](x)",
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
    "torch.Tensor.random_": ("x.random_(10)", "x.random_(-5, 20)", "x.random_()"),
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
}  # fmt: skip
