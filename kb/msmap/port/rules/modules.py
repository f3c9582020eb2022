"""Layers and own classes of them: their parameters, members, inputs and methods."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from msmap.code.refusal import Refused
from msmap.infer.uses import Use
from msmap.infer.values.classes import buffers
from msmap.infer.values.lattice import BASES, Class, Instance, Object, owner_kind
from msmap.model import Record, Target
from msmap.port import arguments as values
from msmap.port import caveats, layer_classes, layers, layout, parameter_names
from msmap.port import targets as calls
from msmap.port.dataset_items import LOADER
from msmap.port.edits import lineage
from msmap.port.mode import Mode
from msmap.port.rules import registry
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter


@rule(Phase.USE, "field")
def field(work: Rewriter, use: Use) -> None:
    """A parameter or a buffer of a layer: it may have another name."""
    assert isinstance(use.node, ast.Attribute)
    options = _became(work, use)
    try:
        new, note = layers.field(options, use.node.attr, _written(work, use) is not None)
    except Refused:
        if not parameter_names.one_of_several(work, use, options):
            raise
        return
    if note is not None and not _fits_any_shape(work, use):
        work.doubt(use.node, note)
    work.rename(use.node, new)


def _written(work: Rewriter, use: Use) -> Target | None:
    """The target that a layer was made by, where the call that made it is in sight."""
    maker = use.receiver.maker if isinstance(use.receiver, Instance) else None
    made_here = work.written.get(maker) if isinstance(maker, ast.AST) else None
    return None if made_here is None else made_here[1]


def _became(work: Rewriter, use: Use) -> dict[str, Sequence[Target]]:
    """What a layer may be by now, by the classes of PyTorch's that it may be of."""
    target = _written(work, use)
    found: dict[str, Sequence[Target]] = {}
    for kind in use.names:
        record = work.facts.find(kind)
        if target is not None or record is None:
            found[kind] = () if target is None else (target,)
        elif isinstance(use.receiver, Instance):
            found[kind] = layer_classes.classes(work, record)
        if not found.get(kind) and record is not None:
            found[kind] = record.targets[:1]
    return found


# What is the same of a parameter whatever its shape.
_SHAPELESS = {"requires_grad", "dtype", "device", "numel", "nelement", "grad", "name"}


def _fits_any_shape(work: Rewriter, use: Use) -> bool:
    """Whether a parameter is only filled or asked for what doesn't depend on its shape."""
    *_, outer = lineage(work.source, use.statement, use.node)
    if isinstance(outer, ast.Call):
        called = work.uses.get(outer)
        return called is not None and called.names[0].startswith("torch.nn.init.")
    inner: ast.AST = use.node
    for outer in reversed(lineage(work.source, use.statement, use.node)):
        if not isinstance(outer, ast.Attribute) or outer.value is not inner:
            return False
        if outer.attr.endswith("_") or outer.attr in _SHAPELESS:
            return True
        if outer.attr != "data":
            return False
        inner = outer
    return False


# Where its counterpart has what a loader was made with.
_OF_LOADERS = {"dataset": ".children[0].source", "batch_size": ".get_batch_size()"}


def _stays(work: Rewriter, name: str) -> bool:
    """Whether a call of some name was left as it is anywhere."""
    made = (use for use in work.uses.values() if use.how == "call" and name in use.names)
    return any(use.node not in work.written for use in made)


@rule(Phase.USE, "setting", modes=Mode.FILE)
def setting(work: Rewriter, use: Use) -> None:
    """What a layer or a loader was made with: its counterpart may keep it in another way."""
    assert isinstance(use.node, ast.Attribute)
    place = _OF_LOADERS.get(use.node.attr) if use.names == (LOADER,) else None
    if place is not None and isinstance(use.node.ctx, ast.Load) and not _stays(work, LOADER):
        work.put(use, f"{layout.enclosed(work.changes.text(use.node.value))}{place}", True)
        return
    for kind, targets in _became(work, use).items():
        if not all(layers.keeps(target, use.node.attr) for target in targets):
            raise Refused(
                "value",
                f"{kind}.{use.node.attr}: nothing shows that MindSpore keeps it under this name"
                " with this meaning; keep the value in a variable of your own",
                f"{kind}.{use.node.attr}：无法证明 MindSpore 以同一名称和含义保存它；"
                "请自行用变量保存该值",
            )


