"""One check, in a process of its own: run both sides, compare, say what came out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from msmap.verify import compare, job
from msmap.verify.compare import Comparison
from msmap.verify.job import Job
from msmap.verify.sides import MindSporeSide, TorchSide

# What MindSpore says where an operator exists but not on this device.
_NO_KERNEL = re.compile(
    r"kernel .* unregistered|unregistered\.|not supported on this device|"
    r"Create kernelmod for op|KernelMod Init Failed|only supports? (the )?Ascend|"
    r"Unsupported op \[|is not supported in CPU|not support(ed)? on (device )?CPU|"
    r"current device type CPU|does not support on CPU|Not found op \S+ on device",
    re.IGNORECASE,
)
_SEED = 20


class Finding(Exception):
    """A check is over before anything could be compared."""

    def __init__(self, outcome: str, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.outcome, self.message, self.reason = outcome, message, reason


def parts(job_: Job, skip: frozenset[str]) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """The parts of a check by name, in order, each with what runs it; "" is the check itself.

    Those in ``skip`` are left out: they ran in another process.
    """
    if "" not in skip:
        yield "", lambda: run(job_)


def run(job_: Job) -> dict[str, Any]:
    """The outcome of a check, as the fields of a line of evidence."""
    try:
        return _run(job_)
    except Finding as found:
        return {"outcome": found.outcome, "message": found.message, "reason": found.reason}


def brief(error: BaseException) -> str:
    """The first line of an error that says something, without addresses or paths."""
    lines = [line.strip() for line in str(error).splitlines()]
    first = next((line for line in lines if line.strip("- ")), "")
    first = re.sub(r"0x[0-9a-f]+", "0x...", first)
    first = re.sub(r"(/[\w.+-]+){2,}", lambda m: "..." + m[1], first)
    return f"{type(error).__name__}: {first}"[:200]


def seed() -> None:
    """Start every random stream at the same place."""
    import mindspore
    import torch

    torch.manual_seed(_SEED)
    mindspore.set_seed(_SEED)
    np.random.seed(_SEED)


def _run(job_: Job) -> dict[str, Any]:
    import mindspore

    mindspore.runtime.launch_blocking()
    dtypes = {name: str(spec["dtype"]) for name, spec in job_.inputs.items()}
    arrays = {name: job.array(name, spec) for name, spec in job_.inputs.items()}
    torch_side = TorchSide(job_.torch, arrays, dtypes)
    mindspore_side = MindSporeSide(job_.mindspore, arrays, dtypes)
    if job_.expect == "torch-raises":
        return _torch_raises(job_, torch_side, mindspore_side)
    seed()
    _guard("PyTorch", lambda: torch_side.prepare(torch_side.tensors()))
    if job_.expect in ("raises", "crashes"):
        _guard("PyTorch", lambda: torch_side.run(torch_side.tensors()))
        return _mindspore_raises(job_, mindspore_side)
    seed()
    _guard("MindSpore", lambda: mindspore_side.prepare(mindspore_side.tensors()))
    layered = torch_side.layer is not None and mindspore_side.layer is not None
    if layered and job_.expect == "same":
        _copy_state(job_, torch_side.layer, mindspore_side.layer)
    found = Comparison()
    gave: dict[str, str] = {}
    gradients: list[str] = []
    for mode in job_.modes or (("train", "eval") if layered and job_.expect == "same" else ("",)):
        _set_mode(mode, torch_side, mindspore_side)
        gradients.append(_forward(job_, torch_side, mindspore_side, mode, found, gave))
    return _conclude(job_, found, gave, gradients)


def _guard(side: str, action: Any) -> Any:
    try:
        return action()
    except Exception as error:
        text = brief(error)
        if side == "MindSpore" and _NO_KERNEL.search(str(error)):
            raise Finding("untestable", text, "no_kernel") from None
        raise Finding("refuted", f"{side} raised {text}") from None


def _forward(
    job_: Job,
    torch_side: TorchSide,
    mindspore_side: MindSporeSide,
    mode: str,
    found: Comparison,
    gave: dict[str, str],
) -> str:
    """Compare results, then gradients; what was found goes into ``found`` and ``gave``."""
    seed()
    left = _guard("PyTorch", lambda: torch_side.run(torch_side.tensors()))
    gave["torch"] = compare.show(left)
    seed()
    right = _guard("MindSpore", lambda: mindspore_side.run(mindspore_side.tensors()))
    gave["mindspore"] = compare.show(_guard("MindSpore", lambda: _settled(right)))
    if job_.expect == "same-distribution":
        result = compare.distribution(left, right)
    else:
        result = compare.same(left, right, job_.rtol, job_.atol)
    _merge(found, result, mode)
    if mode and torch_side.layer is not None and job_.expect == "same":
        _merge(found, _states(job_, torch_side.layer, mindspore_side.layer), f"{mode}: state")
    if not job_.gradient or job_.expect == "same-distribution" or result.differences:
        return "not compared"
    return _gradients(job_, torch_side, mindspore_side, mode, found)


def _settled(value: Any) -> Any:
    """The value, after every tensor in it was read: MindSpore reports errors late."""
    compare.leaves(value)
    return value


def _merge(found: Comparison, more: Comparison, where: str) -> None:
    prefix = f"{where}: " if where else ""
    found.differences += [prefix + text for text in more.differences]
    found.max_abs = max(found.max_abs, more.max_abs)
    found.max_rel = max(found.max_rel, more.max_rel)
    found.detail = more.detail or found.detail


def _gradients(
    job_: Job, torch_side: TorchSide, mindspore_side: MindSporeSide, mode: str, found: Comparison
) -> str:
    wanted = [name for name, dtype in torch_side.dtypes.items() if "float" in dtype]
    if not wanted and torch_side.layer is None:
        return "none"
    seed()
    try:
        left, left_weights = torch_side.gradients(wanted, _SEED)
    except RuntimeError as error:
        return f"PyTorch has none: {brief(error)}"
    if not left and not left_weights:
        return "none"
    seed()
    try:
        right, right_weights = mindspore_side.gradients(wanted, _SEED)
        compare.leaves([right, right_weights])
    except Exception as error:
        if _NO_KERNEL.search(str(error)):
            return f"no kernel: {brief(error)}"
        found.differences.append(f"MindSpore's gradient raised {brief(error)}")
        return "error"
    result = compare.same(left, right, job_.rtol, job_.atol)
    if left_weights:
        expected = _mapped(job_, left_weights)
        shared = {k: v for k, v in expected.items() if k in right_weights}
        lost = sorted(set(expected) - set(right_weights))
        result_weights = compare.same(
            shared, {k: right_weights[k] for k in shared}, job_.rtol, job_.atol
        )
        _merge(result, result_weights, "parameters")
        result.differences += [f"parameter {k} is not trainable in MindSpore" for k in lost]
    place = f"{mode} gradient" if mode else "gradient"
    _merge(found, result, place)
    return "differs" if result.differences else "agrees"


def _mapped(job_: Job, values: dict[str, Any]) -> dict[str, Any]:
    """PyTorch's parameters (or gradients) under MindSpore's names and in its shapes."""
    import torch

    rules = {rule["torch"]: rule for rule in job_.state}
    found: dict[str, Any] = {}
    for name, value in values.items():
        rule = rules.get(name, {"mindspore": name, "value": "value"})
        target = rule["mindspore"]
        if target is None:
            continue
        array = value.detach().numpy() if isinstance(value, torch.Tensor) else value
        array = eval(rule["value"], {"np": np}, {"value": array, **_plain(values)})
        found[target] = array
    return found


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """All values by names that an expression can use: dots become underscores."""
    return {k.replace(".", "_"): v.detach().numpy() for k, v in values.items()}


def _copy_state(job_: Job, layer: Any, cell: Any) -> None:
    """Give the MindSpore layer the PyTorch layer's parameters and buffers."""
    import mindspore

    parameters = dict(cell.parameters_and_names())
    state = {k: v for k, v in layer.state_dict().items() if hasattr(v, "detach")}
    for name, array in _mapped(job_, state).items():
        if name not in parameters:
            known = ", ".join(parameters) or "none"
            raise Finding("refuted", f"state: no parameter {name} in MindSpore (has {known})")
        if tuple(array.shape) != tuple(parameters[name].shape):
            shapes = f"{tuple(array.shape)} and {tuple(parameters[name].shape)}"
            raise Finding("refuted", f"state: {name} has shapes {shapes}")
        parameters[name].set_data(mindspore.Tensor(np.ascontiguousarray(array)))


