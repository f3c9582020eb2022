"""What a user asks an assistant to do with the tools, so that nobody has to type it."""

from __future__ import annotations

from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from pydantic import Field

_PORT = """\
Port {path} from PyTorch to MindSpore{where}.

1. Call `scan` on it{device}: what has no counterpart, and what needs care.
2. Read the file and call `port` on its whole text{device}. Write what comes back; touch
   nothing that it left as it was without a reason of your own.
3. For each place that was left, call `lookup` with its name (or `search` with what it does)
   and write it by hand. Do not write a MindSpore call from memory: parameters, defaults and
   layouts differ.
4. For each silent caveat of the calls that you wrote or kept, see whether this code is hit
   by it, and mend it: modes (`set_train`), padding, momentum, default values, the order of
   axes.
5. Tell the user what changed, what is left to decide, and which silent caveats the code
   touches, each with its line. Say what you didn't run.
"""
_CHECK = """\
{path} was ported from PyTorch to MindSpore{where}, and its numbers may be wrong.

1. Read it, and call `lookup` with every MindSpore name that it calls, up to twenty at a
   time{device}.
2. For each, compare the silent caveats with how it is called here: arguments by position,
   defaults that were left out, training mode, initial values, dtypes, the order of axes,
   what is changed in place.
3. Where a caveat fits, call `evidence` on the PyTorch name to see what was measured.
4. Answer with the lines that are wrong, the caveat that explains each, and what to write
   instead; then with those that may be rounding. Don't name a cause that no caveat or
   evidence supports.
"""

Path = Annotated[str, Field(description="The file, as of the server's folder")]
Device = Annotated[str, Field(description="Ascend, GPU or CPU; empty if it isn't known")]


def declare(server: MCPServer[Any]) -> None:
    """Declare the prompts."""

    @server.prompt(title="Port a file", description="A file from PyTorch to MindSpore")
    def port_file(path: Path, device: Device = "") -> str:
        return _told(_PORT, path, device)

    @server.prompt(title="Check a ported file", description="Why its numbers may be wrong")
    def check_file(path: Path, device: Device = "") -> str:
        return _told(_CHECK, path, device)


def _told(text: str, path: str, device: str) -> str:
    named = device.strip()
    where = f" on {named}" if named else ""
    given = f' with device "{named.lower()}"' if named else ""
    return text.format(path=path, where=where, device=given)
