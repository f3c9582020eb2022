"""The server: tools, resources and prompts, as the protocol declares them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from msmap import __version__, render, vocabulary
from msmap.assistant import answers, prompts, tools
from msmap.assistant.bases import Bases
from msmap.errors import MsmapError
from msmap.query.names import answers as asked
from msmap.scan import settings
from msmap.vocabulary import Language

T = TypeVar("T")

INSTRUCTIONS = """\
What PyTorch APIs become in MindSpore, from records whose claims were run on both frameworks.
Ask `lookup` before you write a MindSpore call from memory: names, defaults and layouts differ
without an error. `port` rewrites code and leaves what it can't prove, with the reason; look up
what it left. `scan` says what a file or folder needs, `search` finds by words or an error message,
`evidence` says what was run. Answers are short; `detail` gives all. Give `device` if the code is
for Ascend: most MindSpore code is. Caveats marked silent change results without an error: tell the
user of each that a port triggers.
"""

_READ = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

Names = Annotated[
    list[Annotated[str, Field(max_length=2000)]],
    Field(
        min_length=1,
        max_length=20,
        description="Names of PyTorch or MindSpore as they are written or pasted: torch.nn.Dropout,"
        " F.relu, x.permute, a call such as nn.Conv2d(3, 8, 3), torch.nn.Drop*",
    ),
]
Device = Annotated[
    Literal["ascend", "gpu", "cpu"] | None,
    Field(description="What is best and what bites there; all devices if left out"),
]
Release = Annotated[
    str | None,
    Field(description="As of that MindSpore release, such as 2.8; the newest if left out"),
]
Tongue = Annotated[Language | None, Field(description="The language of texts")]
Detail = Annotated[bool, Field(description="All that is known, instead of the few lines")]


def make(bases: Bases, folder: Path, language: Language) -> MCPServer[Any]:
    """A server for one assistant.

    Args:
        bases: what is asked.
        folder: files are read below it.
        language: of texts, where a question says nothing else.
    """
    server: MCPServer[Any] = MCPServer(
        "msmap", version=__version__, instructions=INSTRUCTIONS, log_level="ERROR"
    )
    _tools(server, bases, folder, language)
    _resources(server, bases)
    prompts.declare(server)
    return server


async def _told(bases: Bases, action: Callable[[], tuple[Any, str]]) -> CallToolResult:
    try:
        answer, text = await bases.work(action)
    except (MsmapError, RecursionError) as error:
        raise ToolError(answers.sendable(str(error))) from None
    return CallToolResult(
        content=[TextContent(type="text", text=answers.sendable(text))],
        structured_content=answers.data(answer),
    )


def _tools(server: MCPServer[Any], bases: Bases, folder: Path, default: Language) -> None:
    @server.tool(title="Look up names", annotations=_READ)
    async def lookup(
        names: Names,
        device: Device = None,
        mindspore: Release = None,
        language: Tongue = None,
        detail: Detail = False,
    ) -> Annotated[CallToolResult, answers.Lookup]:
        """What PyTorch APIs become in MindSpore and what bites, or what MindSpore APIs were."""
        return await _told(
            bases,
            lambda: tools.lookup(bases.of(device, mindspore), names, language or default, detail),
        )

    @server.tool(title="Search", annotations=_READ)
    async def search(
        text: Annotated[
            str,
            Field(max_length=4000, description="Words in English or Chinese, or an error message"),
        ],
        limit: Annotated[int, Field(ge=1, le=50)] = 5,
        kind: Literal["record", "guide", "probe"] | None = None,
        device: Device = None,
        mindspore: Release = None,
        language: Tongue = None,
        detail: Detail = False,
    ) -> Annotated[CallToolResult, answers.Search]:
        """Records and guides for words or an error message, best first."""
        return await _told(
            bases,
            lambda: tools.search(
                bases.of(device, mindspore), text, limit, kind, language or default, detail
            ),
        )

    @server.tool(title="Port code", annotations=_READ)
    async def port(
        code: Annotated[str, Field(description="PyTorch code: a call, lines, or a whole file")],
        probed: Annotated[
            bool, Field(description="Use what a machine found by running, where nobody wrote")
        ] = False,
        device: Device = None,
        mindspore: Release = None,
        language: Tongue = None,
        detail: Detail = False,
    ) -> Annotated[CallToolResult, answers.Ported]:
        """PyTorch code as MindSpore code; what isn't proved to be PyTorch's stays, and why."""
        return await _told(
            bases,
            lambda: tools.port(
                bases.of(device, mindspore), code, probed, language or default, detail
            ),
        )

    @server.tool(title="Scan files", annotations=_READ)
    async def scan(
        paths: Annotated[
            list[str],
            Field(min_length=1, max_length=50, description="Files and folders, as of the server's"),
        ],
        device: Device = None,
        mindspore: Release = None,
        language: Tongue = None,
        detail: Detail = False,
    ) -> Annotated[CallToolResult, answers.Scanned]:
        """What Python files and notebooks use of PyTorch, and what becomes of it."""

        def action() -> tuple[answers.Scanned, str]:
            wanted = settings.find(folder)
            base = bases.of(device or wanted.device, mindspore or wanted.mindspore)
            return tools.scanned(base, folder, paths, wanted, language or default, detail)

        return await _told(bases, action)

    @server.tool(title="Show evidence", annotations=_READ)
    async def evidence(
        name: Annotated[str, Field(description="A name of PyTorch with a record")],
        check: Annotated[str, Field(description="One of its checks, with code and a script")] = "",
        environment: Annotated[str, Field(description="A part of an environment's name")] = "",
        device: Device = None,
        mindspore: Release = None,
        language: Tongue = None,
        detail: Detail = False,
    ) -> Annotated[CallToolResult, answers.Evidence]:
        """What was run to prove a record, and what came out of it."""
        return await _told(
            bases,
            lambda: tools.evidence(
                bases.of(device, mindspore), name, check, environment, language or default, detail
            ),
        )


def _resources(server: MCPServer[Any], bases: Bases) -> None:
    async def page(action: Callable[[], object], language: str) -> str:
        def told() -> str:
            view = render.View("zh" if language == "zh" else "en", full=True)
            return "".join(map(str, render.tell(action(), "markdown", view)))

        try:
            return await bases.work(told)
        except MsmapError as error:
            raise ResourceError(str(error)) from None

    @server.resource(
        "msmap://{language}/record/{name}",
        title="The page of a record",
        mime_type="text/markdown",
        description="All about a PyTorch API; the language is en or zh",
    )
    async def record(language: str, name: str) -> str:
        """The page of a record."""

        def action() -> object:
            kb = bases.of()
            kb.lookup(name)
            return asked.Lookup(kb.releases(), (asked.answer(kb, name),))

        return await page(action, language)

    @server.resource(
        "msmap://{language}/guide/{name}",
        title="A guide",
        mime_type="text/markdown",
        description="A topic that is no single API; msmap://en/guides lists them",
    )
    async def guide(language: str, name: str) -> str:
        """A guide."""
        return await page(lambda: asked.Guide((bases.of().guide(name),)), language)

    def listed(language: Language) -> None:
        @server.resource(
            f"msmap://{language}/guides",
            title=f"All guides ({language})",
            mime_type="text/markdown",
            description="The guides by name, with their titles",
        )
        async def guides() -> str:
            """The guides by name."""
            return await page(lambda: asked.Guides(tuple(bases.of().guides())), language)

    for language in vocabulary.LANGUAGES:
        listed("zh" if language == "zh" else "en")


def serve(
    device: str | None, mindspore: str | None, folder: Path, language: Language
) -> None:  # fmt: skip
    """Serve one assistant on standard input and output, until it leaves."""
    bases = Bases(device, mindspore)
    try:
        make(bases, folder, language).run("stdio")
    finally:
        bases.close()
