"""The loss of a training step: the statements that compute it, and what its function takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property

from msmap.code import bindings
from msmap.code.bindings import Body
from msmap.infer.uses import Use
from msmap.model import Text
from msmap.port.session import Rewriter
from msmap.port.training import idle, order, scaled
from msmap.port.training.applied import Applied, object_of
from msmap.port.training.graphs import Graphs
from msmap.port.training.loss import Loss
from msmap.port.training.order import SIMPLE

BACKWARD = "torch.Tensor.backward"
STEP = "torch.optim.Optimizer.step"
_ITSELF = ("torch.nn.Module.train", "torch.nn.Module.eval", "torch.nn.Module.to",
           "torch.nn.Module.cuda", "torch.nn.Module.cpu")  # fmt: skip
ZERO = ("torch.optim.Optimizer.zero_grad", "torch.nn.Module.zero_grad")
CLIPS = ("torch.nn.utils.clip_grad_norm_", "torch.nn.utils.clip_grad_value_")


class Left(Exception):
    """A step that stays as it is, and why; ``sums`` says that its gradients may be sums."""

    def __init__(self, en: str, zh: str, sums: bool = False) -> None:
        self.reason, self.sums = Text(en, zh), sums


class Losses:
    """The losses of one body, whose gradients some optimizer takes."""

    def __init__(self, work: Rewriter, body: Body, every: dict[ast.AST, Body]) -> None:
        self.work, self.body = work, body
        self.graphs = Graphs(work, body, every)
        self.applied = Applied(work, body, self.graphs)
        self.through = {p.node for p in body.places if idle.idle(work, p.node, body)}
        self.calls = {
            place.node: call for place in body.places if (call := _called(place.node)) is not None
        }

    def clipped(self, call: ast.Call) -> None:
        """The gradients that are clipped are those of a module that is called here."""
        first = call.args[0] if call.args else None
        made = isinstance(first, ast.Call) and not first.args and not first.keywords
        of = object_of(first) if isinstance(first, ast.Call) and made else None
        if of is None or not self.applied.is_owner(of):
            raise Left(
                "nothing proves whose gradients are clipped", "无法证明裁剪的是哪些参数的梯度"
            )

    def updates(self) -> int:
        """How often an optimizer is proved to step here."""
        steps = {STEP, scaled.STEP}
        return sum(
            use.how == "method" and not steps.isdisjoint(use.names) for use in self.uses_here
        )

    def optimizer(self) -> str:
        """What steps here, or may, as the code calls it."""
        on = next(self._stepping("method"), None)
        if on is None:
            # A scaler is given what steps.
            by = (u.node for u in self.uses_here if scaled.STEP in u.names)
            of = next((n.args[0] for n in by if isinstance(n, ast.Call) and n.args), None)
            on = of if isinstance(of, ast.Name | ast.Attribute) else None
        on = on or next(self._stepping("possible"), None)
        return "optimizer" if on is None else self.work.source.text(on)

    def _stepping(self, how: str) -> Iterator[ast.expr]:
        for use in self.uses_here:
            if STEP in use.names and use.how == how and isinstance(use.node, ast.Call):
                yield object_of(use.node)

    def stepped(self, call: ast.Call, scaler: ast.expr | None) -> ast.expr:
        """What steps."""
        if scaler is None:
            return object_of(call)
        found = scaled.optimizer_of(self.work, call)
        if found is None:
            raise Left(
                "nothing proves that what the GradScaler steps is an optimizer: annotate the"
                " parameter by which it comes, optimizer: torch.optim.Optimizer, and port again",
                "无法证明 GradScaler 更新的是优化器：请给传入它的参数加注解 optimizer: "
                "torch.optim.Optimizer 后重新转写",
            )
        return found

    def varying(self) -> str:
        """The names that the innermost loop around backward() binds, for a function to take."""
        for place in self.body.places:
            if self.does(place.node, BACKWARD):
                loops = (one.node for one in place.outward() if isinstance(one.node, ast.For))
                read = [n.id for node in place.block for n in bindings.read(node)]
                for loop in loops:
                    bound = bindings.bound(loop)
                    if found := [name for name in dict.fromkeys(read) if name in bound]:
                        return ", ".join(found)
        return "x, y"

    def tries(self) -> bool:
        """Whether an optimizer may step here."""
        return any(STEP in use.names and use.how == "possible" for use in self.uses_here)

    @cached_property
    def scales(self) -> bool:
        """Whether a loss is scaled here."""
        return any(
            "GradScaler" in use.names[0]
            for use in self.uses_here
            if use.names and use.how != "possible"
        )

    @cached_property
    def uses_here(self) -> Sequence[Use]:
        """The uses of PyTorch in the body, but for those of functions in it."""
        nodes = (node for place in self.body.places for node in bindings.own(place.node))
        return [self.work.uses[node] for node in nodes if node in self.work.uses]

    def alone(self, may_scale: bool = False) -> None:
        """Nothing else has to do with gradients here, but for a GradScaler where that may be."""
        if self.scales and not may_scale:
            raise Left("a GradScaler scales the loss", "使用了 GradScaler 缩放 loss")
        backward = 0
        for place in self.body.places:
            for node in bindings.own(place.node):
                if isinstance(node, ast.Attribute) and node.attr in ("grad", "retain_grad"):
                    raise Left("`.grad` is used", "使用了 `.grad`")
        for use in self.uses_here:
            backward += BACKWARD in use.names and use.how in ("method", "possible")
            if use.how == "call" and self._differentiates(use.names[0]):
                raise Left("torch.autograd is used", "使用了 torch.autograd")
        if backward != sum(self.does(place.node, BACKWARD) for place in self.body.places):
            raise Left("backward() has arguments or a result", "backward() 带有参数或使用了返回值")

    def _differentiates(self, spelling: str) -> bool:
        """Whether it is a name of torch.autograd, but for what only wraps a tensor."""
        return spelling.startswith("torch.autograd.") and not spelling.endswith(".Variable")

    def does(self, node: ast.stmt, *names: str, free: bool = False) -> bool:
        """Whether a statement calls one of some methods, without arguments unless ``free``."""
        call = self.calls.get(node)
        use = self.work.uses.get(call) if call is not None else None
        if call is None or use is None or not (free or not (call.args or call.keywords)):
            return False
        may = use.how == "possible" and (free or names == (BACKWARD,))
        return (use.how in ("method", "call") or may) and not set(names).isdisjoint(use.names)

    def complete(self, step: Loss, nodes: Sequence[ast.stmt]) -> None:
        """Tell what of some statements computes a loss, and what that takes and gives.

        Raises:
            Left: it isn't proved.
        """
        nodes = list(nodes)
        if isinstance(step.loss, ast.Attribute):
            nodes = self._kept(step, nodes)
        self._forward(step, nodes)
        self._names(step)
        step.anchor = self._anchor(step)

    def _kept(self, step: Loss, nodes: list[ast.stmt]) -> list[ast.stmt]:
        """What stands before a statement that keeps the loss on an object, if one does."""
        text = ast.dump(step.loss)
        found = [one for one in nodes if keeps(one, text)]
        if len(found) != 1:
            return nodes
        step.keeping = found[0]  # type: ignore[assignment]
        step.loss = found[0].value  # type: ignore[attr-defined]
        return nodes[: nodes.index(found[0])]

    def perhaps(self, nodes: Sequence[ast.stmt]) -> None:
        """A step follows that may be an optimizer's, for all that is proved."""
        for node in nodes:
            call = self.calls.get(node)
            use = self.work.uses.get(call) if call is not None else None
            if call is None or use is None or use.how != "possible" or STEP not in use.names:
                continue
            on = ast.unparse(object_of(call))
            raise Left(
                f"nothing proves that `{on}` is an optimizer: annotate the parameter by which it"
                " comes, optimizer: torch.optim.Optimizer, and port again",
                f"无法证明 `{on}` 是优化器：请给传入它的参数加注解 optimizer: "
                "torch.optim.Optimizer 后重新转写",
            )

    def _forward(self, step: Loss, nodes: list[ast.stmt]) -> None:
        """The statements that compute the loss from the first that takes parameters on."""
        taken = order.needed_for([node for node in nodes if node not in step.apart], step.loss)
        chosen = [node for node in nodes if node in taken]
        ahead: list[ast.stmt] = []
        while chosen and self._stays_ahead(chosen[0]):
            ahead.append(chosen.pop(0))
        changed = {name for node in chosen for name in bindings.all_changed(node)}
        while ahead and isinstance(ahead[-1], SIMPLE) and bindings.bound(ahead[-1]) & changed:
            # What is filled there is made there.
            chosen.insert(0, ahead.pop())
        if not chosen:
            alone = isinstance(step.loss, ast.Name | ast.Attribute)
            if alone or self.graphs.expression(step.loss):
                raise Left(
                    "the loss is not computed in the same block", "loss 不在同一代码块中计算"
                )
            return
        begin, end = nodes.index(chosen[0]), nodes.index(chosen[-1]) + 1
        # The rest of it is computed where it is kept.
        end = len(nodes) if step.keeping is not None else end
        step.forward = [node for node in nodes[begin:end] if node not in step.apart]
        step.cuts = [n for n in step.forward if isinstance(n, ast.With) and self._is_cut(n)]
        step.constants = [one for block in step.cuts for one in self._constants(block)]
        for node in step.forward:
            if node in step.cuts:
                continue
            followed = order.is_followed(node, self.through)
            if not followed or (node not in taken and not order.is_harmless(node)):
                raise Left(*_CROOKED)
            if any(isinstance(n, ast.NamedExpr | ast.Yield | ast.Await) for n in ast.walk(node)):
                raise Left(*_CROOKED)
            targets = [t for n in ast.walk(node) for t in getattr(n, "targets", ())]
            if any(isinstance(t, ast.Attribute) for t in targets):
                raise Left("the loss is kept on an object", "loss 保存在对象的属性中")

    def _is_cut(self, node: ast.With) -> bool:
        """Whether a block runs without gradients, and only sets what is computed in it."""
        if len(node.items) > 1 or not self.graphs.is_cut(node):
            return False
        return all(
            isinstance(n, SIMPLE)
            and (isinstance(n, ast.Assign | ast.AnnAssign) or self.graphs.statement_itself(n))
            for n in node.body
        )

    def _constants(self, block: ast.With) -> Iterator[ast.expr]:
        """What a block sets that may depend on parameters."""
        for node in block.body:
            value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
            for one in value.elts if isinstance(value, ast.Tuple) else [value]:
                if one is not None and not self.graphs.expression(one):
                    yield one

    def _stays_ahead(self, node: ast.stmt) -> bool:
        """Whether what a first statement binds is free of parameters: it needs no gradients."""
        if isinstance(node, ast.If):
            inner = (*node.body, *node.orelse)
            return self.graphs.expression(node.test) and all(map(self._stays_ahead, inner))
        if isinstance(node, ast.For | ast.While):
            of = self.graphs.statement(node) if isinstance(node, ast.For) else True
            return of and all(map(self._stays_ahead, (*node.body, *node.orelse)))
        if isinstance(node, ast.With) and node in self.through:
            return all(map(self._stays_ahead, node.body))
        if isinstance(node, ast.With):
            return self.graphs.is_cut(node) and order.is_straight(node)
        if isinstance(node, ast.Assign) and self._is_itself(node):
            return True
        return isinstance(node, (ast.Pass, *SIMPLE)) and self.graphs.statement(node)

    def _is_itself(self, node: ast.Assign) -> bool:
        """Whether a name is given the module again that it stands for: ``net = net.train()``."""
        use = self.work.uses.get(node.value)
        target = node.targets[0] if len(node.targets) == 1 else None
        if use is None or use.how != "method" or not isinstance(node.value, ast.Call):
            return False
        on = object_of(node.value)
        same = isinstance(target, ast.Name) and isinstance(on, ast.Name) and target.id == on.id
        return same and use.names[0] in _ITSELF

    def _names(self, step: Loss) -> None:
        """What the forward function takes and gives, if all that it takes is free of parameters."""
        carried: dict[str, None] = {}
        parts = [*step.forward, ast.Expr(step.loss)]
        if not self.applied.applies(parts):
            raise Left("nothing proves that the model is applied here", "无法证明模型在此处被调用")
        free: list[ast.Name] = []
        made = order.follow(parts, set(), free)
        cut = {node for block in step.cuts for node in ast.walk(block)}
        set_here = dict.fromkeys(n for one in step.forward for n in sorted(bindings.all_bound(one)))
        for name in free:
            if name.id in set_here:
                carried[name.id] = None
            if name not in cut:
                self._free(name, step)
        for one in carried:
            if not self._fresh(one, step):
                raise Left(
                    f"`{one}` is carried from one step to the next",
                    f"`{one}` 从一步传到下一步",
                )
        step.given = self._arguments(parts, free, carried)
        own = [*step.forward, step.backward, *step.apart, *([step.keeping] if step.keeping else [])]
        inside = {node for one in own for node in ast.walk(one)}
        used = {name for name in set_here if self._is_used_elsewhere(name, inside)}
        loss = step.loss.id if isinstance(step.loss, ast.Name) else ""
        step.kept = [n for n in set_here if n in used and n != loss and n in made]
        for one in set_here:
            if one not in made and one in used and not self._is_set_there(one, step):
                raise Left(*_CROOKED)

    def _is_set_there(self, name: str, step: Loss) -> bool:
        """Whether other loops alone read a name, which they bind."""
        inside = {id(n) for node in step.forward for n in ast.walk(node)}
        loops = [
            p.node for p in self.body.places
            if isinstance(p.node, ast.For) and name in bindings.bound(p.node)
        ]  # fmt: skip
        inside |= {id(n) for loop in loops for part in loop.body for n in ast.walk(part)}
        return not any(id(one) not in inside for one in self.body.reads.get(name, ()))

    def _arguments(
        self, parts: Sequence[ast.stmt], free: Sequence[ast.Name], carried: dict[str, None]
    ) -> list[str]:
        """The names that vary from step to step, by which others are told apart."""
        found = dict(carried)
        for name in free:
            if name.id in self._looped and self._is_data(name.id, parts):
                found[name.id] = None
        return list(found)

    @cached_property
    def _looped(self) -> frozenset[str]:
        """The names that loops bind."""
        loops = (p.node for p in self.body.places if isinstance(p.node, ast.For | ast.AsyncFor))
        return frozenset(name for loop in loops for name in bindings.all_bound(loop))

    def _is_data(self, name: str, parts: Sequence[ast.stmt]) -> bool:
        """Whether a name is passed on, and not called only."""
        called = {
            id(one.func) for node in parts for one in ast.walk(node) if isinstance(one, ast.Call)
        }
        return any(
            name == one.id and id(one) not in called
            for node in parts
            for one in bindings.read(node)
        )

    def _free(self, name: ast.Name, step: Loss) -> None:
        """A name that the forward pass takes stands for no result of parameters."""
        parents = self.work.source.nodes.parents
        # What the loss is of stands in the call of its method.
        parent = None if name is step.loss else parents.get(name)
        if step.scaling is not None and step.scaling.scaler in (name, parent):
            return
        if isinstance(parent, ast.Call) and (parent.func is name or self.graphs.counts(parent)):
            return
        if isinstance(parent, ast.Attribute):
            over = parents.get(parent)
            called = isinstance(over, ast.Call) and over.func is parent
            if parent.attr in ("detach", "item", "data"):
                return
            if name.id == "self" and (called or self.graphs.own(parent)):
                return
        if name.id != "self" and (
            self.graphs.name(name.id, step.parts)
            or self.graphs.is_object(name.id)
            or self._is_set_ahead(name.id, step)
        ):
            return
        raise Left(
            f"nothing proves that `{name.id}` doesn't depend on parameters",
            f"无法证明 `{name.id}` 与参数无关",
        )

    def _is_set_ahead(self, name: str, step: Loss) -> bool:
        """Whether a name is always set ahead of the step to what is free of parameters."""
        block = step.place.block
        at = block.index(step.first)
        setting = [node for node in block[:at] if name in bindings.all_bound(node)]
        last = setting[-1] if setting else None
        return isinstance(last, ast.Assign) and self.graphs.statement(last)

    def _fresh(self, name: str, step: Loss) -> bool:
        """Whether a name is bound anew before the step, each time."""
        at = step.place.block.index(step.forward[0])
        if any(name in bindings.bound(node) for node in step.place.block[:at]):
            return True
        around = list(step.place.outward())
        loop = next((p for p in around if isinstance(p.node, bindings.LOOPS)), None)
        if loop is None:
            return True
        return isinstance(loop.node, ast.For | ast.AsyncFor) and name in bindings.bound(loop.node)

    def _is_used_elsewhere(self, name: str, inside: set[ast.AST]) -> bool:
        """Whether a name is read anywhere but in some nodes, those of a step."""
        return name in self._shared or any(one not in inside for one in self._reads.get(name, ()))

    @cached_property
    def _reads(self) -> dict[str, list[ast.Name]]:
        """Where each name is read; in a function what is added to is a name of its own."""
        whole = self.body.node
        added = isinstance(whole, ast.FunctionDef | ast.AsyncFunctionDef)
        found: dict[str, list[ast.Name]] = {}
        for node in ast.walk(whole):
            name = node.target if added and isinstance(node, ast.AugAssign) else node
            if isinstance(name, ast.Name) and (name is not node or isinstance(name.ctx, ast.Load)):
                found.setdefault(name.id, []).append(name)
        return found

    @cached_property
    def _shared(self) -> frozenset[str]:
        """The names that a function has in common with what is around it."""
        whole = self.body.node
        if isinstance(whole, ast.Module):
            return frozenset()
        shared = (n for n in ast.walk(whole) if isinstance(n, ast.Global | ast.Nonlocal))
        return frozenset(name for one in shared for name in one.names)

    def _anchor(self, step: Loss) -> ast.stmt | None:
        """The outermost loop in which the optimizer stays the same; None if there is none."""
        found: ast.stmt | None = None
        for place in step.place.outward():
            if not isinstance(place.node, bindings.LOOPS):
                continue
            if sets(place.node, step.optimizer):
                break
            found = place.node
        return found


