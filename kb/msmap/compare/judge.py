"""Two recordings compared: what differs, in the order in which it comes about."""

from __future__ import annotations

from msmap.compare import between, causes, distance, texts
from msmap.compare.made import Made
from msmap.compare.report import Compared, Counts, Row, Side
from msmap.compare.state import StatePair
from msmap.compare.terms import FINE, Facts, Sizes
from msmap.errors import BadRecording
from msmap.model import When
from msmap.recording.model import Call, Recording, Step, Tensor

# An optimizer whose record tells of a difference in every step may be off by this part of what it
# moves a parameter.
_BY_OPTIMIZER = 0.1
_ALWAYS = When()


def compare(one: Recording, other: Recording, facts: Facts) -> Compared:
    """What differs between a recording of PyTorch's and one of MindSpore's, in any order.

    Raises:
        BadRecording: they are of one framework, have no step in common, or can't be read.
    """
    torch, mindspore = _sides(one, other)
    return _Judge(torch, mindspore, facts).run()


def _sides(one: Recording, other: Recording) -> tuple[Recording, Recording]:
    known = {one.framework: one, other.framework: other}
    if set(known) != {"torch", "mindspore"}:
        raise BadRecording(
            "{} is of {}, {} of {}: one of PyTorch and one of MindSpore are compared",
            one.source,
            one.framework,
            other.source,
            other.framework,
        )
    return known["torch"], known["mindspore"]


