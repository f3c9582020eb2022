"""The places of one file that use PyTorch, each with what becomes of it."""

from __future__ import annotations

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from operator import attrgetter
from pathlib import Path

from msmap import phrases
from msmap.code import files
from msmap.code.files import Unreadable
from msmap.code.notebooks import Notebook
from msmap.infer import opening, usual_names
from msmap.infer.modules import Module, Modules
from msmap.infer.resolve import Facts
from msmap.infer.uses import Use
from msmap.infer.values.lattice import UNKNOWN, owner_kind
from msmap.model import Refusal, Text, Unread
from msmap.port import areas
from msmap.port.caveats import told
from msmap.port.rewrite import rewriter
from msmap.port.session import Rewriter
from msmap.scan import ignores, judge, terms
from msmap.scan.report import Scanned, Site, Told, Unused
from msmap.vocabulary import DIFFERS

# Uses that come with another one, of which nothing is said where they are carried over.
_WITH_OTHERS = ("result", "field", "setting", "member", "layer", "class")
# As much is shown of a place and of what it becomes.
_SHOWN = 1000
_WIDE = re.compile("[\U00010000-\U0010ffff]")
_LINES = re.compile("\r\n|\r|\n")


def scan(path: Path, modules: Modules, shown: str) -> Scanned:
    """What stands in a file, Python or a notebook, and why nothing is known if it can't be read.

    Args:
        path: the file.
        modules: the tree that it stands in, with the base.
        shown: what the file is called in what is found.
    """
    try:
        module, book = opening.read(path, modules)
        return File(of(module), module.text, shown, book).scanned()
    except Unreadable as error:
        unread = error.unread
    except (RecursionError, MemoryError):
        unread = files.told(path, "too_deep")
    return Scanned(shown, (), (), (_named(unread, shown),))


def _named(unread: Unread, shown: str) -> Unread:
    return Unread(shown, unread.kind, unread.reason, unread.line)


def of(module: Module) -> Rewriter:
    """What the rewriter makes of a file in its tree."""
    return rewriter(module.text, module.table.facts, place=module)


def code(source: str, facts: Facts) -> tuple[Site, ...]:
    """The places in a piece of code that is no file.

    Raises:
        SyntaxError: it isn't Python.
        ValueError: it has a null byte, or half of a character.
        RecursionError: it is nested too deeply.
    """
    return File(rewriter(source, facts), source, "").scanned().sites


