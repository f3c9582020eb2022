"""Two recordings and what pairs them: what every part of a comparison asks."""

from __future__ import annotations

import math
from typing import Any

from msmap.compare import distance, pairing, state, texts
from msmap.compare.distance import apart
from msmap.compare.pairing import Pairs
from msmap.compare.report import Row
from msmap.compare.state import StatePair, States
from msmap.compare.terms import FINE, Facts, Finding, Sizes
from msmap.recording.model import Call, Recording, Step, Tensor

# What follows from parameters that are off after a step may be off by so many times as much.
_AFTER = 30.0


class Matter:
    """Two recordings, their pairs, and what was found so far.

    ``parted`` says that numbers differ from here on, so that more findings would say nothing new;
    ``stepped`` that an optimizer has moved parameters, ``drift`` by how much these are off: by
    rounding, or by what its counterpart is known to be.
    """

    def __init__(self, torch: Recording, mindspore: Recording, facts: Facts) -> None:
        self.torch, self.mindspore, self.facts = torch, mindspore, facts
        self.pairs: Pairs = pairing.pair(torch, mindspore, facts)
        self.states: States = state.pair(torch, mindspore, self.pairs, facts)
        self.layers = {layer.path: layer for layer in torch.layers}
        self.others = {layer.path: layer for layer in mindspore.layers}
        self.findings: list[Finding] = []
        self.rows: list[Row] = []
        self.losses: list[dict[str, Any]] = []
        self.notes: list[dict[str, str]] = []
        self.broken: dict[str, str] = {}
        self.parted = False
        self.stepped = False
        self.drift = 0.0
        # How many times more than rounding the values at kinks have put gradients off.
        self.growth = 1.0
        # By how much a loss of this step is off for what it was given, and how many times rounding.
        self._inherited = self._worse = 0.0
        # The first tensor of this step that parameters may have moved before.
        self._moved = math.inf
        self._tensors = self._agreeing = self._calls = 0
        self._kept: dict[tuple[int, int, int, bool], Sizes] = {}
        self._states: dict[tuple[int, str], Sizes] = {}

    def begin(self, left: Step) -> None:
        """A step begins: nothing of it is known yet."""
        self._kept, self._states = {}, {}
        self._inherited = self._worse = 0.0
        self._moved = _again(left) if self._by_hand(left) else math.inf

    def _by_hand(self, left: Step) -> bool:
        """Whether parameters move within a step, with no optimizer."""
        return not self.torch.optimizers and any(
            distance.moved(self.torch, self.torch.initial.get(n), left.state.get(n))
            for n in (one.torch for one in self.states.pairs if not one.buffer)
        )

    def find(
        self, stage: str, kind: str, step: int, torch: str = "", mindspore: str = "",
        what: str = "", sizes: Sizes | None = None, told: tuple[Any, ...] = (), **more: Any,
    ) -> Finding:  # fmt: skip
        """Write down that something differs; ``kind`` is a sentence of ``texts``."""
        names = more.pop("names", None) or (
            self.layers[torch].base if torch in self.layers and torch else "",
            self.others[mindspore].base if mindspore in self.others and mindspore else "",
        )
        en, zh = texts.say(kind, *told)
        training = more.pop("training", None)
        made = Finding(
            stage, kind, step, training, torch, mindspore, names[0], names[1], what, sizes, en, zh,
            **more,
        )  # fmt: skip
        self.findings.append(made)
        return made

    def state_of(
        self, one: StatePair, left: dict[str, Tensor], right: dict[str, Tensor],
        gradient: bool = False,
    ) -> Sizes | None:  # fmt: skip
        if one.torch not in left or one.mindspore not in right:
            return None
        key = id(left), one.torch
        if key not in self._states:
            mapped = state.mapped(self.torch, left, one)
            sizes = apart(
                (self.torch, left[one.torch]), (self.mindspore, right[one.mindspore]), gradient,
                mapped, later=self.stepped,
            )  # fmt: skip
            self._states[key] = self.count(sizes)
            if gradient:
                self.forgive(sizes)
        return self._states[key]

    def count(self, sizes: Sizes) -> Sizes:
        self._tensors += 1
        if sizes.status == "differs" and sizes.relative <= _AFTER * self.drift:
            sizes.status, sizes.detail = "agrees", "known"
        self._agreeing += sizes.status == "agrees"
        if self.stepped:
            self.forgive(sizes)
        return sizes

    def forgive(self, sizes: Sizes) -> None:
        """Let pass what gradients at kinks have put off: it is as much more than rounding.

        A value of theirs on the other side of a kink is noise like any other, and larger; what is
        made of it is off as much more as it is itself. So are gradients of a loss in which much
        cancels out.
        """
        if sizes.status == "differs" and sizes.ratio <= max(self.growth, self._worse):
            sizes.status, sizes.detail = "agrees", "kink"
            self._agreeing += 1

    def inherit(self, gave: Sizes, given: Sizes | None = None) -> None:
        """Let pass a single number that is off by no more than what it was made of, which agrees.

        Where much cancels out, such as in the loss of a model that has learned, rounding is a
        large part of what is left. A loss passes that is off by as much as one that did.
        """
        most = self._inherited if given is None or given.status not in FINE else given.largest
        if gave.status == "differs" and gave.largest <= most:
            gave.status, gave.detail = "agrees", "inherited"
            self._agreeing += 1
            self._inherited = max(self._inherited, gave.largest)
            if given is None:
                self._worse = gave.ratio

    def called(self, left: Step, right: Step) -> list[tuple[int, int]]:
        """The calls of paired layers by number, in the order in which PyTorch's end."""
        there: dict[str, list[int]] = {}
        for number, call in enumerate(right.calls):
            if call.layer:
                there.setdefault(call.path, []).append(number)
        seen: dict[str, int] = {}
        found = []
        for number, call in enumerate(left.calls):
            if not call.layer:
                continue
            path = self.pairs.by_torch.get(call.path, "\n")
            turn = seen.get(call.path, 0)
            seen[call.path] = turn + 1
            if turn < len(there.get(path, ())):
                found.append((number, there[path][turn]))
        return sorted(found, key=lambda pair: left.calls[pair[0]].ended)

    def tensors(
        self, left: Step, right: Step, ones: list[tuple[str, int]], others: list[tuple[str, int]],
        gradient: bool = False,
    ) -> Sizes:  # fmt: skip
        """How far the tensors of two places are apart: the worst of them."""
        worst = Sizes("absent")
        for (_, a), (_, b) in zip(ones, others, strict=False):
            sizes = self.pair(left, right, a, b, gradient)
            if worst.status in FINE and sizes.status != "absent":
                worst = sizes if sizes.ratio >= worst.ratio or sizes.status not in FINE else worst
            elif sizes.status not in FINE and sizes.ratio > worst.ratio:
                worst = sizes
        if len(ones) != len(others) and not gradient and worst.status in FINE:
            # One side passes what it needn't, such as a state of zeros.
            return worst
        return worst

    def pair(
        self, left: Step, right: Step, a: int, b: int, gradient: bool,
    ) -> Sizes:  # fmt: skip
        """How far two tensors, or the gradients by them, are apart."""
        key = (left.number, a, b, gradient)
        if key not in self._kept:
            one: Tensor | None = left.tensors[a]
            other: Tensor | None = right.tensors[b]
            if gradient:
                one, other = left.tensors[a].gradient, right.tensors[b].gradient
            if one is None or other is None:
                self._kept[key] = Sizes("absent")
            else:
                sizes = apart(
                    (self.torch, one), (self.mindspore, other), gradient,
                    later=self.stepped or a >= self._moved,
                )  # fmt: skip
                self._kept[key] = self.count(sizes)
                if sizes.status == "agrees":
                    self.growth = max(self.growth, sizes.kinks)
        return self._kept[key]

    def quiet_pair(self, left: Step, right: Step, a: int, b: int) -> Sizes:
        """How far two tensors are apart that needn't be partners."""
        later = left.number > self.torch.steps[0].number
        return apart((self.torch, left.tensors[a]), (self.mindspore, right.tensors[b]), later=later)

    def has_inside(self, step: Step, call: Call) -> bool:
        """Whether other layers are called inside of a call."""
        number = step.calls.index(call)
        return any(one.layer and one.inside == number for one in step.calls)

    def partner(self, call: Call) -> str:
        """The name of the class that a layer of PyTorch's became."""
        other = self.others.get(self.pairs.by_torch.get(call.path, "\n"))
        return "" if other is None else other.base

    def base(self, call: Call) -> str:
        """The public class that a called layer is of."""
        layer = self.layers.get(call.path)
        return call.name if layer is None else layer.base


def _again(step: Step) -> float:
    """The first tensor after which a model is called again, where no optimizer ends steps.

    Whoever moves parameters by hand does so between two calls of the model.
    """
    seen: set[str] = set()
    tensors = 0
    for call in step.calls:
        if call.layer and call.inside is None and not call.path.startswith("("):
            if call.path in seen:
                return tensors
            seen.add(call.path)
        tensors = max([tensors, *(at + 1 for _, at in (*call.inputs, *call.outputs))])
    return math.inf
