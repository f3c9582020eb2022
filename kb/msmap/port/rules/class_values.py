"""Classes and functions of PyTorch's as values: written where all calls through them are seen."""

from __future__ import annotations

import ast

from msmap.code.refusal import Refused
from msmap.infer.uses import Use
from msmap.model import Record
from msmap.port import arguments as values
from msmap.port import assumptions, caveats, targets
from msmap.port.class_flows import Flows, Made
from msmap.port.mode import Mode
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter
from msmap.port.targets import Written
from msmap.vocabulary import DIFFERS

_CALLED = ("class", "function")


@rule(Phase.NAMES, modes=Mode.FILE)
def port(work: Rewriter) -> None:
    """Write what stands for itself, and is called under another name of the source."""
    left = [node for _, node, refusal in work.refused if refusal.kind == "value"]
    uses = [
        use
        for node in left
        if (use := work.uses.get(node))
        and use.how == "name"
        and not use.typed
        and _is_called(work, use)
    ]
    if uses:
        flows = Flows(work)
        done = {use.node for use in uses if _write(work, flows, use)}
        work.refused[:] = [
            one for one in work.refused if one[1] not in done or one[2].kind == DIFFERS
        ]


def _is_called(work: Rewriter, use: Use) -> bool:
    """Whether a name is of what may be called; what has no record isn't followed."""
    try:
        return work.resolver.meaning(use).record.kind in _CALLED
    except Refused:
        return False


def _write(work: Rewriter, flows: Flows, use: Use) -> bool:
    record = work.resolver.meaning(use).record
    made = flows.follow(use.node, use.statement)
    if not made:
        return False
    found = {_adapter(work, record, one) for one in dict.fromkeys(made)}
    text = found.pop()
    if text is None or found:
        return False
    work.records.append(record.torch)
    begin = len(work.notes)
    for one in dict.fromkeys(made):
        _say(work, use, record, one, [m.call for m in made if m == one])
    if len(work.notes) > begin:
        work.said[use.node] = work.notes[begin:]
    work.write(use, text, not text.startswith("lambda"))
    return True


def _adapter(work: Rewriter, record: Record, made: Made) -> str | None:
    """What is called as PyTorch's is: its counterpart, or a function that calls it."""
    names = _names(record, made)
    done = None if names is None else _written(work, record, made, names)
    if names is None or done is None:
        return None
    placed = names[: made.positional]
    same = [*placed, *(f"{name}={name}" for name in made.keywords)]
    if done.target.api and done.text == f"{done.target.api}({', '.join(same)})":
        return done.target.api
    return f"lambda {', '.join(names)}: {done.text}" if names else f"lambda: {done.text}"


def _names(record: Record, made: Made) -> list[str] | None:
    """The parameters that a call fills; None if it can't be such a call."""
    placed = [
        p.name for s in targets.source_signatures(record)[:1] for p in s.parameters if p.positional
    ]
    given = placed[: made.positional]
    if len(given) < made.positional or {*given} & {*made.keywords}:
        return None
    return [*given, *made.keywords]


def _given(call: ast.Call | None, names: list[str]) -> dict[str, ast.expr]:
    """What a call gives the parameters of a function that stands for a class."""
    if call is None:
        return {}
    named = {one.arg: one.value for one in call.keywords if one.arg is not None}
    return dict(zip(names, call.args, strict=False)) | named


def _written(work: Rewriter, record: Record, made: Made, names: list[str]) -> Written | None:
    placed = tuple(values.argument(name, "position") for name in names[: made.positional])
    named = {name: values.argument(name, "keyword") for name in made.keywords}
    try:
        done = targets.write(record, targets.Arguments(placed, named), device=work.facts.device)
    except Refused:
        return None
    return done if done.text else None


def _say(
    work: Rewriter, use: Use, record: Record, made: Made, where: list[ast.Call | None]
) -> None:
    """Say what there is to know of calls that were written so."""
    done = _written(work, record, made, _names(record, made) or [])
    if done is not None:
        if lacking := work.running(record, done.target):
            work.warn(use.node, lacking)
        work.notes += done.notes
        for call in where:
            names = _names(record, made) or []
            assumptions.tell(work, use, done, call, _given(call, names))
        for doubt in work.doubts.pop(use.node, ()):
            work.warn(use.node, doubt)
        found = caveats.bites(
            record, done.target, done.bound, use.node, work.around, work.facts.device
        )
        work.notes += caveats.told(record, found)
