"""Two recordings compared: what differs, in the order in which it comes about."""

from __future__ import annotations

from typing import Any

from msmap.compare import between, causes, pairing, state, texts
from msmap.compare.distance import apart
from msmap.compare.pairing import Pairs
from msmap.compare.report import Compared, Counts, Row, Side
from msmap.compare.state import StatePair, States
from msmap.compare.terms import Facts, Finding, Sizes
from msmap.recording.model import BadRecording, Call, Recording, Step, Tensor

_FINE = ("agrees", "unknown", "absent")
# What another argument may bring about.
_BY_ARGUMENTS = ("forward", "gradient", "buffers", "parameters", "layers", "mode")
# An optimizer whose record tells of a difference in every step may be off by this part of what it
# moves a parameter, and what follows from that by so many times as much.
_BY_OPTIMIZER, _AFTER = 0.1, 30.0


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
            f"{one.source} is of {one.framework}, {other.source} of {other.framework}: one of"
            " PyTorch and one of MindSpore are compared"
        )
    return known["torch"], known["mindspore"]


class _Judge:
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
        self._tensors = self._agreeing = self._calls = 0
        self._kept: dict[tuple[int, int, int, bool], Sizes] = {}

    def run(self) -> Compared:
        steps = self._steps()
        self._alone()
        self._initial()
        self._tied()
        for left, right in steps:
            self._step(left, right)
            self.stepped = True
        self._arguments()
        self._optimizers()
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
                f"{self.torch.source} has steps {numbers[0]}, {self.mindspore.source} has steps"
                f" {numbers[1]}: none in common; record the same ones"
            )
        if len(both) < max(len(self.torch.steps), len(self.mindspore.steps)):
            counts = len(self.torch.steps), len(self.mindspore.steps)
            self._find("inputs", "steps", 0, what="steps", told=counts)
        return both

    def _find(
        self, stage: str, kind: str, step: int, torch: str = "", mindspore: str = "",
        what: str = "", sizes: Sizes | None = None, told: tuple[Any, ...] = (), **more: Any,
    ) -> Finding:  # fmt: skip
        names = more.pop("names", None) or (
            self.layers[torch].base if torch in self.layers else "",
            self.others[mindspore].base if mindspore in self.others else "",
        )
        en, zh = texts.say(kind, *told)
        training = more.pop("training", None)
        made = Finding(
            stage, kind, step, training, torch, mindspore, names[0], names[1], what, sizes, en, zh,
            **more,
        )  # fmt: skip
        self.findings.append(made)
        return made

    def _alone(self) -> None:
        for names, side in (
            (self.pairs.torch_alone, "torch"), (self.pairs.mindspore_alone, "mindspore"),
        ):  # fmt: skip
            for name in names:
                paths = (name, "") if side == "torch" else ("", name)
                self._find("layers", f"{side}_layer_alone", 0, *paths, told=(name,))
        alone = {"torch": self.pairs.torch_alone, "mindspore": self.pairs.mindspore_alone}
        for side, names in (
            ("torch", self.states.torch_alone), ("mindspore", self.states.mindspore_alone),
        ):  # fmt: skip
            for name in names:
                path = name.rpartition(".")[0]
                if path in alone[side]:
                    continue
                paths = (
                    (path, self.pairs.by_torch.get(path, ""))
                    if side == "torch"
                    else (self.pairs.by_mindspore.get(path, ""), path)
                )
                self._find("layers", f"{side}_state_alone", 0, *paths, what=name, told=(name,))

    # -- state ----------------------------------------------------------------------------------

    def _initial(self) -> None:
        for one in self.states.pairs:
            sizes = self._state(one, self.torch.initial, self.mindspore.initial)
            if sizes is None or sizes.status in _FINE:
                continue
            if sizes.status == "shape":
                # What made it so is found among the layers.
                self._find(
                    "layers", "state_shape", 0, one.layer, self.pairs.by_torch.get(one.layer, ""),
                    one.torch, sizes, (one.torch, one.mindspore, sizes.detail),
                )  # fmt: skip
                continue
            turned = self._turned(one)
            kind = "state_turned" if turned else "state_begins"
            self._find(
                "state", kind, 0, one.layer, self.pairs.by_torch.get(one.layer, ""), one.torch,
                sizes, (one.torch, one.mindspore),
            )  # fmt: skip
            self.parted = True

    def _state(
        self, one: StatePair, left: dict[str, Tensor], right: dict[str, Tensor],
        gradient: bool = False,
    ) -> Sizes | None:  # fmt: skip
        if one.torch not in left or one.mindspore not in right:
            return None
        mapped = state.mapped(self.torch, left, one)
        return self._count(
            apart(
                (self.torch, left[one.torch]), (self.mindspore, right[one.mindspore]), gradient,
                mapped, later=self.stepped,
            )
        )  # fmt: skip

    def _count(self, sizes: Sizes) -> Sizes:
        self._tensors += 1
        if sizes.status == "differs" and sizes.relative <= _AFTER * self.drift:
            sizes.status, sizes.detail = "agrees", "known"
        self._agreeing += sizes.status == "agrees"
        return sizes

    def _turned(self, one: StatePair) -> bool:
        """Whether MindSpore's values are PyTorch's, with two axes exchanged."""
        tensors = self.torch.initial[one.torch], self.mindspore.initial[one.mindspore]
        if not all(t.data for t in tensors) or len(tensors[0].shape) != 2:
            return False
        left = self.torch.value(tensors[0]).T
        right = self.mindspore.value(tensors[1])
        return left.shape == right.shape and bool((left == right).all())

    def _tied(self) -> None:
        names = {one.torch: one.mindspore for one in self.states.pairs}
        others = [set(group) for group in self.mindspore.tied]
        for group in self.torch.tied:
            there = {names[name] for name in group if name in names}
            if len(there) > 1 and not any(there <= other for other in others):
                path = group[-1].rpartition(".")[0]
                self._find(
                    "state", "untied", 0, path, self.pairs.by_torch.get(path, ""),
                    " = ".join(group), None, (" = ".join(group), ", ".join(sorted(there))),
                )  # fmt: skip
        back = {other: one for one, other in names.items()}
        ones = [set(group) for group in self.torch.tied]
        for group in self.mindspore.tied:
            there = {back[name] for name in group if name in back}
            if len(there) > 1 and not any(there <= one for one in ones):
                path = self.pairs.by_mindspore.get(group[-1].rpartition(".")[0], "")
                self._find(
                    "state", "tied_there", 0, path, group[-1].rpartition(".")[0],
                    " = ".join(group), None, (" = ".join(group), ", ".join(sorted(there))),
                )  # fmt: skip

    # -- a step ---------------------------------------------------------------------------------

    def _step(self, left: Step, right: Step) -> None:
        calls = self._called(left, right)
        self._calls += len(calls)
        self._kept = {}
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

    def _called(self, left: Step, right: Step) -> list[tuple[int, int]]:
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

    def _counted(self, left: Step, right: Step, calls: list[tuple[int, int]]) -> None:
        """Say which paired layers one side calls more often."""
        used = {left.calls[a].path for a, _ in calls}
        for one, other in self.pairs.by_torch.items():
            counts = (
                sum(c.layer and c.path == one for c in left.calls),
                sum(c.layer and c.path == other for c in right.calls),
            )
            leaf = one not in self.layers or not self.layers[one].own
            if counts[0] != counts[1] and (leaf or one in used) and not self.parted:
                self._find(
                    "layers", "other_count", left.number, one, other, told=(one, other, *counts)
                )
                self.parted = True

    def _row(self, left: Step, right: Step, one: int, other: int, depth: int) -> Row:
        a, b = left.calls[one], right.calls[other]
        return Row(
            left.number, depth, a.path, b.path, a.name, b.name, a.training,
            self.tensors(left, right, a.inputs, b.inputs, False, None),
            self.tensors(left, right, a.outputs, b.outputs, False, a.local),
            self.tensors(left, right, a.outputs, b.outputs, True, None),
        )  # fmt: skip

    def tensors(
        self, left: Step, right: Step, ones: list[tuple[str, int]], others: list[tuple[str, int]],
        gradient: bool, local: tuple[float, float] | None,
    ) -> Sizes:  # fmt: skip
        """How far the tensors of two places are apart: the worst of them."""
        worst = Sizes("absent")
        for (_, a), (_, b) in zip(ones, others, strict=False):
            sizes = self.pair(left, right, a, b, gradient, local)
            if worst.status in _FINE and sizes.status != "absent":
                worst = sizes if sizes.ratio >= worst.ratio or sizes.status not in _FINE else worst
            elif sizes.status not in _FINE and sizes.ratio > worst.ratio:
                worst = sizes
        if len(ones) != len(others) and not gradient and worst.status in _FINE:
            # One side passes what it needn't, such as a state of zeros.
            return worst
        return worst

    def pair(
        self, left: Step, right: Step, a: int, b: int, gradient: bool,
        local: tuple[float, float] | None = None,
    ) -> Sizes:  # fmt: skip
        """How far two tensors, or the gradients by them, are apart."""
        key = (left.number, a, b, gradient)
        if key not in self._kept:
            one: Tensor | None = left.tensors[a]
            other: Tensor | None = right.tensors[b]
            if gradient:
                one, other = left.tensors[a].gradient, right.tensors[b].gradient
            self._kept[key] = (
                Sizes("absent")
                if one is None or other is None
                else self._count(
                    apart(
                        (self.torch, one),
                        (self.mindspore, other),
                        gradient,
                        None,
                        local,
                        self.stepped,
                    )
                )
            )
        return self._kept[key]

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
            sizes = self.tensors(left, right, a.inputs, b.inputs, False, None)
            # What one model gives another differs for other reasons.
            made = {at for call in left.calls[:one] if call.layer for _, at in call.outputs}
            given = any(at in made for _, at in a.inputs)
            if sizes.status not in _FINE and not given and not self.parted:
                self._find(
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
                self._find(
                    "mode", "other_mode", left.number, a.path, b.path, "training", None,
                    (a.path or a.name, *modes), training=a.training,
                    names=(self.base(a), b.name),
                )  # fmt: skip
                return

    def quiet_pair(self, left: Step, right: Step, a: int, b: int) -> Sizes:
        """How far two tensors are apart that needn't be partners."""
        return apart((self.torch, left.tensors[a]), (self.mindspore, right.tensors[b]))

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
            if row.forward.status in _FINE:
                last = row.torch or row.torch_name
                continue
            mode = next((f for f in self.findings if f.stage == "mode"), None)
            if mode is not None and mode.torch == row.torch and mode.step == left.number:
                mode.sizes, self.parted = row.forward, True
            if not self.parted:
                where = between.narrow(self, left, right, one, other)
                self._find(
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
        sizes = self._count(apart((self.torch, one), (self.mindspore, other), later=self.stepped))
        self.losses.append({
            "step": left.number, "torch": _number(self.torch, one),
            "mindspore": _number(self.mindspore, other), "status": sizes.status,
        })  # fmt: skip
        if sizes.status in _FINE or forward:
            return sizes.status not in _FINE
        if not self.parted:
            where = between.ahead(self, left, right)
            self._find(
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
        if self.parted or not self._weighty(left, right):
            return
        last = ""
        for (one, other), row in reversed(list(zip(calls, rows, strict=True))):
            if row.gradient.status in _FINE:
                last = row.torch or row.torch_name
                found = self._weights(left, right, row)
                if found:
                    return
                continue
            where = between.behind(self, left, right, one, other)
            path = where.path if where.path is not None else row.torch
            there = self.pairs.by_torch.get(path, row.mindspore)
            self._find(
                "gradient", "gradient", left.number, path, there, "",
                row.gradient, (path or row.torch_name, texts.size(row.gradient), last),
                before=last, after=row.torch or row.torch_name, training=row.training,
                names=where.names or (self.base(left.calls[one]), row.mindspore_name),
            )  # fmt: skip
            self.parted = True
            return
        self._weights(left, right, None)

    def _weighty(self, left: Step, right: Step) -> bool:
        sizes = [self._state(one, left.gradients, right.gradients, True)
                 for one in self.states.pairs]  # fmt: skip
        known = [one for one in sizes if one is not None]
        return not known or any(one.status not in _FINE for one in known)

    def _weights(self, left: Step, right: Step, row: Row | None) -> bool:
        """Say which gradient by a parameter differs, of one layer or of all."""
        for one in self.states.pairs:
            if row is not None and one.layer != row.torch:
                continue
            sizes = self._state(one, left.gradients, right.gradients, True)
            if sizes is None or sizes.status in _FINE:
                continue
            self._find(
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
                sizes = self._state(one, left.state, right.state, True)
                if sizes is None or self.parted:
                    continue
                if not buffers and sizes.largest and self._known(left, one, sizes):
                    continue
                if sizes.status in _FINE:
                    continue
                stage = "buffers" if buffers else "parameters"
                self._find(
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
            if caveat.impact == "silent" and caveat.when is not None and caveat.when.on == "call"
        ]
        moved = self._moved(one, left)
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

    def _moved(self, one: StatePair, left: Step) -> float | None:
        """How far the steps up to this one have moved a parameter, as a part of its size."""
        before, after = self.torch.initial.get(one.torch), left.state.get(one.torch)
        if before is None or after is None or not before.data or not after.data:
            return None
        values = self.torch.value(after)
        size = float((values.astype(float) ** 2).mean() ** 0.5)
        far = float(((values - self.torch.value(before)).astype(float) ** 2).mean() ** 0.5)
        return far / size if size else None

    # -- arguments ------------------------------------------------------------------------------

    def _arguments(self) -> None:
        outside = [
            (call, other)
            for left, right in zip(self.torch.steps[:1], self.mindspore.steps[:1], strict=False)
            for a, b in self._called(left, right)
            for call, other in ((left.calls[a], right.calls[b]),)
            if call.path not in self.layers
        ]
        found = [
            (one.path, other.path, one.base, other.base, one.arguments, other.arguments)
            for one in self.torch.layers
            if (other := self.others.get(self.pairs.by_torch.get(one.path, "\n"))) is not None
        ]
        found += [(a.path, b.path, a.name, b.name, a.arguments, b.arguments) for a, b in outside]
        told: set[str] = set()
        for path, there_path, torch, mindspore, given, there in found:
            if path in told or not given or not there:
                continue
            told.add(path)
            differing = self.facts.arguments(torch, given, mindspore, there)
            if differing:
                self._argue(path, there_path, torch, mindspore, differing)

    def _argue(
        self, path: str, other: str, torch: str, mindspore: str, differing: tuple[Any, ...]
    ) -> None:
        mine = [f for f in self.findings if f.torch == path and f.stage in _BY_ARGUMENTS]
        for finding in mine:
            finding.arguments = differing
        if mine:
            return
        said = "; ".join(
            f"{one.mindspore}={one.found!r}, not {one.expected!r}" for one in differing
        )
        self._find(
            "arguments", "arguments", 0, path, other, differing[0].mindspore, None,
            (path, said), arguments=differing, names=(torch, mindspore),
        )  # fmt: skip

    def _optimizers(self) -> None:
        for one, other in zip(self.torch.optimizers, self.mindspore.optimizers, strict=False):
            differing = self.facts.arguments(
                one["name"], one["arguments"], other["name"], other["arguments"]
            )
            if not differing:
                continue
            said = "; ".join(f"{a.mindspore}={a.found!r}, not {a.expected!r}" for a in differing)
            for finding in self.findings:
                if finding.stage == "parameters":
                    finding.arguments = differing
                    finding.torch_name, finding.mindspore_name = one["name"], other["name"]
                    return
            self._find(
                "optimizer", "arguments", 0, "", "", differing[0].mindspore, None,
                (one["name"], said), arguments=differing, names=(one["name"], other["name"]),
            )  # fmt: skip

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