@rule(Phase.USE, "buffer")
def buffer(work: Rewriter, use: Use) -> None:
    """A buffer of an own module is set: MindSpore takes no assignment, but registers it anew."""
    node, name = use.node, use.names[0]
    target = _target(node)
    value = getattr(node, "value", None)
    if target is None or isinstance(value, _OPEN):
        raise Refused(
            "value",
            f"{name}: a buffer is set here, which MindSpore takes for a mistake; write"
            " self.register_buffer(name, value) instead",
            f"{name}：此处对缓冲区赋值，MindSpore 会报错；"
            "请改写为 self.register_buffer(name, value)",
        )
    assert isinstance(use.receiver, Object)
    on, changes = layout.enclosed(work.changes.text(target.value)), work.changes
    text = changes.text(node).removeprefix(changes.text(target))
    text = _SIGN.sub("", text, count=1)
    if isinstance(node, ast.AugAssign):
        sign = ast.unparse(ast.BinOp(ast.Constant(0), node.op, ast.Constant(0)))[1:-1]
        text = f"{on}.{target.attr}{sign}{values.embedded(text, False, True)}"
    more = "" if buffers(use.receiver.entry)[target.attr] else ", persistent=False"
    changes.put(node, f'{on}.register_buffer("{target.attr}", {text}{more})')
    work.records.append(name)


def _target(node: ast.AST) -> ast.Attribute | None:
    """What alone is set by a statement, if it is an attribute."""
    if isinstance(node, ast.Assign):
        sole = node.targets[0] if len(node.targets) == 1 else None
    else:
        sole = node.target if isinstance(node, ast.AugAssign) else None
    return sole if isinstance(sole, ast.Attribute) else None


_SIGN = re.compile(r"[\s\\]*[^\s\\=]*=[ \t\f\\\r\n]*")
# They stand behind an assignment without parentheses, and nowhere else.
_OPEN = (ast.Tuple, ast.Yield, ast.YieldFrom, ast.Starred)


@rule(Phase.USE, "member")
def member(work: Rewriter, use: Use) -> None:
    """A member of an own class that is a layer: it may have another name."""
    assert isinstance(use.node, ast.Attribute)
    work.rename(use.node, layers.members(work.facts, use.names[0]).get(use.node.attr, ""))


@rule(Phase.USE, "own")
def own(work: Rewriter, use: Use) -> None:
    """``eval()`` of a class that has its own ``train``: PyTorch's calls that."""
    node = use.node
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Attribute)
    work.records.append(use.names[0])
    on = layout.enclosed(work.changes.text(node.func.value))
    work.changes.put(node, f"{on}.{_OWN}(False)")


_OWN = "train"


@rule(Phase.USE, "layer")
def layer(work: Rewriter, use: Use) -> None:
    """A layer is called: its inputs may have other names."""
    node, of = use.node, use.receiver
    assert isinstance(node, ast.Call)
    assert isinstance(of, Instance)
    maker = of.maker
    layer = work.written.get(maker) if isinstance(maker, ast.AST) else None
    if layer is None:
        layer = layers.stands_for(work, of, maker in work.uses)
    if layer is None or layer[0].kind != "class":
        return
    _tell_infinite(work, node, layer[0])
    if any(k.arg is None for k in node.keywords):
        return
    arguments = work.arguments(node)
    text = calls.write_inputs(*layer, registry.arguments(work, use, layer[0], arguments))
    before = [*(a.text for a in arguments.positional)]
    before += [f"{name}={a.text}" for name, a in arguments.keywords.items()]
    if text != ", ".join(before):
        whole = f"{layout.enclosed(work.changes.text(node.func))}({text})"
        work.changes.put(node, layout.kept(work.changes.text(node), whole))


def _tell_infinite(work: Rewriter, node: ast.Call, record: Record) -> None:
    """Say what a layer makes of numbers next to -inf where it is given such."""
    if work.resolver.own or not work.around.takes_infinite(node):
        return
    found = caveats.seen(record, "boundless", work.facts.device)
    if found:
        work.bites.setdefault(node, (record, found))
        work.notes += caveats.told(record, found)


@rule(Phase.LAYERS, modes=Mode.FILE)
def uncalled(work: Rewriter) -> None:
    """Say what layers want of their inputs whose calls are nowhere in sight."""
    called = {getattr(use.receiver, "maker", None) for use in work.uses.values()}
    for node, (record, target) in work.written.items():
        if record.kind != "class" or node in called:
            continue
        for one in target.inputs:
            if one.relation == "type_differs" and one.note:
                work.warn(node, one.note)


