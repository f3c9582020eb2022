"""What an analysis says, in the words of the protocol: diagnostics, hovers, links, edits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types

from msmap.editor.analysis import Analysis
from msmap.editor.lines import Lines
from msmap.editor.settings import Settings
from msmap.render import scan as words
from msmap.render.labels import EDITOR, word
from msmap.scan.report import Site
from msmap.scan.terms import RULES

_SEVERITIES = {
    "missing": types.DiagnosticSeverity.Error,
    "care": types.DiagnosticSeverity.Warning,
    "unclear": types.DiagnosticSeverity.Information,
}
SOURCE = "msmap"
PORT_FILE = "msmap.portFile"
OPEN_PAGE = "msmap.openPage"


def diagnostics(
    found: Analysis, lines: Lines, settings: Settings
) -> Iterator[types.Diagnostic]:  # fmt: skip
    """The findings of a file as ``msmap scan`` has them, what can't be read of it, and comments
    that ignore nothing.
    """
    language = settings.language
    for site in found.sites:
        if site.counts:
            page = settings.page(next(iter(site.apis), ""))
            yield types.Diagnostic(
                span(site, lines),
                words.said(site, language),
                _SEVERITIES[site.status],
                site.rule,
                types.CodeDescription(page) if page else None,
                SOURCE,
            )
    for told in found.unread:
        # What doesn't parse is told by every editor; here it says why there is nothing else.
        yield types.Diagnostic(
            line(told.line or 1, lines),
            told.reason.get(language),
            types.DiagnosticSeverity.Information,
            "unread",
            source=SOURCE,
        )
    for unused in found.unused:
        said = word(RULES, "unused-ignore", language)
        yield types.Diagnostic(
            line(unused.line, lines),
            ": ".join(filter(None, (said, ", ".join(unused.rules)))),
            types.DiagnosticSeverity.Hint,
            "unused-ignore",
            source=SOURCE,
            tags=[types.DiagnosticTag.Unnecessary],
        )


def span(site: Site, lines: Lines) -> types.Range:
    """Where a place stands."""
    begin = lines.units(site.line, site.column)
    return types.Range(
        types.Position(*begin), types.Position(*lines.units(site.end_line, site.end_column))
    )


def line(number: int, lines: Lines) -> types.Range:
    """A whole line, from its first character that is seen."""
    number = min(number, len(lines.all))
    text = lines.all[number - 1]
    begin = len(text) - len(text.lstrip())
    return types.Range(
        types.Position(*lines.units(number, begin)),
        types.Position(*lines.units(number, len(text))),
    )


def at(found: Analysis, place: tuple[int, int], named: str = "") -> Site | None:
    """The innermost place of PyTorch's at a line and column; of several lines the first alone, or
    where the last word of its name stands.
    """
    fitting = [
        site
        for site in found.sites
        if (site.line, site.column) <= place <= (site.end_line, site.end_column)
        and (
            site.line in (place[0], site.end_line)
            or (named and any(api.rpartition(".")[2] == named for api in site.apis))
        )
    ]
    return max(
        fitting,
        key=lambda s: ((s.line, s.column), (-s.end_line, -s.end_column)),
        default=None,
    )


def actions(
    found: Analysis,
    chosen: Iterable[Site],
    lines: Lines,
    settings: Settings,
    uri: str,
    version: int | None,
) -> Iterator[types.CodeAction]:
    """What can be done at some places: each call ported, all of them, the page of its record."""
    say = EDITOR[settings.language]
    ported = [site for site in chosen if _key(site) in found.edits and site.reason is None]
    for site in ported[-1:]:
        title = say["port"].format(_short(site.source), _short(site.port))
        yield _edit(title, [site], found, lines, uri, version)
    outer = list(_outer(ported))
    if len(ported) > 1 and len(outer) > 1:
        title = say["several"].format(len(outer))
        yield _edit(title, outer, found, lines, uri, version)
    if found.sites and not found.unread:
        title = say["file"]
        yield types.CodeAction(
            title,
            types.CodeActionKind.Source + "." + SOURCE,
            command=types.Command(title, PORT_FILE, arguments=[uri]),
        )
    for name in dict.fromkeys(api for site in [*ported, *chosen][:1] for api in site.apis[:1]):
        if page := settings.page(name):
            title = say["page"].format(name)
            command = types.Command(title, OPEN_PAGE, arguments=[page])
            yield types.CodeAction(title, types.CodeActionKind.Empty, command=command)


def changed(
    edits: Iterable[tuple[tuple[int, int], tuple[int, int], str]],
    lines: Lines,
    uri: str,
    version: int | None,
) -> types.WorkspaceEdit:
    """Edits of a file; of a version of it, unless that is None since the editor knows of none."""
    made = [
        types.TextEdit(
            types.Range(
                types.Position(*lines.units(*begin)), types.Position(*lines.units(*end))
            ),
            text,
        )
        for begin, end, text in edits
    ]  # fmt: skip
    if version is None:
        return types.WorkspaceEdit({uri: made})
    document = types.OptionalVersionedTextDocumentIdentifier(uri, version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, made)])


def links(
    found: Analysis, lines: Lines, settings: Settings
) -> Iterator[types.DocumentLink]:  # fmt: skip
    """From each name on a line to the page of its record, where a site is known."""
    for site in found.sites:
        page = settings.page(site.apis[0]) if len(site.apis) == 1 else ""
        if page:
            head, _, _ = site.source.partition("(")
            end = site.column + len(head)
            if "\n" not in head:
                begin = lines.units(site.line, site.column)
                place = types.Range(
                    types.Position(*begin), types.Position(*lines.units(site.line, end))
                )
                yield types.DocumentLink(place, page, tooltip=site.apis[0])


def _edit(
    title: str,
    sites: list[Site],
    found: Analysis,
    lines: Lines,
    uri: str,
    version: int | None,
) -> types.CodeAction:
    edits = [(*_key(site), found.edits[_key(site)]) for site in sites]
    if found.import_ is not None:
        place, text = found.import_
        edits.insert(0, (place, place, text))
    return types.CodeAction(
        title,
        types.CodeActionKind.RefactorRewrite,
        edit=changed(edits, lines, uri, version),
    )


def _key(site: Site) -> tuple[tuple[int, int], tuple[int, int]]:
    return (site.line, site.column), (site.end_line, site.end_column)


def _outer(sites: Iterable[Site]) -> Iterator[Site]:
    """The places that stand in no other one."""
    last = (0, 0)
    for site in sorted(sites, key=lambda s: (s.line, s.column, -s.end_line, -s.end_column)):
        begin, end = _key(site)
        if begin >= last:
            yield site
            last = end


def _short(text: str) -> str:
    first = " ".join(text.split())
    return first if len(first) <= 40 else f"{first[:39]}…"
