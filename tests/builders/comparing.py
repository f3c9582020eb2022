"""Models with one fault each, compared in one process: ``python -m tests.builders.comparing``.

Prints, as JSON by the name of a fault, what ``msmap compare`` finds: of each finding stage, layer,
and the caveats that are shown to explain it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import mindspore
import numpy as np
import torch
from mindspore import mint, nn, ops
from torch.nn import functional

from msmap.compare import judge
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.projects import compare as comparing
from msmap.record import both, constructors
from msmap.record.factories import Job

LABELS = np.arange(8) % 4


class Torch(torch.nn.Module):
    """A bit of everything, small."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3)
        self.bn = torch.nn.BatchNorm2d(4)
        self.act = torch.nn.LeakyReLU()
        self.pool = torch.nn.MaxPool2d(2)
        self.fc1 = torch.nn.Linear(36, 16)
        self.ln = torch.nn.LayerNorm(16)
        self.gelu = torch.nn.GELU()
        self.elu = torch.nn.ELU()
        self.drop = torch.nn.Dropout(0.1)
        self.square = torch.nn.Linear(16, 16)
        self.head = torch.nn.Linear(16, 4)

    def forward(self, x: Any) -> Any:
        """Logits of (N, 3, 8, 8)."""
        x = self.pool(self.act(self.bn(self.conv(x))))
        x = self.gelu(self.ln(self.fc1(torch.flatten(x, 1))))
        return self.head(self.square(self.drop(self.elu(x))))


class Ported(nn.Cell):
    """The same in MindSpore; what is named replaces a layer."""

    def __init__(self, **others: Any) -> None:
        super().__init__()
        made = {
            "conv": lambda: nn.Conv2d(3, 4, 3, pad_mode="valid", has_bias=True),
            "bn": lambda: nn.BatchNorm2d(4),
            "act": lambda: nn.LeakyReLU(0.01),
            "pool": lambda: nn.MaxPool2d(2, 2),
            "fc1": lambda: nn.Dense(36, 16),
            "ln": lambda: nn.LayerNorm((16,), epsilon=1e-5),
            "gelu": lambda: nn.GELU(approximate=False),
            "elu": nn.ELU,
            "drop": lambda: nn.Dropout(p=0.1),
            "square": lambda: nn.Dense(16, 16),
            "head": lambda: nn.Dense(16, 4),
        }
        for name, make in (made | others).items():
            setattr(self, name, make())

    def construct(self, x: Any) -> Any:
        """Logits of (N, 3, 8, 8)."""
        x = self.pool(self.act(self.bn(self.conv(x))))
        x = x.reshape(x.shape[0], -1)
        x = self.gelu(self.ln(self.fc1(x)))
        return self.head(self.square(self.drop(self.elu(x))))


class Compiled(Ported):
    """The same under jit."""

    construct = mindspore.jit(Ported.construct)


class TorchTied(torch.nn.Module):
    """A table that is the head too."""

    def __init__(self) -> None:
        super().__init__()
        self.table = torch.nn.Embedding(6, 8)
        self.mix = torch.nn.Linear(8, 8)
        self.out = torch.nn.Linear(8, 6, bias=False)
        self.out.weight = self.table.weight

    def forward(self, x: Any) -> Any:
        """Logits of each place."""
        return self.out(torch.tanh(self.mix(self.table(x))))


class PortedTied(nn.Cell):
    """The same, tied or not."""

    def __init__(self, tied: bool) -> None:
        super().__init__()
        self.table = nn.Embedding(6, 8)
        self.mix = nn.Dense(8, 8)
        self.out = nn.Dense(8, 6, has_bias=False)
        if tied:
            self.out.weight = self.table.embedding_table

    def construct(self, x: Any) -> Any:
        """Logits of each place."""
        return self.out(ops.tanh(self.mix(self.table(x))))


class TorchRecurrent(torch.nn.Module):
    """A layer with a state that it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm = torch.nn.LSTM(3, 4, batch_first=True)

    def forward(self, x: Any) -> Any:
        """The last output, from a state of zeros."""
        zeros = torch.zeros(1, x.shape[0], 4)
        return self.lstm(x, (zeros, zeros))[0][:, -1]


class PortedRecurrent(nn.Cell):
    """The same, from another state."""

    def __init__(self, begin: float) -> None:
        super().__init__()
        self.lstm = nn.LSTM(3, 4, batch_first=True)
        self.begin = begin

    def construct(self, x: Any) -> Any:
        """The last output."""
        state = ops.full((1, x.shape[0], 4), self.begin, dtype=mindspore.float32)
        return self.lstm(x, (state, state))[0][:, -1]


class TorchFunctions(torch.nn.Module):
    """Functions between two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = torch.nn.Linear(6, 8)
        self.head = torch.nn.Linear(8, 4)

    def forward(self, x: Any) -> Any:
        """Logits of (N, 3, 6)."""
        x = functional.gelu(self.fc(x))
        x = functional.dropout(functional.layer_norm(x, (8,)), 0.1, self.training)
        x = functional.leaky_relu(functional.softmax(x, dim=1) - 0.1)
        x = x / (torch.std(x, 2, keepdim=True) + 1)
        x = torch.einsum("nci,nki->nck", x, x) @ x
        return self.head(torch.flatten(x, 1, 1).mean(1))


