"""Rules about checks: that they can run, and that they show what the record says."""

from __future__ import annotations

import ast
import builtins

from msmap.evidence.verification import counting
from msmap.lint import mend
from msmap.lint.rule import Found, Subject, rule, unported
from msmap.messages import Message
from msmap.model import Check
from msmap.names import in_place
from msmap.vocabulary import OUTCOMES

# Whose names end in "_" where they change their input.
_OPERATORS = ("torch", "torch.Tensor", "torch.nn.functional")
_SHOWS = ("differs", "raises", "torch-raises", "crashes")
# msmap.verify.training makes these two where code doesn't.
_PROBLEM = {"net", "optimizer"}
_TORCH_NAMES = {"torch", "np", "nn", "F"} | _PROBLEM
_MINDSPORE_NAMES = {"mindspore", "ms", "np"} | _PROBLEM


@rule("record")
def caveat_is_shown(subject: Subject) -> Found:
    """A caveat's checks exist and would fail if it stopped being true."""
    checks = {c.id: c for c in subject.written.checks}
    for index, caveat in enumerate(subject.written.caveats):
        for name in caveat.shown_by:
            place = ("caveats", index, "shown_by")
            if name not in checks:
                check = mend.check(name, mindspore=mend.TODO, expect="differs")
                lines = mend.entries(subject.written, ("checks",), [check], block=True)
                yield Message("no check `{}`", name), place, lines
            elif caveat.impact != "note" and checks[name].expect not in _SHOWS:
                yield (
                    Message("check `{}` expects agreement, so it shows no difference", name),
                    place,
                )


@rule("record")
def check_can_be_ported(subject: Subject) -> Found:
    """A check without a MindSpore side, and the example, can be ported by the rewriter."""
    name = subject.written.torch
    for index, check in enumerate(subject.written.checks):
        if failed := subject.base.failed_ports.get((name, check.id)):
            yield unported(Message("check `{}`", check.id), failed), ("checks", index)
    failed = subject.base.failed_ports.get((name, "example"))
    if failed and subject.written.example is not None:
        yield unported(Message("the example"), failed), ("example",)


@rule("record")
def best_target_is_proved(subject: Subject) -> Found:
    """The port to each target is executed by a check that expects the same outcome."""
    agreeing = {
        c.target
        for c in subject.record.checks
        if c.expect in ("same", "same-distribution")
        and (c.ported or "{{" in _written(subject, c.id))
    }
    for index, _, target in subject.targets():
        if not target.remove and target.key not in agreeing:
            code = subject.written.checks[0].torch if subject.written.checks else mend.TODO
            check = mend.check(mend.slug("on", target.key), code, target=target.key)
            lines = mend.entries(subject.written, ("checks",), [check])
            text = Message("no check with a ported MindSpore side proves {}", target.key)
            yield text, ("targets", index), lines


@rule("record")
def in_place_stays_in_place(subject: Subject) -> Found:
    """A target of what changes its input changes it too: `x.relu_()` is no `ops.relu(x)`.

    Where one doesn't, its `note` says what it is for. What has no kernel here shows it in no check.
    """
    module, _, leaf = subject.record.torch.rpartition(".")
    if module not in _OPERATORS or not in_place(leaf):
        return
    for index, written, target in subject.targets():
        if target.api and not in_place(target.api) and written.note is None:
            place = ("targets", index)
            yield (
                Message("{} leaves its input as it is", target.api),
                place,
                mend.key(place, "note", mend.TEXTS),
            )


def _written(subject: Subject, check: str) -> str:
    return next((c.mindspore or "" for c in subject.written.checks if c.id == check), "")


@rule("record")
def check_is_unique(subject: Subject) -> Found:
    """No two checks, caveats or targets of a record share an id."""
    for kind, ids in (
        ("checks", [c.id for c in subject.written.checks]),
        ("caveats", [c.id for c in subject.written.caveats]),
        ("targets", [t.key for t in subject.written.targets]),
    ):
        for index, name in enumerate(ids):
            if name in ids[:index]:
                yield Message("`{}` stands twice", name), (kind, index)


