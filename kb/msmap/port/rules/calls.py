"""Calls and properties of PyTorch's, each written under a target of its record."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from msmap.code.refusal import Refused
from msmap.code.source import Source
from msmap.infer.resolve import Meaning
from msmap.infer.uses import Use
from msmap.infer.values.lattice import Instance, Items, owner_kind
from msmap.model import Record, Target
from msmap.port import arguments as values
from msmap.port import (
    assumptions,
    block_edits,
    caveats,
    earlier_runs,
    layout,
    parameter_groups,
    targets,
    templates,
    view_writes,
)
from msmap.port.edits import lineage, parent_of
from msmap.port.rules import registry
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter
from msmap.port.training import losses


@rule(Phase.USE, "call", "method", "possible")
def call(work: Rewriter, use: Use) -> None:
    """A call of a name, or of a method on an object."""
    node = use.node
    assert isinstance(node, ast.Call)
    if use.how == "call" and work.is_parameter(use, node.func):
        return
    meaning = work.resolver.meaning(use)
    record = meaning.record
    if record.torch in _WRITTEN and work.source.mentions("mindspore"):
        return
    if registry.instead(work, use, record):
        return
    receiver = node.func.value if meaning.receiver else None  # type: ignore[attr-defined]
    given = work.arguments(node, receiver, record)
    arguments = registry.arguments(work, use, record, given)
    if use.seen:
        on = view_writes.receiver(work, use, arguments.receiver)
        arguments = replace(arguments, receiver=on)
    _check(record, arguments)
    registry.check(work, use, record)
    if len(meaning.records) > 1:
        _alike(work, meaning, arguments)
    if meaning.note is not None:
        work.notes.append(meaning.note)
    try:
        _write(work, use, record, arguments)
    except Refused:
        if not _write_on_fresh(work, use, record, arguments):
            raise
    registry.written(work, use, record)
    if use.node in work.before:
        text = layout.enclosed(work.changes.text(node))
        work.changes.put(node, work.before[use.node] + text, several=True)


def _write_on_fresh(work: Rewriter, use: Use, record: Record, arguments: targets.Arguments) -> bool:
    """Whether it is written as a function of a tensor that was just made, by a name for that."""
    name = view_writes.fresh(work, use, arguments.receiver)
    if not name or arguments.receiver is None:
        return False
    on = replace(values.argument(name), proved="tensor")
    done = work.call(use.node, record, replace(arguments, receiver=on))
    # A function gives what its method gives: one that doesn't give the tensor would lose it.
    if done.target.returns is not None:
        return False
    work.records.append(record.torch)
    work.targets.append((record.torch, done.target.key))
    work.notes += done.notes
    assumptions.tell(work, use, done)
    work.put(use, f"(lambda {name}: {done.text})({arguments.receiver.text})", True)
    return True


# Methods of PyTorch's that MindSpore's tensors have too, and that other methods become: an earlier
# run may have written them.
_WRITTEN = ("torch.Tensor.swapaxes", "torch.Tensor.broadcast_to")


@rule(Phase.USE, "read")
def read(work: Rewriter, use: Use) -> None:
    """A property of an object is read."""
    node = use.node
    assert isinstance(node, ast.Attribute)
    meaning = work.resolver.meaning(use)
    if meaning.record.targets and _is_called(work, use):
        # Written by an earlier run: what such a property gives can't be called.
        return
    if node in work.rated:
        work.records.append(meaning.record.torch)
        return
    arguments = targets.Arguments((), {}, work.argument(node.value, "position"))
    if len(meaning.records) > 1:
        _alike(work, meaning, arguments)
    _write(work, use, meaning.record, arguments)


@rule(Phase.USE, "result")
def result(work: Rewriter, use: Use) -> None:
    """A part of a result that was asked for by name: it may have a place instead."""
    node = use.node
    assert isinstance(node, ast.Attribute)
    _, target = work.written.get(node.value, (None, None))
    fields = target.returns.fields if target and target.returns else {}
    if target is None and isinstance(use.receiver, Items):
        fields = _places(work, use.receiver)
    if node.attr in fields:
        work.changes.put(node, work.changes.text(node.value) + fields[node.attr])


def _places(work: Rewriter, found: Items) -> dict[str, str]:
    """Where the parts of a result with names are, which some variable has: as in PyTorch's."""
    known: list[dict[str, str]] = []
    for name in found.named.split("|"):
        record = work.facts.find("torch." + _HOME.sub("linalg.", name))
        told = [t.returns.fields for t in record.targets if t.returns] if record else []
        known.append({part: place for fields in told for part, place in fields.items()})
    return {k: v for k, v in known[0].items() if all(one.get(k) == v for one in known)}


