"""Which modules a training step applies: whose parameters it trains, and whose gradients it has."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from msmap.code import bindings
from msmap.code.bindings import Body
from msmap.infer.uses import Use
from msmap.infer.values.lattice import Instance
from msmap.port.session import Rewriter
from msmap.port.training.graphs import Graphs


class Applied:
    """The modules that are called in one body, by themselves or by a method of their own."""

    def __init__(self, work: Rewriter, body: Body, graphs: Graphs) -> None:
        self.work, self.body, self.graphs = work, body, graphs

    def _uses(self) -> Iterator[Use]:
        for place in self.body.places:
            for node in bindings.own(place.node):
                if (use := self.work.uses.get(node)) is not None:
                    yield use

    def is_owner(self, node: ast.expr) -> bool:
        """Whether gradients of a module are cleared that is called here."""
        text = ast.dump(node)
        return any(ast.dump(call.func) == text or self._asks(call, text) for call in self._calls())

    def _asks(self, call: ast.Call, text: str) -> bool:
        """Whether a method of a module's own is called, which no class of PyTorch's has."""
        function = call.func
        if not isinstance(function, ast.Attribute) or ast.dump(function.value) != text:
            return False
        return not any(
            name.startswith("torch.nn.Module.") for name in self.work.facts.methods(function.attr)
        )

    def _calls(self) -> Iterator[ast.Call]:
        for place in self.body.places:
            for node in bindings.own(place.node):
                if isinstance(node, ast.Call):
                    yield node

    def applies(self, parts: Sequence[ast.stmt]) -> bool:
        """Whether a module is called whose parameters may be the optimizer's, not a loss alone.

        Where nothing proves what is called, one call has to take what another gave.
        """
        made: set[str] = set()
        for node in parts:
            opaque = [c for c in ast.walk(node) if isinstance(c, ast.Call) and self._opaque(c)]
            if any(self._is_module(call) for call in opaque):
                return True
            for call in opaque:
                given = [*call.args, *(k.value for k in call.keywords)]
                if any(self._is_object(one) for one in given):
                    return True
                inner = {one for value in given for one in ast.walk(value)}
                names = {n.id for n in inner if isinstance(n, ast.Name)}
                if inner.intersection(opaque) or names & made:
                    return True
            if opaque or made & {name.id for name in bindings.read(node)}:
                made |= bindings.bound(node)
        return False

    def _is_object(self, node: ast.expr) -> bool:
        """Whether a name stands for a module, which what it is passed to may call."""
        if not isinstance(node, ast.Name) or node.id not in self.graphs.modules:
            return False
        asked = (c.func for c in self._calls() if isinstance(c.func, ast.Attribute))
        owned = (f.value for f in asked if f.attr == "parameters" and isinstance(f.value, ast.Name))
        return any(one.id == node.id for one in owned) or self.graphs.is_object(node.id)

    def _opaque(self, call: ast.Call) -> bool:
        """Whether it may be a module that is called."""
        use = self.work.uses.get(call)
        if use is None:
            return not self.graphs.callee(call)
        return use.how == "layer" or not (
            use.how == "call" or use.names[0].startswith(("torch.Tensor.", "torch.amp.GradScaler."))
        )

    def _is_module(self, call: ast.Call) -> bool:
        use = self.work.uses.get(call)
        if use is not None and use.how == "layer":
            assert isinstance(use.receiver, Instance)
            return not all(name.endswith("Loss") for name in use.receiver.classes)
        text = ast.dump(call.func)
        for use in self._uses():
            of_module = use.how == "method" and use.names[0].startswith("torch.nn.Module.")
            if of_module and ast.dump(object_of(use.node)) == text:  # type: ignore[arg-type]
                return True
        for one in self._calls():
            on = one.func.value if isinstance(one.func, ast.Attribute) else None
            if on is None or one.func.attr != "parameters":  # type: ignore[attr-defined]
                continue
            if ast.dump(on) == text or self._asks(call, ast.dump(on)):
                return True
        return False


def object_of(call: ast.Call) -> ast.expr:
    """What a method is called on."""
    assert isinstance(call.func, ast.Attribute)
    return call.func.value
