"""Parameters that an optimizer may be given and the loss doesn't use: PyTorch leaves them alone.

Their gradients are None in PyTorch, and the optimizer skips them. ``mindspore.value_and_grad``
gives zeros, by which weight decay moves them, and momentum where they are used in some steps only.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msmap.infer.interpreter import Reading
from msmap.infer.values.lattice import Class, Entry, owner_kind
from msmap.model import Text
from msmap.port import parameter_groups
from msmap.port.session import Rewriter
from msmap.port.training.forward_reads import FORWARD, Path, Reader, Reads, assigned
from msmap.port.training.given_parameters import Given, Made, canonical
from msmap.port.training.loss import Loss

_STEP = "torch.optim.Optimizer.step"
_LISTS = ("torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict",
          "torch.nn.ParameterList", "torch.nn.ParameterDict")  # fmt: skip
# How the names of layers begin that have parameters.
_TRAINED = tuple(f"torch.nn.{name}" for name in (
    "AdaptiveLogSoftmax", "BatchNorm", "Bilinear", "Conv", "Embedding", "GRU", "GroupNorm",
    "InstanceNorm", "LSTM", "LayerNorm", "Lazy", "Linear", "MultiheadAttention", "PReLU", "RMSNorm",
    "RNN", "SyncBatchNorm", "Transformer",
))  # fmt: skip
_DECAYS = ("torch.optim.AdamW", "torch.optim.Muon", "torch.optim.ASGD")
# Where the decay stands by position; elsewhere it is the fifth argument.
_PLACES = {"torch.optim.Adagrad": 3, "torch.optim.Muon": 2}
_MOMENTUM = 2
NOTE = Text(
    "Parameters that the loss doesn't depend on get gradients of 0: PyTorch leaves them as they"
    " are, here weight decay and momentum move them.",
    "与 loss 无关的参数会得到 0 梯度：PyTorch 不会更新它们，而此处权重衰减与动量仍会改变它们。",
)

Known = Literal["all", "some", "none", "unknown"]


class Usage:
    """What the losses of one file use of what its optimizers are given."""

    def __init__(self, work: Rewriter) -> None:
        self.work = work
        self.home: Reading = work.resolver.reading
        self.reader = Reader()
        self.given = Given(work)
        self.said: set[str] = set()

    def tell(self, losses: Sequence[Loss], update: ast.Call) -> bool:
        """Say where parameters move that PyTorch leaves alone.

        Args:
            losses: the losses whose gradients an optimizer takes at once.
            update: the call by which it steps.

        Returns:
            Whether nothing else is left to say.
        """
        optimizer = losses[0].optimizer
        name = ast.unparse(optimizer)
        found = [self._one(maker, losses) for maker in self._makers(optimizer)]
        moved = {known for known, moves in found if moves}
        if moved and name not in self.said:
            self.said.add(name)
            self.work.warn(update, _text(name, moved), _STEP)
        return bool(moved) or (bool(found) and all(known in ("all", "none") for known, _ in found))

    def _one(self, maker: ast.Call, losses: Sequence[Loss]) -> tuple[Known, bool]:
        """What the losses use of what an optimizer is given, and whether the rest moves."""
        state, decays = self._rules(maker)
        if not (state or decays):
            return "all", False
        known = _worst(self._of(one, losses) for one in self.given.of(maker))
        moves = known == "some" or (decays and known in ("none", "unknown"))
        return known, moves

    # Optimizers.

    def _makers(self, optimizer: ast.expr) -> list[ast.Call]:
        """The calls that may make an optimizer, by the names that the file gives it."""
        every = [
            use.node for use in self.work.uses.values()
            if use.how == "call" and isinstance(use.node, ast.Call) and self._is_optimizer(use.node)
        ]  # fmt: skip
        name = getattr(optimizer, "attr", getattr(optimizer, "id", ""))
        mine = [node for node in every if name in self._targets(node)]
        return mine or every

    def _targets(self, node: ast.AST) -> set[str]:
        """The names that something is given where it is made."""
        parents = self.work.source.nodes.parents
        outer = parents.get(node)
        while outer is not None and not isinstance(outer, ast.stmt):
            outer = parents.get(outer)
        found = getattr(outer, "targets", [getattr(outer, "target", None)])
        inner = (one for target in found if target is not None for one in ast.walk(target))
        return {getattr(one, "attr", getattr(one, "id", "")) for one in inner} - {"", "self"}

    def _is_optimizer(self, node: ast.Call) -> bool:
        return owner_kind(canonical(self.home, node)) == "optimizer"

    def _rules(self, maker: ast.Call) -> tuple[bool, bool]:
        """Whether an optimizer keeps a state of each parameter, and whether it decays weights."""
        name = canonical(self.home, maker)
        keywords = {keyword.arg: keyword.value for keyword in maker.keywords}
        decay = keywords.get("weight_decay")
        place = _PLACES.get(name, 4)
        if decay is None and len(maker.args) > place:
            decay = maker.args[place]
        decays = not _is_zero(decay) if decay is not None else name in _DECAYS
        decays = decays or parameter_groups.decay(self.work.source, maker) == "seen"
        momentum = keywords.get("momentum")
        if momentum is None and len(maker.args) > _MOMENTUM:
            momentum = maker.args[_MOMENTUM]
        state = name != "torch.optim.SGD" or (momentum is not None and not _is_zero(momentum))
        return state, decays

    # What a loss uses.

    def _of(self, node: ast.expr, losses: Sequence[Loss]) -> Known:
        """What some losses use of a module, or whether they use a tensor."""
        text = ast.unparse(node)
        parts = [part for loss in losses for part in (*loss.parts, ast.Expr(loss.loss))]
        code = list(self._code(parts))
        made = self.given.classes(node)
        if self.given.is_tensor(node):
            return "all" if any(ast.unparse(one) == text for one in code) else "unknown"
        return _worst(self._made(one, code, text) for one in made)

    def _made(self, made: Made, code: Sequence[ast.AST], text: str) -> Known:
        """What some code uses of a module that it calls by a name."""
        if not isinstance(made, Entry):
            return "unknown" if made is None else self._layer(made)
        names = {name for name, *_ in assigned(made)}
        parts = {path for path in _parts(code, text) if path[0] in names}
        methods = self._methods(code, text, made) or ([] if parts else [FORWARD])
        return self._entry(made, methods, parts)

    def _layer(self, node: ast.Call) -> Known:
        """What a layer of PyTorch's uses of the modules that it is made of."""
        inner = (self.home.objects.get(one) for one in ast.walk(node))
        found = [self._entry(one.entry, [FORWARD]) for one in inner if isinstance(one, Class)]
        return _worst(["all", *found])

    # What a loss calls.

    def _code(self, nodes: Sequence[ast.stmt]) -> Iterator[ast.AST]:
        """The nodes of some code, and of the functions of the file that it calls."""
        known: dict[str, list[ast.FunctionDef]] = {}
        for function in self.work.source.all(ast.FunctionDef):
            known.setdefault(function.name, []).append(function)
        ahead: list[ast.AST] = list(nodes)
        seen: set[str] = set()
        for node in ahead:
            for one in ast.walk(node):
                yield one
                if isinstance(one, ast.Call):
                    name = getattr(one.func, "attr", getattr(one.func, "id", ""))
                    if name in known and name not in seen and name != FORWARD:
                        seen.add(name)
                        ahead += known[name]

    def _methods(self, code: Sequence[ast.AST], text: str, entry: Entry) -> list[str]:
        """The methods of a class by which a loss uses an object of it."""
        calls = [one.func for one in code if isinstance(one, ast.Call)]
        own = {name for one in entry.lineage for name in one.members} - {"__init__"}
        mine: list[str] = []
        for function in calls:
            if ast.unparse(function) == text:
                mine.append(FORWARD)
            elif isinstance(function, ast.Attribute) and function.attr in own:
                mine.append(function.attr)
        return mine

    # What a class holds.

    def _entry(self, entry: Entry, methods: Sequence[str], parts: Iterable[Path] = ()) -> Known:
        """What some methods of a class use of its parameters, with what others read of it."""
        if not entry.torch_base or entry.is_open or entry.torn:
            return "unknown"
        reads = Reads(set(parts))
        for name in methods:
            reads.add(self.reader.method(entry, name))
        missing = [path for path, maybe in self._needed(entry, ()) if not _has(reads, path, maybe)]
        if not missing:
            return "all"
        own = entry.torch_base != "torch.nn.Module" and entry.member(FORWARD) is None
        if own:
            return "all"
        return "some" if all(_may(reads, path) for path in missing) else "none"

    def _needed(self, entry: Entry, seen: tuple[Entry, ...]) -> Iterator[tuple[Path, bool]]:
        """The parameters of a class by their paths, and whether each is there on a condition."""
        if entry in seen:
            return
        every = self.reader.method(entry, FORWARD).every
        for name, owner, value, conditional in assigned(entry):
            for path, maybe in self._holds(owner, value, (*seen, entry), (name,) in every):
                yield (name, *path), maybe or conditional

    def _holds(
        self, owner: Entry, value: ast.expr, seen: tuple[Entry, ...], is_read: bool
    ) -> Iterator[tuple[Path, bool]]:
        """The same of what an attribute is set to."""
        home: Reading = owner.home
        found = home.objects.get(value)
        if isinstance(found, Class):
            if owner_kind(found.entry.torch_base) == "module":
                yield from self._needed(found.entry, seen)
        elif isinstance(value, ast.Call):
            name = canonical(home, value)
            if name in _LISTS:
                yield (), False
                yield from self._items(home, value)
            elif owner_kind(name) == "module":
                if name.startswith(_TRAINED):
                    yield (), False
            elif name in ("torch.nn.Parameter", "torch.nn.parameter.Parameter"):
                if not any(k.arg == "requires_grad" for k in value.keywords):
                    yield (), False
            elif is_read and not name and ast.unparse(value.func).startswith("self."):
                # A method of its own makes it, layer by layer.
                yield (), False

    def _items(self, home: Reading, value: ast.Call) -> Iterator[tuple[Path, bool]]:
        """What the layers of a list leave unused themselves."""
        for one in ast.walk(value):
            found = home.objects.get(one)
            if isinstance(found, Class) and self._entry(found.entry, [FORWARD]) != "all":
                yield ("!",), False


