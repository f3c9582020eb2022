"""Learning rates in an optimizer's groups: PyTorch's are numbers, MindSpore's are Parameters."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from msmap.code import bindings, f_strings
from msmap.code.refusal import Refused
from msmap.code.tree import children
from msmap.infer.uses import Use
from msmap.port.mode import Mode
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter

_GROUPS = "torch.optim.Optimizer.param_groups"
_RATE = "lr"
_SAID = ("'lr'", '"lr"')
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_OPERATORS = {ast.Mult: "*", ast.Div: "/", ast.Add: "+", ast.Sub: "-", ast.Pow: "**"}


@rule(Phase.PREPARE, modes=Mode.FILE)
def port(work: Rewriter) -> None:
    """Read the rates of groups as numbers, and write them where steps and schedulers look.

    A group is an item of ``optimizer.param_groups``, or what a loop over that gives. This comes
    ahead of all else, and only puts texts in: what stands between is written by others.
    """
    if not work.source.mentions(_RATE):
        return
    every = [one for use in work.uses.values() for one in (use, *use.inner)]
    done: set[ast.AST] = set()
    for use in every:
        if use.names == (_GROUPS,) and use.how == "read" and use.node not in done:
            done.add(use.node)
            _groups(work, use.statement, use.node)


@rule(Phase.USE, "perhaps", modes=Mode.FILE)
def perhaps(work: Rewriter, use: Use) -> None:
    """Say of groups that may be an optimizer's what becomes of their rates, if any is touched.

    Raises:
        Refused: what nothing is known of stays.
    """
    if not work.source.mentions(*_SAID):
        return
    assert isinstance(use.node, ast.Attribute)
    on = ast.unparse(use.node.value)
    raise Refused(
        "possible",
        f"nothing proves that `{on}` is an optimizer, whose rates are Parameters in MindSpore:"
        f' write float(group["lr"]) and mindspore.ops.assign(group["lr"], rate), or say `{on}:'
        " torch.optim.Optimizer` and port again",
        f"无法证明 `{on}` 是优化器，MindSpore 优化器的学习率是 Parameter：请写 "
        f'float(group["lr"]) 与 mindspore.ops.assign(group["lr"], rate)，或注解 `{on}:'
        " torch.optim.Optimizer` 后重新转写",
    )


def _groups(work: Rewriter, statement: ast.stmt | None, node: ast.AST) -> None:
    if statement is None:
        return
    within = work.source.nodes.parents
    above = within.get(node)
    if isinstance(above, ast.Subscript) and above.value is node:
        rate = within.get(above)
        if isinstance(rate, ast.Subscript) and rate.value is above and _is_rate(rate):
            # It stays as it is: what is put around begins where it does.
            work.rated.add(node)
            _rate(work, rate)
        elif isinstance(statement, ast.Assign) and statement.value is above:
            _named(work, statement, statement.targets)
        return
    if isinstance(above, ast.Call) and _is_enumerate(above, node):
        node, above = above, within.get(above)
    if isinstance(above, ast.comprehension) and above.iter is node:
        around = within[above]
        names = _names(above.target)
        _within_loop(work, names, [one for one in children(around) if one is not above])
    elif isinstance(above, ast.For) and above.iter is node:
        names = _names(above.target)
        block: list[ast.AST] = [*above.body]
        bound = {name for one in above.body for name in bindings.all_bound(one)}
        if names.isdisjoint(bound):
            _within_loop(work, names, block)


def _named(work: Rewriter, statement: ast.Assign, targets: list[ast.expr]) -> None:
    """A group that a variable stands for, which is bound once."""
    body, _ = work.places.get(statement, (None, None))
    if body is None or len(targets) != 1 or not isinstance(targets[0], ast.Name):
        return
    name = targets[0].id
    if len(body.bindings.get(name, ())) != 1 or name in body.parameters:
        return
    inner = [place.node for place in body.places if place.around is None]
    _within_loop(work, {name}, inner)


def _names(target: ast.expr) -> set[str]:
    """The name of a group in the target of a loop, or of an enumeration."""
    if isinstance(target, ast.Tuple) and len(target.elts) == 2:
        target = target.elts[1]
    return {target.id} if isinstance(target, ast.Name) else set()


def _is_enumerate(call: ast.Call, node: ast.AST) -> bool:
    named = isinstance(call.func, ast.Name) and call.func.id == "enumerate"
    return named and call.args[:1] == [node]


def _is_rate(node: ast.Subscript) -> bool:
    return isinstance(node.slice, ast.Constant) and node.slice.value == _RATE


def _within_loop(work: Rewriter, names: set[str], ahead: Sequence[ast.AST]) -> None:
    """Each rate of the groups that names stand for; other functions have names of their own."""
    for node in _each(ahead):
        on = node.value if isinstance(node, ast.Subscript) and _is_rate(node) else None
        if isinstance(on, ast.Name) and on.id in names:
            _rate(work, node)  # type: ignore[arg-type]


def _each(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    ahead = list(nodes)
    while ahead:
        node = ahead.pop()
        if not isinstance(node, _SCOPES):
            yield node
            ahead += children(node)


def _rate(work: Rewriter, node: ast.Subscript) -> None:
    inside = work.source.nodes.parents
    above = inside.get(node)
    if isinstance(node.ctx, ast.Load):
        text: ast.AST | None = node
        while text is not None and not isinstance(text, ast.JoinedStr):
            text = inside.get(text)
        if isinstance(text, ast.JoinedStr) and not f_strings.place(work.source, text):
            return
        if not _is_number(above):
            begin, end = work.source.span(node)
            work.changes.add(begin, begin, "float(")
            # What is put in behind an end is no part of what ends there.
            work.changes.add(end - 1, end, "])")
    elif isinstance(above, ast.Assign) and above.targets == [node] and _is_plain(above.value):
        _write(work, node, above, ", ", "")
    elif isinstance(above, ast.AugAssign) and _is_plain(above.value):
        sign = _OPERATORS.get(type(above.op))
        if sign is not None:
            text_of = work.source.text(node)
            _write(work, node, above, f", float({text_of}) {sign} (", ")")


def _is_number(above: ast.AST | None) -> bool:
    """Whether a rate is made a number already."""
    return isinstance(above, ast.Call) and getattr(above.func, "id", "") == "float"


def _is_plain(value: ast.expr) -> bool:
    return not isinstance(value, ast.Tuple | ast.Yield | ast.YieldFrom | ast.Starred)


def _write(work: Rewriter, node: ast.expr, statement: ast.stmt, between: str, behind: str) -> None:
    """An assignment becomes a call that writes to what the optimizer holds."""
    begin, end = work.source.span(node)
    last = work.source.span(statement)[1]
    sign = _SIGN.match(work.source.between(end, last))
    if sign is None:
        return
    work.changes.add(begin, begin, "mindspore.ops.assign(")
    work.changes.add(end, end + len(sign[0]), between)
    work.changes.add(last, last, f"{behind})")


_SIGN = re.compile(r"[ \t]*[-+*/]{0,2}=[ \t]*(?![\s\\#])")