def _states(job_: Job, layer: Any, cell: Any) -> Comparison:
    """Compare parameters and buffers after a call, such as running statistics."""
    parameters = dict(cell.parameters_and_names())
    state = {k: v for k, v in layer.state_dict().items() if hasattr(v, "detach")}
    expected = _mapped(job_, state)
    return compare.same(expected, {k: parameters[k] for k in expected}, job_.rtol, job_.atol)


def _set_mode(mode: str, torch_side: TorchSide, mindspore_side: MindSporeSide) -> None:
    if mode:
        if torch_side.layer is not None:
            torch_side.layer.train(mode == "train")
        if mindspore_side.layer is not None:
            mindspore_side.layer.set_train(mode == "train")


def _torch_raises(
    job_: Job, torch_side: TorchSide, mindspore_side: MindSporeSide
) -> dict[str, Any]:
    seed()
    right = _guard("MindSpore", lambda: mindspore_side.run(mindspore_side.tensors()))
    gave = compare.show(_guard("MindSpore", lambda: _settled(right)))
    try:
        left = torch_side.run(torch_side.tensors())
    except Exception as error:
        return _raised(job_, error, {"mindspore_gave": gave}, "torch_gave")
    message = f"PyTorch raised nothing, it gave {compare.show(left)}"
    return {"outcome": "refuted", "message": message}


