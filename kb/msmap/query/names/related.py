"""What leads from a name of MindSpore's that no record maps to back to PyTorch."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msmap import model, names
from msmap.candidates import Summary
from msmap.query.base import published
from msmap.query.base.asked import Asked

# Where PyTorch keeps what MindSpore has in a module, or below it; the likeliest first.
_FUNCTIONS = ("torch", "torch.nn.functional", "torch.nn", "torch.linalg", "torch.special")
_HOMES = {
    "mindspore.ops": (*_FUNCTIONS, "torch.Tensor", "torch.optim", "torch.distributed"),
    "mindspore.nn": ("torch.nn", "torch.optim", "torch.nn.functional", "torch"),
    "mindspore.Tensor": ("torch.Tensor",),
    "mindspore.numpy": _FUNCTIONS,
    "mindspore.scipy": ("torch.linalg", "torch"),
    "mindspore.mint": (*_FUNCTIONS, "torch.distributed"),
}
# As many names are told.
_FEW = 4
# Of a class of an operator: ops.ReduceSum is sum, ops.TensorAdd add, ops.RandpermV2 randperm.
_BESIDE = re.compile(
    r"^(?:Reduce(?=(?:All|Any|Max|Mean|Min|Prod|Std|Sum)$)|Tensor(?=Add$)|Inplace(?=[A-Z]))|V\d$"
)
# Operators that PyTorch has under another name; by what a name without case and underscores is.
_OTHERWISE: dict[str, tuple[str, ...]] = {
    "addn": ("torch.stack", "torch.sum"),
    "argmaxwithvalue": ("torch.max",),
    "argminwithvalue": ("torch.min",),
    "assign": ("torch.Tensor.copy_",),
    "assignadd": ("torch.Tensor.add_",),
    "assignsub": ("torch.Tensor.sub_",),
    "avgpool": ("torch.nn.functional.avg_pool2d", "torch.nn.AvgPool2d"),
    "batchmatmul": ("torch.bmm", "torch.matmul"),
    "biasadd": ("torch.add",),
    "concat": ("torch.cat",),
    "depthtospace": ("torch.nn.functional.pixel_shuffle", "torch.nn.PixelShuffle"),
    "dynamicrnn": ("torch.nn.LSTM",),
    "embeddinglookup": ("torch.nn.functional.embedding", "torch.nn.Embedding"),
    "expanddims": ("torch.unsqueeze",),
    "floordiv": ("torch.floor_divide",),
    "floormod": ("torch.remainder",),
    "gather": ("torch.index_select", "torch.nn.functional.embedding"),
    "gatherd": ("torch.gather",),
    "gathernd": ("torch.Tensor.__getitem__",),
    "gridsampler2d": ("torch.nn.functional.grid_sample",),
    "gridsampler3d": ("torch.nn.functional.grid_sample",),
    "hshrink": ("torch.nn.functional.hardshrink",),
    "hswish": ("torch.nn.functional.hardswish",),
    "inv": ("torch.reciprocal",),
    "l2normalize": ("torch.nn.functional.normalize",),
    "lrn": ("torch.nn.functional.local_response_norm", "torch.nn.LocalResponseNorm"),
    "matrixdeterminant": ("torch.linalg.det",),
    "matrixinverse": ("torch.linalg.inv",),
    "mirrorpad": ("torch.nn.functional.pad",),
    "mod": ("torch.remainder",),
    "pack": ("torch.stack",),
    "range": ("torch.arange",),
    "rank": ("torch.Tensor.dim",),
    "realdiv": ("torch.div",),
    "resizebilinear": ("torch.nn.functional.interpolate",),
    "resizelinear1d": ("torch.nn.functional.interpolate",),
    "resizenearestneighbor": ("torch.nn.functional.interpolate",),
    "reverse": ("torch.flip",),
    "scatterndupdate": ("torch.Tensor.index_put_",),
    "sigmoidcrossentropywithlogits": ("torch.nn.functional.binary_cross_entropy_with_logits",),
    "slice": ("torch.narrow", "torch.Tensor.__getitem__"),
    "softmaxcrossentropywithlogits": ("torch.nn.functional.cross_entropy",),
    "sparsesoftmaxcrossentropywithlogits": ("torch.nn.functional.cross_entropy",),
    "stopgradient": ("torch.Tensor.detach",),
    "standardnormal": ("torch.randn",),
    "stridedslice": ("torch.Tensor.__getitem__",),
    "tensorscatterelements": ("torch.scatter",),
    "tensorscatterupdate": ("torch.Tensor.index_put",),
    "uniformreal": ("torch.rand",),
    "unpack": ("torch.unbind",),
    "unstack": ("torch.unbind",),
}


def reverse(kb: Asked, name: str) -> model.Reverse | None:
    """The records of PyTorch's names for what a canonical MindSpore name does, as its name says.

    They are no targets: their rank is 0.
    """
    api = kb.api(name)
    found = _operation(kb, name) if api is not None and api.kind != "module" else ()
    return model.Reverse(api, found) if api is not None and found else None


def _operation(kb: Asked, name: str) -> tuple[tuple[int, model.Summary], ...]:
    home, _, leaf = name.rpartition(".")
    homes = next((at for module, at in _HOMES.items() if f"{home}.".startswith(f"{module}.")), ())
    if leaf[0].isupper():
        leaf = _BESIDE.sub("", leaf)
    otherwise = _OTHERWISE if home == "mindspore.ops" else {}
    found = otherwise.get(leaf.lower().replace("_", "")) or _spelt(kb, names.stem(leaf), homes)
    records = filter(None, map(kb.find, found))
    return tuple(
        (0, model.summary(record, next(iter(record.targets), None)))
        for record, _ in zip(records, range(_FEW), strict=False)
    )


def _spelt(kb: Asked, stem: str, homes: Sequence[str]) -> list[str]:
    """PyTorch's names with a record whose last part is of a stem, those of the first home first."""
    rows = kb.rows(
        "SELECT name FROM spelling WHERE framework = 'torch' AND curated"
        " AND replace(lower(leaf), '_', '') IN (?, ?) AND name IN (SELECT torch FROM record)",
        (stem, f"{stem}loss"),
    )
    known = {name: name.rpartition(".")[0] for (name,) in rows}
    found = [name for name, home in known.items() if home in homes]
    return sorted(found, key=lambda name: (homes.index(known[name]), len(name), name))


