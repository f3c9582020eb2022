"""How a call is carried over to a candidate: a target as people write it, made from signatures."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from msmap.curated import schema
from msmap.port.arguments import placeholders
from msmap.probe.candidates import Idea
from msmap.signatures.parse import Parameter, parse, same_default
from msmap.signatures.release import Side, Signatures
from msmap.vocabulary import UNIVERSAL_ABSENT

# Who changes how calls are carried over raises it: probes are stale then.
GENERATION = 1
# Defaults by which PyTorch says that there is nothing.
_NOTHING = ("()", "[]")

# Names of one parameter. What means the opposite (p and keep_prob) or another scale stands in none.
_ALIKE: tuple[frozenset[str], ...] = tuple(
    map(frozenset, (
        ("input", "x", "self", "a", "tensor", "input_x", "input_tensor", "x1", "logits", "data"),
        ("other", "y", "x2", "b", "vec2", "mat2", "input2", "exponent"),
        ("dim", "axis", "dims", "axes", "dim0", "axis1"),
        ("keepdim", "keep_dims", "keepdims"),
        ("size", "shape", "output_size", "sizes", "newshape", "normalized_shape"),
        ("eps", "epsilon"),
        ("weight", "weights"),
        ("dtype", "type"),
        ("target", "labels", "label"),
        ("index", "indices"),
        ("src", "source", "update", "updates"),
        ("num_classes", "depth"),
        ("min", "clip_value_min", "min_val", "xmin"),
        ("max", "clip_value_max", "max_val", "xmax"),
        ("n", "num", "steps", "num_samples"),
        ("repeats", "reps"),
        ("split_size_or_sections", "split_size", "split_size_or_sections", "indices_or_sections"),
        ("negative_slope", "alpha"),
        ("num_embeddings", "vocab_size"),
        ("embedding_dim", "embedding_size"),
        ("in_features", "in_channels"),
        ("out_features", "out_channels"),
        ("bias", "has_bias"),
        ("padding", "pad"),
        ("p", "ord"),
        ("lr", "learning_rate"),
        ("diagonal", "offset", "k"),
        ("correction", "ddof"),
        ("loc", "mean"),
        ("scale", "sd"),
    ))
)  # fmt: skip
# They choose how PyTorch computes something, or whether it checks arguments, not what.
_IDLE = (
    "inplace", "foreach", "fused", "capturable", "differentiable", "validate_args", "non_blocking",
    "_stacklevel", "sparse_grad", "driver", "check_errors", "approximate_only",
)  # fmt: skip
_OPPOSITE = ("keep_prob",)
_PLACE = re.compile(r"\{(\w+)")


def target(idea: Idea, name: str, torch: Signatures, mindspore: Signatures) -> schema.Target | None:
    """The target that carries calls of a PyTorch name to a candidate; None if there can be none.

    That of the name's own record stays as it is.
    """
    if idea.found == "record":
        return idea.like
    source = Side(_kind(name, torch), tuple(map(parse, overloads(name, torch))))
    data: dict[str, Any] = {"api": idea.api} if idea.api else {}
    if idea.like is not None:
        known = {*source.names(), *(["self"] if _is_method(source) else [])}
        data = _taken_over(idea.like, _first(idea.owner, torch), _first(name, torch), known)
        if idea.like.expression is not None:
            if not placeholders(data["expression"]) <= known:
                return None
            return schema.Target(**data)
    if source.kind == "class" and mindspore.side(idea.api).kind == "function":
        return _unmade(idea.api, source, torch.side(name, "call"), mindspore.side(idea.api))
    side = _both(source, idea.api, mindspore)
    written = [schema.Parameter(**item) for item in data.get("parameters", ())]
    kept = [p for p in written if set(p.mindspore_names) <= {*side.names(), "self"}]
    paired = _paired(source, side, kept, mindspore.side(idea.api, "call"))
    if paired is None:
        return None
    layer = side.kind == "class" and source.kind != "class"
    parameters = [_moved(p, mindspore.side(idea.api, "call")) if layer else _plain(p) for p in kept]
    parameters += paired
    return schema.Target(**data | {"parameters": parameters})


def _plain(parameter: schema.Parameter) -> dict[str, Any]:
    return parameter.model_dump(exclude_defaults=True)


def _moved(parameter: schema.Parameter, call: Side) -> dict[str, Any]:
    """What a layer's record says of a parameter, for a function: it makes the layer now."""
    makes = parameter.mindspore_names and not set(parameter.mindspore_names) & set(call.names())
    moves = makes and parameter.torch_names
    return _plain(parameter) | ({"relation": "moved_to_constructor"} if moves else {})