def _mindspore_raises(job_: Job, mindspore_side: MindSporeSide) -> dict[str, Any]:
    seed()
    try:
        mindspore_side.prepare(mindspore_side.tensors())
        right = _settled(mindspore_side.run(mindspore_side.tensors()))
    except Exception as error:
        return _raised(job_, error, {}, "mindspore_gave")
    message = f"MindSpore raised nothing, it gave {compare.show(right)}"
    return {"outcome": "refuted", "message": message}


def _raised(job_: Job, error: Exception, fields: dict[str, Any], side: str) -> dict[str, Any]:
    if job_.raises and job_.raises not in f"{type(error).__name__}: {error}":
        message = f'expected an error with "{job_.raises}", got {brief(error)}'
        return {"outcome": "refuted", "message": message}
    return {"outcome": "diverges_documented", **fields, side: brief(error)}


def _conclude(
    job_: Job, found: Comparison, gave: dict[str, str], gradients: list[str]
) -> dict[str, Any]:
    """The outcome that what was found amounts to."""
    fields: dict[str, Any] = {"gradient": _gradient(gradients)}
    if job_.expect == "differs":
        fields |= {"torch_gave": gave["torch"], "mindspore_gave": gave["mindspore"]}
        for side, text in job_.gives.items():
            if gave[side] != text:
                message = f"{side} was to give {text}, gave {gave[side]}"
                return {"outcome": "refuted", "message": message, **fields}
        if not found.differences:
            message = f"both give {gave['torch']}: the documented difference is gone"
            return {"outcome": "refuted", "message": message, **fields}
        message = "; ".join(found.differences)[:200]
        return {"outcome": "diverges_documented", "message": message, **fields}
    if found.differences:
        fields |= {"torch_gave": gave["torch"], "mindspore_gave": gave["mindspore"]}
        return {"outcome": "refuted", "message": "; ".join(found.differences)[:300], **fields}
    fields |= {"max_abs": compare.rounded(found.max_abs), "max_rel": compare.rounded(found.max_rel)}
    if found.detail:
        fields["message"] = found.detail
    outcome = "verified"
    if any(g.startswith("no kernel") for g in gradients):
        outcome = "verified_forward_only"
    elif job_.rtol is not None:
        outcome = "verified_with_tolerance"
    return {"outcome": outcome, **fields}


def _gradient(found: list[str]) -> str:
    """One word for all modes: the worst that any of them said."""
    for word in found:
        if word not in ("agrees", "none", "not compared"):
            return word
    return "agrees" if "agrees" in found else "" if "not compared" in found else "none"
