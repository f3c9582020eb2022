"""What a check is run with besides its own inputs: made from the record, never typed."""

from __future__ import annotations

import ast
from dataclasses import asdict, dataclass, replace
from typing import Any

from msmap.infer.resolve import Facts
from msmap.model import Check, Record, Target
from msmap.port import record_calls as source_calls
from msmap.port import rewrite
from msmap.port.record_calls import Calls
from msmap.verify.plan import forms

# Who changes what is generated here raises it: hashes cover it, so that evidence is stale.
GENERATION = 3
DTYPES = ("float16", "bfloat16", "float64", "int32", "int64", "bool")
_FORMS: dict[str, forms.Form] = {
    "positional": forms.positional,
    "keyword": forms.keyword,
    "shuffled": forms.shuffled,
    "defaults": forms.defaults,
    "repeated-axis": forms.repeated,
}
# How each optimizer is called besides: what a training script sets, where PyTorch has it.
_OPTIMIZER_FORMS: dict[str, forms.Form] = {
    "weight-decay": forms.with_argument("weight_decay", "0.1"),
    "momentum": forms.with_argument("momentum", "0.9"),
    "betas": forms.with_argument("betas", "(0.8, 0.99)"),
    "groups": forms.with_first('[{"params": [net.weight], "lr": 0.05}, {"params": [net.bias]}]'),
}
EDGES = ("zero-d", "empty", "size-1", "non-contiguous", "zeros", "nonfinite", "overflow")


@dataclass(frozen=True, slots=True)
class Variant:
    """One more run of a check; what is None is as in the check.

    ``like`` names a variant with the same sides and inputs, whose outcome is this one's too; it is
    "" if the check itself has them.
    """

    name: str
    torch: str | None = None
    mindspore: str | None = None
    inputs: dict[str, dict[str, Any]] | None = None
    graph: bool = False
    gradient: bool = True
    like: str | None = None


def of(record: Record, facts: Facts) -> dict[str, list[Variant]]:
    """The variants of a record's checks, by check: of those that expect agreement and are ports.

    Each is called in every form. Of those that give the same arguments, of the same dtypes, the
    first alone is run in graph mode and with other inputs too.
    """
    found: dict[str, list[Variant]] = {}
    seen: set[object] = set()
    for check in record.checks:
        if not (check.ported and check.mindspore) or check.expect != "same":
            continue
        if check.ranks:
            # Several processes take seconds, and most of what they call takes no tensor alone.
            continue
        calls = source_calls.read(check.torch, record, facts)
        found[check.id] = _calls(calls, check, facts)
        dtypes = tuple(spec["dtype"] for spec in check.inputs.values())
        shape = (check.target, dtypes, forms.shape(calls))
        if shape not in seen:
            seen.add(shape)
            graph = [Variant("graph", graph=True)] if _compiles(check) else []
            found[check.id] += [*graph, *_inputs(check)]
    return found


def _compiles(check: Check) -> bool:
    """Whether the MindSpore side can be put into a function to compile.

    Statements before the result go in with it, but not definitions; a layer that they make stays
    outside, and then they may compute nothing from the inputs.
    """
    *before, last = ast.parse(check.mindspore).body
    if not before:
        return True
    result = last.value if isinstance(last, ast.Expr) else None
    names = {n.id for s in before for n in ast.walk(s) if isinstance(n, ast.Name)}
    if isinstance(result, ast.Call) and isinstance(result.func, ast.Name):
        return names.isdisjoint(check.inputs)
    return all(isinstance(s, ast.Assign | ast.AugAssign | ast.Expr) for s in before)


def _calls(calls: Calls, check: Check, facts: Facts) -> list[Variant]:
    record = calls.record
    ranks = {name: _rank(spec) for name, spec in check.inputs.items()}
    wanted = _FORMS | {"other-end-axis": forms.other_end(ranks)}
    if record.torch.startswith("torch.optim.") and record.kind == "class":
        wanted |= _OPTIMIZER_FORMS
    found: list[Variant] = []
    known = {check.torch}
    for name, form in wanted.items():
        code = forms.rewritten(calls, form)
        if code is None or code in known:
            continue
        known.add(code)
        ported = _ported(code, facts, check.target, record)
        if ported is not None:
            found.append(Variant(name, code, ported))
    target = next((t for t in record.targets if t.key == check.target), None)
    if target is not None and (variant := _import_only(calls, target, facts)):
        found.append(variant)
    return _with_twins(found, check)


