"""The language server: what an editor says comes in, what msmap knows goes out."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from msmap import __version__
from msmap.code.files import MOST
from msmap.editor import complete, settings, spelled, told
from msmap.editor.analysis import Analysis, Analyst, Asked, Stale
from msmap.editor.lines import Lines
from msmap.editor.settings import Settings
from msmap.errors import MsmapError
from msmap.model import Text, Unread
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap.render import hover
from msmap.render.digest import digest

T = TypeVar("T")
# Watched on behalf of what files import of each other, and of settings.
_WATCHED = ("**/*.py", "**/pyproject.toml")


@dataclass(slots=True)
class Document:
    """An open file: its text, and what was found in it, once that is known."""

    uri: str
    path: str
    version: int
    text: str
    lines: Lines
    found: asyncio.Task[Analysis] | None = None


class Server(LanguageServer):
    """A language server for one editor."""

    def __init__(self, wanted: Settings) -> None:
        # Whole texts: what an editor counts as a line, Python's splitlines() doesn't.
        super().__init__(
            "msmap", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full
        )
        self.settings = wanted
        self.documents: dict[str, Document] = {}
        self.analyst = Analyst()
        # One thread: what an analysis remembers is not for two.
        self.worker = ThreadPoolExecutor(1, "msmap-editor")
        self._bases: dict[tuple[str | None, str | None], KnowledgeBase] = {}
        self._wrong: set[str] = set()
        # Whether the editor said goodbye.
        self.left = False

    def base(self, found: Analysis | None = None) -> KnowledgeBase:
        """The base for quick questions: for the device and release of an analysis, if there is one;
        for all where nobody knows these.
        """
        wanted = self.settings if found is None else found
        key = (wanted.mindspore or self.settings.mindspore, wanted.device or self.settings.device)
        if key not in self._bases:
            try:
                self._bases[key] = KnowledgeBase.open(mindspore=key[0], device=key[1])
            except MsmapError as error:
                self.warn(str(error))
                self._bases[key] = KnowledgeBase.open()
        return self._bases[key]

    def warn(self, message: str) -> None:
        """Tell the user something once."""
        if message and message not in self._wrong:
            self._wrong.add(message)
            said = f"msmap: {message}"
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, said))

    def configure(self, given: object) -> None:
        """Take settings; all open files are read again by them."""
        self.settings, wrong = settings.changed(self.settings, given)
        for said in wrong:
            self.warn(said)

    # Files that are open.

    def put(self, uri: str, version: int, text: str) -> None:
        """A file is open, or was changed: it is read when nothing came for a while."""
        before = self.documents.get(uri)
        if before is not None and before.found is not None:
            before.found.cancel()
        path = uris.to_fs_path(uri) or uri.partition(":")[2] or "untitled.py"
        found = Document(uri, os.path.abspath(path), version, text, self.lines(text))
        self.documents[uri] = found
        self.read(found, self.settings.delay if before is not None else 0.0)

    def edited(self, document: Document) -> int | None:
        """The version that edits of a file are of; None if the editor's edits have none."""
        workspace = self.client_capabilities.workspace
        edit = workspace.workspace_edit if workspace is not None else None
        return document.version if edit is not None and edit.document_changes else None

    def lines(self, text: str) -> Lines:
        """The lines of a text as the editor counts its columns."""
        encoding = self.workspace.position_encoding
        encoding = getattr(encoding, "value", encoding)
        return Lines(text, encoding)  # type: ignore[arg-type]

    def read(self, document: Document, delay: float = 0.0) -> None:
        """Read a file and tell its findings, unless newer text comes meanwhile."""
        if document.found is not None:
            document.found.cancel()
        document.found = asyncio.ensure_future(self._read(document, delay))
        # Whoever waits for it gets what it raises; else nobody does.
        document.found.add_done_callback(lambda done: done.cancelled() or done.exception())

    def read_all(self) -> None:
        """Read all open files again."""
        for document in self.documents.values():
            self.read(document)

    async def _read(self, document: Document, delay: float) -> Analysis:
        if delay:
            await asyncio.sleep(delay)
        if len(document.text) > MOST:
            found = _unread("too_large", f"{MOST:,}", document)
        else:
            try:
                asked = self.asked(document)
                found = await self.working(
                    document, lambda stale: self.analyst.analyse(asked, stale)
                )
            except MsmapError as error:
                self.warn(str(error))
                found = Analysis()
            except Exception as error:  # a mistake of ours costs this file alone
                found = _unread("crashed", f"{type(error).__name__}: {error}", document)
        self.warn(found.wrong)
        self.publish(document, found)
        return found

    async def working(
        self, document: Document, work: Callable[[Callable[[], bool]], T]
    ) -> T:  # fmt: skip
        """What some work on a file gives, done in the worker; it ends where newer text comes."""
        left = False

        def stale() -> bool:
            return left or self.documents.get(document.uri) is not document

        def run() -> T:
            if stale():
                raise Stale
            return work(stale)

        try:
            return await asyncio.get_running_loop().run_in_executor(self.worker, run)
        except Stale:
            raise asyncio.CancelledError from None
        finally:
            left = True

    def asked(self, document: Document) -> Asked:
        """A file as the worker is asked about it."""
        opened = {one.path: one.text for one in self.documents.values()}
        wanted = self.settings
        return Asked(document.path, opened, self._folder(document), wanted.device, wanted.mindspore)

    def _folder(self, document: Document) -> Path | None:
        """The innermost folder of the workspace that a file is in."""
        known = [uris.to_fs_path(uri) for uri in self.workspace.folders]
        known.append(self.workspace.root_path)
        holding = [f for f in known if f and document.path.startswith(os.path.join(f, ""))]
        return Path(max(holding, key=len)) if holding else None

    def publish(self, document: Document, found: Analysis) -> None:
        """Tell the findings of a file, by the version that they are of."""
        shown = told.diagnostics(found, document.lines, self.settings) if found.shown else ()
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(document.uri, list(shown), document.version)
        )

    async def analysis(self, uri: str) -> tuple[Document, Analysis] | None:
        """What stands in an open file as it is now; None if it isn't open.

        Where it takes longer than anybody waits, that is nothing.
        """
        try:
            return await asyncio.wait_for(self._analysis(uri), self.settings.patience)
        except (TimeoutError, asyncio.TimeoutError):
            document = self.documents.get(uri)
            return None if document is None else (document, Analysis())

    async def _analysis(self, uri: str) -> tuple[Document, Analysis] | None:
        document = self.documents.get(uri)
        while document is not None and document.found is not None:
            task = document.found
            try:
                return document, await asyncio.shield(task)
            except asyncio.CancelledError:
                newer = self.documents.get(uri)
                if newer is document and document.found is task:
                    raise
                document = newer
        return None


