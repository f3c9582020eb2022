"""All training steps of a source, ported; those that aren't proved stay, and say why."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from msmap.code import bindings
from msmap.code.bindings import Body
from msmap.code.refusal import Refused
from msmap.code.source import Source
from msmap.infer.uses import Use
from msmap.infer.values.lattice import Class, settled
from msmap.model import Refusal, Text
from msmap.port.mode import Mode
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter
from msmap.port.training import adding, deciding, losses
from msmap.port.training.adding import Adding
from msmap.port.training.deciding import Deciding
from msmap.port.training.find import Finder, Step
from msmap.port.training.loss import Loss
from msmap.port.training.losses import Left
from msmap.port.training.unused_parameters import NOTE, Usage
from msmap.port.training.write import Writer

_GUIDE = "custom-training-steps"


@rule(Phase.TRAINING, modes=Mode.FILE)
def port(work: Rewriter) -> None:
    """Write the training steps of a file; all else of it was written before."""
    backward = losses.uses(work)
    every: dict[ast.AST, Body] = {body.node: body for body in (work.bodies if backward else ())}
    for body in every.values():
        nodes = {node for place in body.places for node in bindings.own(place.node)}
        mine = [use for use in backward if use.node in nodes]
        if mine:
            _body(work, body, every, mine)
    _unbound(work)


def _body(work: Rewriter, body: Body, every: dict[ast.AST, Body], backward: Sequence[Use]) -> None:
    finder = Finder(work, body, every)
    try:
        done, steps = _written(work, finder)
    except Left as left:
        if finder.updates() or finder.tries() or finder.scales:
            _leave(work, finder, backward, left.reason)
        return
    said = {text for node in done for text in work.said.pop(node, ())}
    work.notes[:] = [text for text in work.notes if text not in said]
    work.refused[:] = [one for one in work.refused if one[1] not in done]
    work.records += [losses.BACKWARD]
    unproved = [update for losses_of, update in steps if not _usage(work).tell(losses_of, update)]
    if unproved:
        work.notes.append(NOTE)
        work.said[unproved[0]] = [NOTE]


def _usage(work: Rewriter) -> Usage:
    return work.once(Usage)


def _written(
    work: Rewriter, finder: Finder
) -> tuple[set[ast.AST], list[tuple[Sequence[Loss], ast.Call]]]:
    """Write the steps of a body; the calls that were of them, and each update with its losses.

    Raises:
        Left: they aren't proved.
    """
    if name := _of_its_own(work):
        raise Left(
            f"gradients go through {name}, which stays: MindSpore would take none through it,"
            " without an error; write it as a Cell with bprop and port again",
            f"梯度要经过 {name}，而它保持原样：MindSpore 不会报错，但也不会对它求梯度；"
            "请改写为带 bprop 的 Cell 后再次转写",
        )
    maybe = Deciding(work, finder.body, finder.graphs.every)
    if maybe.fits():
        decided = maybe.decided()
        deciding.Writer(work, decided).write()
        work.losses += decided
        managers = _managers(m for step in decided for m in step.managers)
        return managers | _calls(finder, decided), _updates(finder, decided)
    try:
        steps = finder.steps()
    except Left as left:
        if not left.sums:
            raise
        found = Adding(work, finder.body, finder.graphs.every).sum()
        adding.Writer(work, found).write()
        work.losses += found.losses
        cuts = _managers(block for loss in found.losses for block in loss.cuts)
        own = {finder.calls[node] for node in found.own}
        return cuts | own, [(found.losses, finder.calls[found.updates[0]])]
    Writer(work, steps).write()
    work.losses += steps
    return _calls(finder, steps), _updates(finder, steps)


def _updates(finder: Finder, steps: Sequence[Step]) -> list[tuple[Sequence[Loss], ast.Call]]:
    return [([step], finder.calls[step.update]) for step in steps]


_FUNCTION = "torch.autograd.Function"


def _of_its_own(work: Rewriter) -> str:
    """A function with gradients of its own, here or where what this file imports stands; or ""."""
    for use in work.uses.values():
        if _FUNCTION in use.names and isinstance(use.statement, ast.ClassDef):
            return f"`{use.statement.name}`"
    here = work.resolver.reading
    for found in here.module.now.values():
        known = settled(found)
        of = known.entry if isinstance(known, Class) else known
        home = getattr(of, "home", None)
        if home is not None and home is not here and (name := _derived(home.source)):
            return f"`{name}`"
    return ""


def _derived(source: Source) -> str:
    """The first class of a source that derives from PyTorch's functions with gradients."""
    if not source.mentions("torch.autograd", "autograd.Function"):
        return ""
    for node in source.all(ast.ClassDef):
        if any(ast.unparse(base).rpartition(".")[2] == "Function" for base in node.bases):
            return node.name
    return ""


def _calls(finder: Finder, steps: Sequence[Step]) -> set[ast.AST]:
    cuts = _managers(block for step in steps for block in step.cuts)
    return cuts | {finder.calls[node] for step in steps for node in step.own}


def _managers(blocks: Iterable[ast.With]) -> set[ast.AST]:
    return {block.items[0].context_expr for block in blocks}


def _leave(work: Rewriter, finder: Finder, backward: Sequence[Use], why: Text) -> None:
    """Say of each backward() why its step stays, and what to write with the code's own names."""
    nodes = {use.node for use in backward}
    optimizer, given = finder.optimizer(), finder.varying()
    for number, (begin, node, refusal) in enumerate(work.refused):
        if node in nodes:
            reason = Text(
                f"the training step stays: {why.en}. Write forward pass and loss as forward_fn,"
                f" grad_fn = mindspore.value_and_grad(forward_fn, None, {optimizer}.parameters),"
                f" then loss, grads = grad_fn({given}) and {optimizer}(grads);"
                f" msmap guide {_GUIDE}",
                f"训练步保持原样：{why.zh}。请把前向与损失写成 forward_fn，grad_fn = "
                f"mindspore.value_and_grad(forward_fn, None, {optimizer}.parameters)，然后 "
                f"loss, grads = grad_fn({given}) 并 {optimizer}(grads)；见 msmap guide {_GUIDE}",
            )
            place = (refusal.line, refusal.column, refusal.end_line, refusal.end_column)
            work.refused[number] = begin, node, Refusal(*place, "missing", refusal.source, reason)


def _unbound(work: Rewriter) -> None:
    """Take back the clipping of gradients that no ported step gives."""
    for use in work.uses.values():
        if use.how != "call" or not use.names[0].endswith(("clip_grad_norm_", "clip_grad_value_")):
            continue
        if work.changes.text(use.node).startswith("(grads :="):
            text = work.changes.text(use.node).removeprefix("(").removesuffix(")")
            wanted = text.replace(":=", "=", 1)
            begin, end = work.source.span(use.node)
            work.changes.add(begin, end, work.source.between(begin, end))
            en, zh = (
                f"it clips gradients, which are results of a function: write {wanted} behind its"
                " call",
                f"裁剪的梯度应是函数的返回值：请在调用之后写 {wanted}",
            )
            name = use.names[0]
            work.refuse(
                use.node,
                Refused(
                    "argument",
                    f"{name}: {en}; msmap guide {_GUIDE}",
                    f"{name}：{zh}；见 msmap guide {_GUIDE}",
                ),
            )