class File:
    """One file while it is read.

    Args:
        work: what the rewriter makes of it.
        text: what stands in it.
        path: what it is called in what is found.
        book: the notebook that it is, if it is one.
    """

    def __init__(self, work: Rewriter, text: str, path: str, book: Notebook | None = None) -> None:
        self.path, self.book = path, book
        self.work = work
        self.source = self.work.source
        self.text = text
        self.ignores = ignores.read(text)
        self.seen: Counter[str] = Counter()

    def scanned(self) -> Scanned:
        """All that is found."""
        sites = sorted(self.sites(), key=attrgetter("line", "column", "end_line", "end_column"))
        sites = [self.placed(self.marked(site)) for site in sites]
        return Scanned(
            self.path,
            tuple(sites),
            tuple(self.unused()),
            tuple(self.broken()),
            self.work.around.trains,
        )

    def sites(self) -> Iterator[Site]:
        """The places, with lines as of the whole source."""
        # Of a place that stays and has a warning too, the reason why it stays counts.
        every = sorted(self.work.refused, key=lambda one: one[2].kind != DIFFERS)
        refused = {node: refusal for _, node, refusal in every}
        for node, use in self.work.uses.items():
            if node in refused or use.how not in _WITH_OTHERS:
                yield self.site(node, use, refused.pop(node, None))
        for node, refusal in refused.items():
            yield self.site(node, None, refusal)

    def site(self, node: ast.AST, use: Use | None, refusal: Refusal | None) -> Site:
        """What is known of a place."""
        work = self.work
        record, bites = work.bites.get(node, (None, []))
        caveats = tuple(
            Told(b.caveat.id, b.on, b.caveat.impact, b.caveat.text, b.mended, b.caveat.device)
            for b in bites
        )
        said = set(told(record, bites)) if record is not None else set()
        notes = tuple(text for text in work.said.get(node, ()) if text not in said)
        _, target = work.written.get(node, (None, None))
        begin, end = self.source.span(node)
        apis = self.apis(use)
        kind = refusal.kind if refusal is not None else ""
        source = self.source.between(begin, end)
        status, rule = judge.judged(kind, caveats, notes)
        return Site(
            self.path,
            *self.source.place(begin),
            *self.source.place(end),
            None,
            terms.certainty(kind),
            status,
            rule,
            apis,
            _cut(source),
            _cut(work.bare.get(node, "")) if kind in ("", DIFFERS) else "",
            target.key if target is not None else "",
            refusal.reason if refusal is not None else None,
            notes,
            caveats,
            kind == "possible" and _is_likely(node, apis),
            self.fingerprint(apis, source),
            (self.utf16(begin), self.utf16(end)),
            guide=areas.asked(work, node, refusal)[1] if refusal is not None else "",
        )

    def apis(self, use: Use | None) -> tuple[str, ...]:
        """The canonical names that a use may be of."""
        while use is not None and not use.names and use.inner:
            use = use.inner[0]
        if use is None:
            return ()
        reading = self.work.resolver.reading
        found = (reading.canonical(name) or name for name in use.names)
        return tuple(dict.fromkeys(found))

    def fingerprint(self, apis: tuple[str, ...], source: str) -> str:
        """What stays the same where lines move: sixteen digits, others for each that is alike."""
        said = "\0".join((self.path, *apis[:1], " ".join(source.split())))
        self.seen[said] += 1
        whole = f"{said}\0{self.seen[said]}"
        return hashlib.sha256(whole.encode(errors="surrogateescape")).hexdigest()[:16]

    def utf16(self, offset: int) -> int:
        """The column of a byte offset in code units of UTF-16."""
        line, column = self.source.place(offset)
        if self.wide is None:
            return column
        return len(self.wide[line - 1][:column].encode("utf-16-le", "surrogatepass")) // 2

    @cached_property
    def wide(self) -> list[str] | None:
        """The lines of a source that has characters of two units; None if it has none."""
        return _LINES.split(self.text) if _WIDE.search(self.text) else None

    def marked(self, site: Site) -> Site:
        """A finding with what a comment on its first or last line makes of it."""
        if not site.rule:
            return site
        for line in dict.fromkeys((site.line, site.end_line)):
            found = self.ignores.get(line)
            if found is not None and found.takes(site.rule):
                return replace(site, state="ignored")
        return site

    def placed(self, site: Site) -> Site:
        """The place in the file: of a notebook the cell, and lines as of that."""
        if self.book is None:
            return site
        cell, line = self.book.place(site.line)
        return replace(site, cell=cell, line=line, end_line=line + site.end_line - site.line)

    def unused(self) -> Iterator[Unused]:
        """The comments that nothing needs."""
        for found in self.ignores.values():
            rules = found.unused
            if rules is not None:
                cell, line = self.book.place(found.line) if self.book else (None, found.line)
                yield Unused(self.path, line, cell, rules)

    def broken(self) -> Iterator[Unread]:
        """The cells of a notebook that are no Python."""
        for number, error in self.book.broken if self.book is not None else ():
            why = phrases.chinese(error.msg)
            en, zh = f"cell {number}: {error.msg}", f"单元格 {number}：{why}"
            yield Unread(self.path, "not_python", Text(f"not Python, {en}", f"不是 Python，{zh}"))


def _is_likely(node: ast.AST, apis: tuple[str, ...]) -> bool:
    """Whether the usual name of what a method is called on says that it is PyTorch's."""
    function = node.func if isinstance(node, ast.Call) else node
    on = function.value if isinstance(function, ast.Attribute) else None
    name = getattr(on, "id", "") or getattr(on, "attr", "")
    guess = usual_names.called(name) if name else UNKNOWN
    return guess is not UNKNOWN and any(owner_kind(api) == guess.owner for api in apis)  # type: ignore[attr-defined]


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
