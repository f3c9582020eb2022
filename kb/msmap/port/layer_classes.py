"""Which classes of MindSpore's the layers of a project become, of one class of PyTorch's."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from msmap.code.refusal import Refused
from msmap.code.source import Source
from msmap.infer.modules import Module
from msmap.infer.values.lattice import owner_kind
from msmap.model import Record, Target
from msmap.port import arguments as values
from msmap.port import targets
from msmap.port.session import Rewriter


def classes(work: Rewriter, record: Record) -> tuple[Target, ...]:
    """The classes that the layers of a project became, best first.

    They are told by the calls in this file and in the others of its tree. Where none of them makes
    such a layer, it comes from elsewhere: then any class will do that a call may become.
    """
    known = work.made.get(record.torch)
    if known is None:
        known = work.made[record.torch] = tuple(_classes(work, record))
    return known


def _classes(work: Rewriter, record: Record) -> list[Target]:
    possible = _possible(record)
    if len(possible) < 2 or work.resolver.own or work.resolver.reading.snippet:
        return possible[:1]
    keys = {*_here(work, record), *_elsewhere(work, record)}
    found = [t for t in possible if t.key in keys]
    if None in keys:
        return possible
    if not keys:
        # Of a class with other names for its parameters nothing is right for both.
        return [t for t in possible if _names(t) == _names(possible[0])]
    return found or possible[:1]


def _names(target: Target) -> dict[str, str | None]:
    return {s.torch: s.mindspore for s in target.state if s.torch != s.mindspore}


def _possible(record: Record) -> list[Target]:
    """The classes that calls may become: the first, and those for what it refuses."""
    found: list[Target] = []
    before: list[Target] = []
    for target in record.targets:
        others = (one.api for one in found)
        takes_more = all(_narrow(one) - _refused(target) for one in before)
        if target.kind == "class" and target.api and target.api not in others and takes_more:
            found.append(target)
        before.append(target)
    return found


def _narrow(target: Target) -> set[str]:
    return {*_refused(target), *target.given, *(f"not {name}" for name in target.absent)}


def _refused(target: Target) -> set[str]:
    """The parameters for whose values a target may refuse a call."""
    return {
        name
        for p in target.parameters
        if p.relation == "source_only_unsupported" or any(c.refuse for c in p.cases)
        for name in p.torch
    }


def _here(work: Rewriter, record: Record) -> Iterator[str | None]:
    """The keys of the targets that calls of this file become; None for one that can't be told."""
    reading = work.resolver.reading
    for use in work.uses.values():
        named = use.how in ("call", "super", "made", "name") and not use.typed
        if not named or reading.canonical(use.names[0]) != record.torch:
            continue
        if use.how == "call" and isinstance(use.node, ast.Call):
            yield _key(record, use.node, work.source)
        elif use.how != "name":
            yield record.targets[0].key
    for base, name in work.bases.items():
        if base in work.uses and reading.canonical(name) == record.torch:
            yield record.targets[0].key


def _elsewhere(work: Rewriter, record: Record) -> Iterator[str | None]:
    """The same of the other files of the tree."""
    place = work.resolver.reading.place
    if place is None:
        return
    leaf = record.torch.rpartition(".")[2]
    words = {leaf, *(str(t.api).rpartition(".")[2] for t in _possible(record))}
    others: dict[Module, None] = {}
    for word in sorted(words):
        found = place.others_saying(word)
        if found is None:
            yield None
            return
        others |= dict.fromkeys(found)
    for module in others:
        kept = module.table.made.get((module.place, record.torch))
        if kept is None:
            try:
                kept = tuple(_in(module.source, record, leaf))
            except (OSError, SyntaxError, ValueError):
                kept = ()
            module.table.made[module.place, record.torch] = kept
        yield from kept


def _in(source: Source, record: Record, leaf: str) -> Iterator[str | None]:
    ported = _ported(source)
    for node in source.nodes.of(ast.Call):
        for target in _possible(record) if ported else ():
            if _api(node.func) == target.api:
                yield target.key
    if ported or not source.mentions("torch"):
        return
    for node in source.nodes.of(ast.Call):
        function, given = node.func, node.args
        if _leaf(function) == "partial" and given:
            function, given = given[0], given[1:]
        if _is_of_torch(source, function, leaf):
            yield _key(record, node, source, given)
    for one in source.all(ast.ClassDef):
        if any(_is_of_torch(source, base, leaf) for base in one.bases):
            yield record.targets[0].key


def _ported(source: Source) -> bool:
    """Whether a file is MindSpore's: it may have been ported just before."""
    modules = [alias.name for one in source.all(ast.Import) for alias in one.names]
    modules += [one.module or "" for one in source.all(ast.ImportFrom)]
    roots = {name.partition(".")[0] for name in modules}
    return "mindspore" in roots and "torch" not in roots


def _api(node: ast.expr) -> str:
    """The class of MindSpore's that a call makes, as ``nn.Dense`` and ``mint.nn.Linear`` say it."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(node.id)
    if parts[1:2] != ["nn"]:
        return ""
    home = "mindspore.mint.nn" if parts[2:3] == ["mint"] else "mindspore.nn"
    return f"{home}.{parts[0]}"


def _is_of_torch(source: Source, node: ast.expr, leaf: str) -> bool:
    """Whether an expression names PyTorch's class, and not one of the file's own."""
    if isinstance(node, ast.Attribute):
        return node.attr == leaf and isinstance(node.value, ast.Name | ast.Attribute)
    return _leaf(node) == leaf and any(
        alias.name in (leaf, "*")
        for one in source.all(ast.ImportFrom)
        if (one.module or "").partition(".")[0] == "torch"
        for alias in one.names
    )


def _leaf(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _key(
    record: Record, node: ast.Call, source: Source, given: Sequence[ast.expr] | None = None
) -> str | None:
    """The key of the target that a call becomes; None where that can't be told."""
    placed = node.args if given is None else given
    if any(isinstance(a, ast.Starred) for a in placed) or any(k.arg is None for k in node.keywords):
        return None
    arguments = targets.Arguments(
        tuple(values.argument(source.text(a), "position") for a in placed),
        {str(k.arg): values.argument(source.text(k.value), "keyword") for k in node.keywords},
    )
    try:
        return targets.write(record, arguments).target.key
    except Refused:
        # It stays PyTorch's, and is told as such.
        return record.targets[0].key


def shared(work: Rewriter, record: Record) -> list[str]:
    """Other classes of PyTorch's of which this file makes layers that become the same classes."""
    mine = {target.api for target in classes(work, record)}
    found: dict[str, None] = {}
    for use in work.uses.values():
        name = work.resolver.reading.canonical(use.names[0]) if use.how == "call" else None
        if name is None or name == record.torch or owner_kind(name) != "module":
            continue
        other = work.facts.find(name)
        if other is None or other.kind != "class" or not other.targets:
            continue
        if f"torch.nn.ZeroPad{name[-2:]}" == name and record.torch.endswith(name[-5:]):
            # It comes from ConstantPad in PyTorch too.
            continue
        if mine & {target.api for target in classes(work, other)}:
            found[name] = None
    return list(found)