_HOME = re.compile("^linalg_")


def _alike(work: Rewriter, meaning: Meaning, arguments: targets.Arguments) -> None:
    """Refuse what becomes another thing for each record that may be meant."""
    device = work.facts.device
    if len({targets.write(r, arguments, None, device).text for r in meaning.records}) > 1:
        may = [r.torch for r in meaning.records]
        raise Refused("ambiguous", f"it may be {' or '.join(may)}", f"可能是 {' 或 '.join(may)}")


def _write(work: Rewriter, use: Use, record: Record, arguments: targets.Arguments) -> None:
    """A use of a record's API under the target that takes it."""
    _check_class(work, use, record)
    key = (
        work.pinned.get(use.node)
        or registry.target(work, use, record)
        or parameter_groups.target(work.source, use.node, record)
    )
    done = work.call(use.node, record, arguments, key)
    if _is_done(work, use, record, done, arguments):
        return
    through = view_writes.through(work, use, record, done.text, arguments.receiver)
    _complete(work, use, record, done.target)
    work.records.append(record.torch)
    work.targets.append((record.torch, done.target.key))
    work.notes += done.notes
    assumptions.tell(work, use, done)
    if record.caveats and not work.resolver.own:
        found = caveats.bites(
            record, done.target, done.bound, use.node, work.around, work.facts.device
        )
        found = [bite for bite in found if not registry.moot(work, use, bite.on)]
        if through is not None:
            found = [bite for bite in found if bite.on != "view"]
        if found:
            work.bites[use.node] = (record, found)
            work.notes += caveats.told(record, work.unmended(found))
    if not done.text:
        block_edits.remove(work, use, record)
        return
    unpacked = any(isinstance(a.node, ast.Starred) for a in arguments.positional)
    if unpacked and values.argument(done.text).node is None:
        raise Refused(
            "unpacked",
            f"{record.torch}: what * unpacks can't stand where its counterpart needs it",
            f"{record.torch}：对应写法中无法使用 * 解包的参数",
        )
    if done.text.startswith(_FUNCTION) and not _may_be_function(work, use, record):
        raise Refused(
            "value",
            f"{record.torch}: what stands for it is a function, and containers take cells alone;"
            " write a Cell whose construct does the same",
            f"{record.torch}：其对应写法是函数，而容器只接受 Cell；"
            "请编写 construct 与之相同的 Cell",
        )
    work.written[use.node] = (record, done.target)
    work.bound[use.node] = done.bound
    if through is not None:
        work.changes.put(use.node, through)
        return
    text = _itself(work, use, done.text, arguments)
    is_next = use.node in work.resolver.reading.nexts and not work.resolver.own
    if is_next and not isinstance(values.argument(text).node, ast.GeneratorExp):
        # Where PyTorch gives an iterator MindSpore may give a list.
        text = f"iter({text})"
    if arguments.receiver is not None and done.text == arguments.receiver.text and use.statement:
        work.idle.append(use.statement)
    work.put(use, registry.result(work, use, text), done.called)


