"""What a comparison of recordings asks of the records: state, arguments, counterparts, caveats."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msmap import kin
from msmap.compare.terms import Argument
from msmap.errors import NotFound
from msmap.model import Caveat, Record, Target, Text, uses
from msmap.query.base.states import states
from msmap.recording.model import Call
from msmap.weights.states import States

if TYPE_CHECKING:
    from msmap.query.knowledge_base import KnowledgeBase

# What is written otherwise, and means the same.
_AXES = (
    "axis", "dim", "dims", "axes", "start_dim", "end_dim", "dim0", "dim1", "begin_norm_axis",
    "begin_params_axis",
)  # fmt: skip
# What tensors are called in a call that is written again.
_TENSOR = "tensor"
_PADDING = ("pad_mode", "padding", "pad")


class RecordFacts:
    """The records of a base, as a comparison asks them."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._kb = kb
        self.find = cache(self._find)
        self._states: States | None = None

    def _find(self, name: str) -> Record | None:
        torch = self._kb.torch_name(name)
        return None if torch is None else self._kb.find(torch)

    def named(self, torch: str) -> str:
        found = self.find(torch)
        return found.torch if found else ""

    @property
    def states(self) -> States:
        """The state mappings of all layers, read once."""
        if self._states is None:
            self._states = states(self._kb)
        return self._states

    def rules(self, torch: str, mindspore: str) -> list[dict[str, Any]]:
        found = self.states.rules(torch, mindspore)
        return [{"torch": s.torch, "mindspore": s.mindspore, "value": s.value} for s in found]

    def counterparts(self, torch: str) -> frozenset[str]:
        record = self.find(torch)
        alike = frozenset(self.states.by.get(torch, ()))
        if record is None:
            return alike
        return alike | {name for target in record.targets for name in uses(target)}

    def arguments(
        self, torch: str, given: dict[str, Any], mindspore: str, found: dict[str, Any]
    ) -> tuple[Argument, ...]:
        record = self.find(torch)
        if record is None or not found:
            return ()
        tried = [t for t in record.targets if t.api == mindspore]
        best: tuple[Argument, ...] | None = None
        for target in tried:
            call = ", ".join(_written(key, value) for key, value in given.items())
            wanted = self._wanted(target, f"{record.torch}({call})")
            if wanted is None:
                continue
            made = tuple(_differing(target, given, wanted, found))
            # Targets of one name stand for forms of the call: the nearest is meant.
            if best is None or len(made) < len(best):
                best = made
        return best or ()

    def called(self, torch: Call, mindspore: Call, rank: int) -> tuple[Argument, ...]:
        for name in _spellings(torch.name):
            record = self.find(name)
            if record is None:
                continue
            call = _call(record.torch, torch)
            target = next((t for t in record.targets if t.api == mindspore.name), None)
            if call is None:
                continue
            given = _named(record.torch, record.signatures, torch)
            if target is None:
                # An operation that is made first and called then.
                target = next((t for t in record.targets if mindspore.name in uses(t)), None)
                made = {k: v for k, v in mindspore.arguments.items() if not k.isdigit()}
                wanted = target and self._making(target, call, mindspore.name, list(made))
                if target is None or not wanted:
                    continue
                sources = _sources(target.expression or "", mindspore.name, list(made))
                return tuple(_differing(target, given, wanted, made, rank, sources))
            wanted = self._wanted(target, call)
            if wanted is None:
                continue
            found = _named(mindspore.name, target.signatures, mindspore)
            return tuple(_differing(target, given, wanted, found, rank))
        return ()

    def _making(
        self, target: Target, call: str, name: str, names: list[str]
    ) -> dict[str, Any] | None:
        """What the record makes an operation with that it then calls, as far as it is plain."""
        from msmap.port.attempt import attempt

        done = attempt(f"import torch\n{call}\n", self._kb, target.key)
        return None if done.code is None or done.refusals else _made_with(done.code, name, names)

    def becoming(self, torch: str, mindspore: str, parameter: str) -> frozenset[str]:
        record = self.find(torch)
        return frozenset(
            name
            for target in (() if record is None else record.targets)
            if target.api == mindspore
            for one in target.parameters
            if parameter in one.mindspore
            for name in one.torch
        )

    def akin(self, torch: str, parameters: frozenset[str]) -> list[tuple[str, Caveat]]:
        record = self.find(torch)
        if record is None:
            return []
        every = kin.Kin({summary.torch: "" for summary in self._kb.records()})
        forms = [self.find(name) for name in every.forms(record.torch)]
        return [
            (form.torch, caveat)
            for form in forms
            if form is not None
            for caveat in form.caveats
            if caveat.parameter in parameters and not caveat.own
        ]

    def _wanted(self, target: Target, call: str) -> dict[str, Any] | None:
        """MindSpore's arguments, defaults included, that the record makes of a call."""
        from msmap.port.attempt import attempt

        done = attempt(f"import torch\n{call}\n", self._kb, target.key)
        if done.code is None or done.refusals:
            return None
        last = ast.parse(done.code).body[-1]
        call_made = getattr(last, "value", None)
        if not isinstance(call_made, ast.Call) or not _is_of(call_made.func, target.api or ""):
            return None
        names, defaults = _signature(target.signatures)
        wanted = dict(defaults)
        for name, node in (
            *zip(names, call_made.args, strict=False),
            *((keyword.arg, keyword.value) for keyword in call_made.keywords),
        ):
            if name is None:
                return None
            try:
                wanted[name] = _number(node)
            except ValueError:
                wanted.pop(name, None)
        return wanted

    def section(self, guide: str, name: str) -> tuple[Text, tuple[str, ...]] | None:
        try:
            sections = self._kb.guide(guide).sections
        except NotFound:
            return None
        found = next((one for one in sections if one.id == name), None)
        return None if found is None else (found.text, tuple(c.id for c in found.checks))

    def caveats(self, torch: str, mindspore: str) -> tuple[Caveat, ...]:
        record = self.find(torch)
        if record is None:
            return ()
        keys = {t.key for t in record.targets if t.api == mindspore} | {mindspore, None}
        return tuple(c for c in record.caveats if c.target in keys)


