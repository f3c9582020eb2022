"""Files that the code writes itself and reads again: MindSpore's have another ending.

``mindspore.save_checkpoint`` adds .ckpt to what ends otherwise; ``load_checkpoint`` adds nothing.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from msmap.code.arguments import Argument
from msmap.code.refusal import Refused
from msmap.code.uses import Use
from msmap.model import Record
from msmap.port.call import Arguments
from msmap.port.rewriter import Rewriter

_READS, _WRITES, _FILE = "torch.load", "torch.save", "f"
_ENDING = ".ckpt"
# A dict of several is written by neither.
_SEVERAL = (ast.Dict, ast.DictComp)
_DEEPEST = 4


def of_file(work: Rewriter, use: Use, record: Record, arguments: Arguments) -> Arguments:
    """The arguments of ``torch.load``, with the name under which the file is written now.

    A file that this source doesn't write stays as it is called: it is another's.
    """
    if record.torch != _READS or work.resolver.own:
        return arguments
    given = arguments.keywords.get(_FILE, next(iter(arguments.positional), None))
    if given is None or given.node is None or not _is_written(work, given.node):
        return arguments
    text = _with_ending(given)
    found = replace(given, text=text, node=ast.parse(text, mode="eval").body)
    if _FILE in arguments.keywords:
        return replace(arguments, keywords=arguments.keywords | {_FILE: found})
    return replace(arguments, positional=(found, *arguments.positional[1:]))


def tell(work: Rewriter, use: Use, record: Record) -> None:
    """Say of a file's name that isn't seen to end as MindSpore wants it.

    Where the same source reads what it writes, the name is carried over and nothing is said.
    """
    if record.torch not in (_READS, _WRITES) or work.resolver.own or work.resolver.reading.snippet:
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