def _itself(work: Rewriter, use: Use, text: str, arguments: targets.Arguments) -> str:
    """The text with the object itself where it has what super() gives, and calls nothing on it."""
    on = arguments.receiver.node if arguments.receiver is not None else None
    if not isinstance(on, ast.Call) or not isinstance(on.func, ast.Name) or on.func.id != "super":
        return text
    found = work.places.get(use.statement) if use.statement is not None else None
    spec = getattr(found[0].node, "args", None) if found is not None else None
    every = [*spec.posonlyargs, *spec.args] if spec is not None else []
    if not every:
        return text
    above = re.escape(work.source.text(on))
    # To call the object itself would begin anew what is asked of its base.
    text = re.sub(rf"({above})\s*\(", r"\1.construct(", text)
    return re.sub(rf"{above}(?!\s*\.)", every[0].arg, text)


def _may_be_function(work: Rewriter, use: Use, record: Record) -> bool:
    """Whether a layer may become a function: it is called at once, or has a name."""
    if owner_kind(record.torch) != "module" or record.kind != "class":
        return True
    if work.resolver.own or work.resolver.reading.snippet:
        return True
    inner: ast.AST = use.node
    for outer in reversed(lineage(work.source, use.statement, use.node)):
        if isinstance(outer, ast.Call):
            return outer.func is inner
        if isinstance(outer, ast.Assign):
            # A Sequential calls what its attributes hold, if these are cells.
            uses = (work.uses.get(target) for target in outer.targets)
            return not any(one is not None and one.how == "child" for one in uses)
        if not isinstance(outer, _CHOOSING):
            return not isinstance(outer, _HOLDING)
        inner = outer
    return True


# How a function begins that stands for a layer.
_FUNCTION = ("(lambda", "lambda")
_CHOOSING = (ast.IfExp, ast.BoolOp)
_HOLDING = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.keyword, ast.Starred, ast.ListComp,
            ast.GeneratorExp, ast.SetComp, ast.DictComp)  # fmt: skip


def _is_done(
    work: Rewriter, use: Use, record: Record, done: targets.Written, arguments: targets.Arguments
) -> bool:
    """Whether an earlier run has written it, around the use itself or in its receiver.

    Such as ``[*net.named_buffers(), ...]`` and ``x.bool().any(1, False)``.
    """
    if _stands_around(work, use, done.text) or _is_copied(work, use, record, arguments):
        return True
    on = arguments.receiver
    parts = _PREPARED.fullmatch(done.target.expression or "")
    if on is None or parts is None or not on.text.endswith(parts[1]):
        return False
    return done.text == f"{on.text}{parts[1]}{work.changes.text(use.node).removeprefix(on.text)}"


def _is_copied(work: Rewriter, use: Use, record: Record, arguments: targets.Arguments) -> bool:
    """Whether a method in place became this call: ``x.copy_(x.scatter(...))``.

    Its record says which target that is, whatever is best for a device.
    """
    if not earlier_runs.has_run(work.source):
        return False
    outer = parent_of(work.source, use.statement, use.node)
    if not any(_copies(work.source, one) for one in (use.node, outer)):
        return False
    own = work.source.text(use.node)
    return any(_text(record, arguments, target) == own for target in record.targets)


def _copies(source: Source, node: ast.AST) -> bool:
    """Whether a call gives a tensor the values that a method of its own gives."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return False
    outer, inner = node.func, getattr(node.args[0], "func", None)
    if not isinstance(outer, ast.Attribute) or not isinstance(inner, ast.Attribute):
        return False
    return outer.attr == "copy_" and source.text(outer.value) == source.text(inner.value)


def _text(record: Record, arguments: targets.Arguments, target: Target) -> str:
    """What a call becomes under a target; "" if that doesn't take it."""
    try:
        return targets.write(record, arguments, target.key).text
    except Refused:
        return ""


