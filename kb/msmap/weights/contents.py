"""What stands in a file of weights: which tensors, under which key, and what else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

from msmap.errors import WeightsError
from msmap.weights import ckpt, safetensors, shards, torch_read
from msmap.weights.arguments import Made, kept, may_be_layer
from msmap.weights.mapped import Mapped
from msmap.weights.pickled import Foreign
from msmap.weights.states import OWN
from msmap.weights.tensors import Held

Format = Literal["pt", "safetensors", "ckpt"]
# Under which keys training scripts keep their model, the commonest first.
MODELS = ("state_dict", "model_state_dict", "model", "net", "network", "weights", "params")
_OPTIMIZERS = ("optimizer", "optimizer_state_dict", "optim", "optimizer_states")
# What wraps a model in PyTorch, and stands before all of its names then.
_WRAPPERS = ("module.", "_orig_mod.")
# What an averaged model counts.
_COUNTER = "n_averaged"
_PICKLE = b"\x80"


@dataclass(slots=True)
class Contents:
    """The weights of a file.

    ``key`` is where in it they stand, ``prefix`` what was taken off all names. ``odd`` are those
    that are no tensors of rows and columns, with what they are; ``left`` what else the file has;
    ``ties`` the names of tensors that share their values, the first one first. ``kinds`` are the
    classes of layers where the file has a whole model, "" for one that isn't known, and ``made``
    what they keep of their arguments. ``optimizer`` is that of PyTorch as its ``state_dict`` has
    it.
    """

    path: Path
    format: Format
    tensors: dict[str, Held]
    key: str = ""
    prefix: str = ""
    odd: dict[str, str] = field(default_factory=dict)
    left: tuple[str, ...] = ()
    kinds: dict[str, str] = field(default_factory=dict)
    made: dict[str, Made] = field(default_factory=dict)
    optimizer: Mapping[str, Any] | None = None

    @property
    def ties(self) -> list[tuple[str, ...]]:
        """The names of tensors that share their values."""
        same: dict[object, list[str]] = {}
        for name, one in self.tensors.items():
            if one.place is not None and one.nbytes:
                same.setdefault(one.place, []).append(name)
        return [tuple(names) for names in same.values() if len(names) > 1]


def read(path: Path, key: str = "", strip: str = "") -> Contents:
    """What a file holds, by its content and not by its name.

    Args:
        path: the file; of weights in several files their index, or the folder that has it.
        key: which of several state dicts is meant, such as ``model_ema``.
        strip: what to take off the names that begin with it.

    Raises:
        OSError: it can't be read.
        WeightsError: it is damaged, or has no weights.
    """
    if path.is_dir():
        path = shards.within(path)
    found = _sharded(path, key) if shards.is_index(path) else _read(Mapped(path), key)
    if not found.tensors and not found.odd:
        raise WeightsError("{} has no tensors", path)
    return _stripped(found, strip)


def single(path: Path) -> Held:
    """The one tensor that a file of ``torch.save`` holds.

    Raises:
        OSError: it can't be read.
        WeightsError: it is damaged, or holds anything else.
    """
    file = Mapped(path)
    archive = file.bytes(0, 4).startswith(torch_read.ZIP)
    found, _ = torch_read.read_archive(file) if archive else torch_read.read_legacy(file)
    if not isinstance(found, Held):
        raise WeightsError("{} holds {}, no tensor", path, _named(found))
    return found


def _sharded(path: Path, key: str) -> Contents:
    if key:
        raise WeightsError("{} has no keys: leave --key out", path)
    formats: set[Format] = set()

    def shard(file: Path) -> dict[str, Held]:
        one = _read(Mapped(file), "")
        formats.add(one.format)
        return one.tensors

    tensors = shards.read(path, shard)
    return Contents(path, "safetensors" if formats == {"safetensors"} else "pt", tensors)


def _read(file: Mapped, key: str) -> Contents:
    head = file.bytes(0, 64)
    if head.startswith(torch_read.ZIP):
        return _chosen(file.path, *torch_read.read_archive(file), key)
    if head.startswith(_PICKLE) and not safetensors.is_one(file):
        return _chosen(file.path, *torch_read.read_legacy(file), key)
    if key:
        raise WeightsError("{} has no keys: leave --key out", file.path)
    if head.startswith(b"version https://git-lfs"):
        raise WeightsError("{} is a pointer of Git LFS: run `git lfs pull`", file.path)
    if head[8:9] == b"{":
        return Contents(file.path, "safetensors", safetensors.read(file))
    if ckpt.is_one(file):
        tensors, texts = ckpt.read(file)
        return Contents(file.path, "ckpt", tensors, left=tuple(texts))
    raise WeightsError(
        "{} is no file of weights: neither of torch.save, nor safetensors, nor a checkpoint "
        "of MindSpore's",
        file.path,
    )


def _chosen(path: Path, found: Any, foreign: tuple[str, ...], key: str) -> Contents:
    """The state dict in what a pickle holds."""
    if isinstance(found, Foreign) and (model := _whole(found)) is not None:
        return _model(path, "", model)
    if not isinstance(found, Mapping):
        what = "one tensor" if isinstance(found, Held) else _named(found)
        raise WeightsError(
            "{} holds {}: write it with torch.save(model.state_dict(), ...)", path, what
        )
    dicts = dict(_state_dicts(found))
    if key:
        if key not in dicts:
            known = ", ".join(name for name in dicts if name) or "none"
            raise WeightsError("{} has no weights under {}: has {}", path, key, known)
    elif "" not in dicts:
        key = _best(path, dicts, found, foreign)
    content = dicts[key]
    optimizer = next((o for name in _OPTIMIZERS if (o := _optimizer(found.get(name)))), None)
    left = tuple(str(n) for n in found if n not in ("", key)) if key else ()
    if isinstance(content, Foreign):
        made = _model(path, key, content)
    else:
        tensors = {str(n): v for n, v in content.items() if isinstance(v, Held)}
        odd = {str(n): v.origin for n, v in content.items() if isinstance(v, Foreign) and v.origin}
        odd |= {str(n): type(v).__name__ for n, v in content.items() if _has_inside(v)}
        rest = [str(n) for n in content if str(n) not in tensors and str(n) not in odd]
        made = Contents(path, "pt", tensors, key, odd=odd)
        left += tuple(rest)
    made.left, made.optimizer = left, optimizer
    return made


def _has_inside(value: Any) -> bool:
    """Whether a value that is no tensor holds some, as those of quantised layers do."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if not isinstance(value, list | tuple):
        return False
    return any(isinstance(one, Held | Foreign) or _has_inside(one) for one in value)