def _unread(kind: Any, detail: str, document: Document) -> Analysis:
    from msmap.code import files

    return Analysis((), (), (files.told(Path(document.path), kind, detail),))


def make(wanted: Settings) -> Server:
    """A server with all that it answers to."""
    server = Server(wanted)

    @server.feature(types.INITIALIZE)
    def _initialize(params: types.InitializeParams) -> None:
        server.configure(params.initialization_options)

    @server.feature(types.INITIALIZED)
    async def _initialized(params: types.InitializedParams) -> None:
        await _watch(server)

    @server.feature(types.SHUTDOWN)
    def _shut_down(params: None) -> None:
        server.left = True

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def _configured(params: types.DidChangeConfigurationParams) -> None:
        server.configure(params.settings)
        server.read_all()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def _opened(params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        # Notebooks are JSON; their cells come as files of their own.
        if item.language_id == "python" or item.uri.endswith(".py"):
            server.put(item.uri, item.version, item.text)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def _changed(params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        if uri in server.documents and params.content_changes:
            server.put(uri, params.text_document.version, params.content_changes[-1].text)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def _saved(params: types.DidSaveTextDocumentParams) -> None:
        _files_changed(server, params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def _watched(params: types.DidChangeWatchedFilesParams) -> None:
        if any(change.uri not in server.documents for change in params.changes):
            _files_changed(server, "")

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def _closed(params: types.DidCloseTextDocumentParams) -> None:
        document = server.documents.pop(params.text_document.uri, None)
        if document is not None:
            if document.found is not None:
                document.found.cancel()
            server.publish(document, Analysis())

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def _hover(params: types.HoverParams) -> types.Hover | None:
        return await _hovered(server, params)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(
            [types.CodeActionKind.RefactorRewrite, types.CodeActionKind.Source]
        ),
    )
    async def _actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return await _offered(server, params)

    @server.command(told.PORT_FILE)
    async def _port(uri: str) -> None:
        await _port_file(server, uri)

    @server.command(told.OPEN_PAGE)
    async def _open(page: str) -> None:
        await server.window_show_document_async(types.ShowDocumentParams(page, external=True))

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=["."], resolve_provider=True),
    )
    def _complete(params: types.CompletionParams) -> types.CompletionList:
        return _completed(server, params)

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    def _resolve(item: types.CompletionItem) -> types.CompletionItem:
        wanted = server.settings
        page = wanted.page(str(item.data or ""))
        return complete.documented(server.base(), item, wanted.language, page)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def _links(params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        known = await server.analysis(params.text_document.uri)
        if known is None:
            return []
        return list(told.links(known[1], known[0].lines, server.settings))

    return server


async def _watch(server: Server) -> None:
    """Ask to be told of files that change, where the editor can."""
    workspace = server.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace is not None else None
    if watching is None or not watching.dynamic_registration:
        return
    watchers = [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    registered = types.Registration("msmap-files", method, options)
    await server.client_register_capability_async(types.RegistrationParams([registered]))


def _files_changed(server: Server, saved: str) -> None:
    """Files were written: what the others import of them may be another thing."""

    server.worker.submit(server.analyst.forget)
    for document in server.documents.values():
        if document.uri != saved:
            server.read(document)


async def _hovered(server: Server, params: types.HoverParams) -> types.Hover | None:
    known = await server.analysis(params.text_document.uri)
    if known is None:
        return None
    document, found = known
    wanted, lines = server.settings, document.lines
    line, column = lines.place(params.position.line, params.position.character)
    under = spelled.at(document.text, lines.all[line - 1], column)
    last = spelled.word(lines.all[line - 1], column)
    kb = server.base(found)
    site = told.at(found, (line, column), last)
    if site is not None and site.apis:
        about = None
        if len(site.apis) == 1:
            about = digest(answers.answer(kb, site.apis[0]), wanted.language, kb.device)
        more = hover.page(site.apis[0], wanted.page(site.apis[0]))
        text = hover.site(site, about, wanted.language, more)
        return types.Hover(_markdown(text), told.span(site, lines))
    if under is None:
        return None
    answer = answers.answer(kb, under.name)
    if not answer.found and kb.torch_kind(answer.known or "") in ("", "module"):
        return None
    about = digest(answer, wanted.language, kb.device)
    place = types.Range(
        types.Position(*lines.units(line, under.begin)),
        types.Position(*lines.units(line, under.end)),
    )
    more = hover.page(about.name, wanted.page(about.name))
    return types.Hover(_markdown(hover.name(about, wanted.language, more)), place)


def _markdown(text: str) -> types.MarkupContent:
    return types.MarkupContent(types.MarkupKind.Markdown, text)


async def _offered(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    known = await server.analysis(params.text_document.uri)
    if known is None:
        return []
    document, found = known
    lines = document.lines
    begin = lines.place(params.range.start.line, params.range.start.character)
    end = lines.place(params.range.end.line, params.range.end.character)
    if begin == end:
        chosen = [
            site
            for site in found.sites
            if (site.line, site.column) <= begin <= (site.end_line, site.end_column)
        ]
    else:
        chosen = [
            site
            for site in found.sites
            if (site.line, site.column) < end and begin < (site.end_line, site.end_column)
        ]
    chosen.sort(key=lambda s: (s.line, s.column, -s.end_line, -s.end_column))
    offered = told.actions(
        found, chosen, lines, server.settings, document.uri, server.edited(document)
    )  # fmt: skip
    only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
    return [
        action
        for action in offered
        if not only
        or any(f"{getattr(action.kind, 'value', action.kind)}.".startswith(f"{k}.") for k in only)
    ]


async def _port_file(server: Server, uri: str) -> None:
    document = server.documents.get(uri)
    if document is None:
        server.warn(f"{uri} is not open as Python")
        return
    asked, language = server.asked(document), server.settings.language
    try:
        done = await server.working(
            document, lambda stale: server.analyst.port(asked, language, stale)
        )
    except asyncio.CancelledError:
        return
    if isinstance(done, Unread):
        _say(server, done.reason)
        return
    if not done:
        _say(server, Text("there is nothing to port in this file", "此文件中没有可转写的内容"))
        return
    edits = [((e.line, e.column), (e.end_line, e.end_column), e.text) for e in done]
    change = told.changed(edits, document.lines, uri, server.edited(document))
    await server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(change, "msmap"))


def _say(server: Server, text: Text) -> None:
    said = f"msmap: {text.get(server.settings.language)}"
    server.window_show_message(types.ShowMessageParams(types.MessageType.Info, said))


def _completed(server: Server, params: types.CompletionParams) -> types.CompletionList:
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return types.CompletionList(False, [])
    lines = document.lines
    line, column = lines.place(params.position.line, params.position.character)
    typed = spelled.typed(document.text, lines.all[line - 1], column)
    if typed is None:
        return types.CompletionList(False, [])
    items = list(
        complete.items(server.base(), typed, line, lines, server.settings.language)
    )  # fmt: skip
    return types.CompletionList(True, items)


def serve(wanted: Settings) -> int:
    """Serve one editor on standard input and output; the exit status: 0 if it said goodbye."""
    import gc

    # An analysis makes a million objects and drops them all at once.
    gc.freeze()
    gc.set_threshold(200_000, 20, 20)
    server = make(wanted)
    # It closes what it is given; and what anybody prints must not come between its messages.
    with os.fdopen(os.dup(0), "rb") as stdin, os.fdopen(os.dup(1), "wb") as stdout:
        os.dup2(2, 1)
        server.start_io(stdin, stdout)
    server.worker.shutdown(wait=False, cancel_futures=True)
    return 0 if server.left else 1