def _stands_around(work: Rewriter, use: Use, text: str) -> bool:
    """Whether a use is the middle of what it would become."""
    source, own = work.source, work.changes.text(use.node)
    before, found, after = text.partition(own)
    if not found or not (before or after) or own != source.text(use.node):
        return False
    begin, end = source.span(use.node)
    lines = source.line_span(begin)[0], source.line_span(end)[1]
    last = end + len(after.encode())
    # Modules have short names once they are imported: ops, for mindspore.ops.
    for shown in dict.fromkeys((before, before.removeprefix("mindspore."))):
        if not (shown or after):
            continue
        first = begin - len(shown.encode())
        within = first >= lines[0] and last <= lines[1]
        if within and source.between(first, last) == f"{shown}{own}{after}":
            return True
    return False


_GRADS = "grads"


def _is_beside_backward(work: Rewriter, use: Use) -> bool:
    body = work.places[use.statement][0] if use.statement in work.places else work.bodies[0]
    return any(
        one.statement in work.places and work.places[one.statement][0] is body
        for one in losses.uses(work)
    )


# A template that prepares what a method is called on.
_PREPARED = re.compile(r"\{self\}((?:\.\w+\(\))+)\.\w+\(.*\)")


def _complete(work: Rewriter, use: Use, record: Record, target: Target) -> None:
    """Refuse a template that needs a name which the code doesn't have here."""
    if work.resolver.own or work.resolver.reading.snippet:
        return
    for name in templates.free(target):
        # Beside backward() a name for gradients stands for something else.
        if not work.is_bound(use, name) or (name == _GRADS and _is_beside_backward(work, use)):
            raise Refused(
                "argument",
                f"{record.torch}: `{name}` is needed, and nothing in the code makes it",
                f"{record.torch}：需要 `{name}`，而代码中没有得到它",
            )


def _is_called(work: Rewriter, use: Use) -> bool:
    """Whether what is read is called at once."""
    outer = lineage(work.source, use.statement, use.node)[-1]
    return isinstance(outer, ast.Call) and outer.func is use.node


def _check_class(work: Rewriter, use: Use, record: Record) -> None:
    """Refuse what distributions have in common of one that MindSpore doesn't have."""
    on = use.receiver
    if not record.torch.startswith(_DISTRIBUTIONS) or not isinstance(on, Instance):
        return
    for name in on.classes:
        of = work.facts.find(name)
        if of is not None and of.torch != _DISTRIBUTIONS[:-1] and not of.targets:
            raise Refused(
                "missing",
                f"{record.torch}: {name} has no counterpart, and so nor has what it gives",
                f"{record.torch}：{name} 没有对应的 API，因此其结果也没有对应写法",
            )


_DISTRIBUTIONS = "torch.distributions.Distribution."


def _check(record: Record, arguments: targets.Arguments) -> None:
    """Refuse what only the value of an argument tells."""
    every = (*arguments.positional, *arguments.keywords.values())
    if any(a.proved == "file" for a in every):
        raise Refused(
            "argument",
            f"{record.torch}: an open file is passed; MindSpore takes a path",
            f"{record.torch}：传入的是已打开的文件；MindSpore 只接受路径",
        )
    sole = every[0] if len(every) == 1 and record.torch in _OF_DATA_OR_SIZES else None
    if sole is not None and sole.unclear and values.kind(sole.node) == "unknown":
        raise Refused(
            "ambiguous",
            f"{record.torch}: nothing proves whether `{sole.text}` is data or a size; write"
            " torch.tensor or torch.empty",
            f"{record.torch}：无法证明 `{sole.text}` 是数据还是大小；"
            "请改写为 torch.tensor 或 torch.empty",
        )


_OF_DATA_OR_SIZES = {f"torch.{kind}Tensor" for kind in (
    "", "Long", "Int", "Short", "Char", "Byte", "Bool", "Float", "Double", "Half", "BFloat16",
)}  # fmt: skip
