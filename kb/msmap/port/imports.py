"""Imports of a file: those of MindSpore that it needs, those of PyTorch as far as they are used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from msmap import npu
from msmap.code.refusal import Refused
from msmap.code.source import Source
from msmap.model import Text
from msmap.port import identifiers
from msmap.port.session import Rewriter
from msmap.vocabulary import DIFFERS

_Statement = ast.Import | ast.ImportFrom
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_IMPORTS = (ast.Import, ast.ImportFrom)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# What short code calls MindSpore's packages, and its classes that PyTorch has under the same name.
_PACKAGES = ("mint", "nn", "ops")
_CLASSES = ("Parameter", "Tensor")
# The modules that ``import mindspore`` doesn't load: code that names one has to import it.
APART = ("mindspore.scipy", "mindspore.parallel.distributed")
_SEPARATOR = re.compile(r"[ \t]*;[ \t]*(?=[^\s#])")
_COMMENTS = re.compile(r"#[^\n]*")
_QUOTED = re.compile(r"`([^`]+)`")
_DEFINED = re.compile(r"\b(?:class|def)[ \t]+\w+")


@dataclass(frozen=True, slots=True)
class _Block:
    """Statements and what is around them: the outermost function, a class, nothing at all."""

    statements: Sequence[ast.stmt]
    function: ast.stmt | None = None
    plain: bool = False
    in_class: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    """An import of PyTorch's: the names that it binds, and the block that it stands in."""

    node: _Statement
    bound: tuple[str, ...]
    block: _Block


def port(work: Rewriter) -> None:
    """Write the imports of a source that is ported else; short names are used where they can be.

    An import stays where a name that it binds is still used; one whose names can't be told is
    refused.
    """
    found = _found(work)
    if not found and work.resolver.reading.place is None:
        return
    bound = {name for one in found for name in one.bound if name != "*"}
    rest = _without(work, found)
    taken = identifiers.used(rest, {*bound, *_PACKAGES, *_CLASSES})
    # What a class inside of another is called stands for nothing else.
    read = identifiers.used(_DEFINED.sub("", rest), bound & taken)
    kept = {name for name in bound if name in read or _is_given_on(work, name)}
    stays = (node for _, node, refusal in work.refused if refusal.kind != DIFFERS)
    told = identifiers.used("\n".join(map(work.changes.text, stays)), bound)
    for one in found:
        _tell(work, one, kept, told)
    names = _short(bound, taken | kept | _brought(work))
    _quote(work, names)
    work.changes.rewrite(lambda text: identifiers.replaced(text, names))
    _Writer(work, found, kept, names).write()


def _star(node: _Statement) -> Refused:
    module = getattr(node, "module", "")
    return Refused(
        "import",
        f"from {module} import *: nothing tells which names it brings; import them by name",
        f"from {module} import *：无法判断导入了哪些名称；请逐个导入",
    )


def _tell(work: Rewriter, one: _Found, kept: set[str], told: set[str]) -> None:
    """Refuse an import whose names can't be told, or are used by nothing that was refused."""
    if "*" in one.bound:
        work.refuse(one.node, _star(one.node))
        return
    stay = one.bound if one.block.in_class else kept.intersection(one.bound)
    strange = sorted({*stay} - told)
    if strange:
        named = ", ".join(f"`{name}`" for name in strange)
        refused = Refused(
            "import",
            f"the import stays: {named} may be used otherwise too",
            f"保留此导入：{named} 可能另有他用",
        )
        work.refuse(one.node, refused)


def _is_torch(name: str | None) -> bool:
    return name is not None and name.partition(".")[0] in ("torch", npu.PACKAGE)


def _bound(node: ast.stmt) -> tuple[str, ...]:
    """The names that an import of PyTorch's binds; () if it is none, or of others too."""
    if isinstance(node, ast.Import):
        named = [a for a in node.names if _is_torch(a.name)]
        return tuple(a.asname or a.name.partition(".")[0] for a in named)
    if isinstance(node, ast.ImportFrom) and not node.level and _is_torch(node.module):
        return tuple(a.asname or a.name for a in node.names)
    return ()