class _Judge(Made):
    """A comparison being made, step by step."""

    def run(self) -> Compared:
        steps = self._steps()
        self.alone(steps)
        self.initial()
        self.tied()
        for left, right in steps:
            self._step(left, right)
            self.stepped = True
        self.arguments()
        self.functions(steps)
        self.optimizers()
        for finding in self.findings:
            finding.causes = causes.of(finding, self.facts)
        return self._comparison(steps)

    def _steps(self) -> list[tuple[Step, Step]]:
        others = {step.number: step for step in self.mindspore.steps}
        both = [(step, others[step.number]) for step in self.torch.steps if step.number in others]
        if not both:
            numbers = [
                ", ".join(str(step.number) for step in side.steps[:9]) or "none"
                for side in (self.torch, self.mindspore)
            ]
            raise BadRecording(
                "{} has steps {}, {} has steps {}: none in common; record the same ones",
                self.torch.source,
                numbers[0],
                self.mindspore.source,
                numbers[1],
            )
        if len(both) < max(len(self.torch.steps), len(self.mindspore.steps)):
            counts = len(self.torch.steps), len(self.mindspore.steps)
            self.find("inputs", "steps", 0, what="steps", told=counts)
        return both

    def _step(self, left: Step, right: Step) -> None:
        calls = self.called(left, right)
        self._calls += len(calls)
        self.begin(left)
        begin = len(self.rows)
        for depth, (one, other) in enumerate(calls):
            self.rows.append(self._row(left, right, one, other, depth))
        rows = self.rows[begin:]
        self._counted(left, right, calls)
        self._broken(left, right)
        if not self._roots(left, right):
            return
        self._modes(left, right, calls)
        forward = self._forward(left, right, calls, rows)
        lost = self._loss(left, right, forward)
        if not forward and not lost:
            self._backward(left, right, calls, rows)
        self._after(left, right)

    def _counted(self, left: Step, right: Step, calls: list[tuple[int, int]]) -> None:
        """Say which paired layers one side calls more often."""
        used = {left.calls[a].path for a, _ in calls}
        for one, other in self.pairs.by_torch.items():
            counts = (
                sum(c.layer and c.path == one for c in left.calls),
                sum(c.layer and c.path == other for c in right.calls),
            )
            if counts[0] != counts[1] and 0 in counts:
                torch = counts[1] == 0
                # A layer that keeps what a function is given.
                if between.gives(self, left, right, one if torch else other, torch):
                    continue
            leaf = one not in self.layers or not self.layers[one].own
            if counts[0] != counts[1] and (leaf or one in used) and not self.parted:
                self.find(
                    "layers", "other_count", left.number, one, other, told=(one, other, *counts)
                )
                self.parted = True

    def _row(self, left: Step, right: Step, one: int, other: int, depth: int) -> Row:
        a, b = left.calls[one], right.calls[other]
        given = self.tensors(left, right, a.inputs, b.inputs)
        gave = self.tensors(left, right, a.outputs, b.outputs)
        if [left.tensors[at].shape for _, at in a.outputs] == [()]:
            self.inherit(gave, given)
        return Row(
            left.number, depth, a.path, b.path, a.name, b.name, a.training, given, gave,
            self.tensors(left, right, a.outputs, b.outputs, True),
        )  # fmt: skip

    def _broken(self, left: Step, right: Step) -> None:
        for name, side, step in (("torch", self.torch, left), ("mindspore", self.mindspore, right)):
            if name not in self.broken:
                place = between.first_broken(side, step)
                if place:
                    self.broken[name] = place

    def _roots(self, left: Step, right: Step) -> bool:
        """Whether the models were given the same; otherwise say so."""
        for one, other in zip(_outermost(left), _outermost(right), strict=False):
            a, b = left.calls[one], right.calls[other]
            sizes = self.tensors(left, right, a.inputs, b.inputs)
            # What one model gives another differs for other reasons.
            made = {at for call in left.calls[:one] if call.layer for _, at in call.outputs}
            given = any(at in made for _, at in a.inputs)
            if sizes.status not in FINE and not given and not self.parted:
                self.find(
                    "inputs", "other_inputs", left.number, a.path, b.path, "inputs", sizes,
                    (a.name, left.number), names=(a.name, b.name),
                )  # fmt: skip
                self.parted = True
                return False
        return True

    def _modes(self, left: Step, right: Step, calls: list[tuple[int, int]]) -> None:
        if any(found.stage == "mode" for found in self.findings):
            return
        for one, other in calls:
            a, b = left.calls[one], right.calls[other]
            if a.training == b.training or a.training is None or b.training is None:
                continue
            minds = [c for c in self.facts.caveats(self.base(a), b.name) if causes.by_mode(c)]
            if minds and not self._harmless(a):
                modes = [texts.MODES[bool(call.training)] for call in (a, b)]
                self.find(
                    "mode", "other_mode", left.number, a.path, b.path, "training", None,
                    (a.path or a.name, *modes), training=a.training,
                    names=(self.base(a), b.name),
                )  # fmt: skip
                return

    def _harmless(self, call: Call) -> bool:
        """Whether a layer does the same in both modes: nothing is dropped out."""
        layer = self.layers.get(call.path)
        given = {} if layer is None else layer.arguments
        rate = given.get("p", given.get("dropout"))
        return rate == 0

    def _forward(
        self, left: Step, right: Step, calls: list[tuple[int, int]], rows: list[Row]
    ) -> bool:
        """Say where outputs part; whether they do."""
        last = ""
        for (one, other), row in zip(calls, rows, strict=True):
            if row.forward.status in FINE:
                last = row.torch or row.torch_name
                continue
            mode = next((f for f in self.findings if f.stage == "mode"), None)
            if mode is not None and mode.torch == row.torch and mode.step == left.number:
                mode.sizes, self.parted = row.forward, True
            if not self.parted:
                where = between.narrow(self, left, right, one, other)
                self.find(
                    "forward", where.kind, left.number, row.torch, row.mindspore, where.what,
                    where.sizes or row.forward,
                    (row.torch or row.torch_name, texts.size(where.sizes or row.forward),
                     *where.told),
                    before=last, after=row.torch or row.torch_name, training=row.training,
                    names=where.names or (self.base(left.calls[one]), row.mindspore_name),
                )  # fmt: skip
                self.parted = True
            return True
        return False

    def _loss(self, left: Step, right: Step, forward: bool) -> bool:
        one, other = left.loss, right.loss
        if one is None or other is None:
            return False
        sizes = self.count(
            distance.apart((self.torch, one), (self.mindspore, other), later=self.stepped)
        )
        self.inherit(sizes)
        self.losses.append({
            "step": left.number, "torch": _number(self.torch, one),
            "mindspore": _number(self.mindspore, other), "status": sizes.status,
        })  # fmt: skip
        if sizes.status in FINE or forward:
            return sizes.status not in FINE
        if not self.parted:
            where = between.ahead(self, left, right)
            self.find(
                "loss", where.kind or "loss", left.number, "", "", where.what or "loss", sizes,
                (texts.size(sizes), *where.told), names=where.names or ("", ""),
            )  # fmt: skip
            self.parted = True
        return True

    def _backward(
        self, left: Step, right: Step, calls: list[tuple[int, int]], rows: list[Row]
    ) -> None:
        """Say where gradients part, going backwards.

        Only if one by a parameter differs, where there are any: between layers, a port may mask
        what a layer of PyTorch's ignores.
        """
        for row in rows:
            self.forgive(row.gradient)
        if self.parted or not self._weighty(left, right):
            return
        last = ""
        for (one, other), row in reversed(list(zip(calls, rows, strict=True))):
            if row.gradient.status in FINE:
                last = row.torch or row.torch_name
                found = self._weights(left, right, row)
                if found:
                    return
                continue
            where = between.behind(self, left, right, one, other)
            path = where.path if where.path is not None else row.torch
            there = self.pairs.by_torch.get(path, row.mindspore)
            self.find(
                "gradient", "gradient", left.number, path, there, "",
                row.gradient, (path or row.torch_name, texts.size(row.gradient), last),
                before=last, after=row.torch or row.torch_name, training=row.training,
                names=where.names or (self.base(left.calls[one]), row.mindspore_name),
            )  # fmt: skip
            self.parted = True
            return
        self._weights(left, right, None)

    def _weighty(self, left: Step, right: Step) -> bool:
        sizes = [self.state_of(one, left.gradients, right.gradients, True)
                 for one in self.states.pairs]  # fmt: skip
        known = [one for one in sizes if one is not None]
        return not known or any(one.status not in FINE for one in known)

    def _weights(self, left: Step, right: Step, row: Row | None) -> bool:
        """Say which gradient by a parameter differs, of one layer or of all."""
        for one in self.states.pairs:
            if row is not None and one.layer != row.torch:
                continue
            sizes = self.state_of(one, left.gradients, right.gradients, True)
            if sizes is None or sizes.status in FINE:
                continue
            self.find(
                "gradient", "weight_gradient", left.number, one.layer,
                self.pairs.by_torch.get(one.layer, ""), one.torch, sizes,
                (one.torch, texts.size(sizes)), training=None if row is None else row.training,
            )  # fmt: skip
            self.parted = True
            return True
        return False

    def _after(self, left: Step, right: Step) -> None:
        """Say which buffer or parameter differs after the step."""
        for buffers in (True, False):
            for one in self.states.pairs:
                if one.buffer != buffers:
                    continue
                sizes = self.state_of(one, left.state, right.state, True)
                if sizes is None or self.parted:
                    continue
                if not buffers and sizes.status == "agrees":
                    # Rounding that a step has left in a parameter is in all that follows from it.
                    self.drift = max(self.drift, sizes.relative)
                if not buffers and sizes.largest and self._known(left, one, sizes):
                    continue
                if sizes.status in FINE:
                    continue
                stage = "buffers" if buffers else "parameters"
                self.find(
                    stage, stage, left.number, one.layer, self.pairs.by_torch.get(one.layer, ""),
                    one.torch, sizes, (one.torch, left.number, texts.size(sizes)),
                )  # fmt: skip
                self.parted = True

    def _known(self, left: Step, one: StatePair, sizes: Sizes) -> bool:
        """Whether a parameter is off by what every step of this optimizer's counterpart is."""
        pairs = list(zip(self.torch.optimizers, self.mindspore.optimizers, strict=False))
        known = [
            (a["name"], caveat)
            for a, b in pairs
            for caveat in self.facts.caveats(a["name"], b["name"])
            if caveat.impact == "silent" and caveat.when == _ALWAYS
        ]
        moved = distance.moved(
            self.torch, self.torch.initial.get(one.torch), left.state.get(one.torch)
        )
        if not known or moved is None or sizes.status not in ("agrees", "differs"):
            return False
        if sizes.relative > _BY_OPTIMIZER * moved:
            return False
        for name, caveat in known:
            said = {"record": name, "caveat": caveat.id, "en": caveat.text.en,
                    "zh": caveat.text.zh}  # fmt: skip
            if said not in self.notes and sizes.status == "differs":
                self.notes.append(said)
        self.drift = max(self.drift, sizes.relative)
        return True

    def _comparison(self, steps: list[tuple[Step, Step]]) -> Compared:
        from msmap import __version__

        order = {path: number for number, path in enumerate(self.layers)}
        # What comes about later in a run comes later here; causes stand before what they do.
        self.findings.sort(key=lambda f: (texts.ORDER[f.stage], f.step, order.get(f.torch, 1e9)))
        bad = [f for f in self.findings if f.stage != "layers"]
        verdict = "differs" if bad else "incomplete" if self.findings else "agrees"
        return Compared(
            verdict,
            _told(self.torch),
            _told(self.mindspore),
            Counts(
                len(self.pairs.by_torch), self._calls, self._tensors, self._agreeing,
                len(self.states.pairs), len(steps),
            ),
            self.findings,
            [*self.pairs.torch_alone, *self.states.torch_alone],
            [*self.pairs.mindspore_alone, *self.states.mindspore_alone],
            {one: other for one, other in self.pairs.by_torch.items() if one != other},
            self.broken,
            self.rows,
            self.losses,
            self.notes,
            __version__,
        )  # fmt: skip


def _outermost(step: Step) -> list[int]:
    """The calls of models and losses that stand in no other layer's."""
    inner: list[int] = []
    for number, call in enumerate(step.calls):
        if call.layer and call.inside is None and not call.path.startswith("("):
            inner.append(number)
    return inner


def _number(recording: Recording, tensor: Tensor) -> float | None:
    value = recording.value(tensor)
    if value is not None and value.size == 1:
        return float(value.reshape(()))
    return None if tensor.statistics is None else float(tensor.statistics.get("mean", 0.0))


def _told(recording: Recording) -> Side:
    return Side(
        recording.source, recording.framework, recording.release, recording.device,
        recording.values, len(recording.steps), len(recording.layers),
    )  # fmt: skip
