"""An editor at the other end of `msmap lsp`: pytest-lsp's client, told what to do line by line."""

from __future__ import annotations

import ast
import asyncio
import os
import sys
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest_lsp
from lsprotocol import types
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, LanguageClient, register_lsp_features

T = TypeVar("T")


class Editor:
    """A server that runs, and what came from it.

    Args:
        database: the database.
        folder: the folder that is open.
        settings: what the editor gives as initialization options.
        arguments: of `msmap lsp`.
        like: whose capabilities it has.
    """

    def __init__(
        self,
        database: Path,
        folder: Path,
        settings: dict[str, object] | None = None,
        arguments: Sequence[str] = (),
        like: str = "visual-studio-code",
    ) -> None:
        self.loop = asyncio.new_event_loop()
        self.folder = folder
        # What was published, in order, and the edits that the server asked for.
        self.published: list[types.PublishDiagnosticsParams] = []
        self.applied: list[types.WorkspaceEdit] = []
        self.config = pytest_lsp.ClientServerConfig(
            server_command=[sys.executable, "-m", "msmap_cli.main", "lsp", *arguments],
            client_factory=self._client,
            server_env=os.environ | {"MSMAP_DB": str(database), "LC_ALL": "C"},
        )
        self.client: LanguageClient = self.do(self.config.start())  # type: ignore[assignment]
        self.answer = self.do(
            self.client.initialize_session(
                types.InitializeParams(
                    capabilities=pytest_lsp.client_capabilities(like),
                    workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name)],
                    # However slow the machine: a test is about what comes, not when.
                    initialization_options={"patience": 60, **(settings or {})},
                )
            )
        )

    def _client(self) -> LanguageClient:
        client = LanguageClient(converter_factory=pytest_lsp.client.default_converter)

        def publish(_: LanguageClient, params: types.PublishDiagnosticsParams) -> None:
            self.published.append(params)

        def apply(
            _: LanguageClient, params: types.ApplyWorkspaceEditParams
        ) -> types.ApplyWorkspaceEditResult:
            self.applied.append(params.edit)
            return types.ApplyWorkspaceEditResult(applied=True)

        register_lsp_features(
            client,
            DEFAULT_CLIENT_FEATURES
            | {
                types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: publish,
                types.WORKSPACE_APPLY_EDIT: apply,
                types.CLIENT_REGISTER_CAPABILITY: lambda params: None,
            },
        )
        return client

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """What some work gives; a server that hangs ends the test."""
        return self.loop.run_until_complete(asyncio.wait_for(work, 60))

    def uri(self, name: str) -> str:
        """The address of a file in the folder."""
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str, language: str = "python") -> str:
        """A file is opened; its address."""
        item = types.TextDocumentItem(self.uri(name), language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return item.uri

    def change(self, uri: str, version: int, text: str) -> None:
        """All of a file is replaced."""
        document = types.VersionedTextDocumentIdentifier(version, uri)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))

    def findings(self, uri: str) -> list[types.Diagnostic]:
        """What was last told of a file: of the text that it has now."""
        self.links(uri)
        return list([told for told in self.published if told.uri == uri][-1].diagnostics)

    def links(self, uri: str) -> list[types.DocumentLink]:
        """The links of a file, which come when it is read."""
        params = types.DocumentLinkParams(types.TextDocumentIdentifier(uri))
        return list(self.do(self.client.text_document_document_link_async(params)) or ())

    def hover(self, uri: str, line: int, character: int) -> types.Hover | None:
        """What is shown of a place."""
        document, place = types.TextDocumentIdentifier(uri), types.Position(line, character)
        params = types.HoverParams(document, place)
        return self.do(self.client.text_document_hover_async(params))

    def said(self, uri: str, line: int, character: int) -> str:
        """The same as text, "" for nothing."""
        found = self.hover(uri, line, character)
        return "" if found is None else found.contents.value  # type: ignore[union-attr]

    def actions(self, uri: str, *place: int, only: str = "") -> list[types.CodeAction]:
        """What is offered at a place, or between two."""
        begin = types.Position(*place[:2])
        span = types.Range(begin, types.Position(*place[2:]) if place[2:] else begin)
        context = types.CodeActionContext([], [types.CodeActionKind(only)] if only else None)
        document = types.TextDocumentIdentifier(uri)
        params = types.CodeActionParams(document, span, context)
        found = self.do(self.client.text_document_code_action_async(params))
        return [_action(one) for one in found or ()]

    def command(self, name: str, *arguments: object) -> None:
        """A command of the server is run."""
        params = types.ExecuteCommandParams(name, list(arguments))
        self.do(self.client.workspace_execute_command_async(params))

    def completions(self, uri: str, line: int, character: int) -> list[types.CompletionItem]:
        """What may be written at a place."""
        document, place = types.TextDocumentIdentifier(uri), types.Position(line, character)
        found = self.do(
            self.client.text_document_completion_async(types.CompletionParams(document, place))
        )
        return list(found.items)  # type: ignore[union-attr]

    def close(self) -> int | None:
        """Say goodbye; the server's exit status."""
        self.do(self.client.shutdown_session())
        status = self.client._server.returncode  # type: ignore[union-attr]
        self.do(self.client.stop())
        self.loop.close()
        return status


def _action(found: types.CodeAction | types.Command) -> types.CodeAction:
    """An action that has a command, which the client takes for a command alone."""
    if isinstance(found, types.CodeAction):
        return found
    told = ast.literal_eval(found.command)
    return types.CodeAction(found.title, command=types.Command(**told))


def edited(text: str, edit: types.WorkspaceEdit, encoding: str = "utf-16-le") -> str:
    """A text with an edit made, as an editor makes it."""
    changes = edit.document_changes or [
        types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri), list(edits))
        for uri, edits in (edit.changes or {}).items()
    ]
    edits = [one for change in changes for one in change.edits]  # type: ignore[union-attr]
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    width = {"utf-32-le": 4, "utf-16-le": 2, "utf-8": 1}[encoding]

    def offset(place: types.Position) -> int:
        rest = text[starts[place.line] :].encode(encoding)[: place.character * width]
        return starts[place.line] + len(rest.decode(encoding))

    placed = [(offset(e.range.start), offset(e.range.end), e.new_text) for e in edits]
    for begin, end, new in sorted(placed, reverse=True):
        text = text[:begin] + new + text[end:]
    return text