@rule(Phase.USE, "torn")
def torn(work: Rewriter, use: Use) -> None:
    """A class beside PyTorch's: what another framework calls otherwise is told by both."""
    assert isinstance(use.receiver, Class)
    own = use.receiver.entry.node.name
    raise Refused(
        "value",
        f"{own} is a {use.names[0]}, but gets or calls forward through a class that is none:"
        " rename both by hand",
        f"{own} 是 {use.names[0]}，但经由并非该类的另一个类取得或调用 forward：请手动统一重命名",
    )


@rule(Phase.USE, "base")
def unknown_base(work: Rewriter, use: Use) -> None:
    """A class that has ``forward`` and a base of which nothing is known."""
    assert isinstance(use.receiver, Class)
    own, base = use.receiver.entry.node.name, work.source.text(use.node)
    raise Refused(
        "possible",
        f"{own} may be a {use.names[0]}, whose forward MindSpore calls otherwise:"
        f" nothing proves what {base} is",
        f"{own} 可能是 {use.names[0]}，其 forward 在 MindSpore 中名称不同：无法证明 {base} 是什么",
    )


def _tell_train(
    work: Rewriter, owner: ast.ClassDef, made: ast.FunctionDef | ast.AsyncFunctionDef
) -> None:
    """Say that cells around it don't call a class's own ``train``."""
    en = f"{owner.name}.{_OWN}: set_train() of a cell around it doesn't call it, as train() of a"
    zh = f"{owner.name}.{_OWN}：外层 Cell 的 set_train() 不会调用它（外层 Module 的 train() 会）"
    _tell(work, made, f"{en} Module does; call it there too", f"{zh}；请在外层一并调用")


def _tell_step(
    work: Rewriter, owner: ast.ClassDef, made: ast.FunctionDef | ast.AsyncFunctionDef
) -> None:
    """Say how an optimizer of one's own gets what it moves parameters by."""
    _tell(
        work,
        made,
        f"{owner.name}.{_STEP}: MindSpore calls construct(self, gradients) instead, with gradients"
        " in the order of self.parameters: parameters have no .grad; what is kept for each is made"
        ' in __init__, as self.kept = self.parameters.clone("kept", "zeros")',
        f"{owner.name}.{_STEP}：MindSpore 调用的是 construct(self, gradients)，梯度与"
        " self.parameters 顺序一致：参数没有 .grad；各参数的状态在 __init__ 中创建，如"
        ' self.kept = self.parameters.clone("kept", "zeros")',
    )


_STEP = "step"


def _tell_reset(
    work: Rewriter, layer: str, made: ast.FunctionDef | ast.AsyncFunctionDef, owner: ast.ClassDef
) -> None:
    """Say that nothing calls what a layer of PyTorch's calls when it is made."""
    called = any(isinstance(n, ast.Attribute) and n.attr == _RESET for n in ast.walk(owner))
    if layer == BASES["module"] or called:
        return
    _tell(
        work,
        made,
        f"{owner.name}.{_RESET}: {layer} calls it when it is made, MindSpore's layer doesn't; call"
        " it at the end of __init__",
        f"{owner.name}.{_RESET}：{layer} 在构造时会调用它，MindSpore 的层不会；"
        "请在 __init__ 末尾调用",
    )


_RESET = "reset_parameters"


def _tell(work: Rewriter, made: ast.FunctionDef | ast.AsyncFunctionDef, en: str, zh: str) -> None:
    """Refuse a method at its name."""
    begin, end = work.source.name_span(made)
    name = ast.Name(made.name, ast.Load())
    name.lineno, name.col_offset = work.source.counted(begin)
    name.end_lineno, name.end_col_offset = work.source.counted(end)
    work.refuse(name, Refused("value", en, zh))


@rule(Phase.USE, "class")
def class_definition(work: Rewriter, use: Use) -> None:
    """A class that comes from one of PyTorch's: members that MindSpore calls are renamed."""
    node = use.node
    assert isinstance(node, ast.ClassDef)
    assert isinstance(use.receiver, Class)
    registry.class_definition(work, use)
    renamed = layers.members(work.facts, use.names[0])
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            if statement.name == _OWN and renamed:
                _tell_train(work, node, statement)
            if statement.name == _RESET and owner_kind(use.names[0]) == "module":
                _tell_reset(work, use.names[0], statement, node)
            if statement.name == _STEP and owner_kind(use.names[0]) == "optimizer":
                _tell_step(work, node, statement)
            if statement.name in renamed:
                begin, end = work.source.name_span(statement)
                work.changes.add(begin, end, renamed[statement.name])
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name) and target.id in renamed:
                    work.changes.add(*work.source.span(target), renamed[target.id])