# What layers and optimizers of MindSpore inherit from.
_BASES = ("mindspore.nn.Cell", "mindspore.nn.Optimizer")


def inherited(kb: Asked, name: str) -> str | None:
    """What stands for a name of MindSpore's that no list of names has; None if nothing does.

    The method of the class above, or the name as it is if a guide writes it out with its class or
    module, as ``def bprop`` of a Cell.
    """
    spelled = names.mindspore_spellings(name)[0]
    home, _, leaf = spelled.rpartition(".")
    owner = kb.mindspore_name(home)
    api = kb.api(owner) if owner else None
    if api is None:
        return None
    if api.kind == "class":
        above = (f"{base}.{leaf}" for base in _BASES)
        if (found := next((one for one in above if kb.api(one) is not None), None)) is not None:
            return found
    written = rf"(?<!\w){api.name.rpartition('.')[2]}\.{leaf}(?!\w)"
    if api.kind == "class":
        written = rf"{written}|\bdef {leaf}\("
    rows = kb.rows("SELECT document FROM guide WHERE instr(document, ?)", (leaf,))
    return spelled if any(re.search(written, text) for (text,) in rows) else None


def telling(kb: Asked, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The guides that tell of a MindSpore name, and PyTorch's names whose records do.

    Of a module that none tells of, those that tell of what is in it.
    """
    for wanted in (_spellings(kb, name), _members(kb, name)):
        guides = {guide for each in wanted for guide in kb.telling(each)}
        told = dict.fromkeys(torch for each in wanted for torch in _records(kb, each))
        if guides or told:
            return tuple(sorted(guides)), tuple(told)[: 2 * _FEW]
    return (), ()


def _spellings(kb: Asked, name: str) -> tuple[str, ...]:
    """A canonical name and what else MindSpore calls it."""
    sql = "SELECT name FROM api WHERE framework = 'mindspore' AND alias_of = ? ORDER BY name"
    return (name, *(alias for (alias,) in kb.rows(sql, (name,))))


def _records(kb: Asked, name: str) -> tuple[str, ...]:
    """PyTorch's names in whose records a canonical MindSpore name stands, the likeliest first."""
    words = " ".join(re.findall(r"[^\W_]+", names.clean(name)))
    rows = kb.rows(
        "SELECT d.name FROM document_fts f JOIN document d ON d.id = f.rowid"
        " WHERE document_fts MATCH ? AND d.kind = 'record' ORDER BY bm25(document_fts), d.name",
        (f'"{words}"',),
    )
    whole = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)")
    found = (torch for (torch,) in rows if whole.search(kb.rows.record(torch) or ""))
    return tuple(torch for torch, _ in zip(found, range(2 * _FEW), strict=False))


def _members(kb: Asked, name: str) -> tuple[str, ...]:
    """The canonical names of what is in a module of MindSpore's, but for its own modules."""
    rows = kb.rows(
        "SELECT name, alias_of FROM api WHERE framework = 'mindspore' AND kind != 'module'"
        " AND name GLOB ? ORDER BY name",
        (f"{name}.*",),
    )
    here = (alias or each for each, alias in rows if each.count(".") == name.count(".") + 1)
    return tuple(dict.fromkeys(here))


def found_as(kb: Asked, name: str) -> tuple[str, tuple[Summary, ...]]:
    """A MindSpore name, and the PyTorch names without a record that agree with it, best first."""
    known = kb.mindspore_name(name)
    if known is None:
        return "", ()
    spelled = {known, *(row[0] for row in kb.rows(
        "SELECT name FROM api WHERE framework = 'mindspore' AND alias_of = ?", (known,)
    ))}  # fmt: skip
    found = {s.torch: s for s in published.paired(kb.rows, known)}
    found |= {s.torch: s for s in kb.probes() if s.mindspore in spelled and s.values.agreed}
    ranked = sorted(found.values(), key=lambda s: (-s.values.share, s.torch))
    return known, tuple(ranked)
