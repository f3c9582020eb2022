"""Files that the code writes itself and reads again: MindSpore's have another ending.

``mindspore.save_checkpoint`` adds .ckpt to what ends otherwise; ``load_checkpoint`` adds nothing.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from msmap.code.refusal import Refused
from msmap.infer.uses import Use
from msmap.infer.values.lattice import Keyed
from msmap.model import Record
from msmap.port.arguments import Argument
from msmap.port.edits import lineage
from msmap.port.mode import SOURCES, Mode
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter
from msmap.port.targets import Arguments

_READS, _WRITES, _FILE = "torch.load", "torch.save", "f"
_ENDING = ".ckpt"
# A dict of several is written by neither.
_SEVERAL = (ast.Dict, ast.DictComp)
_DEEPEST = 4


@rule(Phase.ARGUMENTS, modes=SOURCES)
def of_file(work: Rewriter, use: Use, record: Record, arguments: Arguments) -> Arguments:
    """The arguments of ``torch.load``, with the name under which the file is written now.

    A file that this source doesn't write stays as it is called: it is another's. What is written
    counts as a dict where a name stands for one of the code's own making.

    Raises:
        Refused: parts of what is read are networks' states, or optimizers'.
    """
    if record.torch not in (_READS, _WRITES):
        return arguments
    if record.torch == _WRITES:
        return _written(work, use, arguments)
    _check_parts(work, use)
    given = arguments.keywords.get(_FILE, next(iter(arguments.positional), None))
    if given is None or given.node is None or not _is_written(work, given.node):
        return arguments
    text = _with_ending(given)
    found = replace(given, text=text, node=ast.parse(text, mode="eval").body)
    if _FILE in arguments.keywords:
        return replace(arguments, keywords=arguments.keywords | {_FILE: found})
    return replace(arguments, positional=(found, *arguments.positional[1:]))


def _written(work: Rewriter, use: Use, arguments: Arguments) -> Arguments:
    """The arguments of ``torch.save``, whose first is a dict if the code has just made it."""
    call = use.node
    assert isinstance(call, ast.Call)
    named = next((k.value for k in call.keywords if k.arg == "obj"), None)
    what = call.args[0] if call.args else named
    if what is None:
        return arguments
    is_made = isinstance(work.resolver.reading.given.get(what), Keyed)
    if not (is_made or _is_filled(work, use, what) or _is_passed(work, use, what)):
        return arguments
    made = ast.Dict([], [])
    if call.args:
        first, *rest = arguments.positional
        return replace(arguments, positional=(replace(first, node=made), *rest))
    found = replace(arguments.keywords["obj"], node=made)
    return replace(arguments, keywords=arguments.keywords | {"obj": found})


def _is_filled(work: Rewriter, use: Use, node: ast.expr) -> bool:
    """Whether something is put into a dict under a name that the code writes out."""
    found = work.places.get(use.statement) if use.statement is not None else None
    if found is None or not isinstance(node, ast.Name):
        return False
    bound = found[0].bindings.get(node.id, ())
    if not bound or not all(isinstance(getattr(one, "value", None), ast.Dict) for one in bound):
        return False
    return any(
        isinstance(one.slice, ast.Constant) and isinstance(one.value, ast.Name)
        and one.value.id == node.id and isinstance(one.ctx, ast.Store)
        for place in found[0].places for target in getattr(place.node, "targets", ())
        for one in ast.walk(target) if isinstance(one, ast.Subscript)
    )  # fmt: skip


def _is_passed(work: Rewriter, use: Use, node: ast.expr) -> bool:
    """Whether what is written is a parameter that some call here gives a dict of its own making."""
    found = work.places.get(use.statement) if use.statement is not None else None
    if found is None or not isinstance(node, ast.Name) or not work.is_parameter(use, node):
        return False
    function = found[0].node
    if not isinstance(function, ast.FunctionDef) or found[0].owner is not None:
        return False
    spec = [*function.args.posonlyargs, *function.args.args]
    place = next((i for i, one in enumerate(spec) if one.arg == node.id), None)
    for call in ast.walk(work.source.tree):
        named = isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        if not named or call.func.id != function.name:  # type: ignore[attr-defined]
            continue
        assert isinstance(call, ast.Call)
        given = [k.value for k in call.keywords if k.arg == node.id]
        given += call.args[place : place + 1] if place is not None else []
        if any(_is_several(work, one) for one in given):
            return True
    return False


def _check_parts(work: Rewriter, use: Use) -> None:
    """Refuse to read what holds several states, which ``mindspore.load_checkpoint`` doesn't.

    Raises:
        Refused: with what to write instead.
    """
    statement = use.statement
    body, _ = work.places.get(statement, (None, None)) if statement is not None else (None, None)
    *_, outer, above = [None, *lineage(work.source, statement, use.node)]
    if isinstance(above, ast.Subscript) and isinstance(outer, ast.Call):
        _check_part(work, outer, above, "checkpoint")
    if body is None or not isinstance(statement, ast.Assign) or statement.value is not use.node:
        return
    target = statement.targets[0] if len(statement.targets) == 1 else None
    if not isinstance(target, ast.Name) or len(body.bindings.get(target.id, ())) != 1:
        return
    for node in ast.walk(body.node):
        first = node.args[0] if isinstance(node, ast.Call) and node.args else None
        if not isinstance(node, ast.Call) or not isinstance(first, ast.Subscript):
            continue
        if isinstance(first.value, ast.Name) and first.value.id == target.id:
            _check_part(work, node, first, target.id)


def _check_part(work: Rewriter, call: ast.Call, part: ast.Subscript, name: str) -> None:
    """Refuse where a part of what is read is given to what loads a state.

    Raises:
        Refused: with what to write instead.
    """
    if not isinstance(call.func, ast.Attribute) or call.func.attr != _LOADS:
        return
    text = work.source.text(part)
    raise Refused(
        "argument",
        f"{_READS}: `{text}` is a state among others, and mindspore.load_checkpoint reads none"
        " within another. Where the code pickles what it saves write"
        f' with open(path, "rb") as file: {name} = pickle.load(file); a file of PyTorch\'s is'
        " carried over by msmap weights",
        f"{_READS}：`{text}` 是其中一个状态，而 mindspore.load_checkpoint 不读取嵌套的状态。"
        f'若代码用 pickle 保存，请写 with open(path, "rb") as file: {name} ='
        " pickle.load(file)；PyTorch 的文件请用 msmap weights 转换",
    )


_LOADS = "load_state_dict"


@rule(Phase.WRITTEN, modes=Mode.FILE)
def tell(work: Rewriter, use: Use, record: Record) -> None:
    """Say of a file's name that isn't seen to end as MindSpore wants it.

    Where the same source reads what it writes, the name is carried over and nothing is said.
    """
    if record.torch not in (_READS, _WRITES):
        return
    assert isinstance(use.node, ast.Call)
    file = _given(use.node, record.torch)
    tail = None if file is None else _tail(work.source.tree, file)
    if file is None or (tail is not None and tail.endswith(_ENDING)):
        return
    name = ast.unparse(file)
    if record.torch == _READS:
        told = None if tail is not None else (
            f"mindspore.load_checkpoint wants a str that ends in {_ENDING}: see that `{name}` does,"
            " as the file that mindspore.save_checkpoint wrote",
            f"mindspore.load_checkpoint 需要以 {_ENDING} 结尾的 str：请确认 `{name}` 如此，"
            "并与 mindspore.save_checkpoint 写出的文件一致",
        )  # fmt: skip
    elif tail is None:
        told = (
            f"mindspore.save_checkpoint appends {_ENDING} unless `{name}`, a str, ends in it: see"
            " that what reads the file asks for that name",
            f"若 str `{name}` 不以 {_ENDING} 结尾，mindspore.save_checkpoint 会自动追加："
            "请确认读取处使用同一文件名",
        )
    else:
        read = any(ast.dump(one) == ast.dump(file) for one in _files(work, _READS))
        told = None if read else (
            f"mindspore.save_checkpoint appends {_ENDING} to `{name}`: see that what reads the file"
            " asks for that name, or write it so here",
            f"mindspore.save_checkpoint 会在 `{name}` 后追加 {_ENDING}："
            "请确认读取处使用该文件名，或在此直接写出",
        )  # fmt: skip
    if told is not None:
        en, zh = told
        work.refuse(use.node, Refused("argument", f"{record.torch}: {en}", f"{record.torch}：{zh}"))


def _is_written(work: Rewriter, node: ast.expr) -> bool:
    """Whether a file of the same name is written here, under an ending that is known."""
    tail = _tail(work.source.tree, node)
    if tail is None or tail.endswith(_ENDING):
        return False
    wanted = ast.dump(node)
    return any(ast.dump(file) == wanted for file in _files(work))


def _given(call: ast.Call, record: str) -> ast.expr | None:
    """What a call gives as the file."""
    names = ("obj", _FILE) if record == _WRITES else (_FILE,)
    given = dict(zip(names, call.args, strict=False))
    given |= {k.arg: k.value for k in call.keywords if k.arg is not None}
    return given.get(_FILE)


def _files(work: Rewriter, record: str = _WRITES) -> list[ast.expr]:
    """The names of the files that are written, or read, as the code has them."""
    found = []
    for use in work.uses.values():
        node = use.node
        if use.how != "call" or not isinstance(node, ast.Call):
            continue
        if work.resolver.reading.canonical(use.names[0]) != record:
            continue
        file = _given(node, record)
        given = [k.value for k in node.keywords if k.arg == "obj"]
        what = next(iter((*node.args, *given)), None) if record == _WRITES else None
        if file is not None and not _is_several(work, what):
            found.append(file)
    return found


def _is_several(work: Rewriter, node: ast.expr | None) -> bool:
    """Whether what is written is a dict of the code's own making."""
    if not isinstance(node, ast.Name):
        return isinstance(node, _SEVERAL)
    return any(
        isinstance(one, ast.Assign | ast.AnnAssign)
        and isinstance(one.value, _SEVERAL)
        and any(isinstance(t, ast.Name) and t.id == node.id for t in _targets(one))
        for one in ast.walk(work.source.tree)
    )


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _tail(tree: ast.Module, node: ast.expr, depth: int = 0) -> str | None:
    """What the name of a file ends in, if the code says it."""
    if depth > _DEEPEST:
        return None
    match node:
        case ast.Constant(str(text)):
            return text
        case ast.JoinedStr([*_, ast.Constant(str(text))]):
            return text
        case ast.BinOp(op=ast.Add()):
            return _tail(tree, node.right, depth + 1)
        case ast.Call(ast.Attribute(attr="join"), [_, *_, last]):
            return _tail(tree, last, depth + 1)
        case ast.Name(name):
            value = _only(tree, name)
            return None if value is None else _tail(tree, value, depth + 1)
    return None


def _only(tree: ast.Module, name: str) -> ast.expr | None:
    """The one value that a name is ever given, if nothing else binds it."""
    found: list[ast.expr] = []
    bound = 0
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=other, ctx=ast.Store() | ast.Del()) | ast.arg(arg=other):
                bound += other == name
            case ast.Assign([ast.Name(other)], value) if other == name:
                found.append(value)
            case ast.alias():
                bound += (node.asname or node.name).partition(".")[0] == name
            case (
                ast.FunctionDef(name=other)
                | ast.AsyncFunctionDef(name=other)
                | ast.ClassDef(name=other)
                | ast.ExceptHandler(name=other)
                | ast.MatchAs(name=other)
                | ast.MatchStar(name=other)
            ):
                bound += other == name
    return found[0] if len(found) == bound == 1 else None


def _with_ending(given: Argument) -> str:
    """The same name with the ending of MindSpore's behind its own."""
    match given.node:
        case ast.Constant(str(text)):
            return repr(text + _ENDING)
        case ast.JoinedStr(parts):
            return ast.unparse(ast.JoinedStr([*parts, ast.Constant(_ENDING)]))
    return f'{given.text} + "{_ENDING}"'
