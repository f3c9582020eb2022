"""Code about one form of an operation written for another: function, method or layer."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from msmap.curated import schema
from msmap.names import in_place
from msmap.probe.bench import Bench
from msmap.probe.draft.caveats import Group, Told
from msmap.probe.sample import Sample
from msmap.vocabulary import CHANCE

_PORTED = re.compile(r"\{\{(.+?)\}\}", re.DOTALL)
_SHORT = {"torch.nn.functional": "F", "torch.nn": "nn"}


def nearest(bench: Bench, name: str) -> str:
    """The nearest sibling with a record; "" if there is none.

    What changes its input is far from what doesn't: its words say how to copy, and its checks
    read what was changed.
    """
    found = sorted(bench.siblings(name), key=lambda other: in_place(other) != in_place(name))
    return next(iter(found), "")


def alike(one: str, other: str) -> bool:
    """Whether two names are forms of one that do the same: what one does, the other does."""
    return one.rpartition(".")[2] == other.rpartition(".")[2]


def recast(code: str, sibling: str, name: str) -> str | None:
    """Code with calls of a name instead of calls of its sibling.

    A method's object, a function's first argument and what a layer is called on are the same.

    Returns:
        the code, in which the port of a call in braces is that of the new call; None if nothing in
        it is a call of the sibling.
    """
    done = 0

    def inside(text: str) -> str:
        nonlocal done
        made = _python(text, sibling, name)
        done += made is not None
        return text if made is None else made

    if "{{" in code:
        made = _PORTED.sub(lambda m: f"{{{{ {inside(m[1].strip())} }}}}", code)
    else:
        made = inside(code)
    return made if done else None


def _python(code: str, sibling: str, name: str) -> str | None:
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return None
    change = _Change(sibling, name)
    found = change.visit(tree)
    return ast.unparse(found) if change.done else None


class _Change(ast.NodeTransformer):
    """Calls of a sibling become calls of a name; ``done`` counts them."""

    def __init__(self, sibling: str, name: str) -> None:
        self.done = 0
        self._read: Callable[[ast.Call], _Call | None] = _reader(sibling)
        self._name = name

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A call; those inside of it first."""
        self.generic_visit(node)
        found = self._read(node)
        if found is None:
            return node
        self.done += 1
        return _written(found, self._name)


_Call = tuple[ast.expr, list[ast.expr], list[ast.keyword]]


def _reader(sibling: str) -> Callable[[ast.Call], _Call | None]:
    """What finds the object, other arguments and keywords of a sibling's call."""
    spelled = {sibling}
    home, _, leaf = sibling.rpartition(".")
    if home in _SHORT:
        spelled.add(f"{_SHORT[home]}.{leaf}")

    def function(node: ast.Call) -> _Call | None:
        if ast.unparse(node.func) not in spelled:
            return None
        first = next((k for k in node.keywords if k.arg in ("input", "self")), None)
        if first is not None:
            return first.value, node.args, [k for k in node.keywords if k is not first]
        return (node.args[0], node.args[1:], node.keywords) if node.args else None

    def method(node: ast.Call) -> _Call | None:
        called = node.func
        if not isinstance(called, ast.Attribute) or called.attr != leaf:
            return None
        return called.value, node.args, node.keywords

    def layer(node: ast.Call) -> _Call | None:
        made = node.func
        if not isinstance(made, ast.Call) or ast.unparse(made.func) not in spelled:
            return None
        return (node.args[0], made.args, made.keywords) if len(node.args) == 1 else None

    return method if _is_method(sibling) else layer if _is_layer(sibling) else function


def _written(call: _Call, name: str) -> ast.expr:
    """A call of a name."""
    first, args, keywords = call
    if _is_method(name):
        called: ast.expr = ast.Attribute(first, name.rpartition(".")[2], ast.Load())
        return ast.Call(called, args, keywords)
    api = ast.parse(name, mode="eval").body
    if _is_layer(name):
        return ast.Call(ast.Call(api, args, keywords), [first], [])
    return ast.Call(api, [first, *args], keywords)


def _is_method(name: str) -> bool:
    return name.startswith("torch.Tensor.")


