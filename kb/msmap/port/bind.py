"""Which argument of a PyTorch call goes to which of its parameters."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from msmap.code.refusal import Refused
from msmap.model import Text
from msmap.port import arguments as values
from msmap.port.arguments import Argument
from msmap.signatures.parse import Parameter, Signature
from msmap.vocabulary import RefusalKind

# What PyTorch's stubs leave out, of x.half() and nine other casts; MindSpore has nothing of it.
_LEFT_OUT = ("memory_format",)


@dataclass(slots=True)
class Bound:
    """Arguments by parameter; those that were left out are absent."""

    signature: Signature
    given: dict[str, Argument]


class _Unfit(Exception):
    """Arguments that an overload doesn't take; ``said`` is why, in both languages."""

    def __init__(self, en: str, zh: str, kind: RefusalKind = "no_overload") -> None:
        super().__init__(en)
        self.said, self.kind = Text(en, zh), kind


def bind(
    name: str,
    signatures: Sequence[Signature],
    positional: Sequence[Argument],
    keywords: dict[str, Argument],
    ranked: bool = False,
) -> Bound:
    """Bind a call to the one overload that it fits.

    Where literals, keywords and argument names don't tell the overloads apart, the first is
    taken if they are ``ranked``.

    Raises:
        Refused: no overload fits, or several do that would read the arguments differently.
    """
    bindings: list[tuple[int, Bound]] = []
    reasons: list[_Unfit] = []
    for signature in signatures:
        try:
            given = _assign(signature, positional, keywords)
        except _Unfit as error:
            # Without the frames that it came through, which would hold it in turn.
            reasons.append(error.with_traceback(None))
            continue
        _tupled(name, given)
        # A single overload's annotations may lie (F.interpolate's size is no plain int).
        score = _fit(signature, given) if len(signatures) > 1 else 0
        if score >= 0:
            bindings.append((score, Bound(signature, given)))
    if not bindings:
        none = _Unfit("no overload takes arguments of these kinds", "没有接受这类参数的重载")
        detail = reasons[0] if reasons else none
        raise Refused(
            detail.kind,
            f"{name}: {detail.said.en}",
            f"{name}：参数与任何重载都不匹配（{detail.said.zh}）",
        )
    if len(bindings) == 1:
        return bindings[0][1]
    best = max(score for score, _ in bindings)
    found = [bound for score, bound in bindings if score == best]
    if ranked or all(_same(bound, found[0]) for bound in found):
        return found[0]
    readings = [_reading(bound, found) for bound in found]
    raise Refused(
        "ambiguous",
        f"{name}: an argument may be {' or '.join(readings)}; write it as a keyword",
        f"{name}：无法判断参数对应 {' 还是 '.join(readings)}；请改用关键字传参",
    )


def _reading(bound: Bound, found: Sequence[Bound]) -> str:
    common = set.intersection(*(set(b.given) for b in found))
    names = [n for n in bound.given if n not in common] or list(bound.given)
    return ", ".join(f"`{n}`" for n in names)


def _same(one: Bound, other: Bound) -> bool:
    return {k: v.text for k, v in one.given.items()} == {k: v.text for k, v in other.given.items()}


# What PyTorch takes for its own names of parameters, as NumPy calls them.
_NUMPY = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input",
          "x2": "other"}  # fmt: skip


def _meant(signature: Signature, name: str) -> str:
    """The parameter that a keyword fills."""
    meant = _NUMPY.get(name, name)
    return name if signature.get(name) is not None or signature.get(meant) is None else meant


def _assign(
    signature: Signature, positional: Sequence[Argument], keywords: dict[str, Argument]
) -> dict[str, Argument]:
    given: dict[str, Argument] = {}
    slots = signature.positional
    variadic = signature.variadic
    for parameter, found in zip(slots, positional, strict=False):
        if isinstance(found.node, ast.Starred):
            raise _Unfit(
                f"which parameters {found.text} fills can't be told from the code",
                f"无法从代码判断 {found.text} 填入哪些参数",
                "unpacked",
            )
        given[parameter.name] = found
    rest = tuple(positional[len(slots) :])
    if variadic and (rest or not keywords):
        if rest:
            given[variadic.name] = _gather(rest)
    elif rest:
        most = len(slots)
        raise _Unfit(f"takes at most {most} positional arguments", f"最多接受 {most} 个位置参数")
    for spelled, found in keywords.items():
        name = _meant(signature, spelled)
        known = signature.get(name)
        if known is None and name in _LEFT_OUT:
            continue
        if known is None and not signature.open_keywords:
            raise _Unfit(f"has no parameter `{name}`", f"没有参数 `{name}`")
        if known is not None and known.kind == "positional_only":
            raise _Unfit(f"takes `{name}` by position only", f"`{name}` 只能按位置传入")
        if name in given:
            raise _Unfit(f"gets `{name}` twice", f"`{name}` 传入了两次")
        given[name] = found
    if variadic and variadic.name in keywords:
        given[variadic.name] = keywords[variadic.name]
    for parameter in signature.parameters:
        if parameter.required and parameter.name not in given:
            raise _Unfit(f"needs `{parameter.name}`", f"缺少 `{parameter.name}`")
    return given


# PyTorch takes lists for these as it takes tuples, most of MindSpore's windows tuples alone.
_STEPS = ("kernel_size", "stride", "padding", "dilation", "output_padding")
_WINDOWS = {*_STEPS, "output_size", "scale_factor"}
# Of these PyTorch takes (2,) for 2, in each direction.
_SPREADING = re.compile(r"(1d|_pool\dd|conv\dd|conv_transpose\dd)$")


