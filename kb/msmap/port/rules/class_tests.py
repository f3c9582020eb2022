"""Tests of classes: a class of PyTorch's means all classes that the layers of a project became."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from msmap.code.refusal import Refused
from msmap.infer.uses import Use, annotates
from msmap.infer.values.lattice import owner_kind
from msmap.model import Record, Target, Text
from msmap.port import layer_classes
from msmap.port.edits import lineage
from msmap.port.mode import SOURCES, Mode
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter

_ASKING = ("isinstance", "issubclass")
_SAME, _OTHER = (ast.Eq, ast.Is), (ast.NotEq, ast.IsNot)
_AMONG = (ast.In, ast.NotIn)
_REGISTER = "register"


@rule(Phase.INSTEAD, modes=SOURCES)
def write(work: Rewriter, use: Use, record: Record) -> bool:
    """Whether a class of layers that is tested for was written as all that it means.

    Raises:
        Refused: it means several classes where only one can be named.
    """
    if use.how != "name" or owner_kind(record.torch) != "module" or record.kind != "class":
        return False
    around = lineage(work.source, use.statement, use.node)
    place = _Place(work, use, around)
    if annotates(use):
        if not _is_registered(use.statement):
            return False
    elif not (use.typed and use.node not in work.bases) and not place.compared:
        return False
    targets = layer_classes.classes(work, record)
    if not targets or record.targets[0].kind != "class":
        return False
    names = [str(target.api) for target in targets]
    if place.compared is not None:
        place.write_compared(names)
    elif len(names) == 1:
        if not use.typed:
            return False
        work.put(use, names[0], True)
    else:
        work.write(use, place.listed(record, names), True)
    work.records.append(record.torch)
    work.targets += [(record.torch, target.key) for target in targets]
    _tell_shared(work, use, record, targets)
    return True


def _is_registered(statement: ast.stmt | None) -> bool:
    """Whether annotations of a function decide what it is called for, as of singledispatch."""
    decorators = getattr(statement, "decorator_list", ())
    return any(getattr(one, "attr", "") == _REGISTER for one in decorators)


def _tell_shared(work: Rewriter, use: Use, record: Record, targets: tuple[Target, ...]) -> None:
    others = layer_classes.shared(work, record)
    if not others:
        return
    listed, named = ", ".join(others), ", ".join(dict.fromkeys(str(t.api) for t in targets))
    reason = Text(
        f"a test for {record.torch} also holds for layers made by {listed}: both become {named}",
        f"对 {record.torch} 的判断也会匹配由 {listed} 创建的层：两者都对应 {named}",
    )
    work.warn(use.node, reason, about=record.torch)


class _Place:
    """Where a class is named: what it is compared with, or among what it is listed."""

    def __init__(self, work: Rewriter, use: Use, around: list[ast.AST]) -> None:
        self.work, self.use, self.around = work, use, around
        self.parent = around[-1]
        self.compared = self._compared()

    def _compared(self) -> ast.Compare | None:
        """The comparison of an object's class with this one, or with some of which it is one."""
        inner: ast.AST = self.use.node
        for outer in reversed(self.around):
            if isinstance(outer, ast.Compare):
                operator = outer.ops[0]
                alone = len(outer.ops) == 1 and outer.comparators[0] is inner
                listed = inner is not self.use.node
                wanted = _AMONG if listed else (*_SAME, *_OTHER)
                fits = alone and isinstance(operator, wanted) and is_class(outer.left)
                return outer if fits else None
            if not isinstance(outer, ast.Tuple | ast.List | ast.Set) or inner is not self.use.node:
                return None
            inner = outer
        return None

    def write_compared(self, names: list[str]) -> None:
        """Write ``type(x) == A``, or ``type(x) in (A, B)`` where it means several."""
        work, compare = self.work, self.compared
        assert compare is not None
        if len(names) == 1:
            work.write(self.use, names[0], True)
        elif isinstance(compare.ops[0], _AMONG):
            work.write(self.use, ", ".join(names), True)
        else:
            word = "in" if isinstance(compare.ops[0], _SAME) else "not in"
            end = work.source.span(compare.left)[1]
            begin = work.source.span(compare.comparators[0])[0]
            between = work.source.between(end, begin)
            symbol = _SYMBOLS[type(compare.ops[0])]
            work.write(self.use, f"({', '.join(names)})", True)
            work.changes.add(end, begin, between.replace(symbol, word, 1))

    def listed(self, record: Record, names: list[str]) -> str:
        """Several classes, as they are written here.

        Raises:
            Refused: one name alone may stand here.
        """
        if isinstance(self.parent, ast.BinOp):
            return " | ".join(names)
        if isinstance(self.parent, ast.MatchClass):
            pattern = self.parent
            if not (pattern.patterns or pattern.kwd_patterns):
                return " | ".join([*(f"{name}()" for name in names[:-1]), names[-1]])
        elif isinstance(self.parent, ast.Tuple):
            return ", ".join(names)
        elif isinstance(self.parent, ast.Call) and _name(self.parent.func) in _ASKING:
            return f"({', '.join(names)})"
        raise Refused(
            "value",
            f"{record.torch} is {' or '.join(names)} in this code, and only one can stand here;"
            " write each of them",
            f"{record.torch} 在此代码中对应 {' 或 '.join(names)}，而此处只能写一个；请分别写出",
        )


