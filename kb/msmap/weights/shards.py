"""Weights in several files: an index in JSON that says which file has which tensor."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from msmap import atomic
from msmap.errors import WeightsError
from msmap.weights.tensors import Held

# As others name them, the commonest first.
USUAL = ("model.safetensors.index.json", "pytorch_model.bin.index.json")
_INDEX = ".index.json"
_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?([KMG]?)B", re.IGNORECASE)
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}
_MOST = 1 << 28


def is_index(path: Path) -> bool:
    """Whether a name is that of an index."""
    return path.name.endswith(_INDEX)


def within(folder: Path) -> Path:
    """The index in a folder.

    Raises:
        WeightsError: it has none, or several.
    """
    found = sorted(path for path in folder.iterdir() if is_index(path))
    usual = [path for name in USUAL for path in found if path.name == name]
    if not found:
        raise WeightsError(
            "{} is a folder with no index of shards ({}): name the file in it that has the weights",
            folder,
            ", ".join(USUAL),
        )
    if not usual and len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise WeightsError("{} has several indices: name the one that is meant: {}", folder, names)
    return (usual or found)[0]


def read(path: Path, shard: Callable[[Path], Mapping[str, Held]]) -> dict[str, Held]:
    """The tensors that an index names, each from its file.

    Args:
        path: the index.
        shard: reads the tensors of a file.

    Raises:
        OSError: the index can't be read.
        WeightsError: it is damaged, or a file or tensor that it names isn't there.
    """
    files: dict[str, list[str]] = {}
    for name, file in _map(path).items():
        files.setdefault(file, []).append(name)
    found: dict[str, Held] = {}
    for file, names in files.items():
        if Path(file).name != file or file in ("", ".", ".."):
            raise WeightsError("{}: {} is no name of a file beside it", path, file)
        if not (path.parent / file).is_file():
            raise WeightsError("{}: {} isn't there; write or download it again", path, file)
        tensors = shard(path.parent / file)
        for name in names:
            if name not in tensors:
                raise WeightsError(
                    "{}: {} has no tensor {}; is it another model's?", path, file, name
                )
            one = tensors[name]
            # Places of several files are others.
            place = None if one.place is None else (file, one.place)
            found[name] = replace(one, place=place)
    return found


def _map(path: Path) -> dict[str, str]:
    if path.stat().st_size > _MOST:
        raise WeightsError("{} is too large for an index", path)
    try:
        told: Any = json.loads(path.read_text(encoding="utf-8"))
        found = dict(told["weight_map"])
    except (ValueError, TypeError, KeyError, RecursionError):
        raise WeightsError("{}: no index of shards: no weight_map in it", path) from None
    if not all(isinstance(part, str) for pair in found.items() for part in pair):
        raise WeightsError("{}: no index of shards: weight_map isn't of names and files", path)
    return found


def size(text: str) -> int:
    """How many bytes a size such as ``500MB`` is.

    Raises:
        WeightsError: it is none.
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None or not float(match[1]):
        raise WeightsError("--shard-size {}: a size such as 500MB or 5GB", text)
    return int(float(match[1]) * _UNITS[match[2].upper()])


def write(
    path: Path,
    tensors: Mapping[str, Held],
    most: int,
    one: Callable[[Path, Mapping[str, Held]], None],
) -> None:
    """Write tensors in shards with their index, all of it or nothing.

    Args:
        path: the index; shards stand beside it.
        tensors: by name.
        most: how many bytes a shard may have; a larger tensor has one of its own.
        one: writes a shard.

    Raises:
        OSError: a file can't be written.
    """
    parts: list[dict[str, Held]] = [{}]
    taken = 0
    for name, tensor in tensors.items():
        if parts[-1] and taken + tensor.nbytes > most:
            parts.append({})
            taken = 0
        parts[-1][name] = tensor
        taken += tensor.nbytes
    stem, _, suffix = path.name.removesuffix(_INDEX).rpartition(".")
    names = [
        f"{stem}-{number:05}-of-{len(parts):05}.{suffix}" for number in range(1, len(parts) + 1)
    ]
    by = {name: file for file, part in zip(names, parts, strict=True) for name in part}
    total = sum(tensor.nbytes for tensor in tensors.values())
    with ExitStack() as stack:
        # What is entered first takes its place last: an index names what is there.
        index = stack.enter_context(atomic.replacing(path))
        told = {"metadata": {"total_size": total}, "weight_map": by}
        index.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        for file, part in zip(names, parts, strict=True):
            one(stack.enter_context(atomic.replacing(path.parent / file)), part)
