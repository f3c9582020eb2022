"""How each layer's parameters and buffers are called on both sides, by the classes of both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from msmap.model import State, Target
from msmap.weights.arguments import Made

# Layers whose parameters are those of another one, which a record tells of: a class of PyTorch's,
# that of MindSpore's which has them under the names of the other's counterpart, and the other.
KIN = (
    ("torch.nn.SyncBatchNorm", "mindspore.nn.SyncBatchNorm", "torch.nn.BatchNorm2d"),
    ("torch.nn.InstanceNorm1d", "mindspore.nn.InstanceNorm1d", "torch.nn.BatchNorm2d"),
    ("torch.nn.InstanceNorm2d", "mindspore.nn.InstanceNorm2d", "torch.nn.BatchNorm2d"),
    ("torch.nn.InstanceNorm3d", "mindspore.nn.InstanceNorm3d", "torch.nn.BatchNorm2d"),
    ("torch.nn.ConvTranspose1d", "mindspore.nn.Conv1dTranspose", "torch.nn.Conv1d"),
    (
        "torch.nn.TransformerDecoderLayer",
        "mindspore.nn.TransformerDecoderLayer",
        "torch.nn.TransformerEncoderLayer",
    ),
)
_MORE = {
    "torch.nn.TransformerDecoderLayer": (
        State("norm3.weight", "norm3.gamma", "value", None),
        State("norm3.bias", "norm3.beta", "value", None),
    )
}
# What a class of MindSpore's must not bring up: PyTorch's own modules that hold others.
OWN = "torch.nn.Module"


@dataclass(slots=True)
class States:
    """The state mappings of layers: ``by`` has those of each target, the best of a layer first.

    ``choose`` gives the target that `msmap port` writes for a layer that is made so, "" for the
    best.
    """

    by: dict[str, dict[str, tuple[State, ...]]] = field(default_factory=dict)
    choose: Callable[[str, Made], str] = lambda torch, made: ""

    def of_calls(self, torch: str, calls: Iterable[Made]) -> list[str]:
        """The classes that a layer becomes, one for each way in which its state is called."""
        if len(set(self.by.get(torch, {}).values())) < 2:
            return [""]
        cells = dict.fromkeys(self.choose(torch, made) for made in calls) or {"": None}
        return list({self.rules(torch, cell): cell for cell in cells}.values())

    def rules(self, torch: str, cell: str = "") -> tuple[State, ...]:
        """What is called otherwise or changed of a layer; all else is the same on both sides.

        Args:
            torch: the layer's class, such as ``torch.nn.Conv1d``.
            cell: the class of its counterpart, "" for what the record puts first.
        """
        its = self.by.get(torch, {})
        if cell in its:
            return its[cell]
        if cell.startswith("mindspore.mint."):
            return ()
        if cell:
            for others in self.by.values():
                if others.get(cell):
                    return others[cell]
        return next(iter(its.values()), ())

    def layers(self, cell: str) -> list[str]:
        """The classes of PyTorch's whose counterpart a class of MindSpore's is."""
        return [torch for torch, its in self.by.items() if cell in its]


def gathered(
    records: Iterable[tuple[str, Iterable[Target]]],
    choose: Callable[[str, Made], str] = lambda torch, made: "",
) -> States:
    """The state mappings of records, and of the layers that are like one of theirs."""
    found = States(choose=choose)
    for torch, targets in records:
        its = {t.api or t.key: t.state for t in targets if t.api or t.state}
        if its:
            found.by[torch] = its
    for torch, cell, like in KIN:
        rules = next((its for its in found.by.get(like, {}).values() if its), ())
        its = found.by.setdefault(torch, {})
        its.setdefault(cell, (*rules, *_MORE.get(torch, ())))
        if torch.startswith("torch.nn.InstanceNorm"):
            found.by[torch] = {name: _joined(one, its[cell]) for name, one in its.items()}
    return found


def _joined(its: tuple[State, ...], more: tuple[State, ...]) -> tuple[State, ...]:
    """Rules, and those of others for what they don't tell of."""
    told = {rule.torch for rule in its}
    return (*its, *(rule for rule in more if rule.torch not in told))


def as_rules(states: Iterable[State]) -> list[Mapping[str, str | None]]:
    """The same as ``mapping.mapped`` takes them."""
    return [{"torch": s.torch, "mindspore": s.mindspore, "value": s.value} for s in states]