def _is_layer(name: str) -> bool:
    return name.startswith("torch.nn.") and name.rpartition(".")[2][:1].isupper()


def taken_over(
    record: schema.Record, caveat: schema.Caveat, name: str, taken: set[str]
) -> Told | None:
    """A sibling's caveat with its checks, written for a name; None if none of these can be.

    ``taken`` are the ids of checks so far; those made are added.
    """
    checks = []
    shown = [check for check in record.checks if check.id in caveat.shown_by]
    for check in record.checks:
        if not (check in shown or _is_remedy(check, shown)) or check.id in taken:
            continue
        torch = recast(check.torch, record.torch, name)
        mindspore = check.mindspore
        if mindspore is not None and "{{" in mindspore:
            mindspore = recast(mindspore, record.torch, name)
        if torch is None or (check.mindspore is not None and mindspore is None):
            continue
        data = check.model_dump(exclude_defaults=True) | {"torch": torch}
        used = {n: spec for n, spec in record.inputs.items() if re.search(rf"\b{n}\b", torch)}
        given = schema.Check(id=check.id, torch=torch, inputs=used | check.inputs)
        inputs = given.model_dump(exclude_defaults=True).get("inputs", {})
        data |= {"mindspore": mindspore} if mindspore is not None else {}
        data |= {"inputs": inputs} if inputs else {}
        checks.append({key: value for key, value in data.items() if key != "clears"})
    told_of_samples = caveat.unverified is not None and caveat.samples
    ids = [check["id"] for check in checks if check["id"] in caveat.shown_by]
    if not ids and not caveat.variants and not told_of_samples:
        return None
    taken.update(check["id"] for check in checks)
    made = caveat.model_dump(exclude_defaults=True)
    made.pop("shown_by", None)
    return Told(made | ({"shown_by": ids} if ids else {}), checks)


def _is_remedy(check: schema.Check, shown: Sequence[schema.Check]) -> bool:
    """Whether a check shows what to write where others differ: for the same call, by hand."""
    by_hand = check.expect == "same" and check.mindspore is not None
    return by_hand and any((check.torch, check.inputs) == (s.torch, s.inputs) for s in shown)


def untold(
    found: Iterable[Group], over: Sequence[Mapping[str, Any]], message: Callable[[Sample], str]
) -> list[Group]:
    """Groups without the samples that caveats taken over tell of.

    Samples that differ in one way may do so for several reasons, of which a sibling tells some:
    what is said of the rest is found without them.

    Args:
        found: the groups.
        over: the caveats.
        message: gives how a sample differs.
    """
    rest = []
    for group in found:
        alone = (replace(group, message=message(s), members=(s,)) for s in group.members)
        # Whether variants show here what they show of a sibling is only seen later.
        members = tuple(one.members[0] for one in alone if not _sampled(one, over))
        left = group
        if len(members) < len(group.members) and members and group.message not in CHANCE:
            left = replace(group, message=message(members[0]), members=members)
        if members and not _told(left, over):
            rest.append(left)
    return rest


def _sampled(group: Group, over: Iterable[Mapping[str, Any]]) -> bool:
    return any(_fits(group, told) for caveat in over for told in caveat.get("samples", ()))


def _told(group: Group, over: Iterable[Mapping[str, Any]]) -> bool:
    """Whether caveats that are taken over tell of a group, by samples or by their variants."""
    if _sampled(group, over):
        return True
    named = {n for caveat in over for n in caveat.get("variants", ())}
    named |= {"0-d"} if "zero-d" in named else set()
    return bool(group.dtypes) and (set(group.dtypes) <= named or bool(group.kinds & named))


def _fits(group: Group, told: Mapping[str, Any]) -> bool:
    """Whether what a caveat says of samples is said of all of a group."""
    return (
        group.outcome in told.get("outcomes", (group.outcome,))
        and set(group.dtypes) <= set(told.get("dtypes", group.dtypes))
        and ("kinds" not in told or not group.kinds.isdisjoint(told["kinds"]))
        and set(told.get("given", ())) <= group.given
        and told.get("message", "") in group.message
    )
