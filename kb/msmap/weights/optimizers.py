"""The state of an optimizer, so that training goes on where it was left."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from msmap.errors import WeightsError
from msmap.weights import reasons, spread
from msmap.weights.carry import Plan, changed
from msmap.weights.expressions import evaluate
from msmap.weights.report import Placed
from msmap.weights.tensors import Held, held


@dataclass(frozen=True, slots=True)
class Rule:
    """What an optimizer of MindSpore's keeps.

    ``each`` are what it has of each parameter, by PyTorch's name; ``ones`` what it has besides,
    which begins as ones and is zeros once the first step is done; ``step`` the name and dtype of
    its count of steps; ``powers`` the names of the betas to the power of that count.
    """

    each: Mapping[str, str]
    ones: str = ""
    step: tuple[str, str, tuple[int, ...]] | None = None
    powers: tuple[str, ...] = ()


_SGD = Rule({"momentum_buffer": "accum"}, ones="stat")
_MOMENTUM = Rule({"momentum_buffer": "moments"})
_ADAM = {"exp_avg": "exp_avg", "exp_avg_sq": "exp_avg_sq", "max_exp_avg_sq": "max_exp_avg_sq"}
RULES: dict[str, Rule] = {
    "mindspore.experimental.optim.SGD": _SGD,
    "mindspore.nn.SGD": _SGD,
    "mindspore.nn.Momentum": _MOMENTUM,
    "mindspore.mint.optim.SGD": Rule(
        {"momentum_buffer": "momentum_buf"}, step=("step_t", "int32", ())
    ),
    "mindspore.experimental.optim.Adam": Rule(_ADAM, step=("state_step", "int32", ())),
    "mindspore.experimental.optim.AdamW": Rule(_ADAM, step=("state_step", "int32", ())),
    "mindspore.mint.optim.Adam": Rule(_ADAM, step=("state_step", "float32", (1,))),
    "mindspore.mint.optim.AdamW": Rule(_ADAM, step=("state_step", "float32", (1,))),
    "mindspore.nn.Adam": Rule(
        {"exp_avg": "moment1", "exp_avg_sq": "moment2", "max_exp_avg_sq": "vhat"},
        step=("global_step", "int32", (1,)),
        powers=("beta1_power", "beta2_power"),
    ),
    "mindspore.experimental.optim.RMSprop": Rule(
        {"square_avg": "mean_square", "momentum_buffer": "moment", "grad_avg": "mean_grad"}
    ),
    "mindspore.experimental.optim.Adagrad": Rule({"sum": "accum"}, step=("step_t", "int32", ())),
}
# By what only they keep.
_USUAL = (
    ("exp_avg", "mindspore.experimental.optim.Adam"),
    ("square_avg", "mindspore.experimental.optim.RMSprop"),
    ("sum", "mindspore.experimental.optim.Adagrad"),
    ("momentum_buffer", "mindspore.experimental.optim.SGD"),
)
_ADAMW = "mindspore.experimental.optim.AdamW"
_BETAS = (0.9, 0.999)


def usual(state: Mapping[str, Any]) -> str:
    """The optimizer of MindSpore's that a state is for, by what it keeps; "" if it keeps nothing.

    Raises:
        WeightsError: no counterpart is known.
    """
    kept = {str(n) for its in state["state"].values() if isinstance(its, Mapping) for n in its}
    if not kept:
        return ""
    for name, optimizer in _USUAL:
        if name in kept:
            return _ADAMW if name == "exp_avg" and not _adds_decay(state) else optimizer
    raise WeightsError(
        "no optimizer of MindSpore's is known that keeps {}", ", ".join(sorted(kept))
    )


def _adds_decay(state: Mapping[str, Any]) -> bool:
    """Whether any weight decay goes into gradients: without, AdamW is the nearer counterpart."""
    groups = [one for one in state.get("param_groups", ()) if isinstance(one, Mapping)]
    return any(g.get("weight_decay") and not g.get("decoupled_weight_decay") for g in groups)


def carry(
    state: Mapping[str, Any],
    kind: str,
    order: Sequence[Sequence[str]] | Mapping[str, tuple[int, ...]],
    going: Mapping[str, tuple[str, str]],
    holds: Callable[[str], bool],
) -> Plan:
    """The state of PyTorch's optimizer under the names of MindSpore's.

    Args:
        state: as ``optimizer.state_dict()`` gives it.
        kind: the optimizer of MindSpore's.
        order: the parameters by the optimizer's groups, or the model's in its order with shapes.
        going: by a parameter's name in PyTorch that in MindSpore, and how its values are put.
        holds: whether the file to write can hold a dtype.

    Raises:
        WeightsError: which parameter a state is of isn't known.
    """
    if kind and kind not in RULES:
        raise WeightsError("optimizer {}: one of {}", kind, ", ".join(RULES))
    plan = Plan()
    rule = RULES.get(kind, Rule({}))
    steps: list[Any] = []
    for index, name in _names(state, order).items():
        its = state["state"].get(index)
        if not isinstance(its, Mapping):
            continue
        if name not in going:
            for part, tensor in its.items():
                if isinstance(tensor, Held) and tensor.shape:
                    plan.refuse(f"{part} of {name}", tensor, reasons.NO_PARAMETER)
            continue
        _of_one(plan, rule, name, its, going[name], holds)
        if "step" in its:
            steps.append(its["step"])
    if steps:
        _count(plan, rule, state, steps)
    return plan


def _of_one(
    plan: Plan,
    rule: Rule,
    name: str,
    its: Mapping[str, Any],
    going: tuple[str, str],
    holds: Callable[[str], bool],
) -> None:
    """What is kept of one parameter."""
    import numpy as np

    there, value = going
    for part, tensor in its.items():
        if not isinstance(tensor, Held) or part == "step":
            continue
        said = f"{part} of {name}"
        if part not in rule.each:
            plan.refuse(said, tensor, reasons.NOT_KEPT)
            continue
        if not holds(tensor.dtype):
            plan.refuse(said, tensor, reasons.no_dtype(tensor.dtype))
            continue
        made = changed(tensor, value, said)
        key = f"{rule.each[part]}.{there}"
        plan.put(said, key, made)
        plan.placed.append(
            Placed(said, key, "", made.dtype, made.shape, "" if value == "value" else value)
        )
        if rule.ones and part == "momentum_buffer":
            zeros = held(np.zeros(made.shape, np.float32))
            plan.put(said, f"{rule.ones}.{there}", zeros)


def _names(
    state: Mapping[str, Any], order: Sequence[Sequence[str]] | Mapping[str, tuple[int, ...]]
) -> dict[Any, str]:
    """The parameter that each index of an optimizer means.

    An optimizer numbers parameters as it gets them, group by group: in each in the model's order,
    unless the file has their names.
    """
    groups = state["param_groups"]
    indices = [index for group in groups for index in group.get("params", ())]
    named = [name for group in groups for name in group.get("param_names") or ()]
    if len(named) == len(indices):
        return dict(zip(indices, map(str, named), strict=True))
    if not isinstance(order, Mapping):
        sizes = [[len(group) for group in some] for some in (_params(groups), order)]
        if sizes[0] != sizes[1]:
            raise WeightsError(
                "the optimizer has groups of {} parameters, and that of --model of {}: give the "
                "one that the file is of",
                sizes[0],
                sizes[1],
            )
        return dict(zip(indices, (name for group in order for name in group), strict=True))
    if len(groups) == 1 and len(indices) == len(order):
        return dict(zip(indices, order, strict=True))
    if len(indices) > len(order):
        raise WeightsError(
            "the optimizer has {} parameters, and the model {}: give the model with --model, as "
            "it was when the optimizer was made",
            len(indices),
            len(order),
        )
    shapes = {index: _shape(state["state"].get(index)) for index in indices}
    wanted = [[(index, shapes[index]) for index in group] for group in _params(groups)]
    found = spread.spread(wanted, list(order.items()))
    if found is None:
        raise WeightsError(
            "which parameters stand in which group of the optimizer isn't told by their shapes: "
            "let --model give the optimizer too, as (model, inputs, loss, optimizer), or save one "
            "that is made of model.named_parameters()"
        )
    return found


def _params(groups: Sequence[Mapping[str, Any]]) -> list[Sequence[Any]]:
    return [group.get("params", ()) for group in groups]


def _shape(its: Any) -> tuple[int, ...] | None:
    """The shape of what is kept of a parameter, which is its own; None if nothing is."""
    kept = its.values() if isinstance(its, Mapping) else ()
    return next((one.shape for one in kept if isinstance(one, Held) and one.shape), None)


def _count(plan: Plan, rule: Rule, state: Mapping[str, Any], steps: Sequence[Any]) -> None:
    """How many steps were done."""
    import numpy as np

    counts = {float(one.read()) if isinstance(one, Held) else float(one) for one in steps}
    if len(counts) > 1:
        raise WeightsError(
            "parameters have done different numbers of steps, and MindSpore counts once for all: "
            "{}",
            ", ".join(f"{one:g}" for one in sorted(counts)),
        )
    count = counts.pop()
    if rule.step is not None:
        name, dtype, shape = rule.step
        _number(plan, "step", name, np.full(shape, count, dtype))
    betas = state["param_groups"][0].get("betas", _BETAS)
    for name, beta in zip(rule.powers, betas, strict=False):
        _number(plan, "step", name, np.asarray(float(beta) ** count, np.float32))


def _number(plan: Plan, said: str, name: str, value: Any) -> None:
    plan.put(said, name, held(value))
    plan.placed.append(Placed(said, name, "", str(value.dtype), value.shape, ""))


def back(
    tensors: Mapping[str, Held],
    kind: str,
    groups: Sequence[Sequence[str]],
    going: Mapping[str, tuple[str, str]],
) -> tuple[dict[str, Any], Plan]:
    """The state of MindSpore's optimizer as PyTorch's ``optimizer.load_state_dict`` takes it.

    ``going`` has by a parameter's name in PyTorch that in MindSpore, and how to put values back.
    ``groups`` are the parameters in their order. Only numbers are there: PyTorch's own optimizer
    has the rates.
    """
    import numpy as np

    plan = Plan()
    rule = RULES[kind]
    done = _steps(tensors, rule)
    state: dict[int, dict[str, Any]] = {}
    used = {name for name, _, _ in [rule.step] if name} if rule.step else set()
    used |= set(rule.powers)
    order = [name for group in groups for name in group]
    for index, name in enumerate(order):
        there, value = going.get(name, ("", ""))
        for part, prefix in rule.each.items():
            key = f"{prefix}.{there}"
            used |= {key, f"{rule.ones}.{there}"}
            if key not in tensors:
                continue
            begun = tensors.get(f"{rule.ones}.{there}")
            if begun is not None and begun.read().any():
                continue
            made = changed(tensors[key], value, key)
            state.setdefault(index, {})[part] = made
            plan.placed.append(Placed(f"{part} of {name}", key, "", made.dtype, made.shape, ""))
        # What counts no steps doesn't compute with them; PyTorch asks for a number all the same.
        if index in state and not rule.ones and rule is not _MOMENTUM:
            state[index]["step"] = held(np.asarray(done or 0, np.float32))
    names = {there for there, _ in going.values()}
    for key, tensor in tensors.items():
        if key not in used and key not in names and key not in _OTHERS:
            plan.refuse(key, tensor, reasons.NOT_KEPT)
    begins = list(accumulate(map(len, groups), initial=0))
    numbered = [{"params": list(range(*ends))} for ends in pairwise(begins)]
    return {"state": state, "param_groups": numbered}, plan


# What MindSpore's optimizers hold besides, which PyTorch's have in their groups.
_OTHERS = {"global_step", "learning_rate", "momentum"}


def _steps(tensors: Mapping[str, Held], rule: Rule) -> float | None:
    if rule.step is None or rule.step[0] not in tensors:
        return None
    return float(evaluate("value", tensors[rule.step[0]].read()).reshape(-1)[0])