_SYMBOLS = {ast.Eq: "==", ast.Is: "is", ast.NotEq: "!=", ast.IsNot: "is not"}


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def is_class(node: ast.expr) -> bool:
    """Whether an expression is the class of something: ``type(x)`` or ``x.__class__``."""
    if isinstance(node, ast.Call):
        return _name(node.func) == "type" and len(node.args) == 1
    return isinstance(node, ast.Attribute) and node.attr == "__class__"


@rule(Phase.LAYERS, modes=Mode.FILE)
def names(work: Rewriter) -> None:
    """Say of texts that are compared with the name of a class where MindSpore's is another."""
    source = work.source
    if not source.mentions("__name__", "_get_name"):
        return
    if not source.mentions("torch"):
        return
    held = {
        target.id
        for node in source.all(ast.Assign)
        if _is_name(node.value, set())
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    every = _made_here(work)
    for text, holds in _tests(source.nodes.of(ast.Compare), source.nodes.of(ast.Call), held):
        _tell_name(work, text, holds, every)


def _is_name(node: ast.expr, held: set[str]) -> bool:
    """Whether an expression is the name of something's class."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        inner = node.func
        lowered = inner.attr in ("lower", "upper", "strip") and _is_name(inner.value, held)
        return inner.attr == "_get_name" or lowered
    if isinstance(node, ast.Attribute):
        return node.attr in ("__name__", "__qualname__") and is_class(node.value)
    return isinstance(node, ast.Name) and node.id in held


_PARTS = ("find", "startswith", "endswith", "count", "index", "rfind")
_Test = tuple[ast.Constant, str]


def _tests(
    compared: Iterable[ast.Compare], called: Iterable[ast.Call], held: set[str]
) -> Iterator[_Test]:
    """The texts that names of classes are compared with, and how."""
    for one in compared:
        other, operator = one.comparators[0], one.ops[0]
        if _is_name(one.left, held):
            listed = getattr(other, "elts", None)
            if isinstance(operator, ast.Eq | ast.NotEq):
                yield from _texts([other], "is")
            elif isinstance(operator, ast.In | ast.NotIn) and listed is not None:
                yield from _texts(listed, "is")
        elif isinstance(operator, ast.In | ast.NotIn) and _is_name(other, held):
            yield from _texts([one.left], "find")
    for node in called:
        function = node.func
        if not (isinstance(function, ast.Attribute) and function.attr in _PARTS and node.args):
            continue
        if _is_name(function.value, held):
            how = function.attr if function.attr.endswith("with") else "find"
            yield from _texts(getattr(node.args[0], "elts", node.args[:1]), how)


def _texts(nodes: list[ast.expr], how: str) -> Iterator[_Test]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
            yield node, how


_HOLDS: dict[str, Callable[[str, str], bool]] = {
    "is": lambda name, text: name == text,
    "find": lambda name, text: text in name,
    "startswith": str.startswith,
    "endswith": str.endswith,
}


def _made_here(work: Rewriter) -> dict[str, Record]:
    """The classes of which the file makes layers, by name."""
    found: dict[str, Record] = {}
    for use in work.uses.values():
        if use.how not in ("call", "name") or owner_kind(use.names[0]) != "module":
            continue
        name = work.resolver.reading.canonical(use.names[0])
        record = work.facts.find(name) if name is not None else None
        if record is not None and record.kind == "class":
            found[record.torch.rpartition(".")[2]] = record
    return found


def _tell_name(work: Rewriter, node: ast.Constant, how: str, every: dict[str, Record]) -> None:
    text, holds = str(node.value), _HOLDS[how]
    tried = dict(every)
    alone = work.facts.find(f"torch.nn.{text}")
    if alone is not None and alone.kind == "class":
        tried[text] = alone
    for name, record in tried.items():
        now = [str(t.api).rpartition(".")[2] for t in layer_classes.classes(work, record)]
        before = holds(name, text)
        if any(holds(one, text) is not before for one in now):
            reason = Text(
                f'torch.nn.{name} becomes {" or ".join(now)}: a test of its name for "{text}" gives'
                " another result",
                f"torch.nn.{name} 对应 {' 或 '.join(now)}：以“{text}”判断其类名会得到不同结果",
            )
            work.warn(node, reason, about=record.torch)
            return