@rule("record")
def check_names_are_known(subject: Subject) -> Found:
    """Code in checks parses, ends in an expression, and uses only inputs that are given."""
    for index, check in enumerate(subject.record.checks):
        for side, code, known in (
            ("torch", check.torch, _TORCH_NAMES), ("mindspore", check.mindspore, _MINDSPORE_NAMES)
        ):  # fmt: skip
            place = ("checks", index, side)
            if not code:
                continue
            try:
                tree = ast.parse(code)
            except SyntaxError as error:
                yield (
                    Message("check `{}`, {} line {}: {}", check.id, side, error.lineno, error.msg),
                    place,
                )
                continue
            if not tree.body or not isinstance(tree.body[-1], ast.Expr):
                yield (
                    Message("check `{}`: the last {} line must be an expression", check.id, side),
                    place,
                )
            for name in sorted(_free(tree) - known - set(check.inputs)):
                yield (
                    Message("check `{}`: `{}` is no input and is never set", check.id, name),
                    place,
                )


def _free(tree: ast.Module) -> set[str]:
    used: set[str] = set()
    made = set(dir(builtins))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else made).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            made.add(node.name)
        elif isinstance(node, ast.alias):
            made.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.arg):
            made.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            made.add(node.name)
    return used - made


@rule("record")
def evidence_is_current(subject: Subject) -> Found:
    """Every check has evidence of what it does now; run `msmap verify` on the record."""
    for index, check in enumerate(subject.record.checks):
        if wrong := unproved(check):
            yield wrong, ("checks", index), mend.command("verify", subject.written.torch)


def unproved(check: Check) -> str:
    """What is wrong with the evidence of a check, in a sentence; "" if nothing is."""
    found = counting(check)
    if found is None:
        return Message("check `{}` was never run", check.id)
    if found.outcome == "stale":
        return Message("check `{}` changed since it ran", check.id)
    if OUTCOMES[found.outcome].failed:
        return Message("check `{}` failed: {}", check.id, found.message)
    return ""


@rule("record")
def difference_is_explained(subject: Subject) -> Found:
    """A variant that differs without an error is named in `variants` of a caveat."""
    targets: dict[str, dict[str, None]] = {}
    found = []
    for index, check in enumerate(subject.record.checks):
        evidence = counting(check)
        for name in evidence.unexplained if evidence is not None else ():
            assert evidence is not None
            targets.setdefault(check.target, {})[name] = None
            found.append((index, check, name, evidence.variants[name]))
    for index, check, name, finding in found:
        message = finding.message or Message("the inputs end up otherwise")
        # One caveat tells all that differs of a target.
        names = list(targets.pop(check.target, ()))
        lines = _untold(subject, check.target, names) if names else ""
        yield Message("check `{}`, {}: {}", check.id, name, message), ("checks", index), lines


def _untold(subject: Subject, target: str, variants: list[str]) -> str:
    """A caveat that tells of variants; of one target, where there are several."""
    only = {"target": target} if len(subject.written.targets) > 1 else {}
    caveat = mend.caveat(mend.slug(variants[0], "differs"), **only, variants=variants)
    return mend.entries(subject.written, ("caveats",), [caveat], block=True)


@rule("record")
def variant_shows_its_caveat(subject: Subject) -> Found:
    """A caveat's `variants` don't all agree, unless a check of its own shows it."""
    for index, caveat in enumerate(subject.written.caveats):
        shown = {
            name
            for check in subject.record.checks
            if caveat.target in (None, check.target)
            for evidence in check.evidence
            for name, finding in evidence.variants.items()
            if finding.outcome in ("differs", "raises", "no_kernel", "inconclusive")
        }
        # What comes out of uninitialised memory may agree by chance.
        for name in caveat.variants if not caveat.shown_by else ():
            if name not in shown:
                yield (
                    Message("caveat `{}`: {} agrees everywhere", caveat.id, name),
                    ("caveats", index),
                )
