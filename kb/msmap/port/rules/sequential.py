"""Sequentials whose layers are set by name: MindSpore's calls a list that it made beforehand.

``setattr(net, name, layer)`` puts a layer into a SequentialCell, under its name and with its
parameters, but ``net.cell_list``, which ``construct`` goes through, stays as it was. So that list
is made again behind the last of the lines that set layers.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msmap.code import bindings
from msmap.code.bindings import Place
from msmap.code.refusal import Refused
from msmap.code.tree import children as parts
from msmap.infer import children
from msmap.infer.uses import Use
from msmap.infer.values.lattice import Class, owner_kind
from msmap.model import Record, Text
from msmap.port.edits import lineage, parent_of
from msmap.port.mode import SOURCES, Mode
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter

_SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Delete)
_LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)
_INNER = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_CLASS = "mindspore.nn.SequentialCell"
# What a class of one's own may do otherwise, so that the class isn't a list of its layers.
_LISTING = ("__iter__", "__getitem__", "__len__")
# Methods of modules that call none of their layers.
_HARMLESS = (
    "append", "children", "eval", "modules", "named_children", "named_modules", "named_parameters",
    "parameters", "register_buffer", "register_parameter", "add_module", "register_module", "train",
)  # fmt: skip


@dataclass(frozen=True)
class Site:
    """Where a Sequential gets or loses layers, and what the code calls it.

    ``sure`` says that it is proved to be one.
    """

    use: Use
    statement: ast.stmt
    node: ast.expr
    on: str
    sure: bool


@rule(Phase.USE, "child")
def child(work: Rewriter, use: Use) -> None:
    """A layer is set or deleted by a name, or by an index.

    Raises:
        Refused: MindSpore's names and list of layers would be others afterwards.
    """
    node = use.node
    if isinstance(node, ast.Subscript) and _has_names(work):
        on = work.source.text(node.value)
        raise Refused(
            "value",
            f"del {on}[i]: MindSpore raises IndexError after a layer was set by name, and keeps the"
            " other layers' names where PyTorch numbers them anew; build a new"
            f" mindspore.nn.SequentialCell from list({on})",
            f"del {on}[i]：按名称设置过层之后，MindSpore 会抛出 IndexError，"
            f"且不会像 PyTorch 那样将其余的层重新编号；请由 list({on}) 新建"
            " mindspore.nn.SequentialCell",
        )
    if not isinstance(node, ast.Subscript):
        work.records.append(children.ADD)


def _has_names(work: Rewriter) -> bool:
    """Whether layers of some Sequential of the file have other names than numbers."""
    return work.source.mentions("OrderedDict") or any(_sets(use) for use in work.uses.values())


def _sets(use: Use) -> bool:
    if use.how == "child":
        return not isinstance(use.node, ast.Subscript)
    return use.how == "method" and use.names[0] in children.ADDING


@rule(Phase.USE, "kept")
def kept(work: Rewriter, use: Use) -> None:
    """``_modules`` is called ``_cells``.

    Raises:
        Refused: nothing proves that it is a module's, or it is changed by a method.
    """
    node = use.node
    assert isinstance(node, ast.Attribute)
    on = work.source.text(node.value)
    if not children.is_module(use.receiver):
        raise Refused(
            "possible",
            f"`{on}` may be a torch.nn.Module: MindSpore's cells have _cells in place of _modules,"
            " and a SequentialCell doesn't call what is put there",
            f"`{on}` 可能是 torch.nn.Module：MindSpore 的 Cell 没有 _modules，对应的是 _cells，"
            "且 SequentialCell 不会调用直接放入其中的层",
        )
    outer = parent_of(work.source, use.statement, node)
    changed = isinstance(getattr(outer, "ctx", node.ctx), ast.Store | ast.Del)
    by_method = isinstance(outer, ast.Attribute) and outer.attr in _CHANGING
    if not isinstance(node.ctx, ast.Load) or changed or by_method:
        raise Refused(
            "value",
            f"{on}._modules is changed here: MindSpore names parameters and lists layers in"
            f" setattr({on}, name, layer) and delattr({on}, name) alone; write these, and port"
            " again",
            f"此处修改了 {on}._modules：MindSpore 只在 setattr({on}, name, layer) 与"
            f" delattr({on}, name) 中为参数命名并登记各层；请改用它们后重新转写",
        )
    work.rename(node, "_cells")
    work.records.append(children.CHILDREN)


_CHANGING = ("pop", "popitem", "update", "clear", "setdefault", "move_to_end")


@rule(Phase.USE, "joined")
def joined(work: Rewriter, use: Use) -> None:
    """Lists of layers are added or repeated.

    Raises:
        Refused: MindSpore's have no such operators, but ``+=`` of a CellList.
    """
    node = use.node
    if isinstance(node, ast.AugAssign) and use.names[0] != children.SEQUENCE:
        if isinstance(node.op, ast.Add) and not isinstance(node.value, ast.List | ast.ListComp):
            # It takes a list alone.
            work.changes.put(node.value, f"list({work.changes.text(node.value)})")
        return
    made = "SequentialCell" if use.names[0] == children.SEQUENCE else "CellList"
    raise Refused(
        "value",
        f"{use.names[0]}: MindSpore's {made} takes no + or * (TypeError); write"
        f" mindspore.nn.{made}([*one, *other])",
        f"{use.names[0]}：MindSpore 的 {made} 不支持 + 与 *（TypeError）；请写"
        f" mindspore.nn.{made}([*one, *other])",
    )


# They give the container in PyTorch, and None in MindSpore.
_GIVING_NOTHING = (
    "torch.nn.Sequential.append", "torch.nn.ModuleList.append", "torch.nn.ModuleList.insert",
)  # fmt: skip


@rule(Phase.CHECK, modes=SOURCES)
def check_value(work: Rewriter, use: Use, record: Record) -> None:
    """Refuse to use what a method of a container gives in PyTorch alone.

    Raises:
        Refused: somebody uses it.
    """
    if record.torch not in _GIVING_NOTHING:
        return
    outer = parent_of(work.source, use.statement, use.node)
    alone = isinstance(outer, ast.Expr) or (
        isinstance(outer, (*_COMPREHENSIONS, ast.Tuple)) and isinstance(use.statement, ast.Expr)
    )
    if not alone and use.statement is not None:
        raise Refused(
            "value",
            f"{record.torch}: it gives None in MindSpore, the container in PyTorch; write it as a"
            " statement of its own, and the container's name where its result is used",
            f"{record.torch}：在 MindSpore 中返回 None，而 PyTorch 返回容器本身；"
            "请将其单独写成一条语句，并在使用其结果之处写容器的名称",
        )


@rule(Phase.LAYERS, modes=Mode.FILE)
def port(work: Rewriter) -> None:
    """Make the list of layers again behind each place that sets some by name."""
    refused = {node for _, node, _ in work.refused}
    uses = [u for u in work.uses.values() if _sets(u) and u.node not in refused]
    sites = [site for use in uses if (site := _site(work, use)) is not None]
    if sites:
        sites.sort(key=lambda site: work.source.order(site.statement))
        _Lines(work, sites).write()


def _site(work: Rewriter, use: Use) -> Site | None:
    """Where a use changes a Sequential, if it may be one."""
    if not children.may_be_sequence(use.receiver) or use.statement is None:
        return None
    if use.seen and _is_number(work, use):
        return None
    node = _receiver(use)
    outer = lineage(work.source, use.statement, use.node)
    on = _text(work, use, node)
    hidden = any(isinstance(one, _INNER) for one in outer)
    if not on or hidden or not isinstance(use.statement, _SIMPLE) or _is_local(outer, node):
        said = on or "net"
        reason = Text(
            f"a SequentialCell doesn't call a layer that is set by name until its cell_list is made"
            f" again: write {said}.cell_list = list({said}) behind it",
            f"在重新生成 cell_list 之前，SequentialCell 不会调用按名称设置的层：请在其后写"
            f" {said}.cell_list = list({said})",
        )
        work.warn(use.node, reason, about=children.SEQUENCE)
        return None
    return Site(use, use.statement, node, on, children.is_sequence(use.receiver))


def _receiver(use: Use) -> ast.expr:
    """What gets or loses a layer."""
    node = use.node
    if isinstance(node, ast.Call):
        return node.func.value if isinstance(node.func, ast.Attribute) else node.args[0]
    assert isinstance(node, ast.Attribute)
    return node.value


def _text(work: Rewriter, use: Use, node: ast.expr) -> str:
    """How it may be named once more; "" if that would do something."""
    inner: ast.expr = node
    while isinstance(inner, ast.Attribute | ast.Subscript):
        if isinstance(inner, ast.Subscript) and not isinstance(
            inner.slice, ast.Constant | ast.Name
        ):
            return ""
        inner = inner.value
    if isinstance(inner, ast.Name):
        return work.source.text(node)
    is_super = isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name)
    if node is inner and is_super and inner.func.id == "super":  # type: ignore[attr-defined]
        found = work.places.get(use.statement) if use.statement is not None else None
        spec = getattr(found[0].node, "args", None) if found is not None else None
        first = [*spec.posonlyargs, *spec.args][:1] if spec is not None else []
        return first[0].arg if first else ""
    return ""


def _is_local(outer: Sequence[ast.AST], node: ast.expr) -> bool:
    """Whether a comprehension binds what something is called by."""
    bound = {
        name.id
        for one in outer
        if isinstance(one, _COMPREHENSIONS)
        for generator in one.generators
        for name in ast.walk(generator.target)
        if isinstance(name, ast.Name)
    }
    return any(isinstance(one, ast.Name) and one.id in bound for one in ast.walk(node))


def _is_number(work: Rewriter, use: Use) -> bool:
    """Whether what is set is a parameter of the function that is used as no layer can be."""
    statement = use.statement
    given = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
    found = work.places.get(statement) if statement is not None else None
    if given is None or found is None or isinstance(found[0].node, ast.Module):
        return False
    if not isinstance(given, ast.Name) or given.id not in found[0].parameters:
        return not isinstance(
            given, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.IfExp
        )
    spec = found[0].node.args
    placed = [*spec.posonlyargs, *spec.args]
    defaults = dict(zip([a.arg for a in placed[::-1]], spec.defaults[::-1], strict=False))
    named = zip([a.arg for a in spec.kwonlyargs], spec.kw_defaults, strict=True)
    default = (defaults | dict(named)).get(given.id)
    if isinstance(default, ast.Constant) and default.value is not None:
        return True
    return any(_counts(work, one, given.id) for one in ast.walk(found[0].node))


def _counts(work: Rewriter, node: ast.AST, name: str) -> bool:
    """Whether a node computes with a name, or makes a layer of it that takes numbers."""

    def is_it(one: ast.AST | None) -> bool:
        return isinstance(one, ast.Name) and one.id == name

    if isinstance(node, ast.BinOp):
        return is_it(node.left) or is_it(node.right)
    if isinstance(node, ast.Call):
        use = work.uses.get(node)
        makes = use is not None and use.how == "call" and owner_kind(use.names[0]) == "module"
        holds = makes and use.names[0].endswith(("Sequential", "ModuleList", "ModuleDict"))  # type: ignore[union-attr]
        return (
            makes and not holds and any(map(is_it, (*node.args, *(k.value for k in node.keywords))))
        )
    return False


class _Lines:
    """The lines that make lists of layers again, each as late as it may stand."""

    def __init__(self, work: Rewriter, sites: Sequence[Site]) -> None:
        self.work, self.source, self.sites = work, work.source, sites
        self.nodes = {site.node for site in sites}
        self.makers = {site.use.node for site in sites}
        self.done: set[tuple[str, ast.stmt]] = set()

    def write(self) -> None:
        """Write all of them."""
        for site in self.sites:
            found = self.work.places.get(site.statement)
            last = site.statement if found is None else self.last(site, found[1])
            if (site.on, last) not in self.done:
                self.done.add((site.on, last))
                self.put(site, last)

    def last(self, site: Site, place: Place) -> ast.stmt:
        """The last statement before which nobody calls what got a layer."""
        best = self.behind(site, place)
        for around in place.outward():
            if not isinstance(around.node, ast.For | ast.While | ast.If | ast.With):
                break
            if self.calls(site, around.node) or bindings.root(site.node) in bindings.all_bound(
                around.node
            ):
                break
            best = self.behind(site, around)
        return best

    def behind(self, site: Site, place: Place) -> ast.stmt:
        """The last statement of a block that gives it a layer, before one that may call it."""
        best = place.node
        for node in place.block[place.index + 1 :]:
            if self.calls(site, node) or bindings.root(site.node) in bindings.all_bound(node):
                break
            if any(one.on == site.on and _holds(node, one.statement) for one in self.sites):
                best = node
        return best

    def calls(self, site: Site, statement: ast.stmt) -> bool:
        """Whether a statement may call it, give it to others, or leave before the line is run."""
        wanted, *around = _chain(site.on)
        ahead: list[ast.AST] = [statement]
        for node in ahead:
            if isinstance(node, _LEAVING):
                return True
            if isinstance(node, ast.Call) and self.may_call(site, node, (wanted, *around)):
                return True
            if isinstance(node, ast.Attribute):
                on = _plain(node.value)
                if on == wanted or (on in around and _plain(node) != wanted):
                    continue
            if node in self.nodes and _plain(node) == wanted:
                continue
            if _plain(node) in (wanted, *around):
                return True
            ahead += parts(node)
        return False

    def may_call(self, site: Site, node: ast.Call, names: Sequence[str]) -> bool:
        """Whether a call may reach it without being given it."""
        if node in self.makers:
            return False
        function = node.func
        if isinstance(function, ast.Attribute) and _plain(function.value) in names:
            return function.attr not in _HARMLESS
        found = self.work.places.get(site.statement)
        if found is not None and not isinstance(found[0].node, ast.Module):
            return False
        # What all functions of the file see may be called in any of them.
        use = self.work.uses.get(node)
        plain = isinstance(function, ast.Name) and hasattr(builtins, function.id)
        return not plain and (use is None or use.how != "call")

    def put(self, site: Site, last: ast.stmt) -> None:
        """Write the line behind a statement."""
        begin, end = self.source.span(last)
        indent = self.work.changes.indent(begin)
        line_end = self.source.line_span(end)[1] if end < len(self.source.whole.encode()) else end
        rest = self.source.between(end, line_end)
        newline = "\r\n" if rest.endswith("\r\n") else "\n"
        lines = list(self.lines(site))
        if self.is_written(lines, rest, line_end):
            return
        shared = indent.strip() or (rest.strip() and not rest.lstrip().startswith("#"))
        if not shared:
            at = line_end - (len(rest) - len(rest.rstrip("\r\n")))
            self.work.changes.add(at, at, "".join(f"{newline}{indent}{one}" for one in lines))
        elif site.sure:
            self.work.changes.add(end, end, "".join(f"; {one}" for one in lines))
        else:
            reason = Text(
                f"if {site.on} is a Sequential, MindSpore doesn't call the layer that is set here:"
                f" write {site.on}.cell_list = list({site.on}) then",
                f"若 {site.on} 是 Sequential，MindSpore 不会调用此处设置的层：此时请再写"
                f" {site.on}.cell_list = list({site.on})",
            )
            self.work.warn(site.use.node, reason, about=children.SEQUENCE)

    def lines(self, site: Site) -> Iterator[str]:
        """What makes its list again, and names its parameters by what it is called."""
        made = f"{site.on}.cell_list = {self.listed(site)}"
        if not site.sure:
            yield f"if isinstance({site.on}, {_CLASS}):"
            yield f"    {made}"
            return
        yield made
        on = site.node
        if isinstance(on, ast.Attribute) and isinstance(on.value, ast.Name) and self.is_own(site):
            yield f"{site.on} = {site.on}  # names its parameters"

    def is_own(self, site: Site) -> bool:
        """Whether it is an attribute of a module of one's own."""
        found = self.work.places.get(site.statement)
        owner = found[0].owner if found is not None else None
        use = self.work.uses.get(owner) if owner is not None else None
        is_self = isinstance(site.node, ast.Attribute) and bindings.root(site.node) == "self"
        return is_self and use is not None and owner_kind(use.names[0]) == "module"

    def listed(self, site: Site) -> str:
        """Its layers, as a list."""
        for use in self.work.uses.values():
            if use.how == "class" and use.names == (children.SEQUENCE,):
                assert isinstance(use.receiver, Class)
                if any(use.receiver.entry.member(name) for name in _LISTING):
                    return f"list({site.on}._cells.values())"
        return f"list({site.on})"

    def is_written(self, lines: Sequence[str], rest: str, line_end: int) -> bool:
        """Whether an earlier run has written them."""
        if rest.replace(" ", "").startswith(";" + lines[0].replace(" ", "")):
            return True
        here = line_end
        found = self.source.between(*self.source.line_span(here)).strip()
        return here < len(self.source.whole.encode()) and found == lines[0]


def _holds(outer: ast.AST, statement: ast.stmt) -> bool:
    """Whether a statement is another one, or stands in it."""
    ahead: list[ast.AST] = [outer]
    for node in ahead:
        if node is statement:
            return True
        for block in bindings.blocks(node) if isinstance(node, ast.stmt) else ():
            ahead += block
    return False


def _chain(text: str) -> list[str]:
    """An expression and each that it begins with, to compare: ``a.b.c``, ``a.b`` and ``a``."""
    node: ast.expr = ast.parse(text, mode="eval").body
    found = [ast.dump(node)]
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
        found.append(ast.dump(node))
    return found


def _plain(node: ast.AST) -> str:
    """An expression that is read, as a text to compare."""
    if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
        return ""
    return ast.dump(ast.parse(ast.unparse(node), mode="eval").body)
