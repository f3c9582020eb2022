"""What differs between two models before they run: partners, state, arguments."""

from __future__ import annotations

from typing import Any

from msmap.compare import between, functions, texts
from msmap.compare.matter import Matter
from msmap.compare.state import StatePair
from msmap.compare.terms import FINE
from msmap.recording.model import Step

# What another argument may bring about.
_BY_ARGUMENTS = ("forward", "gradient", "buffers", "parameters", "layers", "mode")


class Made(Matter):
    """How the two models were made and what they begin with."""

    def alone(self, steps: list[tuple[Step, Step]]) -> None:
        """Say what has no partner; a layer that is a function on the other side has one."""
        for names, side, layers in (
            (self.pairs.torch_alone, "torch", self.layers),
            (self.pairs.mindspore_alone, "mindspore", self.others),
        ):
            for name in list(names):
                if between.is_function(self, steps, name, side == "torch"):
                    names.remove(name)
                    continue
                paths = (name, "") if side == "torch" else ("", name)
                # The model itself has no path.
                said = name or (layers[""].name if "" in layers else "")
                self.find("layers", f"{side}_layer_alone", 0, *paths, told=(said,))
        alone = {"torch": self.pairs.torch_alone, "mindspore": self.pairs.mindspore_alone}
        for side, names in (
            ("torch", self.states.torch_alone), ("mindspore", self.states.mindspore_alone),
        ):  # fmt: skip
            for name in list(names):
                path = name.rpartition(".")[0]
                if path in alone[side]:
                    continue
                if side == "mindspore" and self._neutral(name, steps):
                    names.remove(name)
                    continue
                paths = (
                    (path, self.pairs.by_torch.get(path, ""))
                    if side == "torch"
                    else (self.pairs.by_mindspore.get(path, ""), path)
                )
                self.find("layers", f"{side}_state_alone", 0, *paths, what=name, told=(name,))

    def _neutral(self, name: str, steps: list[tuple[Step, Step]]) -> bool:
        """Whether what a normalisation has without a partner does nothing, at any time."""
        path, _, short = name.rpartition(".")
        layer = self.others.get(path)
        if short in ("moving_mean", "moving_variance") and layer is not None:
            # Kept, and never used.
            return layer.arguments.get("use_batch_statistics") is True
        value = {"gamma": 1.0, "weight": 1.0, "beta": 0.0, "bias": 0.0}.get(short)
        if layer is None or value is None or "Norm" not in layer.base:
            return False
        held = [self.mindspore.initial, *(right.state for _, right in steps)]
        return all(between.is_all(self.mindspore, one[name], value) for one in held if name in one)

    def initial(self) -> None:
        for one in self.states.pairs:
            sizes = self.state_of(one, self.torch.initial, self.mindspore.initial)
            if sizes is None or sizes.status in FINE:
                continue
            if sizes.status == "shape":
                # What made it so is found among the layers.
                self.find(
                    "layers", "state_shape", 0, one.layer, self.pairs.by_torch.get(one.layer, ""),
                    one.torch, sizes, (one.torch, one.mindspore, sizes.detail),
                )  # fmt: skip
                continue
            turned = self._turned(one)
            kind = "state_turned" if turned else "state_begins"
            self.find(
                "state", kind, 0, one.layer, self.pairs.by_torch.get(one.layer, ""), one.torch,
                sizes, (one.torch, one.mindspore),
            )  # fmt: skip
            self.parted = True

    def _turned(self, one: StatePair) -> bool:
        """Whether MindSpore's values are PyTorch's, with two axes exchanged."""
        tensors = self.torch.initial[one.torch], self.mindspore.initial[one.mindspore]
        if not all(t.data for t in tensors) or len(tensors[0].shape) != 2:
            return False
        left = self.torch.value(tensors[0]).T
        right = self.mindspore.value(tensors[1])
        return left.shape == right.shape and bool((left == right).all())

    def tied(self) -> None:
        names = {one.torch: one.mindspore for one in self.states.pairs}
        others = [set(group) for group in self.mindspore.tied]
        for group in self.torch.tied:
            there = {names[name] for name in group if name in names}
            if len(there) > 1 and not any(there <= other for other in others):
                path = group[-1].rpartition(".")[0]
                self.find(
                    "state", "untied", 0, path, self.pairs.by_torch.get(path, ""),
                    " = ".join(group), None, (" = ".join(group), ", ".join(sorted(there))),
                )  # fmt: skip
        back = {other: one for one, other in names.items()}
        ones = [set(group) for group in self.torch.tied]
        for group in self.mindspore.tied:
            there = {back[name] for name in group if name in back}
            if len(there) > 1 and not any(there <= one for one in ones):
                path = self.pairs.by_mindspore.get(group[-1].rpartition(".")[0], "")
                self.find(
                    "state", "tied_there", 0, path, group[-1].rpartition(".")[0],
                    " = ".join(group), None, (" = ".join(group), ", ".join(sorted(there))),
                )  # fmt: skip

    def arguments(self) -> None:
        outside = [
            (call, other)
            for left, right in zip(self.torch.steps[:1], self.mindspore.steps[:1], strict=False)
            for a, b in self.called(left, right)
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
        self.find(
            "arguments", "arguments", 0, path, other, differing[0].mindspore, None,
            (path, said), arguments=differing, names=(torch, mindspore),
        )  # fmt: skip

    def functions(self, steps: list[tuple[Step, Step]]) -> None:
        told: set[str] = set()
        for left, right in steps:
            for around, call, other, differing in functions.differing(self, left, right):
                path = "" if around is None else around.path
                where = texts.OUTSIDE if around is None else around.path or around.name
                again = repr((path, call.name, differing))
                if again in told:
                    continue
                told.add(again)
                mine = [f for f in self.findings if f.what == call.name and not f.arguments]
                for finding in mine:
                    finding.arguments = differing
                    finding.torch_name, finding.mindspore_name = call.name, other.name
                if not mine:
                    said = "; ".join(
                        f"{one.mindspore}={one.found!r}, not {one.expected!r}" for one in differing
                    )
                    self.find(
                        "arguments", "call_arguments", left.number, path,
                        self.pairs.by_torch.get(path, ""), call.name, None,
                        (other.name, where, said), arguments=differing,
                        names=(call.name, other.name),
                    )  # fmt: skip

    def optimizers(self) -> None:
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
            self.find(
                "optimizer", "arguments", 0, "", "", differing[0].mindspore, None,
                (one["name"], said), arguments=differing, names=(one["name"], other["name"]),
            )  # fmt: skip
