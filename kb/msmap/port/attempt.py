"""Code that anybody may have written, ported: that it can't even be read is an answer too."""

from __future__ import annotations

from msmap import phrases
from msmap.infer.modules import Module
from msmap.infer.resolve import Facts
from msmap.model import Port, Refusal, Text
from msmap.port.rewrite import rewrite
from msmap.vocabulary import UNREADABLE, RefusalKind


def attempt(
    source: str,
    facts: Facts,
    target: str | None = None,
    own: str | None = None,
    longest: int | None = None,
    place: Module | None = None,
) -> Port:
    """The port of a source as ``rewrite`` makes it.

    Where nothing can be read, the one refusal says why: no Python, nested too deeply, or more
    than ``longest`` characters. ``place`` is the same source as a file of a tree.
    """
    if longest is not None and len(source) > longest:
        en, zh = f"the code is longer than {longest} characters", f"代码超过 {longest} 个字符"
        return _refused(source, "too_large", Text(en, zh))
    try:
        return rewrite(source, facts, target, own, place=place)
    except SyntaxError as error:
        return _not_python(source, error)
    except ValueError as error:  # a null byte, or half of a character
        return _not_python(source, SyntaxError(str(error)))
    except (RecursionError, MemoryError):
        # The parser's stack is meant: Python has no other name for it.
        return _refused(source, "too_deep", Text("the code is nested too deeply", "代码嵌套过深"))


def unreadable(port: Port) -> Refusal | None:
    """Why a source could not be read; None if it could."""
    return next((refusal for refusal in port.refusals if refusal.kind in UNREADABLE), None)


def _not_python(source: str, error: SyntaxError) -> Port:
    en, zh = "not Python: ", "不是合法的 Python 代码："
    line, column = error.lineno or 1, max((error.offset or 1) - 1, 0)
    if error.lineno is not None:
        en, zh = f"{en}line {line}: ", f"{zh}第 {line} 行："
    end = (error.end_lineno or line, max((error.end_offset or 1) - 1, 0))
    reason = Text(en + error.msg, zh + phrases.chinese(error.msg))
    shown = (error.text or "").rstrip("\n")
    return _refused(source, "not_python", reason, (line, column), max((line, column), end), shown)


def _refused(
    source: str,
    kind: RefusalKind,
    reason: Text,
    begin: tuple[int, int] = (1, 0),
    end: tuple[int, int] = (1, 0),
    line: str = "",
) -> Port:
    return Port(source, None, (), (Refusal(*begin, *end, kind, line, reason),), ())