def _best(
    path: Path, dicts: Mapping[str, Any], found: Mapping[Any, Any], foreign: tuple[str, ...]
) -> str:
    """The key of the model's weights among several state dicts."""
    usual = [name for name in MODELS if name in dicts]
    if usual or len(dicts) == 1:
        return usual[0] if usual else next(iter(dicts))
    if not dicts:
        objects = f" and objects of {', '.join(foreign[:3])}" if foreign else ""
        keys = ", ".join(str(name) for name in list(found)[:8]) or "nothing"
        raise WeightsError(
            "{} has no tensors in what it holds ({}{}): write it with "
            "torch.save(model.state_dict(), ...)",
            path,
            keys,
            objects,
        )
    raise WeightsError("{} has several: choose one with --key: {}", path, ", ".join(dicts))


def _state_dicts(found: Mapping[Any, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """All that may be a model's weights, by key; "" is the whole."""
    if any(isinstance(value, Held) for value in found.values()):
        yield above, found
        return
    for name, value in found.items():
        inner = f"{above}.{name}" if above else str(name)
        if isinstance(value, Foreign) and (model := _whole(value)) is not None:
            yield inner, model
        elif isinstance(value, Mapping) and above.count(".") < 1 and not _optimizer(value):
            yield from _state_dicts(value, inner)


def _optimizer(value: Any) -> Mapping[str, Any] | None:
    """The state of an optimizer; of several the first."""
    if isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, Mapping) and isinstance(value.get("param_groups"), list):
        return value if isinstance(value.get("state"), Mapping) else None
    return None


def _named(found: Any) -> str:
    return f"an object of {found.origin}" if isinstance(found, Foreign) else type(found).__name__


def _whole(found: Foreign) -> Foreign | None:
    """An object that is a module, which was saved as a whole."""
    state = found.state
    return found if isinstance(state, Mapping) and "_modules" in state else None


def _model(path: Path, key: str, model: Foreign) -> Contents:
    """The weights of a module that was saved as a whole, and the classes of its layers."""
    made = Contents(path, "pt", {}, key)
    for where, layer in _layers(model, "", 0):
        made.kinds[where] = kind = _kind(layer)
        if kind not in (OWN, ""):
            made.made[where] = kept(layer.state)
        before = f"{where}." if where else ""
        gone = layer.state.get("_non_persistent_buffers_set")
        gone = gone if isinstance(gone, set) else ()
        for part in ("_parameters", "_buffers"):
            for name, value in _mapping(layer.state.get(part)).items():
                if isinstance(value, Held) and not (part == "_buffers" and name in gone):
                    made.tensors[f"{before}{name}"] = value
                elif isinstance(value, Foreign):
                    made.odd[f"{before}{name}"] = value.origin
    return made


def _layers(layer: Foreign, path: str, depth: int) -> Iterator[tuple[str, Foreign]]:
    yield path, layer
    for name, inner in _mapping(layer.state["_modules"]).items():
        if isinstance(inner, Foreign) and _whole(inner) is not None and depth < 100:
            yield from _layers(inner, f"{path}.{name}" if path else str(name), depth + 1)


def _mapping(value: Any) -> Mapping[Any, Any]:
    return value if isinstance(value, Mapping) else {}


def _kind(layer: Foreign) -> str:
    """The public name of a class of PyTorch's, by that of the module that it stands in.

    What an own class comes from isn't in the file: "" where that may be one of PyTorch's layers.
    """
    name = layer.origin.rpartition(".")[2]
    if name == "NonDynamicallyQuantizableLinear":
        name = "Linear"
    if layer.origin.startswith("torch.nn.modules."):
        return f"torch.nn.{name}"
    return "" if may_be_layer(layer.state) else OWN


def _stripped(found: Contents, strip: str) -> Contents:
    """The same without what wraps a model, or what is to be taken off."""
    prefix = ""
    while wrapper := next((w for w in _WRAPPERS if _is_around(found.tensors, prefix + w)), ""):
        prefix += wrapper
    prefix += strip
    if not prefix:
        return found
    fit = [name for name in found.tensors if name.startswith(prefix)]
    if not fit:
        raise WeightsError("{}: no name begins with {}", found.path, prefix)
    rest = [name for name in found.tensors if not name.startswith(prefix)]
    found.tensors = {name[len(prefix) :]: found.tensors[name] for name in fit}
    found.odd = {name.removeprefix(prefix): kind for name, kind in found.odd.items()}
    if (root := prefix[:-1]) in found.kinds:
        found.kinds = {"": found.kinds[root]} | _within(found.kinds, prefix)
        found.made = _within(found.made, prefix)
    found.prefix, found.left = prefix, (*found.left, *rest)
    return found


_T = TypeVar("_T")


def _within(found: Mapping[str, _T], prefix: str) -> dict[str, _T]:
    """What stands below a path, by the rest of each."""
    return {path[len(prefix) :]: one for path, one in found.items() if path.startswith(prefix)}


def _is_around(tensors: Mapping[str, Held], prefix: str) -> bool:
    names = [name for name in tensors if name != _COUNTER]
    return bool(names) and all(
        name.startswith(prefix) and len(name) > len(prefix) for name in names
    )
