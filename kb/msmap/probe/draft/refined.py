"""Candidates said more exactly than signatures do: what makes samples agree that differ otherwise.

A result of another dtype is cast, and where a default of PyTorch's means what MindSpore's own
default does, the parameter is left out. Whether that holds is found by running samples.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msmap.curated import schema
from msmap.probe.bench import Bench, Prepared
from msmap.probe.draft import stock
from msmap.probed import Candidate, Probe
from msmap.signatures.parse import same_default
from msmap.signatures.release import Side

_DTYPES = re.compile(r"dtype (\w+) and (\w+)")
_PLAIN = re.compile(r"bool|u?int\d+|b?float\d+|complex\d+")


def targets(bench: Bench, made: Prepared, probe: Probe, first: str) -> Iterator[schema.Target]:
    """Targets to be tried in place of one, by its key, each with what is refined."""
    target = made.targets[first]
    found = next((c for c in probe.candidates if c.key == first), None)
    if made.ideas[first].found == "record" or target.api is None:
        return
    if found is not None and (cast := _cast(target, found)) is not None:
        yield cast
    if (left := _left_out(bench, made.name, target)) is not None:
        yield left


def _cast(target: schema.Target, found: Candidate) -> schema.Target | None:
    """The target with its result cast, where nothing but the dtype differs whenever it runs."""
    if found.values.agreed or target.returns is not None:
        return None
    gave = [_DTYPES.fullmatch(d.message) for d in found.differences if d.outcome == "differs"]
    pairs = {(pair[1], pair[2]) for pair in gave if pair is not None}
    if len({torch for torch, _ in pairs}) != 1:
        return None
    torch, mindspore = min(pairs)
    if not _PLAIN.fullmatch(torch):
        return None
    returns = schema.Returns(
        relation="type_differs",
        value=f"{{result}}.astype(mindspore.{torch.replace('bool', 'bool_')})",
        text=schema.Bilingual(**stock.cast(torch, mindspore)),
    )
    return target.model_copy(update={"returns": returns})


def _left_out(bench: Bench, name: str, target: schema.Target) -> schema.Target | None:
    """The target with PyTorch's defaults taken for MindSpore's own, where these differ."""
    ours, theirs = bench.torch.side(name), bench.mindspore.side(target.api)
    said = {n for p in target.parameters for n in p.torch_names}
    alike = [n for n in ours.names() if n in theirs.names() and n not in said]
    other = [n for n in alike if _differ(ours.default(n), theirs.default(n))]
    parameters = [_as_default(p, ours) for p in target.parameters]
    parameters += [_left(n, n, str(ours.default(n))) for n in other]
    if parameters == target.parameters:
        return None
    return target.model_copy(update={"parameters": parameters})


def _as_default(parameter: schema.Parameter, side: Side) -> schema.Parameter:
    """A parameter of another default, left out where PyTorch's own is given."""
    default = side.default(parameter.torch_names[0]) if parameter.torch_names else None
    if parameter.relation != "default_differs" or default in (None, "..."):
        return parameter
    return _left(parameter.torch_names[0], parameter.mindspore_names[0], str(default))


def _differ(ours: str | None, theirs: str | None) -> bool:
    unknown = (None, "...")
    return ours not in unknown and theirs not in unknown and not same_default(ours, theirs)


def _left(torch: str, mindspore: str, default: str) -> schema.Parameter:
    """A parameter that is left out where it is given PyTorch's default."""
    cases = [
        schema.Case(when=default),
        schema.Case(when="any", set={mindspore: f"{{{torch}}}"}),
    ]
    return schema.Parameter(
        torch=torch, mindspore=mindspore, relation="value_transformed", cases=cases
    )