def facts(kb: KnowledgeBase) -> RecordFacts:
    """What a base tells a comparison."""
    return RecordFacts(kb)


def _written(key: str, value: Any) -> str:
    text = repr(_tupled(value))
    return text if key.isdigit() else f"{key}={text}"


def _number(node: ast.expr) -> Any:
    """The value of a literal, or of arithmetic on two of them, such as ``1 - 0.1``."""
    if isinstance(node, ast.BinOp):
        one, other = ast.literal_eval(node.left), ast.literal_eval(node.right)
        if isinstance(one, int | float) and isinstance(other, int | float):
            if isinstance(node.op, ast.Sub):
                return one - other
            if isinstance(node.op, ast.Div) and other:
                return one / other
    return ast.literal_eval(node)


def _tupled(value: Any) -> Any:
    return tuple(_tupled(one) for one in value) if isinstance(value, list | tuple) else value


def _is_of(func: ast.expr, api: str) -> bool:
    """Whether a call is of a function, or of a method on its first argument."""
    method = api.removeprefix("mindspore.Tensor.")
    return ast.unparse(func) in (api, f"{_TENSOR}0.{method}" if method != api else api)


def _spellings(name: str) -> tuple[str, ...]:
    """The names of an operation as a function and as a method, that which was called first."""
    short = name.rpartition(".")[2]
    spaces = ("torch.nn.functional", "torch", "torch.Tensor")
    return tuple(dict.fromkeys((name, *(f"{space}.{short}" for space in spaces))))


def _places(call: Call) -> set[str]:
    """The numbers and names of arguments that are tensors, or hold some."""
    last = str(1 + max((int(k) for k in call.arguments if k.isdigit()), default=-1))
    found = set()
    for where, _ in call.inputs:
        at, _, inside = where.partition(".")
        # Those by name stand behind the others, as one mapping.
        named = inside and not inside[0].isdigit()
        found.add(inside.partition(".")[0] if named and int(at) >= int(last) else at)
    return found


def _call(name: str, call: Call) -> str | None:
    """A call as PyTorch's code, with names for tensors; None if not all of it was recorded."""
    tensors = _places(call)
    numbers = sorted(int(key) for key in {*call.arguments, *tensors} if key.isdigit())
    if numbers != list(range(len(numbers))):
        return None
    parts = [
        f"{_TENSOR}{n}" if str(n) in tensors else repr(_tupled(call.arguments[str(n)]))
        for n in numbers
    ]
    parts += [f"{key}={_TENSOR}_{key}" for key in sorted(tensors) if not key.isdigit()]
    parts += [_written(key, value) for key, value in call.arguments.items() if not key.isdigit()]
    return f"{name}({', '.join(parts)})"


def _named(name: str, signatures: tuple[str, ...], call: Call) -> dict[str, Any]:
    """The plain arguments of a call by name, defaults included."""
    names, defaults = _signature(signatures)
    if ".Tensor." in name:
        names = ["self", *names]
    tensors = {names[int(at)] if at.isdigit() and int(at) < len(names) else at
               for at in _places(call)}  # fmt: skip
    given = {
        names[int(key)] if key.isdigit() else key: value
        for key, value in call.arguments.items()
        if not key.isdigit() or int(key) < len(names)
    }
    return {key: value for key, value in (defaults | given).items() if key not in tensors}


