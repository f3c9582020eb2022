"""Names of PyTorch's that are not called, and members that are read or set by name."""

from __future__ import annotations

import ast
import re

from msmap.code.refusal import Refused
from msmap.infer.uses import Use, annotates
from msmap.infer.values.lattice import UNKNOWN, owner_kind
from msmap.model import Record, Target, Text
from msmap.port import block_edits, caveats
from msmap.port.edits import parent_of
from msmap.port.rules import registry
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter
from msmap.port.targets import SAFE_AS_VALUE, refuse_missing

# What annotations say instead: MindSpore's devices are texts, and shapes are tuples.
_TYPES = {
    "torch.device": "str",
    "torch.Size": "tuple",
    "torch.dtype": "mindspore.Type",
    "torch.utils.data.DataLoader": "mindspore.dataset.Dataset",
    **{f"torch.{kind}Tensor": "mindspore.Tensor" for kind in (
        "Long", "Int", "Short", "Char", "Byte", "Bool", "Float", "Double", "Half", "BFloat16",
    )},
}  # fmt: skip


@rule(Phase.USE, "name")
def name(work: Rewriter, use: Use) -> None:
    """A PyTorch name that is not called: a dtype, a function as a value, a class."""
    if isinstance(use.node, ast.Name) and work.is_parameter(use, use.node):
        return
    canonical = work.resolver.reading.canonical(use.names[0])
    if canonical and (dtype := work.facts.mindspore_dtype(canonical)):
        work.put(use, dtype, True)
        return
    if canonical and (kind := _cast(work, use, canonical)):
        work.put(use, kind, True)
        return
    end = work.source.span(use.node)[1]
    generic = work.source.between(end, end + 1) == "["
    if canonical in _TYPES and not (generic or work.resolver.own) and annotates(use):
        work.put(use, _TYPES[canonical], True)
        return
    if not work.resolver.own:
        _as_a_whole(work, use, canonical or use.names[0].removesuffix(".__dict__"))
    record = work.resolver.meaning(use).record
    if not (record.kind == "class" and generic) and registry.instead(work, use, record):
        return
    refuse_missing(record)
    best = record.targets[0] if record.targets else None
    if record.kind == "constant" and best is not None and best.expression:
        work.records.append(record.torch)
        work.targets.append((record.torch, best.key))
        work.put(use, best.expression, False)
        return
    if record.kind == "class" and generic:
        raise Refused(
            "value",
            f"{record.torch}[...]: MindSpore's class takes no type in brackets",
            f"{record.torch}[...]：MindSpore 的类不接受方括号中的类型",
        )
    if best is not None and best.remove:
        if record.kind == "class" and annotates(use):
            # Any object will do.
            work.put(use, "object", True)
        elif not block_edits.base(work, use):
            raise Refused(
                "removable",
                f"{record.torch}: leave it out; MindSpore needs nothing in its place",
                f"{record.torch}：去掉即可，MindSpore 无需任何替代",
            )
        work.records.append(record.torch)
        return
    stands = use.typed or use.node in work.bases
    is_tensor = owner_kind(record.torch) == "tensor" and record.kind != "function"
    if annotates(use) or is_tensor:
        # What makes it may be a composition, but its type is a class all the same.
        best = next((t for t in record.targets if t.kind == "class" and t.api), best)
    typed = stands and best is not None and best.kind == "class"
    if typed and owner_kind(record.torch) == "optimizer" and not annotates(use):
        work.records.append(record.torch)
        work.put(use, _of_optimizers(record, use.node in work.bases), True)
        return
    set_here = isinstance(getattr(use.node, "ctx", None), ast.Store)
    safe = best is not None and best.api is not None and not set_here
    alike = best is not None and not work.resolver.own and _takes_the_same(record, best)
    if best is None or not safe or not (typed or alike or best.category in SAFE_AS_VALUE):
        raise Refused(
            "value",
            f"{record.torch} without a call: its arguments differ in MindSpore",
            f"{record.torch} 未被直接调用：其参数在 MindSpore 中有差异",
        )
    lacking = None if annotates(use) else work.running(record, best)
    if alike and not typed and best.category not in SAFE_AS_VALUE:
        # As of a call: nobody sees what is passed.
        found = caveats.bites(record, best, None, use.node, work.around, work.facts.device)
        work.notes += caveats.told(record, found)
    work.records.append(record.torch)
    work.put(use, str(best.api), True)
    if lacking is not None:
        work.warn(use.node, lacking)


