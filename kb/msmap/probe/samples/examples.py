"""Examples in the documentation of PyTorch: run as they stand, each call of the name taken out."""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout, suppress
from typing import Any

from msmap.probe import documented
from msmap.probe.samples import drawing, layers
from msmap.probe.samples.call import Call, Form, Gap, Known

_MOST = 12


def calls(known: Known) -> Iterator[Call | Gap]:
    """The calls of a name in the examples of its own documentation, with what they were given."""
    found: list[Call | Gap] = []
    with suppress(Exception), redirect_stdout(io.StringIO()), drawing.written():
        _run(known, _text(known.name), found)
    yield from found[:_MOST]


def _text(name: str) -> str:
    import torch

    where: Any = torch
    for part in name.split(".")[1:]:
        where = getattr(where, part)
    return where.__doc__ or ""


def _run(known: Known, text: str, found: list[Call | Gap]) -> None:
    """Run all examples one after another; what one raises doesn't stop the next."""
    import torch

    drawing.seed()
    scope: dict[str, Any] = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional}
    seen: set[str] = set()
    for source in documented.sources(text):
        with suppress(Exception):
            for statement in ast.parse(source).body:
                for node in ast.walk(statement):
                    if isinstance(node, ast.Call):
                        with suppress(Exception):
                            _take(known, node, scope, found, seen)
                exec(compile(ast.Module([statement], []), "<example>", "exec"), scope)


def _take(
    known: Known, node: ast.Call, scope: dict[str, Any], found: list[Call | Gap], seen: set[str]
) -> None:
    """Note a call of the name, or of a layer that it made."""

    def value(expression: ast.expr) -> Any:
        code = compile(ast.Expression(expression), "<example>", "eval")
        return eval(code, dict(scope))

    if any(isinstance(a, ast.Starred) for a in node.args) or any(
        k.arg is None for k in node.keywords
    ):
        return
    form, receiver = _form(known, node, value)
    if form is None:
        return
    text = ast.unparse(node)
    if text in seen:
        return
    seen.add(text)
    args = tuple(held(value(a)) for a in node.args)
    kwargs: Mapping[str, Any] = {str(k.arg): held(value(k.value)) for k in node.keywords}
    then: layers.Arguments = ((), {})
    if form == "layer":
        (args, kwargs), then = layers.made_with(receiver), (args, kwargs)
    elif form == "method":
        args = (held(receiver), *args)
    label = f"docstring-{len(found)}"
    found.append(Call(known.name, form, args, kwargs, then, "docstring", label))


def held(value: Any) -> Any:
    """A value as it is now: the example may change its tensors in place."""
    import torch

    if isinstance(value, torch.Tensor):
        kept = value.detach().clone()
        # Memory that nobody wrote to, filled so by PyTorch where it is to be deterministic.
        return torch.zeros_like(kept) if kept.numel() and kept.isnan().all() else kept
    if type(value) in (list, tuple):
        return type(value)(held(item) for item in value)
    return value


def _form(known: Known, node: ast.Call, value: Any) -> tuple[Form | None, Any]:
    """Whether a call is one of the name, and what it is of: a tensor, or a layer."""
    import torch

    last = known.name.rpartition(".")[2]
    if known.form == "method":
        if isinstance(node.func, ast.Attribute) and node.func.attr == last:
            receiver = value(node.func.value)
            if isinstance(receiver, torch.Tensor):
                return "method", receiver
        return None, None
    if known.form == "layer":
        called = value(node.func)
        if isinstance(called, torch.nn.Module) and type(called).__name__ == last:
            return "layer", called
        return None, None
    text = ast.unparse(node.func)
    matches = text == last or known.name.endswith(f".{text}") or text == known.name
    short = text.replace("F.", "torch.nn.functional.", 1).replace("nn.", "torch.nn.", 1)
    return ("function", None) if matches or short == known.name else (None, None)
