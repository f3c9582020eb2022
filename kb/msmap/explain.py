"""Errors explained where they happen: below the traceback of a script, or in a notebook.

::

    import msmap.explain
    msmap.explain.install()
"""

from __future__ import annotations

import builtins
import locale
import sys
import traceback
from contextlib import suppress
from types import TracebackType
from typing import Any

from msmap import render
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers

_before: Any = None


def install(language: str | None = None) -> None:
    """Explain every error that nobody catches, below its traceback; nothing else changes.

    Args:
        language: ``en`` or ``zh``; that of the locale if left out.
    """
    global _before  # noqa: PLW0603
    tongue = language or ("zh" if (locale.getlocale()[0] or "").startswith("zh") else "en")
    shell = _shell()
    if shell is not None:
        shell.set_custom_exc((Exception,), _in_notebook(tongue))
        return
    if _before is None:
        _before = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        _before(kind, error, trace)
        _tell(error, tongue)

    sys.excepthook = hook


def uninstall() -> None:
    """Leave errors alone again."""
    global _before
    shell = _shell()
    if shell is not None:
        shell.set_custom_exc((), None)
    if _before is not None:
        sys.excepthook, _before = _before, None


def explain(error: BaseException, language: str = "en") -> str:
    """What is known of an error, as text; "" if it isn't known."""
    said = "".join(traceback.format_exception(error))
    with KnowledgeBase.open() as kb:
        found = answers.explained(kb, said)
    pieces = render.tell(found, "text", render.View(language))
    return "".join(f"{getattr(piece, 'text', piece)}\n" for piece in pieces)


def _shell() -> Any:
    """The shell of a notebook or of IPython; None in a plain script."""
    found = getattr(builtins, "get_ipython", None)
    return found() if found is not None else None


def _in_notebook(language: str) -> Any:
    def handle(
        shell: Any, kind: type, error: BaseException, trace: Any, tb_offset: int | None = None
    ) -> None:
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
        _tell(error, language)

    return handle


def _tell(error: BaseException, language: str) -> None:
    """Print what is known of an error; whatever fails here must not hide it."""
    with suppress(Exception):
        if said := explain(error, language):
            sys.stderr.write(f"\n{said}")