def _takes_the_same(record: Record, best: Target) -> bool:
    """Whether a function takes all that its counterpart does, in the same places."""
    if record.kind != "function" or best.kind != "function" or len(record.signatures) > 1:
        return False
    if best.returns is not None and (best.returns.value or best.returns.fields):
        return False
    last = max((p.torch_position or 0 for p in best.parameters), default=0)
    return all(
        (p.relation == "universal_absent" and p.torch_position is None)
        # Who asks for it gets an error, or what PyTorch does.
        or p.torch == ("inplace",)
        or (p.relation == "target_only_keep_default" and (p.mindspore_position or last + 1) > last)
        or (
            p.relation == "same"
            and not (p.cases or p.allow or p.value)
            and p.torch == p.mindspore
            and p.torch_position == p.mindspore_position
            and p.torch_default == p.mindspore_default
        )
        for p in best.parameters
    )


def _as_a_whole(work: Rewriter, use: Use, name: str) -> None:
    """Refuse a module that is asked for names by texts, or given to others."""
    if work.facts.torch_kind(name) != "module":
        return
    text = work.source.text(use.node).removesuffix(".__dict__")
    call = parent_of(work.source, use.statement, use.node)
    wanted = call.args[1:2] if isinstance(call, ast.Call) and call.args[0] is use.node else []
    literal = wanted[0].value if wanted and isinstance(wanted[0], ast.Constant) else None
    if isinstance(literal, str):
        en, zh = f"write {text}.{literal}", f"请写 {text}.{literal}"
    else:
        # Anything but a name, or a name of one, may be written in another way.
        plain = wanted and isinstance(wanted[0], ast.Name | ast.Attribute)
        asked = "".join(work.source.text(wanted[0]).split()) if plain else "name"
        asked = asked if all(map(str.isidentifier, asked.split("."))) else "name"
        example = f'{{"Name": {text}.Name}}[{asked}]'
        en = (
            "the code doesn't show which of its names are taken; write a dict of those that may"
            f" be, as {example}"
        )
        zh = f"代码未显示取用其中哪些名称；请写成包含所有可能名称的字典，如 {example}"
    raise Refused(
        "value" if work.facts.find(name) is not None else "no_record",
        f"{name} as a whole: {en}, and port again",
        f"{name} 整体被使用：{zh}，然后再次转写",
    )


def _of_optimizers(record: Record, base: bool) -> str:
    """What is inherited from, or told apart by isinstance, where calls may make several classes.

    Who inherits passes on arguments as they are, and so needs the one of PyTorch's name.
    """
    leaf = record.torch.rsplit(".", 1)[1]
    classes = [str(t.api) for t in record.targets if t.kind == "class"]
    last = next((i for i, api in enumerate(classes) if api.endswith(f".{leaf}")), 0)
    made = classes[last:][:1] if base else classes[: last + 1]
    return made[0] if len(made) == 1 else f"({', '.join(made)})"


# What a tensor of a kind holds, as ``x.type(torch.FloatTensor)`` says it.
_HELD = {
    "Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16",
    "Byte": "uint8", "Char": "int8", "Short": "int16", "Int": "int32", "Long": "int64",
    "Bool": "bool_",
}  # fmt: skip
_KIND = re.compile(r"torch\.(?:cuda\.)?(\w+)Tensor")


