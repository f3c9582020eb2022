"""Training steps in a source: those proved to be one straight line, and why others aren't."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from msmap.code.uses import Use
from msmap.model import Text
from msmap.port.rewriter import Rewriter
from msmap.port.training import places
from msmap.port.training.applied import Applied, object_of
from msmap.port.training.graphs import Graphs
from msmap.port.training.places import Body, Place

BACKWARD = "torch.Tensor.backward"
_STEP = "torch.optim.Optimizer.step"
_ZERO = ("torch.optim.Optimizer.zero_grad", "torch.nn.Module.zero_grad")
_CLIPS = ("torch.nn.utils.clip_grad_norm_", "torch.nn.utils.clip_grad_value_")
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Assert)


class Left(Exception):
    """A step that stays as it is, and why."""

    def __init__(self, en: str, zh: str) -> None:
        self.reason = Text(en, zh)


@dataclass(eq=False)
class Step:
    """A training step in one block.

    ``forward`` are the statements that compute the loss, with what stands between; ``given`` are
    the names that they take, ``kept`` those of them that are used elsewhere; ``anchor`` is the
    place before which a function may be defined.
    """

    body: Body
    place: Place
    zero: ast.stmt
    backward: ast.stmt
    update: ast.stmt
    loss: ast.expr
    optimizer: ast.expr
    clips: list[ast.stmt] = field(default_factory=list)
    forward: list[ast.stmt] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    anchor: ast.stmt | None = None

    @property
    def own(self) -> list[ast.stmt]:
        """The statements that go, or are written anew."""
        return [self.zero, self.backward, self.update, *self.clips]


class Finder:
    """The steps of one body, which are all proved, or none is."""

    def __init__(self, work: Rewriter, body: Body, every: dict[ast.AST, Body]) -> None:
        self.work, self.body = work, body
        self.graphs = Graphs(work, body, every)
        self.applied = Applied(work, body, self.graphs)
        self.calls = {
            place.node: call for place in body.places if (call := _called(place.node)) is not None
        }

    def steps(self) -> list[Step]:
        """The steps, in order.

        Raises:
            Left: one of them isn't proved.
        """
        self._alone()
        found: list[Step] = []
        for place in self.body.places:
            if self._is(place.node, BACKWARD):
                found.append(self._step(place, found))
        if self.updates() != len(found):
            raise Left("an optimizer steps elsewhere too", "优化器还在别处更新")
        return found

    def updates(self) -> int:
        """How often an optimizer is proved to step here."""
        return sum(_STEP in use.names and use.how == "method" for use in self._uses())

    def tries(self) -> bool:
        """Whether an optimizer may step here."""
        return any(_STEP in use.names and use.how == "possible" for use in self._uses())

    def scales(self) -> bool:
        """Whether a loss is scaled here."""
        return any(
            "GradScaler" in use.names[0]
            for use in self._uses()
            if use.names and use.how != "possible"
        )

    def _uses(self) -> Iterator[Use]:
        for place in self.body.places:
            for node in places.own(place.node):
                if (use := self.work.uses.get(node)) is not None:
                    yield use

    def _alone(self) -> None:
        """Nothing else has to do with gradients here."""
        if self.scales():
            raise Left("a GradScaler scales the loss", "使用了 GradScaler 缩放 loss")
        backward = 0
        for place in self.body.places:
            for node in places.own(place.node):
                if isinstance(node, ast.Attribute) and node.attr in ("grad", "retain_grad"):
                    raise Left("`.grad` is used", "使用了 `.grad`")
        for use in self._uses():
            backward += BACKWARD in use.names and use.how in ("method", "possible")
            if use.how == "call" and self._differentiates(use.names[0]):
                raise Left("torch.autograd is used", "使用了 torch.autograd")
        if backward != sum(self._is(place.node, BACKWARD) for place in self.body.places):
            raise Left("backward() has arguments or a result", "backward() 带有参数或使用了返回值")

    def _differentiates(self, spelling: str) -> bool:
        """Whether it is a name of torch.autograd, but for what only wraps a tensor."""
        return spelling.startswith("torch.autograd.") and not spelling.endswith(".Variable")

    def _is(self, node: ast.stmt, *names: str, free: bool = False) -> bool:
        """Whether a statement calls one of some methods, without arguments unless ``free``."""
        call = self.calls.get(node)
        use = self.work.uses.get(call) if call is not None else None
        if call is None or use is None or not (free or not (call.args or call.keywords)):
            return False
        may = use.how == "possible" and (free or names == (BACKWARD,))
        return (use.how in ("method", "call") or may) and not set(names).isdisjoint(use.names)

    def _step(self, place: Place, before: Sequence[Step]) -> Step:
        block, at = place.block, place.index
        call = self.calls[place.node]
        assert isinstance(call.func, ast.Attribute)
        update = next((s for s in block[at + 1 :] if self._is(s, _STEP)), None)
        if update is None:
            self._perhaps(block[at + 1 :])
            later = [p.node for p in self.body.places if self._is(p.node, _STEP)]
            if any(one in ast.walk(node) for node in block[at + 1 :] for one in later):
                raise Left(
                    "the optimizer steps on a condition. Where gradients add up until then, write"
                    " total = grads if total is None else [a + b for a, b in zip(total, grads)]"
                    " behind grad_fn, in place of step() optimizer(total), and in place of"
                    " zero_grad() total = None",
                    "优化器在条件满足时才更新。若梯度在此之前累积，请在 grad_fn 之后写 total ="
                    " grads if total is None else [a + b for a, b in zip(total, grads)]，"
                    "将 step() 改为 optimizer(total)，将 zero_grad() 改为 total = None",
                )
            raise Left(
                "no step of an optimizer follows in the same block",
                "同一代码块中没有优化器的 step()",
            )
        after = block.index(update)
        optimizer = object_of(self.calls[update])
        earlier = [s for s in before if s.place.block is block]
        low = block.index(earlier[-1].update) + 1 if earlier else 0
        made = (index for index in range(low, at) if _sets(block[index], optimizer))
        low = max(made, default=low - 1) + 1
        if any(s.place.block is not block for s in before):
            raise Left("several blocks have backward()", "多个代码块中有 backward()")
        zero = self._zero(block, low, at, after, optimizer, alone=not before)
        step = Step(
            self.body, place, zero, place.node, update, call.func.value, optimizer
        )  # fmt: skip
        step.clips = self._between(block[at + 1 : after], step)
        self._forward(step, list(block[low:at]))
        self._names(step)
        step.anchor = self._anchor(step)
        return step

    def _perhaps(self, nodes: Sequence[ast.stmt]) -> None:
        """A step follows that may be an optimizer's, for all that is proved."""
        for node in nodes:
            call = self.calls.get(node)
            use = self.work.uses.get(call) if call is not None else None
            if call is None or use is None or use.how != "possible" or _STEP not in use.names:
                continue
            on = ast.unparse(object_of(call))
            raise Left(
                f"nothing proves that `{on}` is an optimizer: annotate the parameter by which it"
                " comes, optimizer: torch.optim.Optimizer, and port again",
                f"无法证明 `{on}` 是优化器：请给传入它的参数加注解 optimizer: "
                "torch.optim.Optimizer 后重新转写",
            )

    def _zero(
        self, block: Sequence[ast.stmt], low: int, at: int, after: int, optimizer: ast.expr,
        alone: bool,
    ) -> ast.stmt:  # fmt: skip
        """The statement that clears the gradients that this step moves by."""
        wanted = ast.dump(optimizer)
        ways = [*reversed(block[low:at])]
        if alone:
            # What may leave the loop would leave the gradients too.
            ways += takewhile(lambda node: isinstance(node, _SIMPLE), block[after + 1 :])
        for node in ways:
            if not self._is(node, *_ZERO, free=True):
                continue
            call = self.calls[node]
            on = object_of(call)
            if ast.dump(on) == wanted or self.applied.is_owner(on):
                return node
        others = [s for s in block if self._is(s, BACKWARD)]
        if len(others) > 1:
            raise Left("backward() is called several times", "多次调用 backward()")
        raise Left(
            "no zero_grad() stands beside it: gradients may accumulate",
            "旁边没有 zero_grad()：梯度可能会累积",
        )

    def _between(self, nodes: Sequence[ast.stmt], step: Step) -> list[ast.stmt]:
        """The clipping between backward and step, beside which only values may be read."""
        clips: list[ast.stmt] = []
        wanted = ast.dump(step.optimizer)
        for node in nodes:
            found = self._clipping(node)
            for clip in found:
                self._clipped(self.calls[clip])
            clips += found
            if not found and (self._is(node, *_ZERO, free=True) or not isinstance(node, _SIMPLE)):
                raise Left(
                    "more than clipping stands between backward() and step()",
                    "backward() 与 step() 之间不只有梯度裁剪",
                )
            rest = node.test if found and isinstance(node, ast.If) else node
            for one in ast.walk(rest) if rest not in found else ():
                is_state = isinstance(one, ast.Attribute) and one.attr.endswith("parameters")
                if is_state or (isinstance(one, ast.expr) and ast.dump(one) == wanted):
                    raise Left(
                        "parameters are used between backward() and step()",
                        "backward() 与 step() 之间使用了参数",
                    )
        return clips

    def _clipping(self, node: ast.stmt) -> list[ast.stmt]:
        """The clippings that a statement is, or that are all that a condition decides on."""
        if self._is(node, *_CLIPS, free=True):
            return [node]
        if not isinstance(node, ast.If):
            return []
        found = [self._clipping(one) for one in (*node.body, *node.orelse)]
        return [clip for some in found for clip in some] if all(found) else []

    def _clipped(self, call: ast.Call) -> None:
        """The gradients that are clipped are those of a module that is called here."""
        first = call.args[0] if call.args else None
        made = isinstance(first, ast.Call) and not first.args and not first.keywords
        of = object_of(first) if isinstance(first, ast.Call) and made else None
        if of is None or not self.applied.is_owner(of):
            raise Left(
                "nothing proves whose gradients are clipped", "无法证明裁剪的是哪些参数的梯度"
            )

    def _forward(self, step: Step, nodes: list[ast.stmt]) -> None:
        """The statements that compute the loss from the first that takes parameters on."""
        needed = {name.id for name in places.read(step.loss)}
        taken: set[ast.stmt] = set()
        for node in reversed(nodes):
            if node is not step.zero and places.all_bound(node) & needed:
                taken.add(node)
                needed |= {name.id for name in places.read(node)}
        made = {name for node in taken for name in places.all_bound(node)}
        taken |= {n for n in nodes if n is not step.zero and places.changed(n) & made}
        chosen = [node for node in nodes if node in taken]
        while chosen and self._stays_ahead(chosen[0]):
            chosen.pop(0)
        if not chosen:
            if isinstance(step.loss, ast.Name) or self.graphs.expression(step.loss):
                raise Left(
                    "the loss is not computed in the same block", "loss 不在同一代码块中计算"
                )
            return
        begin, end = nodes.index(chosen[0]), nodes.index(chosen[-1])
        step.forward = [node for node in nodes[begin : end + 1] if node is not step.zero]
        for node in step.forward:
            if not isinstance(node, _SIMPLE) or (node not in taken and not _harmless(node)):
                raise Left(
                    "the loss is not computed in one straight line", "loss 不是顺序地计算出来的"
                )
            if any(isinstance(n, ast.NamedExpr | ast.Yield | ast.Await) for n in ast.walk(node)):
                raise Left(
                    "the loss is not computed in one straight line", "loss 不是顺序地计算出来的"
                )
            targets = [t for n in ast.walk(node) for t in getattr(n, "targets", ())]
            if any(isinstance(t, ast.Attribute) for t in targets):
                raise Left("the loss is kept on an object", "loss 保存在对象的属性中")

    def _stays_ahead(self, node: ast.stmt) -> bool:
        """Whether what a first statement binds is free of parameters: it needs no gradients."""
        if isinstance(node, ast.If):
            inner = (*node.body, *node.orelse)
            return self.graphs.expression(node.test) and all(map(self._stays_ahead, inner))
        if isinstance(node, ast.For | ast.While):
            of = self.graphs.statement(node) if isinstance(node, ast.For) else True
            return of and all(map(self._stays_ahead, (*node.body, *node.orelse)))
        if isinstance(node, ast.With):
            return self.graphs.is_cut(node) and all(isinstance(n, _SIMPLE) for n in node.body)
        return isinstance(node, (ast.Pass, *_SIMPLE)) and self.graphs.statement(node)

    def _names(self, step: Step) -> None:
        """What the forward function takes and gives, if all that it takes is free of parameters."""
        made: set[str] = set()
        carried: dict[str, None] = {}
        parts = [*step.forward, ast.Expr(step.loss)]
        if not self.applied.applies(parts):
            raise Left("nothing proves that the model is applied here", "无法证明模型在此处被调用")
        for node in parts:
            parents = {child: one for one in ast.walk(node) for child in ast.iter_child_nodes(one)}
            for name in places.read(node):
                if name.id in made:
                    continue
                if name.id in {n for one in step.forward for n in places.bound(one)}:
                    carried[name.id] = None
                self._free(name, parents, step)
            made |= places.bound(node)
        for one in carried:
            if not self._fresh(one, step):
                raise Left(
                    f"`{one}` is carried from one step to the next",
                    f"`{one}` 从一步传到下一步",
                )
        used = self._used_elsewhere(step)
        loss = step.loss.id if isinstance(step.loss, ast.Name) else ""
        step.given = self._arguments(parts, made, carried)
        step.kept = [
            name
            for name in dict.fromkeys(n for one in step.forward for n in sorted(places.bound(one)))
            if name in used and name != loss
        ]

    def _arguments(
        self, parts: Sequence[ast.stmt], made: set[str], carried: dict[str, None]
    ) -> list[str]:
        """The names that vary from step to step, by which others are told apart."""
        loops = {
            name
            for place in self.body.places
            if isinstance(place.node, ast.For | ast.AsyncFor)
            for name in places.all_bound(place.node)
        }
        found = dict(carried)
        for node in parts:
            for name in places.read(node):
                if name.id not in made and name.id in loops and self._is_data(name.id, parts):
                    found[name.id] = None
        return list(found)

    def _is_data(self, name: str, parts: Sequence[ast.stmt]) -> bool:
        """Whether a name is passed on, and not called only."""
        called = {
            id(one.func) for node in parts for one in ast.walk(node) if isinstance(one, ast.Call)
        }
        return any(
            name == one.id and id(one) not in called for node in parts for one in places.read(node)
        )

    def _free(self, name: ast.Name, parents: dict[ast.AST, ast.AST], step: Step) -> None:
        """A name that the forward pass takes stands for no result of parameters."""
        parent = parents.get(name)
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
            self.graphs.name(name.id, step.forward) or self.graphs.is_object(name.id)
        ):
            return
        raise Left(
            f"nothing proves that `{name.id}` doesn't depend on parameters",
            f"无法证明 `{name.id}` 与参数无关",
        )

    def _fresh(self, name: str, step: Step) -> bool:
        """Whether a name is bound anew before the step, each time."""
        at = step.place.block.index(step.forward[0])
        if any(name in places.bound(node) for node in step.place.block[:at]):
            return True
        around = list(step.place.outward())
        loop = next((p for p in around if isinstance(p.node, places.LOOPS)), None)
        if loop is None:
            return True
        return isinstance(loop.node, ast.For | ast.AsyncFor) and name in places.bound(loop.node)

    def _used_elsewhere(self, step: Step) -> set[str]:
        """The names that are read anywhere but where the loss is computed."""
        inside = {id(n) for node in step.forward for n in ast.walk(node)}
        inside |= {id(n) for node in (step.backward, step.zero) for n in ast.walk(node)}
        whole = self.body.node
        if isinstance(whole, ast.Module):
            return {
                n.id for n in ast.walk(whole)
                if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and id(n) not in inside
            }  # fmt: skip
        found = {
            n.id for n in ast.walk(whole)
            if isinstance(n, ast.Name) and id(n) not in inside
            and (isinstance(n.ctx, ast.Load) or _augmented(whole, n))
        }  # fmt: skip
        shared = (ast.Global, ast.Nonlocal)
        return found | {name for n in ast.walk(whole) if isinstance(n, shared) for name in n.names}

    def _anchor(self, step: Step) -> ast.stmt | None:
        """The outermost loop in which the optimizer stays the same; None if there is none."""
        found: ast.stmt | None = None
        for place in step.place.outward():
            if not isinstance(place.node, places.LOOPS):
                continue
            if _sets(place.node, step.optimizer):
                break
            found = place.node
        return found


