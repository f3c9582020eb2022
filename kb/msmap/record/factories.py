"""What a user names on the command line, found, made and run: ``module:factory``."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from msmap.record.side import plain_dtype
from msmap.recording.model import BadRecording

_FIELDS = ("model", "inputs", "loss", "optimizer")


@dataclass(slots=True)
class Job:
    """What a factory made: a model, and what it is given, judged by and trained with.

    ``inputs`` are those of one call (a tuple, or a mapping of keywords), or a list with those of
    each step. ``train`` is called with the model, and does everything itself.
    """

    name: str
    model: Any
    inputs: Any = None
    loss: Callable[..., Any] | None = None
    optimizer: Any = None
    train: Callable[..., Any] | None = None
    scope: dict[str, Any] = field(default_factory=dict)

    def batches(self) -> list[Any]:
        """The inputs of each step."""
        return list(self.inputs) if isinstance(self.inputs, list) else [self.inputs]


def make(name: str, train: str | None = None) -> Job:
    """What ``module:factory`` or ``file.py:factory`` makes.

    Args:
        name: of a function without parameters, or a class, that gives a model, or model, inputs,
            loss and optimizer (as many as there are) in a tuple or a mapping.
        train: the name of a function of the same module that trains the model.

    Raises:
        BadRecording: there is no such module or name, or it raised.
    """
    path, _, factory = name.partition(":")
    if not path or not factory:
        raise BadRecording(f"{name}: name a module and what makes the model, as module:factory")
    scope = vars(_module(path, name))
    if not callable(scope.get(factory)):
        known = [n for n, v in scope.items() if callable(v) and not n.startswith("_")]
        raise BadRecording(
            f"{name}: {path} has no function or class {factory}; it has {', '.join(known) or '-'}"
        )
    with _watching():
        made = guarded(name, scope[factory])
    job = _job(name, made)
    job.scope = scope
    if train is not None:
        if not callable(scope.get(train)):
            raise BadRecording(f"{name}: {path} has no function {train} to train with")
        job.train = scope[train]
    return job


def _watching() -> Any:
    if "mindspore" not in sys.modules:
        return nullcontext()
    from msmap.record import constructors

    return constructors.watching()


def _module(path: str, name: str) -> Any:
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    if not path.endswith(".py"):
        return guarded(name, lambda: importlib.import_module(path))
    file = Path(path)
    if not file.is_file():
        raise BadRecording(f"{path}: no such file")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    sys.path.insert(0, str(file.resolve().parent))
    loader = spec.loader
    guarded(name, lambda: loader.exec_module(module))
    return module


def guarded(name: str, run: Callable[[], Any]) -> Any:
    """What a user's code gives.

    Raises:
        BadRecording: it raised; the message says what, and in which line.
    """
    try:
        return run()
    except BadRecording:
        raise
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        # The last line of the user's own.
        own = [f for f in frames if "site-packages" not in f.filename and "msmap" not in f.filename
               and not f.filename.startswith("<")]  # fmt: skip
        where = f" ({own[-1].filename}:{own[-1].lineno})" if own else ""
        said = str(error).strip().splitlines()
        what = f"{type(error).__name__}: {said[0]}" if said else type(error).__name__
        raise BadRecording(f"{name}: raised {what}{where}") from error


def _job(name: str, made: Any) -> Job:
    if isinstance(made, dict):
        unknown = set(made) - set(_FIELDS)
        if unknown or "model" not in made:
            raise BadRecording(
                f"{name}: gave a mapping with {', '.join(map(str, made))}; it has model, and may"
                " have inputs, loss and optimizer"
            )
        return Job(name, **made)
    if isinstance(made, tuple) and made and all(_is_model(one) for one in made):
        return Job(name, made)
    if isinstance(made, tuple):
        if not 1 <= len(made) <= len(_FIELDS):
            raise BadRecording(f"{name}: gave {len(made)} things; it gives {', '.join(_FIELDS)}")
        made_fields = dict(zip(_FIELDS, made, strict=False))
        return Job(name, **made_fields)
    return Job(name, made)


def _is_model(value: Any) -> bool:
    torch, mindspore = sys.modules.get("torch"), sys.modules.get("mindspore")
    return (torch is not None and isinstance(value, torch.nn.Module)) or (
        mindspore is not None and isinstance(value, mindspore.nn.Cell)
    )


def inputs_of(path: Path) -> Any:
    """The inputs in an ``.npz``: in the order of its arrays, by name where they are identifiers.

    Raises:
        BadRecording: it can't be read, or has no arrays.
    """
    try:
        with np.load(path, allow_pickle=False) as held:
            arrays = {name: held[name] for name in held.files}
    except (OSError, ValueError, EOFError, KeyError, TypeError, AttributeError) as error:
        raise BadRecording(f"{path}: no .npz of plain arrays ({error})") from None
    if not arrays:
        raise BadRecording(f"{path}: no arrays in it")
    if all(name.startswith("arr_") for name in arrays):
        return tuple(arrays.values())
    return arrays


def as_arrays(value: Any) -> Any:
    """Inputs with arrays in place of a framework's tensors."""
    if isinstance(value, dict):
        return {key: as_arrays(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(as_arrays(one) for one in value)
    if hasattr(value, "detach"):
        return value.detach().float().numpy() if "bfloat16" in str(value.dtype) else (
            value.detach().cpu().numpy()
        )  # fmt: skip
    return value.asnumpy() if hasattr(value, "asnumpy") else value


def as_tensors(value: Any, framework: str) -> Any:
    """Inputs with a framework's tensors in place of arrays."""
    if isinstance(value, dict):
        return {key: as_tensors(one, framework) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(as_tensors(one, framework) for one in value)
    if not isinstance(value, np.ndarray):
        return value
    if framework == "torch":
        import torch

        return torch.from_numpy(np.array(value))
    import mindspore

    return mindspore.Tensor(np.array(value))


def cotangent(shape: Any, number: int) -> Any:
    """Fixed weights of the sum that stands for a loss where there is none."""
    return np.random.default_rng(number).standard_normal(tuple(shape)).astype(np.float32)


def is_floating(tensor: Any) -> bool:
    """Whether a tensor of either framework has a gradient."""
    return "float" in plain_dtype(tensor.dtype)