def _cast(work: Rewriter, use: Use, name: str) -> str:
    """The dtype that a class of tensors stands for where a tensor is cast to it, else ""."""
    kind = _KIND.fullmatch(name)
    parent = parent_of(work.source, use.statement, use.node) if kind is not None else None
    if kind is None or not isinstance(parent, ast.Call) or use.node not in parent.args:
        return ""
    cast = work.uses.get(parent)
    is_cast = cast is not None and cast.how == "method" and "torch.Tensor.type" in cast.names
    return f"mindspore.{_HELD[kind[1]]}" if is_cast and kind[1] in _HELD else ""


_KIND_OF_DEVICE = "torch.device.type"
_KINDS = {"cpu": "CPU", "cuda": "GPU", "npu": "Ascend"}
_TARGET = "mindspore.get_context('device_target')"
_ONE_DEVICE = Text(
    "A device's type is that of the process's one device, as PyTorch calls it: Ascend's is"
    ' "npu", never "cuda".',
    "device 的 type 为进程所用唯一设备的类型，沿用 PyTorch 的叫法："
    "Ascend 为 “npu”，不会是 “cuda”。",
)


def _kind_of_device(work: Rewriter, use: Use) -> None:
    """Write what kind the one device is, or the comparison of that with a kind."""
    parent = parent_of(work.source, use.statement, use.node)
    if isinstance(parent, ast.Compare) and parent.left is use.node and len(parent.ops) == 1:
        other = parent.comparators[0]
        kind = _KINDS.get(str(other.value)) if isinstance(other, ast.Constant) else None
        if kind is not None and isinstance(parent.ops[0], ast.Eq | ast.NotEq):
            work.put(use, _TARGET, True)
            work.changes.put(other, repr(kind))
            return
    every = ", ".join(f"{target!r}: {kind!r}" for kind, target in _KINDS.items())
    work.put(use, f"{{{every}}}[{_TARGET}]", True)


@rule(Phase.USE, "device")
def device(work: Rewriter, use: Use) -> None:
    """A part of a device: MindSpore has no such objects."""
    if not work.resolver.own:
        name = use.names[0]
        if name == _KIND_OF_DEVICE:
            work.records.append("torch.device")
            work.notes.append(_ONE_DEVICE)
            _kind_of_device(work, use)
            return
        raise Refused(
            "value",
            f"{name}: MindSpore has no objects for devices, but texts or None",
            f"{name}：MindSpore 没有设备对象，只有字符串或 None",
        )


@rule(Phase.USE, "set")
def set(work: Rewriter, use: Use) -> None:
    """A property of an object is set: its counterpart must be one too."""
    if use.names[0].endswith(_FORWARD):
        text = work.source.text(use.node)
        raise Refused(
            "possible" if use.receiver is UNKNOWN else "value",
            f"{text}: MindSpore calls construct where PyTorch calls forward; set that",
            f"{text}：PyTorch 调用 forward，而 MindSpore 调用 construct；请改为设置后者",
        )
    record = work.resolver.meaning(use).record
    if not _namesake(record, "property", use.node):
        raise Refused(
            "value",
            f"{record.torch} is set here: MindSpore has another way",
            f"此处对 {record.torch} 赋值：MindSpore 的写法不同",
        )


_FORWARD = ".forward"


@rule(Phase.USE, "value")
def value(work: Rewriter, use: Use) -> None:
    """A method that isn't called stays a method only under the same name."""
    record = work.resolver.meaning(use).record
    refuse_missing(record)
    best = _namesake(record, "method", use.node)
    if best is None or best.category not in SAFE_AS_VALUE:
        raise Refused(
            "value",
            f"{record.torch} without a call: its arguments differ in MindSpore",
            f"{record.torch} 未被直接调用：其参数在 MindSpore 中有差异",
        )


def _namesake(record: Record, kind: str, node: ast.AST) -> Target | None:
    """The best target, if it is of a kind and called as what stands in the source."""
    best = record.targets[0] if record.targets else None
    if best is None or best.kind != kind or best.api is None:
        return None
    return best if best.api.endswith(f".{_leaf(node)}") else None


def _leaf(node: ast.AST) -> str:
    return getattr(node, "attr", "")