class PortedFunctions(nn.Cell):
    """The same; what is named is called otherwise."""

    def __init__(self, **others: Any) -> None:
        super().__init__()
        self.fc, self.head = nn.Dense(6, 8), nn.Dense(8, 4)
        self.gelu = others.get("gelu", ops.gelu)
        self.rate = others.get("rate", 0.1)
        self.axis = others.get("axis", -2)
        self.eps = others.get("eps", 1e-5)
        self.slope = others.get("slope", 0.01)
        self.ddof = others.get("ddof", 1)
        self.always = others.get("always", False)

    def construct(self, x: Any) -> Any:
        """Logits of (N, 3, 6)."""
        x = self.gelu(self.fc(x))
        x = ops.LayerNorm(-1, -1, self.eps)(x, ops.ones(8), ops.zeros(8))[0]
        x = ops.dropout(x, p=self.rate, training=True if self.always else self.training)
        x = ops.leaky_relu(ops.softmax(x, axis=self.axis) - 0.1, alpha=self.slope)
        x = x / (ops.std(x, 2, self.ddof, True) + 1)
        x = mindspore.jit(mint.einsum)("nci,nki->nck", x, x) @ x
        return self.head(ops.flatten(x, start_dim=1, end_dim=1).mean(1))


class TorchBag(torch.nn.Module):
    """A table whose rows a layer sums."""

    def __init__(self) -> None:
        super().__init__()
        self.bag = torch.nn.EmbeddingBag(6, 4, mode="sum")
        self.head = torch.nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        """Logits of each bag."""
        return self.head(self.bag(x))


class PortedBag(nn.Cell):
    """The same; functions sum the rows of a layer that is never called, or of a parameter."""

    def __init__(self, mean: bool = False, layer: bool = True) -> None:
        super().__init__()
        if layer:
            self.bag = mint.nn.Embedding(6, 4)
        else:
            self.table = mindspore.Parameter(ops.zeros((6, 4)))
        self.head = nn.Dense(4, 4)
        self.mean = mean

    def construct(self, x: Any) -> Any:
        """Logits of each bag."""
        rows = (self.table if hasattr(self, "table") else self.bag.weight)[x]
        return self.head(rows.mean(1) if self.mean else rows.sum(1))


def _images() -> Any:
    return np.random.default_rng(0).standard_normal((8, 3, 8, 8)).astype(np.float32)


def _torch(net: Any = None, inputs: Any = None, loss: Any = None) -> Job:
    torch.manual_seed(0)
    net = Torch() if net is None else net
    criterion = loss or torch.nn.CrossEntropyLoss()
    labels = torch.from_numpy(LABELS)
    made = None if loss is False else lambda out: criterion(out, labels)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    return Job("torch", net, _images() if inputs is None else inputs, made, optimizer)


def _ported(net: Any, loss: Any = None) -> Job:
    criterion = loss or nn.CrossEntropyLoss()
    labels = mindspore.Tensor(LABELS, mindspore.int32)
    made = None if loss is False else lambda out: criterion(out, labels)
    # That of nn compiles nothing.
    optimizer = mindspore.nn.SGD(net.trainable_params(), learning_rate=0.05)
    return Job("mindspore", net, None, made, optimizer)


def _turned(net: Any) -> None:
    net.square.weight.set_data(mindspore.Tensor(net.square.weight.asnumpy().T))


def _graph(_: Any) -> None:
    mindspore.set_context(mode=mindspore.GRAPH_MODE)


def _begun(net: Any) -> None:
    net.bn.moving_variance.set_data(mindspore.Tensor(np.full(4, 2, np.float32)))