def _tupled(name: str, given: dict[str, Argument]) -> None:
    """Write lists that say the size of a window as the tuples, or the number, that they mean."""
    for key in _WINDOWS & given.keys():
        found = given[key]
        parts = found.elements if isinstance(found.node, ast.List | ast.Tuple) else None
        if parts and len(parts) == 1 and key in _STEPS and _SPREADING.search(name):
            given[key] = replace(found, text=parts[0].text, node=parts[0].node)
        elif parts and isinstance(found.node, ast.List):
            text = f"({', '.join(part.text for part in parts)}{',' if len(parts) == 1 else ''})"
            made = ast.copy_location(ast.Tuple(found.node.elts, ast.Load()), found.node)
            given[key] = replace(found, text=text, node=made)


def _gather(rest: tuple[Argument, ...]) -> Argument:
    if len(rest) == 1 and isinstance(rest[0].node, ast.Starred):
        # A target that takes one sequence gets it whole; one that takes many gets the star.
        return Argument(rest[0].text.removeprefix("*"), None, "position", rest)
    if len(rest) == 1 and rest[0].elements is not None:
        return rest[0]
    if len(rest) == 1 and values.kind(rest[0].node) == "unknown" and rest[0].proved != "plain":
        return rest[0]
    text = ", ".join(item.text for item in rest)
    return Argument(f"({text}{',' if len(rest) == 1 else ''})", None, "position", rest)


def _fit(signature: Signature, given: dict[str, Argument]) -> int:
    """How well the arguments fit the annotations; -1 when a literal contradicts one."""
    score = 0
    for name, found in given.items():
        parameter = signature.get(name)
        if parameter is None:
            continue
        verdict = _suits(parameter, found)
        if verdict is False:
            return -1
        score += 4 if verdict else 0
        score += name == _own_name(found.node)
    return score


def _own_name(node: ast.expr | None) -> object:
    """What the code calls an argument: for `dim`, `self.dim` and `config["dim"]` it is the same.

    The caller's own name tells what it is.
    """
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return node.slice.value
    return getattr(node, "id", "") or getattr(node, "attr", "")


_ACCEPTS = {
    "int": ("int", "size", "SymInt", "Number", "number", "float", "complex", "Any", "_size"),
    "float": ("float", "Number", "number", "complex", "Any"),
    "bool": ("bool", "Number", "number", "Any"),
    "str": ("str", "Any", "DeviceLikeType", "device"),
    "none": ("None", "Optional", "Any"),
    "tuple": (
        "size",
        "Size",
        "tuple",
        "Tuple",
        "Sequence",
        "list",
        "List",
        "Any",
        "_size",
        "Iterable",
    ),
}
_ACCEPTS["list"] = _ACCEPTS["tuple"]


def _suits(parameter: Parameter, found: Argument) -> bool | None:
    """True or False when a literal settles it, None when nothing is known."""
    this = "tuple" if found.items is not None else values.kind(found.node)
    if parameter.kind == "var_positional":
        if (
            found.proved == "tensor"
            and found.items is None
            and "Tensor" not in (parameter.annotation or "Tensor")
        ):
            return False
        if this in ("none", "bool", "str") and parameter.annotation:
            return False
        return True if this in ("tuple", "list", "int") else None
    if this == "unknown" and found.proved and parameter.annotation:
        return _proved(set(_words(parameter.annotation)), found.proved)
    if this == "unknown" or not parameter.annotation:
        return None
    words = set(_words(parameter.annotation))
    if "Literal" in words and found.node is not None:
        return ast.unparse(found.node) in words
    if found.items is not None and len(found.items) and words.isdisjoint(_ACCEPTS["tuple"]):
        return False
    if this == "none" and parameter.default == "None":
        return True
    accepted = any(_accepts(word, this) for word in words)
    if accepted and this in ("int", "float") and _INNER.search(parameter.annotation):
        # An int for a list of them is taken by some functions, but it never tells an overload.
        outer = _words(_INNER.sub("", parameter.annotation))
        return True if any(_accepts(word, this) for word in outer) else None
    return accepted


# What a container holds.
_INNER = re.compile(r"\b(?:Sequence|list|List|tuple|Tuple)\[[^][]*\]")
_NUMBERS = {"int", "float", "bool", "Number", "SymInt", "number", "complex", "SymFloat", "Any"}


def _proved(words: set[str], proved: str) -> bool | None:
    """The same of what the code around an argument says of it."""
    if proved == "tensor":
        if "Tensor" in words:
            return True
        return False if words <= {*_NUMBERS, "str", "dtype"} - {"Any"} else None
    if proved == "device":
        return not words.isdisjoint(("device", "DeviceLikeType", "Any"))
    if proved == "plain":
        return False if words <= {"Tensor", "Sequence"} else None
    return None


def _accepts(word: str, this: str) -> bool:
    # Aliases of the stubs, such as _size_2_t, stand for an int or a tuple of ints or floats.
    alias = word.endswith("_t") and this in ("int", "float", "tuple", "list")
    return word in _ACCEPTS[this] or alias


def _words(annotation: str) -> list[str]:
    for mark in "[]|,.()":
        annotation = annotation.replace(mark, " ")
    return annotation.split()