def _making_call(code: str, name: str) -> ast.Call | None:
    """The call in code that makes an operation."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == name:
            return node
    return None


def _bound(call: ast.Call, names: list[str]) -> dict[str, ast.expr]:
    return dict(zip(names, call.args, strict=False)) | {
        one.arg: one.value for one in call.keywords if one.arg is not None
    }


def _made_with(code: str, name: str, names: list[str]) -> dict[str, Any]:
    """The plain arguments of an operation that is made in code, by name."""
    call = _making_call(code, name)
    found = {}
    for key, node in _bound(call, names).items() if call is not None else ():
        with suppress(ValueError):
            found[key] = _number(node)
    return found


def _sources(expression: str, name: str, names: list[str]) -> dict[str, str]:
    """The parameters of PyTorch's that an expression makes an operation with: ``{eps}`` of it."""
    call = _making_call(expression, name)
    return {
        key: node.elts[0].id
        for key, node in (_bound(call, names).items() if call is not None else ())
        if isinstance(node, ast.Set) and isinstance(node.elts[0], ast.Name)
    }


def _signature(signatures: tuple[str, ...]) -> tuple[list[str], dict[str, Any]]:
    """The parameters in order, and the defaults that are plain."""
    for text in signatures[:1]:
        try:
            arguments = ast.parse(f"def f{text}: pass").body[0].args  # type: ignore[attr-defined]
        except SyntaxError:
            return [], {}
        ordered = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
        pairs = [
            *zip(reversed(ordered), reversed(arguments.defaults), strict=False),
            *((a.arg, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)),
        ]
        found = {}
        for name, node in pairs:
            try:
                found[name] = ast.literal_eval(node) if node is not None else None
            except ValueError:
                continue
        return [name for name in ordered if name != "self"], found
    return [], {}


def _differing(
    target: Target,
    given: dict[str, Any],
    wanted: dict[str, Any],
    found: dict[str, Any],
    rank: int = 0,
    sources: Mapping[str, str] = MappingProxyType({}),
) -> list[Argument]:
    padded = _padded(wanted), _padded(found)
    made = []
    for name, value in found.items():
        if name not in wanted or _alike(wanted[name], value):
            continue
        if name in _AXES and rank and _alike(*(_axis(v, rank) for v in (wanted[name], value))):
            continue
        if name in _PADDING and None not in padded and _alike(*padded):
            continue
        torch = next((p for p in target.parameters if name in p.mindspore), None)
        source = torch.torch[0] if torch is not None and torch.torch else sources.get(name, "")
        if name == "pad_mode" and not source:
            source = "padding"
        made.append(Argument(source, name, given.get(source), wanted[name], value))
    return made


def _axis(value: Any, rank: int) -> Any:
    """An axis counted from the front."""
    if isinstance(value, list | tuple):
        return tuple(_axis(one, rank) for one in value)
    return value % rank if isinstance(value, int) and not isinstance(value, bool) else value


def _alike(one: Any, other: Any) -> bool:
    """Whether two values mean the same: ``2`` and ``(2, 2)``, ``0.1`` and its neighbour."""
    one, other = _tupled(one), _tupled(other)
    if isinstance(one, tuple) != isinstance(other, tuple):
        whole, single = (one, other) if isinstance(one, tuple) else (other, one)
        return bool(whole) and all(_alike(value, single) for value in whole)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, str) and isinstance(other, str):
        return one.lower() == other.lower()
    numbers = all(isinstance(v, int | float) for v in (one, other))
    if numbers and not isinstance(one, bool) and not isinstance(other, bool):
        return bool(abs(one - other) <= 1e-6 * max(abs(one), abs(other)))
    return bool(one == other)


def _padded(values: dict[str, Any]) -> Any:
    """How far a convolution or a pool pads each side, None where it can't be told."""
    mode = str(values.get("pad_mode", "")).lower()
    if mode == "valid":
        return 0
    if mode == "pad":
        return values.get("padding", 0)
    kernel, dilation = _single(values.get("kernel_size")), _single(values.get("dilation", 1))
    if mode == "same" and _alike(values.get("stride", 1), 1) and kernel and dilation:
        return dilation * (kernel - 1) // 2 if kernel % 2 else None
    return None


def _single(value: Any) -> int | None:
    """The number that a size is along each axis; None if they differ."""
    several = value if isinstance(value, list | tuple) else [value]
    same = len({*several}) == 1 and isinstance(several[0], int)
    return int(several[0]) if same else None
