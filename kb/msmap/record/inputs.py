"""Inputs of a model: from files, or drawn as a few words say, as either framework takes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from msmap.errors import BadRecording
from msmap.record.tensors import plain_dtype

_DRAWN = re.compile(r"(float|int|uint)(16|32|64|8) ?\[([\d, ]*)\](?: in (-?[\d.]+)\.\.(-?[\d.]+))?")
_MOST = 1 << 30


def given(texts: Sequence[str]) -> Any:
    """What `--inputs` says: a file, or for each input ``float32[2, 3]`` or ``int64[4] in 0..5``.

    Raises:
        BadRecording: it says neither, or the file can't be read.
    """
    drawn = [_drawn(text, number) for number, text in enumerate(texts)]
    if all(one is not None for one in drawn):
        return tuple(drawn)
    if len(texts) == 1 and texts[0].endswith(".npz"):
        return of_file(Path(texts[0]))
    wrong = next(t for t, one in zip(texts, drawn, strict=True) if one is None)
    raise BadRecording(
        "--inputs {}: one FILE.npz, or for each input a dtype and a shape, such as "
        "'float32[2, 3]' or 'int64[4] in 0..5'",
        wrong,
    )


def _drawn(text: str, number: int) -> Any:
    """An array as a dtype and a shape say, the same every time; None if they aren't said."""
    match = _DRAWN.fullmatch(text.strip())
    if match is None or match[1] + match[2] == "float8":
        return None
    shape = [int(n) for n in match[3].replace(" ", "").split(",") if n]
    if np.prod(shape, dtype=float) > _MOST:
        raise BadRecording("--inputs {}: more values than a model is tried with", text)
    dtype = match[1] + match[2]
    random = np.random.RandomState(number)
    try:
        low, high = (None, None) if match[4] is None else (float(match[4]), float(match[5]))
    except ValueError:
        return None
    if match[1] != "float":
        first, end = int(low or 0), int(10 if high is None else high)
        return random.randint(first, max(end, first + 1), shape).astype(dtype)
    if low is not None and high is not None:
        return random.uniform(low, high, shape).astype(dtype)
    return random.standard_normal(shape).astype(dtype)


def of_file(path: Path) -> Any:
    """The inputs in an ``.npz``: in the order of its arrays, by name where they are identifiers.

    Raises:
        BadRecording: it can't be read, or has no arrays.
    """
    try:
        with np.load(path, allow_pickle=False) as held:
            arrays = {name: held[name] for name in held.files}
    except (OSError, ValueError, EOFError, KeyError, TypeError, AttributeError) as error:
        raise BadRecording("{}: no .npz of plain arrays ({})", path, error) from None
    if not arrays:
        raise BadRecording("{}: no arrays in it", path)
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