def _found(work: Rewriter) -> list[_Found]:
    """All imports of PyTorch's, in the order of the source."""
    left = sum(bool(_bound(node)) for node in work.imports)
    found: list[_Found] = []
    ahead = [_Block(work.source.tree.body, plain=True)]
    for block in ahead:
        for node in block.statements:
            if isinstance(node, _IMPORTS) and (bound := _bound(node)):
                found.append(_Found(node, bound, block))
        if len(found) == left:
            break
        for node in block.statements:
            if not isinstance(node, _IMPORTS):
                ahead += _inside(node, block)
    found.sort(key=lambda one: (one.node.lineno, one.node.col_offset))
    return found


def _inside(node: ast.stmt, around: _Block) -> Iterator[_Block]:
    """The blocks directly in a statement."""
    is_function = isinstance(node, _FUNCTIONS)
    function = around.function or (node if is_function else None)
    in_class = isinstance(node, ast.ClassDef) or (around.in_class and not is_function)
    for name in _BLOCKS:
        if block := getattr(node, name, None):
            yield _Block(block, function, False, in_class)


def _without(work: Rewriter, found: Sequence[_Found]) -> str:
    """The source as it is written by now, without some statements."""
    spans = [(*work.source.span(one.node), "") for one in found]
    last = max((end for _, end, _ in spans), default=0)
    changes = [
        change
        for change in work.changes.all()
        if change[0] >= last or not any(b <= change[0] < e for b, e, _ in spans)
    ]
    return work.source.replaced(work.source.tree, sorted([*changes, *spans]))


def _is_given_on(work: Rewriter, name: str) -> bool:
    """Whether other files may import a name from this one."""
    body, place = work.source.tree.body, work.resolver.reading.place
    package = place is not None and bool(place.folder)
    if package or all(isinstance(n, _IMPORTS) or _is_first(n) for n in body):
        return True
    if not work.source.mentions("__all__"):
        return False
    whole = work.source.text(work.source.tree)
    return f'"{name}"' in whole or f"'{name}'" in whole


def _quote(work: Rewriter, names: Mapping[str, str]) -> None:
    """Reasons quote code by the short names that it is written with."""
    for number, (begin, node, refusal) in enumerate(work.refused):
        quoted = _QUOTED.findall(refusal.reason.en)
        if not any(name in one for one in quoted for name in names):
            continue
        text, reason = work.changes.text(node), refusal.reason
        for one in quoted:
            if one in text:
                new = identifiers.replaced(one, names)
                reason = Text(reason.en.replace(one, new), reason.zh.replace(one, new))
        work.refused[number] = begin, node, replace(refusal, reason=reason)


def _brought(work: Rewriter) -> set[str]:
    """The names that a star brings of other files of the tree: what they stand for may stay."""
    place = work.resolver.reading.place
    found: set[str] = set()
    for node in work.source.all(ast.ImportFrom):
        if place is not None and any(alias.name == "*" for alias in node.names):
            modules = place.imported(node.level, node.module or "", ["*"])
            found.update(modules[-1].given()[0] if modules else ())
    return found


def _short(bound: set[str], taken: set[str]) -> dict[str, str]:
    """Short names by what they stand for: those that the source would use, and that are free."""
    names: dict[str, str] = {}
    if bound - {"torch"}:
        names |= {f"mindspore.{name}": name for name in _PACKAGES if name not in taken}
    names |= {f"mindspore.{name}": name for name in _CLASSES if name in bound and name not in taken}
    return names


def has_mindspore(source: Source) -> bool:
    """Whether a source imports MindSpore itself, for all of it."""
    return any(
        isinstance(node, ast.Import)
        and any(a.name.partition(".")[0] == "mindspore" and not a.asname for a in node.names)
        for node in source.tree.body
    )


def modules(code: str, source: Source) -> list[str]:
    """The modules of MindSpore that code names and a source doesn't import for all of it."""
    found = identifiers.used(code, {"mindspore", *APART})
    missing = [] if "mindspore" not in found or has_mindspore(source) else ["mindspore"]
    return [*missing, *(name for name in APART if name in found and not _imports(source, name))]


def _imports(source: Source, module: str) -> bool:
    """Whether a source imports a module or one within it, for all of it."""
    return any(
        isinstance(node, ast.Import)
        and any(f"{a.name}.".startswith(f"{module}.") and not a.asname for a in node.names)
        for node in source.tree.body
    )