def _unmade(api: str, made: Side, call: Side, side: Side) -> schema.Target | None:
    """A layer of PyTorch's as what computes the same when it is called, where nothing is kept."""
    inputs = [p for s in call.signatures[:1] for p in s.parameters if p.required]
    theirs = list(side.names())
    if not inputs or len(inputs) > len(theirs) or any(not p.positional for p in inputs):
        return None
    pairs: dict[str, str] = {}
    rest = theirs[len(inputs) :]
    ours = [n for n in made.names() if n not in UNIVERSAL_ABSENT]
    pairs |= {n: n for n in ours if n in rest}
    _by_name(ours, rest, pairs)
    if any(side.required(n) for n in rest if n not in pairs.values()):
        return None
    given = [*theirs[: len(inputs)], *(f"{other}={{{name}}}" for name, other in pairs.items())]
    names = ", ".join(theirs[: len(inputs)])
    parameters = [item for n in ours if n not in pairs if (item := _absent(n, made)) is not None]
    return schema.Target(
        id=api.removeprefix("mindspore.").replace(".", "-").replace("_", "-").lower(),
        expression=f"lambda {names}: {api}({', '.join(given)})",
        parameters=[schema.Parameter(**item) for item in parameters],
    )


def overloads(name: str, torch: Signatures) -> tuple[str, ...]:
    """The signatures of a PyTorch name; those of its function where only that one tells them."""
    side = torch.side(name)
    if side.signatures or side.kind != "method":
        return tuple(s.text for s in side.signatures)
    leaf = name.rpartition(".")[2]
    for other in (f"torch.Tensor.{leaf.removesuffix('_')}", f"torch.{leaf.removesuffix('_')}"):
        found = torch.side(other)
        if other != name and found.signatures:
            return tuple(s.text if found.kind == "method" else _bound(s.text)
                         for s in found.signatures)  # fmt: skip
    return ()


def _bound(text: str) -> str:
    """A function's signature as that of the method: without its first parameter."""
    first, comma, rest = text.removeprefix("(").partition(", ")
    return f"({rest}" if comma and "[" not in first else "(*args)"


def _kind(name: str, torch: Signatures) -> str:
    api = torch.apis.get(name)
    return api.kind if api is not None else "function"


def _is_method(side: Side) -> bool:
    return side.kind in ("method", "property")


def _first(name: str, torch: Signatures) -> str:
    """What a call of a name computes from first: the object of a method, or a parameter.

    Of a layer it is what that is called on, not what it is made with.
    """
    side = torch.side(name)
    if side.kind == "class":
        side = torch.side(name, "call")
    return "self" if _is_method(side) else next(iter(side.names()), "")


def _both(source: Side, api: str, mindspore: Signatures) -> Side:
    """What a call may give to a candidate: to a layer made for it, the input too."""
    side = mindspore.side(api)
    if side.kind == "class" and source.kind != "class":
        return Side(side.kind, (*side.signatures, *mindspore.side(api, "call").signatures))
    return side


def _taken_over(
    like: schema.Target, theirs: str, ours: str, known: Collection[str]
) -> dict[str, Any]:
    """The target of a sibling's record with its first parameter called as here, without notes.

    In an expression MindSpore's side of a parameter names a placeholder, which is called so too.
    """
    data = like.model_dump(exclude_defaults=True, exclude={"note"})
    composed = like.expression is not None

    def called(name: Any) -> Any:
        if isinstance(name, list):
            return [called(one) for one in name]
        return ours if composed and name == theirs else name

    def renamed(value: Any) -> Any:
        if isinstance(value, str):
            return _PLACE.sub(lambda m: "{" + (ours if m[1] == theirs else m[1]), value)
        if isinstance(value, Mapping):
            return {key: renamed(item) for key, item in value.items()}
        return [renamed(item) for item in value] if isinstance(value, list) else value

    made: dict[str, Any] = renamed(data)
    for key in ("given", "absent"):
        made[key] = [n for n in made.get(key, ()) if n in known]
    parameters: list[dict[str, Any]] = []
    for item, written in zip(made.get("parameters", ()), like.parameters, strict=True):
        names = [ours if n == theirs else n for n in written.torch_names]
        if set(names) <= set(known):
            alone = not isinstance(written.torch, list)
            sides: dict[str, Any] = {"torch": names[0] if alone else names} if names else {}
            if "mindspore" in item:
                sides["mindspore"] = called(item["mindspore"])
            for case in item.get("cases", ()):
                if "set" in case:
                    case["set"] = {called(name): value for name, value in case["set"].items()}
            parameters.append(item | sides)
    return {key: item for key, item in made.items() if item} | {"parameters": parameters}


