"""MindSpore's APIs that could be written in place of a target by mistake."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from msmap.model import Target
from msmap.port.emit import RECEIVER
from msmap.signatures.files import Api
from msmap.signatures.parse import Signature, parse
from msmap.signatures.release import Signatures

HOW_MANY = 2

# Names that compute the same where one stands for the other, but are no aliases in the signatures.
_SYNONYMS: tuple[set[str], ...] = (
    {"mindspore.mint.max", "mindspore.mint.maximum"},
    {"mindspore.mint.min", "mindspore.mint.minimum"},
    # Both call the operator Pow.
    {"mindspore.ops.pow", "mindspore.ops.pows"},
    # MindSpore announces that the second will be renamed to the first.
    {"mindspore.Tensor.gather", "mindspore.Tensor.gather_elements"},
    {"mindspore.ops.where", "mindspore.ops.select"},
    # The second calls the first.
    {"mindspore.ops.movedim", "mindspore.ops.moveaxis"},
    # The function calls the operator that the other two are.
    {"mindspore.ops.floor_divide", "mindspore.ops.floordiv", "mindspore.ops.tensor_floordiv"},
    {"mindspore.mint.gt", "mindspore.mint.greater"},
    {"mindspore.mint.lt", "mindspore.mint.less"},
    # Both return the tensor's UntypedStorage.
    {"mindspore.Tensor.untyped_storage", "mindspore.Tensor.storage"},
    # A view of a strided tensor is a copy in MindSpore; the record of torch.Tensor.view shows it.
    {"mindspore.Tensor.reshape", "mindspore.Tensor.view"},
)


def nearest(target: Target, source: Sequence[Signature], known: Signatures) -> list[Api]:
    """The public APIs of the same namespace and kind that take what the target is given.

    The most alike come first: by the names of their parameters, then by their own. ``source``
    are the overloads of PyTorch's that the target takes.
    """
    own = known.apis.get(target.api or "")
    if own is None:
        return []
    sent = [_sent(target, set(signature.names)) for signature in source]
    return _ranked(own, sent, len(_required(target.call)), known)


def alike(name: str, known: Signatures) -> list[Api]:
    """The same for a function in an expression, which may be given any of its parameters."""
    own = known.apis.get(name)
    if own is None or own.kind != "function":
        return []
    return _ranked(own, [set(parse(text).names) for text in own.signatures], 0, known)


def _sent(target: Target, names: set[str]) -> set[str]:
    """The parameters that one overload of PyTorch's is carried to."""
    found = {
        name
        for p in target.parameters
        if not names.isdisjoint(p.torch) or (p.value and not p.torch)
        for name in p.mindspore
    }
    # A method's receiver is in no signature.
    return found - {RECEIVER}


def synonyms(one: str, other: str) -> bool:
    """Whether two names compute the same."""
    return any({one, other} <= group for group in _SYNONYMS)


def _ranked(own: Api, sent: Sequence[set[str]], inputs: int, known: Signatures) -> list[Api]:
    space, last = own.name.rsplit(".", 1)
    found = []
    for name, api in known.apis.items():
        if api.kind != own.kind or name.rsplit(".", 1)[0] != space or _same(own, api):
            continue
        if not _usable(api) or len(_required(api.call)) != inputs * bool(api.call):
            continue
        likeness = _likeness(sent, api.signatures)
        if likeness is not None:
            ratio = difflib.SequenceMatcher(None, last, name.rsplit(".", 1)[1]).ratio()
            found.append((-likeness, -ratio, name))
    return [known.apis[name] for *_, name in sorted(found)[:HOW_MANY]]


def _same(one: Api, other: Api) -> bool:
    names = {one.alias_of or one.name, one.defined} - {""}
    return not names.isdisjoint({other.alias_of or other.name, other.defined})


def _usable(api: Api) -> bool:
    """Whether it is public, current and not known to lack a CPU kernel."""
    private = api.name.rsplit(".", 1)[1].startswith("_")
    return not (private or api.deprecated or (api.platforms and "CPU" not in api.platforms))


def _required(texts: Iterable[str]) -> list[str]:
    return [p.name for text in list(texts)[:1] for p in parse(text).parameters if p.required]


def _likeness(sent: Sequence[set[str]], texts: tuple[str, ...]) -> float | None:
    """How much of its parameters it shares with what is sent; None if it doesn't take that."""
    found = [] if texts or any(sent) else [1.0]
    for text in texts:
        parameters = parse(text).parameters
        names, needed = {p.name for p in parameters}, {p.name for p in parameters if p.required}
        found += [len(s) / len(names) if names else 1.0 for s in sent if needed <= s <= names]
    return max(found, default=None)
