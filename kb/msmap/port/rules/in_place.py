"""``inplace=True`` whose change others see: written as PyTorch computes it, or said at the call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from msmap.code.source import Source
from msmap.infer import liveness
from msmap.infer.aliasing.first_layers import FUNCTIONS, LAYERS, Within, is_in_place, leaf
from msmap.infer.aliasing.in_place import Change, Functions
from msmap.infer.uses import Use
from msmap.infer.values.lattice import Class, settled
from msmap.model import Record, Text
from msmap.port import arguments as values
from msmap.port import targets
from msmap.port.arguments import Argument
from msmap.port.mode import Mode
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter
from msmap.signatures.parse import overloads

# A layer that changes its input as PyTorch's does: MindSpore's give a new tensor.
_LAYER = '''class {name}({base}):
    """{leaf} that also writes its result into its input, as inplace=True does in PyTorch."""

    def construct(self, {input}):
        y = super().construct({input}.copy())
        {input}.copy_(y)
        return {input}


'''


@dataclass
class Plan:
    """What becomes of the changes in place that others see; all others need nothing.

    Attributes:
        rebound: calls whose results are bound to the names that are read later, too.
        layers: the calls that make layers which have to write into their inputs.
        calls: calls of functions whose results have to be written into their inputs.
        told: changes that can't be written, and are said at their calls.
        bases: of the layers that were written, by the names of the new classes: their bases, what
            those call their input, and the first call.
        written: the calls that write into their inputs by now.
    """

    rebound: dict[ast.Call, list[str]] = field(default_factory=dict)
    layers: dict[ast.AST, list[Change]] = field(default_factory=dict)
    calls: dict[ast.AST, list[Change]] = field(default_factory=dict)
    told: list[Change] = field(default_factory=list)
    bases: dict[str, tuple[str, str, ast.AST]] = field(default_factory=dict)
    written: set[ast.AST] = field(default_factory=set)


def plan(work: Rewriter) -> Plan:
    """What is to be written of changes in place, before anything is."""
    found = Plan()
    if not _matters(work):
        return found
    here = {*work.source.nodes.of(ast.Call)}
    local: list[Change] = []
    for change in _changes(work):
        if not (change.seen or change.names):
            continue
        if _is_item(change):
            found.rebound[change.node] = [work.source.text(change.argument)]
        elif change.view or not change.by <= here:
            found.told.append(change)
        elif _is_rebound(change):
            local.append(change)
        else:
            for call in change.by:
                kind = found.layers if leaf(call.func) in LAYERS else found.calls
                if kind is found.calls and leaf(call.func) not in FUNCTIONS:
                    # A class that a variable holds.
                    found.told.append(change)
                    continue
                kind.setdefault(call, []).append(change)
    for change in local:
        # A layer that writes into its input needs no other names for its result.
        if not change.by <= {*found.layers, *found.calls}:
            found.rebound[change.node] = sorted(change.names)
    return found


def _matters(work: Rewriter) -> bool:
    """Whether the source, or a file that it takes classes from, may change tensors in place."""
    if _changes_any(work.source):
        return True
    named = map(settled, work.resolver.reading.module.now.values())
    homes = {one.entry.home for one in named if isinstance(one, Class)}
    return any(_changes_any(home.source) for home in homes if home is not None)


def _changes_any(source: Source) -> bool:
    """Whether a source says anywhere that something be changed in place."""
    if not source.mentions(*_SAID):
        return False
    return any(_asks(call) for call in source.nodes.of(ast.Call))


def _asks(call: ast.Call) -> bool:
    name = leaf(call.func)
    at = LAYERS.get(name)
    if at is None and name in FUNCTIONS:
        at = FUNCTIONS[name] + 1
    return is_in_place(call, at) or (name.removesuffix("_") in FUNCTIONS and name[-1:] == "_")


# How code may say it: by name or by position, or by the name of a function.
_SAID = ("inplace", "True)", "_(")


def _changes(work: Rewriter) -> Iterator[Change]:
    """The changes in place of all functions, and of what runs when the source is imported."""
    functions = Functions()
    entries = {
        use.node: use.receiver.entry
        for use in work.uses.values()
        if use.how == "class" and isinstance(use.receiver, Class)
    }
    read = frozenset(n for one in work.source.all(ast.FunctionDef) for n in liveness.reads(one))
    for body in work.bodies:
        if body.node.body:
            entry = None if body.owner is None else entries.get(body.owner)
            after = read if isinstance(body.node, ast.Module) else frozenset()
            place = Within(work.resolver.reading, entry, body.node)
            yield from functions.summary(place, after).changes


def _is_rebound(change: Change) -> bool:
    """Whether the names that see a change can get the result of the call instead."""
    statement = change.statement
    if change.seen or not change.sure or not change.direct:
        return False
    return isinstance(statement, ast.Assign | ast.Expr) and statement.value is change.node


def _is_item(change: Change) -> bool:
    """Whether a part of a tensor is changed that can be set: ``x[:, 0] = relu(x[:, 0])``."""
    on, statement = change.argument, change.statement
    if not change.direct or not isinstance(on, ast.Subscript) or not isinstance(on.value, ast.Name):
        return False
    parts = on.slice.elts if isinstance(on.slice, ast.Tuple) else [on.slice]
    if not all(isinstance(one, ast.Slice) or _is_number(one) for one in parts):
        return False
    return isinstance(statement, ast.Assign | ast.Expr) and statement.value is change.node


def _is_number(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and inner.value.__class__ in (int, type(...))


@rule(Phase.ARGUMENTS, modes=Mode.FILE)
def of_argument(
    work: Rewriter, use: Use, record: Record, arguments: targets.Arguments
) -> targets.Arguments:
    """The arguments of a function that changes its input: its gradient needs the old values."""
    if use.node not in work.once(plan).calls:
        return arguments
    if arguments.positional:
        first, *rest = arguments.positional
        return replace(arguments, positional=(_copied(first), *rest))
    named = arguments.keywords
    if _INPUT not in named:
        return arguments
    return replace(arguments, keywords={**named, _INPUT: _copied(named[_INPUT])})


_INPUT = "input"


def _copied(given: Argument) -> Argument:
    return values.argument(f"{values.embedded(given.text, False, True)}.copy()", given.by)


@rule(Phase.RESULT, modes=Mode.FILE)
def written(work: Rewriter, use: Use, text: str) -> str:
    """What a call becomes, which may have to write into its input."""
    node = use.node
    if node in work.once(plan).calls and isinstance(node, ast.Call):
        named = [k.value for k in node.keywords if k.arg == _INPUT]
        given = node.args[0] if node.args else named[0]
        if isinstance(given, ast.Name | ast.Attribute):
            work.once(plan).written.add(node)
            return f"{work.changes.text(given)}.copy_({text})"
    if node in work.once(plan).layers:
        read = values.argument(text).node
        base = ast.unparse(read.func) if isinstance(read, ast.Call) else ""
        if base.replace(".", "").isidentifier() and text.startswith(base):
            name = f"Inplace{base.rpartition('.')[2]}"
            while work.source.mentions(name):
                name += "_"
            _, target = work.written[node]
            takes = [p.name for one in overloads(target.call) for p in one.parameters]
            work.once(plan).bases.setdefault(name, (base, takes[0] if takes else "x", node))
            work.once(plan).written.add(node)
            return f"{name}{text[len(base) :]}"
    return text


@rule(Phase.NAMES, modes=Mode.FILE)
def port(work: Rewriter) -> None:
    """Write what is left when all calls are: names, and the classes of layers."""
    found = work.once(plan)
    for call, names in found.rebound.items():
        work.changes.put(call, " = ".join([*names, work.changes.text(call)]))
    for name, (base, takes, first) in reversed(found.bases.items()):
        place, of = _above(work, first), base.rpartition(".")[2]
        work.changes.add(place, place, _LAYER.format(name=name, base=base, leaf=of, input=takes))
    for node, changes in (*found.layers.items(), *found.calls.items()):
        if node not in found.written:
            found.told += changes
    for change in found.told:
        _tell(work, change)


def _above(work: Rewriter, node: ast.AST) -> int:
    """Where the outermost statement that something stands in begins, with comments above it."""
    source = work.source
    begin = source.span(node)[0]
    outer = next(o for o in source.tree.body if source.span(o)[0] <= begin < source.span(o)[1])
    place = source.line_span(source.span(outer)[0])[0]
    while place and source.between(*source.line_span(place - 1)).startswith("#"):
        place = source.line_span(place - 1)[0]
    return place


def _tell(work: Rewriter, change: Change) -> None:
    """Say at a call that what it changes in PyTorch keeps its values here."""
    on = work.source.text(change.argument)
    # Of what is written by now nothing is to be said.
    by = (change.by - work.once(plan).written) or change.by
    name = sorted(leaf(call.func) for call in by)[0]
    about = f"torch.nn.{name}" if name in LAYERS else "torch.nn.ReLU"
    use = work.uses.get(change.node)
    if use is not None and use.how == "call" and change.node in change.by:
        about = work.resolver.reading.canonical(use.names[0]) or about
    how = "it " if name.endswith("_") else "inplace=True "
    en, zh = "", ""
    if change.view:
        en, zh = " and the tensor that it is a view of", "以及它所属的张量"
    work.warn(
        change.node,
        Text(
            f"{name}: {how}changes {on}{en} in PyTorch, and it is used again; here it"
            f" keeps its values. Assign the activated values to {on} first",
            f"{name}：{how.removeprefix('it ')}在 PyTorch 中会原地修改 {on}{zh}，"
            f"而它之后仍被使用；此处它保持原值。请先将激活后的值赋给 {on}",
        ),
        about,
    )