def _paired(
    source: Side, side: Side, written: list[schema.Parameter], call: Side
) -> list[dict[str, Any]] | None:
    """What a target must say besides: renamed parameters, and those that MindSpore lacks.

    None where a parameter that MindSpore needs is left over.
    """
    ours = [n for n in source.names() if n not in {t for p in written for t in p.torch_names}]
    theirs = [n for n in side.names() if n not in {m for p in written for m in p.mindspore_names}]
    if _is_method(source) and "self" not in {t for p in written for t in p.torch_names}:
        theirs = theirs if _is_method(side) else theirs[1:]
    elif _is_method(side) and not _is_method(source):
        ours = ours[1:]
    layer = side.kind == "class" and source.kind != "class"
    inside = set(call.names()) if layer else set()
    if layer:
        # The input is what the layer is called on; the rest makes it.
        made = [n for n in theirs if n not in inside]
        theirs = [n for n in call.names() if n in theirs] + made
    pairs = {n: n for n in ours if n in theirs}
    _by_name(ours, theirs, pairs)
    _by_place(source, side, ours, theirs, pairs)
    found = [_said(n, m, source, side, layer and m not in inside) for n, m in pairs.items()]
    # What signatures say of a parameter holds for one of PyTorch's: the other says it, too.
    shared = [m for m in pairs.values() if list(pairs.values()).count(m) > 1]
    found += [{"torch": n, "mindspore": n, "relation": "same"}
              for n, m in pairs.items() if n == m and m in shared]  # fmt: skip
    left = [n for n in theirs if n not in pairs.values()]
    if any(side.required(n) for n in left):
        return None
    found += [_absent(n, source) for n in ours if n not in pairs]
    return [item for item in found if item is not None]


def _by_name(ours: list[str], theirs: list[str], pairs: dict[str, str]) -> None:
    for group in _ALIKE:
        mine = [n for n in ours if n in group and n not in pairs]
        other = [n for n in theirs if n in group and n not in pairs.values()]
        pairs |= dict(zip(mine, other, strict=False))


def _by_place(
    source: Side, side: Side, ours: list[str], theirs: list[str], pairs: dict[str, str]
) -> None:
    """Pair what stands in the same place and is of a kind, as far as nothing else is known."""
    mine = [n for n in ours if n not in pairs and n not in UNIVERSAL_ABSENT and n not in _IDLE]
    others = [n for n in theirs if n not in pairs.values() and n not in _OPPOSITE]
    for name in mine:
        place = ours.index(name)
        other = theirs[place] if place < len(theirs) else ""
        if other in others and _like(_parameter(source, name), _parameter(side, other)):
            pairs[name] = other
            others.remove(other)
    for name in (n for n in mine if n not in pairs):
        # Overloads may call one place by several names: src and value.
        twin = next((n for n in pairs if _instead(source, name, n)), None)
        if twin is not None:
            pairs[name] = pairs[twin]
    needed = [n for n in mine if n not in pairs and source.required(n)]
    wanted = [n for n in others if side.required(n)]
    if len(needed) == len(wanted):
        pairs |= dict(zip(needed, wanted, strict=True))


def _instead(side: Side, one: str, other: str) -> bool:
    """Whether a parameter stands where another does in other overloads, and never beside it."""
    together = any(s.get(one) is not None and s.get(other) is not None for s in side.signatures)
    return not together and None is not side.position(one) == side.position(other)


def _parameter(side: Side, name: str) -> Parameter:
    return next(p for s in side.signatures if (p := s.get(name)) is not None)


def _like(one: Parameter, other: Parameter) -> bool:
    """Whether two parameters of different names may be one: both needed, or of one default."""
    if (one.kind == "var_positional") != (other.kind == "var_positional"):
        return False
    if one.required:
        # What MindSpore's own code looks at only when it is given is often needed all the same.
        return other.required or other.default == "None"
    if other.required:
        return False
    return same_default(one.default, other.default)


def _said(
    torch: str, mindspore: str, source: Side, side: Side, constructor: bool
) -> dict[str, Any] | None:
    """What has to be said of two parameters that are one; nothing if signatures say it."""
    if constructor:
        return {"torch": torch, "mindspore": mindspore, "relation": "moved_to_constructor"}
    ours, theirs = source.defaults(torch), side.defaults(mindspore)
    if "None" in theirs and (nothing := [d for d in ours if d in _NOTHING]):
        # Both say that nothing is given, each in its own way, and neither takes the other's.
        cases = [{"when": default, "set": {}} for default in nothing]
        cases.append({"when": "any", "set": {mindspore: f"{{{torch}}}"}})
        relation = "value_transformed"
        return {"torch": torch, "mindspore": mindspore, "relation": relation, "cases": cases}
    if torch == mindspore:
        return None
    alike = None in ours or any(same_default(a, b) for a in ours for b in theirs)
    relation = "renamed" if alike else "default_differs"
    return {"torch": torch, "mindspore": mindspore, "relation": relation}


def _absent(name: str, source: Side) -> dict[str, Any] | None:
    """What becomes of a parameter that MindSpore lacks: its default may be written all the same."""
    if name in UNIVERSAL_ABSENT or source.variadic(name):
        return None
    if name in _IDLE:
        return {"torch": name, "relation": "source_only_droppable"}
    default = source.default(name)
    allowed = {"allow": [default]} if default not in (None, "...") else {}
    return {"torch": name, "relation": "source_only_unsupported", **allowed}