def keeps(node: ast.stmt, loss: str) -> bool:
    """Whether a statement does nothing but keep a loss on an object; ``loss`` is its dump."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return False
    return isinstance(node.targets[0], ast.Attribute) and ast.dump(_loaded(node.targets[0])) == loss


def sets(node: ast.stmt, optimizer: ast.expr) -> bool:
    """Whether a statement makes an optimizer, or what it belongs to."""
    if bindings.root(optimizer) in bindings.all_bound(node):
        return True
    text = ast.dump(optimizer)
    stored = (n for n in ast.walk(node) if isinstance(getattr(n, "ctx", None), ast.Store))
    return any(isinstance(n, ast.expr) and ast.dump(_loaded(n)) == text for n in stored)


def _loaded(node: ast.expr) -> ast.expr:
    """The same expression, read instead of set."""
    return ast.parse(ast.unparse(node), mode="eval").body


def _called(node: ast.stmt) -> ast.Call | None:
    """The call that a statement is."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return node.value
    return None


_CROOKED = ("the loss is not computed in one straight line", "loss 不是顺序地计算出来的")


def uses(work: Rewriter) -> list[Use]:
    """The calls of backward."""
    return [
        use for use in work.uses.values()
        if BACKWARD in use.names and use.how in ("method", "possible")
    ]  # fmt: skip