def _parts(code: Sequence[ast.AST], text: str) -> set[Path]:
    """The attributes that some code reads of an object by its name."""
    start = f"{text}."
    named = (ast.unparse(one) for one in code if isinstance(one, ast.Attribute))
    return {tuple(one.removeprefix(start).split(".")) for one in named if one.startswith(start)}


def _has(reads: Reads, path: Path, maybe: bool) -> bool:
    """Whether something is always read: itself, or what it is a part of."""
    known = reads.always | reads.configured if maybe else reads.always
    return any(path[:end] in known for end in range(1, len(path) + 1)) or any(
        one[: len(path)] == path for one in known
    )


def _may(reads: Reads, path: Path) -> bool:
    return any(path[:end] in reads.sometimes for end in range(1, len(path) + 1)) or any(
        one[: len(path)] == path for one in reads.sometimes
    )


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def _worst(found: Iterable[Known]) -> Known:
    """The least that is used; "unknown" of nothing."""
    every = set(found)
    order: tuple[Known, ...] = ("none", "some", "unknown", "all")
    return next((one for one in order if one in every), "unknown")


def _text(optimizer: str, kinds: set[Known]) -> Text:
    """What happens to parameters that a loss doesn't use, and what to write."""
    if kinds == {"some"}:
        return Text(
            "some parameters are used in some steps only. Where they aren't, PyTorch leaves them"
            " alone; here their gradients are 0, and the momentum or weight decay of"
            f" `{optimizer}` moves them. Give these parameters an optimizer of their own that steps"
            " only when they are used",
            "部分参数只在某些步骤中使用。未使用时 PyTorch 不更新它们；此处其梯度为 0，"
            f"`{optimizer}` 的动量或权重衰减仍会改变它们。请为这些参数单独建立优化器，"
            "只在用到时更新",
        )
    certain = "none" in kinds or "some" in kinds
    return Text(
        ("the loss doesn't use all parameters" if certain else
         "nothing proves that the loss uses all parameters") +
        f" of `{optimizer}`. PyTorch leaves those alone that it doesn't use; here their gradients"
        " are 0, and weight decay moves them. Give the optimizer only the parameters that are used",
        ("loss 没有用到" if certain else "无法证明 loss 用到了") +
        f" `{optimizer}` 的全部参数。PyTorch 不会更新未用到的参数；此处其梯度为 0，"
        "权重衰减仍会改变它们。请只把用到的参数交给优化器",
    )  # fmt: skip
