"""Own classes of PyTorch's layers: what they and their calls hand to the layer's constructor."""

from __future__ import annotations

import ast

from msmap.code.refusal import Refused
from msmap.infer.uses import Use
from msmap.infer.values.classes import passes_on
from msmap.infer.values.lattice import Class
from msmap.model import Record, Target
from msmap.port import assumptions, block_edits, caveats, layout, targets
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter
from msmap.port.targets import SAFE_AS_VALUE

_INIT = ".__init__"
# What these say of a parameter changes no argument that a layer is mostly given.
_ALIKE = ("same", "reordered", "target_only_keep_default", "universal_absent")


def base(work: Rewriter, name: str) -> tuple[Record, Target] | None:
    """What a class of PyTorch's becomes as a base, if its constructor takes other arguments."""
    record = work.facts.find(name)
    best = record.targets[0] if record is not None and record.targets else None
    if record is None or best is None or best.kind != "class" or best.api is None:
        return None
    return None if best.category in SAFE_AS_VALUE else (record, best)


@rule(Phase.USE, "super")
def constructor(work: Rewriter, use: Use) -> None:
    """``super().__init__(...)`` or ``Base.__init__(self, ...)``: the layer's own arguments."""
    node = use.node
    assert isinstance(node, ast.Call)
    found = base(work, use.names[0])
    if not isinstance(use.receiver, Class):
        # Of a base by its name, which isn't noted as a name of its own.
        record = work.facts.find(use.names[0])
        best = record.targets[0] if record is not None and record.targets else None
        if best is not None and best.remove and _is_alone(use):
            # The base goes too.
            assert use.statement is not None
            block_edits.line(work, use.statement)
            return
        if best is None or best.kind != "class":
            raise Refused(
                "value",
                f"{use.names[0]}.__init__: its class is none in MindSpore",
                f"{use.names[0]}.__init__：MindSpore 中没有对应的类",
            )
        if found is None:
            begin, end = work.source.span(node.func)
            work.changes.add(begin, end, f"{best.api}{_INIT}")
        else:
            _write(work, use, f"{best.api}{_INIT}", 1)
        return
    entry = use.receiver.entry
    if passes_on(entry):
        # Each of its calls is written.
        return
    if found is not None and (entry.is_open or len(entry.roots) > 1):
        record, target = found
        raise Refused(
            "possible",
            f"{entry.node.name} may get another constructor than {record.torch}'s, whose arguments"
            f" {target.api} takes in another way: nothing proves which base this one is of",
            f"{entry.node.name} 的构造函数可能并非 {record.torch} 的，而 {target.api} 的参数与其"
            "不同：无法证明此处调用的是哪个基类",
        )
    _write(work, use, layout.enclosed(work.changes.text(node.func)), 0)


def _is_alone(use: Use) -> bool:
    """Whether a statement is nothing but a constructor's call, and gives that the object alone."""
    node, statement = use.node, use.statement
    assert isinstance(node, ast.Call)
    is_whole = isinstance(statement, ast.Expr) and statement.value is node
    return is_whole and len(node.args) == 1 and not node.keywords


@rule(Phase.USE, "made")
def made(work: Rewriter, use: Use) -> None:
    """An own class without a constructor is called: it takes the layer's arguments."""
    node = use.node
    assert isinstance(node, ast.Call)
    _write(work, use, layout.enclosed(work.changes.text(node.func)), 0)


def _write(work: Rewriter, use: Use, function: str, own: int) -> None:
    """A call of something gets the arguments of the layer's counterpart.

    Args:
        work: what it is a part of.
        use: the call.
        function: what is called.
        own: how many arguments stand before the layer's.
    """
    node = use.node
    assert isinstance(node, ast.Call)
    found = base(work, use.names[0])
    if found is None:
        return
    record, target = found
    try:
        given = work.arguments(node, None, record)
    except Refused:
        if all(one.relation in _ALIKE for one in target.parameters):
            return
        raise
    first, rest = given.positional[:own], given.positional[own:]
    try:
        done = work.call(node, record, targets.Arguments(rest, given.keywords), target.key)
    except Refused as refused:
        raise _left(node, record, target, refused) from None
    before = f"{target.api}("
    assert done.text.startswith(before)
    parts = [*(one.text for one in first), *filter(None, [done.text.removeprefix(before)[:-1]])]
    work.records.append(record.torch)
    work.notes += done.notes
    assumptions.tell(work, use, done)
    found_bites = caveats.bites(
        record, done.target, done.bound, node, work.around, work.facts.device
    )
    work.notes += caveats.told(record, work.unmended(found_bites))
    work.put(use, f"{function}({', '.join(parts)})", True)


def _left(node: ast.Call, record: Record, target: Target, why: Refused) -> Refused:
    """These arguments stay PyTorch's, beside a base that takes others."""
    function = ast.unparse(node.func)
    return Refused(
        why.kind,
        f"{function} gets {record.torch}'s arguments, and the base is {target.api} now, which takes"
        f" others: {why.reason.en}",
        f"{function} 传入的是 {record.torch} 的参数，而基类已改为 {target.api}，其参数不同："
        f"{why.reason.zh}",
    )


@rule(Phase.USE, "above")
def computed(work: Rewriter, use: Use) -> None:
    """``super().forward(...)``: the inputs of the layer may have other names."""
    node = use.node
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Attribute)
    record = work.facts.find(use.names[0])
    best = record.targets[0] if record is not None and record.targets else None
    text = f"{layout.enclosed(work.changes.text(node.func.value))}.construct"
    if record is None or best is None or best.kind != "class":
        work.rename(node.func, "construct")
        return
    given = work.arguments(node)
    work.put(use, f"{text}({targets.write_inputs(record, best, given)})", True)


@rule(Phase.USE, "heir")
def value(work: Rewriter, use: Use) -> None:
    """An own class without a constructor is passed around: who calls it isn't seen."""
    assert isinstance(use.receiver, Class)
    found = base(work, use.names[0])
    if found is not None:
        own = use.receiver.entry.node.name
        record, target = found
        raise Refused(
            "value",
            f"{own} without a call: it takes the arguments of {record.torch}, and its base is"
            f" {target.api} now, which takes others; give it an __init__ with those that it needs",
            f"{own} 未被直接调用：它接受 {record.torch} 的参数，而其基类已改为 {target.api}，"
            "参数不同；请为其编写只含所需参数的 __init__",
        )
