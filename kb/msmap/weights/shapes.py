"""What may stand at a path of a model: a class, what it holds, and which of several fits."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from msmap.infer.values.lattice import Entry
from msmap.weights.arguments import Made
from msmap.weights.states import OWN


@dataclass(slots=True)
class Shape:
    """What stands at a path: its class, None if it isn't known, and what it holds by name.

    ``made`` is the call that makes an object of an own class, ``given`` what one of PyTorch's is
    made with; ``options`` are the shapes of which it is one, where the source doesn't tell which.
    """

    kind: str | None = None
    entry: Entry | None = None
    held: dict[str, Shape] = field(default_factory=dict)
    made: tuple[object, ast.Call] | None = None
    options: tuple[Shape, ...] = ()
    given: Made | None = None


UNKNOWN = Shape()
# None in place of a layer.
NOTHING = Shape("")

# How many dimensions each tensor of a layer has.
_BATCH = {"weight": 1, "bias": 1, "running_mean": 1, "running_var": 1, "num_batches_tracked": 0}
_PLAIN = {"weight": 1, "bias": 1}
_FORMS: dict[str, dict[str, int]] = {
    **{f"torch.nn.BatchNorm{n}d": _BATCH for n in (1, 2, 3)},
    **{f"torch.nn.InstanceNorm{n}d": _BATCH for n in (1, 2, 3)},
    **{f"torch.nn.Conv{n}d": {"weight": n + 2, "bias": 1} for n in (1, 2, 3)},
    **{f"torch.nn.ConvTranspose{n}d": {"weight": n + 2, "bias": 1} for n in (1, 2, 3)},
    "torch.nn.SyncBatchNorm": _BATCH,
    "torch.nn.GroupNorm": _PLAIN,
    "torch.nn.RMSNorm": {"weight": 1},
    "torch.nn.PReLU": {"weight": 1},
    "torch.nn.Linear": {"weight": 2, "bias": 1},
    "torch.nn.Bilinear": {"weight": 3, "bias": 1},
    "torch.nn.Embedding": {"weight": 2},
    "torch.nn.EmbeddingBag": {"weight": 2},
}
_OTHERS = ("LayerNorm", "LSTM", "GRU", "RNN", "LSTMCell", "GRUCell", "RNNCell", "Multihead",
           "Transformer")  # fmt: skip


def fits(one: Shape, its: dict[str, int]) -> bool:
    """Whether a layer may have tensors of these names and dimensions."""
    kind = one.kind or ""
    if (
        one.entry is not None
        or kind == OWN
        or kind.startswith(tuple(f"torch.nn.{o}" for o in _OTHERS))
    ):
        return True
    form = _FORMS.get(kind, {})
    return all(form.get(name) == rank for name, rank in its.items())


def joined(several: Sequence[Shape]) -> Shape:
    """What all of several are, or the options that they are."""
    every: list[Shape] = []
    for one in several:
        for option in one.options or (one,):
            at = next((n for n, known in enumerate(every) if _is_same(known, option)), None)
            if at is None:
                every.append(option)
            else:
                every[at] = _merged(every[at], option)
    every = [one for one in every if one is not NOTHING] or [NOTHING]
    if len(every) == 1:
        return every[0]
    kinds = {one.kind for one in every}
    return Shape(kinds.pop() if len(kinds) == 1 else None, options=tuple(every))


def _is_same(one: Shape, other: Shape) -> bool:
    its = (one.kind, one.entry, one.made, one.given)
    return its == (other.kind, other.entry, other.made, other.given)


def _merged(one: Shape, other: Shape) -> Shape:
    """Two shapes of one class, with what either holds."""
    if not other.held or one is other:
        return one
    held = dict(one.held)
    for name, inner in other.held.items():
        held[name] = joined([held[name], inner]) if name in held else inner
    return Shape(one.kind, one.entry, held, one.made, given=one.given)