def top(source: Source) -> int:
    """The byte offset before all else that isn't the docstring or of the future."""
    body = source.tree.body
    before = 0
    while before < len(body) - 1 and _is_first(body[before]):
        before += 1
    return source.span(body[before])[0]


class _Writer:
    """The statements, written: each in its place."""

    def __init__(
        self,
        work: Rewriter,
        found: Sequence[_Found],
        kept: set[str],
        names: Mapping[str, str],
    ) -> None:
        self.work, self.source, self.found = work, work.source, found
        self.kept, self.short = kept, tuple(names.values())
        self.written = list(work.changes.all())
        self.newline = "\r\n" if work.source.mentions("\r\n") else "\n"
        # The whole lines that go, and where the last statement ended that shared its line.
        self.lines: list[tuple[int, int]] = []
        self.gone = 0

    def write(self) -> None:
        """Write all of them."""
        served = self.served()
        left = {one.node: [a for a in one.node.names if self.stays(one, a)] for one in self.found}
        gone = {node for node, names in left.items() if not names and not served.get(node)}
        for one in self.found:
            lines = served.get(one.node, [])
            if left[one.node]:
                self.keep(one.node, left[one.node], lines)
            elif lines:
                self.put(one.node, lines)
            elif not one.block.plain and all(
                other in gone or self.work.changes.takes_out(other)
                for other in one.block.statements
            ):
                self.put(one.node, ["pass"])
                gone.discard(one.node)
            else:
                self.cut(one.node)
        for begin, end in self.tidy():
            self.work.changes.add(begin, end, "")

    def served(self) -> dict[_Statement, list[str]]:
        """The imports that come in the place of others: once, or in each block without any."""
        plain = next((one for one in self.found if one.block.plain), None)
        if not self.found:
            self.at_top(self.needed(0, None))
        early = plain is not None and self.needed(0, self.source.span(plain.node)[0])
        if early or (plain is None and any(one.block.in_class for one in self.found)):
            # What was written runs before the first import, or where none is seen.
            self.at_top(self.needed(0, None))
            return {}
        if plain is not None:
            return {plain.node: self.needed(0, None)}
        if self.needed(0, None) and not self.is_all_within():
            self.at_top(self.needed(0, None))
            return {}
        # The first of a block serves the others in it.
        firsts = {id(one.block): one for one in reversed(self.found)}
        return {
            one.node: self.needed(
                *(self.source.span(one.block.function) if one.block.function else (0, None))
            )
            for one in firsts.values()
        }

    def is_all_within(self) -> bool:
        """Whether what was written stands in the functions that import PyTorch."""
        spans = [self.source.span(f) for one in self.found if (f := one.block.function)]
        if not spans or len(spans) < len(self.found):
            return True
        return all(any(b <= at < e for b, e in spans) for at, _, _ in self.written)

    def needed(self, begin: int, end: int | None) -> list[str]:
        """The imports that what is written between two places needs."""
        texts = [t for at, _, t in self.written if begin <= at and (end is None or at < end)]
        code = "\n".join(texts)
        lines = [f"import {module}" for module in modules(code, self.source)]
        if short := sorted(identifiers.used(code, self.short)):
            lines.append(f"from mindspore import {', '.join(short)}")
        return lines

    def at_top(self, lines: Sequence[str]) -> None:
        """Imports before all else that isn't the docstring or of the future."""
        if lines:
            begin = top(self.source)
            self.work.changes.add(begin, begin, "".join(line + self.newline for line in lines))

    def stays(self, one: _Found, alias: ast.alias) -> bool:
        """Whether what an import binds is still used, or is no name of PyTorch's."""
        ours = isinstance(one.node, ast.ImportFrom) or _is_torch(alias.name)
        whole = alias.name
        if isinstance(one.node, ast.Import):
            whole = whole.partition(".")[0]
        return not ours or one.block.in_class or (alias.asname or whole) in {*self.kept, "*"}

    def keep(self, node: _Statement, left: Sequence[ast.alias], lines: Sequence[str]) -> None:
        """Some of what a statement imports stays, below other imports."""
        if len(left) < len(node.names):
            for alias in node.names:
                if alias not in left:
                    self.leave_out(node, alias, left)
        if lines:
            begin = self.source.span(node)[0]
            self.work.changes.add(begin, begin, self.joined(node, [*lines, ""]))

    def put(self, node: _Statement, lines: Sequence[str]) -> None:
        """A statement becomes others; the comments in it stay."""
        begin, end = self.source.span(node)
        comments = _COMMENTS.findall(self.source.between(begin, end))
        self.work.changes.add(begin, end, self.joined(node, [*comments, *lines]))

    def joined(self, node: _Statement, lines: Sequence[str]) -> str:
        """Statements as they may stand where one stands."""
        begin, end = self.source.span(node)
        if self.shares(begin, end):
            return "; ".join(lines)
        indent = self.work.changes.indent(begin).removeprefix("\ufeff")
        return f"{self.newline}{indent}".join(lines)

    def shares(self, begin: int, end: int) -> bool:
        """Whether a statement shares its line with others."""
        first, last = self.source.line_span(begin)[0], self.source.line_span(end)[1]
        before = self.source.between(first, begin).strip("\ufeff \t\f")
        after = self.source.between(end, last).strip()
        return bool(before) or bool(after and not after.startswith("#"))

    def cut(self, node: _Statement) -> None:
        """A statement goes, with its line if nothing else is on it; its comments stay."""
        begin, end = self.source.span(node)
        if self.shares(begin, end):
            self.cut_shared(begin, end)
            return
        comments = _COMMENTS.findall(self.source.between(begin, end))
        first, last = self.source.line_span(begin)[0], self.source.line_span(end)[1]
        behind = self.source.between(end, last)
        if comments or behind.strip():
            spaces = len(behind) - len(behind.lstrip(" \t")) if not comments else 0
            self.work.changes.add(begin, end + spaces, self.joined(node, comments))
        else:
            marked = "\ufeff" in self.source.between(first, begin)
            self.lines.append((begin if marked else first, last))

    def cut_shared(self, begin: int, end: int) -> None:
        """A statement goes from a line that it shares."""
        first, last = self.source.line_span(begin)[0], self.source.line_span(end)[1]
        before, behind = self.source.between(first, begin), self.source.between(end, last)
        if match := _SEPARATOR.match(behind):
            self.work.changes.add(begin, end + match.end(), "")
        elif ";" in before:
            self.work.changes.add(max(begin - len(before) + before.rindex(";"), self.gone), end, "")
        else:
            self.work.changes.add(begin, end, "pass")
        self.gone = end

    def leave_out(self, node: _Statement, alias: ast.alias, left: Sequence[ast.alias]) -> None:
        """One name of an import goes, with its comma, and its line if nothing else is on it."""
        begin, end = self.source.span(alias)
        after = [a for a in node.names if self.source.span(a)[0] > begin]
        last = self.source.span(after[0])[0] if after else self.source.span(node)[1]
        behind = self.source.between(end, last)
        if after and ("\n" not in behind or "\\" in behind):
            self.work.changes.add(begin, last, "")
            return
        if not after and not self.source.text(node).endswith(")"):
            kept = max(self.source.span(a)[1] for a in left)
            self.work.changes.add(kept, end, "")
            return
        if "," in behind:
            end += behind.index(",") + 1
        line = (self.source.line_span(begin)[0], self.source.line_span(end)[1])
        around = self.source.between(line[0], begin) + self.source.between(end, line[1])
        if around.strip():
            self.work.changes.add(begin, end, "")
        else:
            self.work.changes.add(*line, "")

    def tidy(self) -> Iterator[tuple[int, int]]:
        """The lines that go; of blank lines before and after them one goes too."""
        whole: list[tuple[int, int]] = []
        for begin, end in self.lines:
            joins = bool(whole) and whole[-1][1] == begin
            whole.append((whole.pop()[0] if joins else begin, end))
        for begin, end in whole:
            before = (
                begin == 0 or not self.source.between(*self.source.line_span(begin - 1)).strip()
            )
            following = self.source.line_span(end)
            blank = following[0] < following[1] and not self.source.between(*following).strip()
            yield begin, following[1] if before and blank else end


def _is_first(node: ast.stmt) -> bool:
    """Whether a statement must stand before imports: a docstring, or an import of the future."""
    if isinstance(node, ast.ImportFrom):
        return node.module == "__future__"
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