def _with_twins(found: list[Variant], check: Check) -> list[Variant]:
    """Other calls of a check, those marked that come to the same as one before them."""
    sides = [("", check.torch, check.mindspore)]
    if any("float" in str(s["dtype"]) and s["dtype"] != "float32" for s in check.inputs.values()):
        # A variant holds its layers in the dtype of the inputs; the check itself doesn't.
        sides = []
    marked: list[Variant] = []
    for variant in found:
        torch, mindspore = str(variant.torch), str(variant.mindspore)
        same = (n for n, t, m in sides if m == mindspore and forms.is_same_call(t, torch))
        marked.append(replace(variant, like=next(same, None)))
        if marked[-1].like is None:
            sides.append((variant.name, torch, mindspore))
    return marked


def _import_only(calls: Calls, target: Target, facts: Facts) -> Variant | None:
    """What happens to someone who changes only the import: PyTorch's call, MindSpore's name."""
    record = calls.record
    plain = forms.rewritten(calls, forms.defaults)
    if plain is None or target.api is None or target.kind not in ("class", "function"):
        return None
    if record.kind not in ("class", "function"):
        return None
    code = forms.renamed(source_calls.read(plain, record, facts), target.api)
    # A dotted name that starts at mindspore is none of PyTorch's: the rest is ported around it.
    ported = None if code is None else _ported(code, facts, None, record)
    return None if ported is None else Variant("import-only", plain, ported)


def _ported(code: str, facts: Facts, target: str | None, record: Record) -> str | None:
    return rewrite.rewrite(code, facts, target, record.torch).whole


def _inputs(check: Check) -> list[Variant]:
    """The same code with other inputs, where the check has any of the default dtype."""
    main = [name for name, spec in check.inputs.items() if spec["dtype"] == "float32"]
    if not main:
        return []
    whole = all(_whole(check.inputs[n]) for n in main)
    found = []
    for dtype in DTYPES:
        change: dict[str, Any] = {"dtype": dtype}
        if dtype.startswith("int"):
            change |= {"low": -5, "high": 6}
        if whole or "float" in dtype:
            found.append(Variant(dtype, inputs=_changed(check, main, change)))
    for edge in EDGES:
        change = {"edge": edge}
        chosen = main
        if edge == "overflow":
            change["dtype"] = "int32"
        elif edge == "size-1":
            # The others stay as they are, so that it broadcasts.
            chosen = main[:1]
        elif edge == "empty":
            chosen = [n for n, s in check.inputs.items() if _goes_with(s, check.inputs[main[0]])]
        found.append(
            Variant(
                edge,
                inputs=_changed(check, chosen, change),
                gradient=edge not in ("nonfinite", "overflow"),
            )
        )
    return found


def _changed(check: Check, names: list[str], change: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {n: {**s, **change} if n in names else dict(s) for n, s in check.inputs.items()}


def _whole(spec: dict[str, Any]) -> bool:
    """Whether an input has a meaning as integers: nothing in it is infinite or not a number."""
    return "nan" not in str(spec.get("values")) and "inf" not in str(spec.get("values"))


def _rank(spec: dict[str, Any]) -> int:
    if "shape" in spec:
        return len(spec["shape"])
    rank, value = 0, spec["values"]
    while isinstance(value, list):
        rank, value = rank + 1, value[0] if value else None
    return rank


def _goes_with(spec: dict[str, Any], first: dict[str, Any]) -> bool:
    """Whether an input has the batch of the first: of its rank, or indices such as targets."""
    kin = _rank(spec) == _rank(first) or spec["dtype"].startswith("int")
    return kin and _length(spec) == _length(first)


def _length(spec: dict[str, Any]) -> int | None:
    """The size of the first axis; None of a scalar."""
    if "shape" in spec:
        return spec["shape"][0] if spec["shape"] else None
    return len(spec["values"]) if isinstance(spec["values"], list) else None


def plain(variant: Variant) -> dict[str, Any]:
    """A variant as a job carries it."""
    return {k: v for k, v in asdict(variant).items() if v is not None}