def _sets(node: ast.stmt, optimizer: ast.expr) -> bool:
    """Whether a statement makes an optimizer, or what it belongs to."""
    if places.root(optimizer) in places.all_bound(node):
        return True
    text = ast.dump(optimizer)
    stored = (n for n in ast.walk(node) if isinstance(getattr(n, "ctx", None), ast.Store))
    return any(isinstance(n, ast.expr) and ast.dump(_loaded(n)) == text for n in stored)


def _loaded(node: ast.expr) -> ast.expr:
    """The same expression, read instead of set."""
    return ast.parse(ast.unparse(node), mode="eval").body


def _augmented(whole: ast.AST, name: ast.Name) -> bool:
    return any(isinstance(n, ast.AugAssign) and n.target is name for n in ast.walk(whole))


def _called(node: ast.stmt) -> ast.Call | None:
    """The call that a statement is."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return node.value
    return None


def _harmless(node: ast.stmt) -> bool:
    """Whether a statement that stands between may as well run where gradients are recorded."""
    if isinstance(node, ast.Assign):
        return all(isinstance(n, ast.Name | ast.Tuple) for n in node.targets)
    return isinstance(node, ast.Assert)


def uses(work: Rewriter) -> list[Use]:
    """The calls of backward."""
    return [
        use for use in work.uses.values()
        if BACKWARD in use.names and use.how in ("method", "possible")
    ]  # fmt: skip