# By name: how a function is called otherwise in MindSpore.
CALLS: dict[str, dict[str, Any]] = {
    "no function": {},
    "call of gelu": {"gelu": lambda x: ops.gelu(x, approximate="tanh")},
    "call of dropout": {"rate": 0.9},
    "call of dropout in evaluation": {"always": True},
    "call of softmax": {"axis": -1},
    "call of layer_norm": {"eps": 1e-3},
    "call of leaky_relu": {"slope": 0.2},
    "call of std": {"ddof": 0},
}
# By name: what became of a layer that sums rows.
BAGS: dict[str, dict[str, bool]] = {
    "table of a function": {},
    "parameter of a function": {"layer": False},
    "table of another function": {"mean": True},
    "parameter of another function": {"mean": True, "layer": False},
}
# By name: MindSpore's side, what is done to it after weights were carried, and the mode.
FAULTS: dict[str, Any] = {
    "none": (lambda: _ported(Ported()), None, "both"),
    "keep rate": (lambda: _ported(Ported(drop=lambda: nn.Dropout(p=0.9))), None, "both"),
    "momentum": (lambda: _ported(Ported(bn=lambda: nn.BatchNorm2d(4, momentum=0.1))), None,
                 "train"),
    "epsilon": (lambda: _ported(Ported(ln=lambda: nn.LayerNorm((16,)))), None, "both"),
    "pad mode": (lambda: _ported(Ported(conv=lambda: nn.Conv2d(3, 4, 3, has_bias=True),
                                        fc1=lambda: nn.Dense(64, 16))), None, "both"),
    "stride": (lambda: _ported(Ported(pool=lambda: nn.MaxPool2d(2),
                                      fc1=lambda: nn.Dense(100, 16))), None, "both"),
    "bias": (lambda: _ported(Ported(conv=lambda: nn.Conv2d(3, 4, 3, pad_mode="valid"))), None,
             "both"),
    "slope": (lambda: _ported(Ported(act=nn.LeakyReLU)), None, "both"),
    "formula": (lambda: _ported(Ported(gelu=nn.GELU)), None, "both"),
    "transposed": (lambda: _ported(Ported()), _turned, "both"),
    "mode": (lambda: _ported(Ported()), None, "kept"),
    "reduction": (lambda: _ported(Ported(), nn.SoftmaxCrossEntropyWithLogits(sparse=True)), None,
                  "both"),
    "buffer": (lambda: _ported(Ported()), _begun, "both"),
    "compiled": (lambda: _ported(Compiled()), None, "both"),
    "graph mode": (lambda: _ported(Ported()), _graph, "both"),
}  # fmt: skip


def compared(
    torch_side: Job, other: Job, facts: Any, after: Any, mode: str, values: str = "tensors"
) -> Any:
    """A comparison of two sides, with what is done to MindSpore's after weights were carried."""
    if after is not None:
        carry = both.carry

        def carried(*given: Any) -> int:
            count = carry(*given)
            after(other.model)
            return count

        both.carry = carried
    try:
        pair = both.record(torch_side, other, facts, mode, values, {"dropout": False})
    finally:
        mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
        if after is not None:
            both.carry = carry
    return judge.compare(*pair, facts)


def told(found: Any) -> dict[str, Any]:
    """What is said of a comparison."""
    return {
        "verdict": found.verdict,
        "calls": found.counts.calls,
        "findings": [
            [f.stage, f.torch or f.torch_name or f.what,
             [f"{c.record}: {c.caveat}" for c in f.causes if c.shown_by != "unproved"]]
            for f in found.findings
        ],
        "texts": [f.en for f in found.findings],
        "whats": [f.what for f in found.findings],
        "arguments": [
            [f"{a.mindspore}={a.found!r}, not {a.expected!r}" for a in f.arguments]
            for f in found.findings
        ],
    }  # fmt: skip


def main(base: Path) -> None:
    """Print what is found of each."""
    torch.set_num_threads(1)
    mindspore.set_device("CPU")
    found: dict[str, Any] = {}
    with KnowledgeBase.open(base) as kb:
        facts = comparing.facts(kb)
        for name, (make, after, mode) in FAULTS.items():
            for values in ("tensors", "statistics"):
                with constructors.watching():
                    other = make()
                whole = name if values == "tensors" else f"{name}, statistics"
                found[whole] = told(compared(_torch(), other, facts, after, mode, values))
        for name, others in CALLS.items():
            series = np.random.default_rng(2).standard_normal((8, 3, 6)).astype(np.float32)
            one = _torch(TorchFunctions(), series)
            other = _ported(PortedFunctions(**others))
            found[name] = told(compared(one, other, facts, None, "both"))
        for name, tied in (("tied", True), ("untied", False)):
            tokens = np.arange(8).reshape(8, 1) % 6
            other = Job("mindspore", PortedTied(tied), None, None, None)
            one = Job("torch", TorchTied(), tokens)
            found[name] = told(compared(one, other, facts, None, "both"))
        for name, bag in BAGS.items():
            tokens = np.arange(12).reshape(4, 3) % 6
            other = Job("mindspore", PortedBag(**bag), None, None, None)
            found[name] = told(compared(Job("torch", TorchBag(), tokens), other, facts, None,
                                        "both"))  # fmt: skip
        for name, begin in (("state of zeros", 0.0), ("state of ones", 1.0)):
            series = np.random.default_rng(1).standard_normal((2, 5, 3)).astype(np.float32)
            with constructors.watching():
                other = Job("mindspore", PortedRecurrent(begin))
            found[name] = told(compared(Job("torch", TorchRecurrent(), series), other, facts,
                                        None, "both"))  # fmt: skip
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
