"""Errors explained: the cause, what to write, and where to read more; or nothing, if in doubt.

An error that isn't known gets nothing: a wrong cause costs more than none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from msmap import model
from msmap.errors import NotFound
from msmap.model import Text
from msmap.query import messages, pasted

if TYPE_CHECKING:
    from msmap.query.knowledge_base import KnowledgeBase

# The end of a text has the error; a traceback may be long.
_LONGEST = 100_000
_FRAME = re.compile(r'^ *File "([^"]+)", line \d+(?:, in .*)?\n +(\S.*)$', re.M)
_INSTALLED = re.compile(r"site-packages|[/\\]lib[/\\]python|^<frozen|dist-packages")
# A Cell says "The 'Net' object", Python says "'Tensor' object".
_CELL = re.compile(r"The '(\w+)' object has no attribute '(\w+)'")
_TENSOR = re.compile(r"(?<!The )'(?:Tensor|Parameter)' object has no attribute '(\w+)'")
_MODULE = re.compile(
    r"module '(mindspore[\w.]*)' has no attribute '(\w+)'"
    r"|cannot import name '(\w+)' from '(mindspore[\w.]*)'"
)
_KEYWORD = re.compile(r"(?:(\w+)(?:\.__init__)?\(\) )?got an unexpected keyword argument '(\w+)'")
_CALL = re.compile(r"([A-Za-z_][\w.]*)\(")
# Where the names of a module that isn't MindSpore's begin.
_FOREIGN = ("torch", "np", "numpy", "tf", "jax", "F", "functional", "torchvision", "cv2", "pd")


@dataclass(frozen=True, slots=True)
class Explanation:
    """An error explained: ``see`` are guides (``guide:ID``) and names of PyTorch with a record.

    ``instead`` is code, "" if there is none to write; ``by`` is what it was known by: a
    ``mistake``, a ``name`` that MindSpore lacks, a ``keyword``, or a ``check`` that gave it.
    """

    error: str
    cause: Text
    instead: str
    see: tuple[str, ...]
    by: str


def explain(kb: KnowledgeBase, text: str) -> Explanation | None:
    """What is known of the error that a text says or ends with, such as a traceback.

    None if it isn't known, which includes what can't be told for certain.
    """
    text = text[-_LONGEST:].replace("\0", "?")
    said = messages.error(text)
    if said is None:
        return None
    code = _own_code(text)
    last = text[text.rfind("Traceback (most recent call last)") :] if code else text
    for way in (_missing, _keyword, _mistake, _checked):
        if (found := way(kb, said, last, code)) is not None:
            return found
    return None


def mistakes(kb: KnowledgeBase, text: str) -> list[model.Mistake]:
    """The explained errors that a text says."""
    found = []
    for (document,) in kb.rows("SELECT document FROM mistake ORDER BY id"):
        told = json.loads(document)
        if any(re.search(pattern, text) for pattern in told["says"]):
            found.append(model.Mistake(
                told["id"], tuple(told["says"]), Text(**told["cause"]), told["instead"],
                tuple(told["see"]),
            ))  # fmt: skip
    return found


def _own_code(text: str) -> str:
    """The last line of a traceback that is no library's; "" if there is none."""
    frames = _FRAME.findall(text)
    own = (code for path, code in reversed(frames) if not _INSTALLED.search(path))
    return next(own, "").strip()


def _mistake(kb: KnowledgeBase, said: str, text: str, code: str) -> Explanation | None:
    found = mistakes(kb, text)
    if not found:
        return None
    first = found[0]
    guides = {guide.id for guide in kb.guides()}
    see = tuple(f"guide:{name}" if name in guides else name for name in first.see)
    operators = pasted.operators(said)
    records = (name for op in operators if (name := _record(kb, op)) is not None)
    more = dict.fromkeys((*see, *records, *(_owners(kb, said) if operators else ())))
    return Explanation(said, first.cause, first.instead, tuple(more), "mistake")


def _record(kb: KnowledgeBase, spelling: str) -> str | None:
    name = kb.torch_name(spelling)
    return name if name is not None and kb.find(name) is not None else None


def _owners(kb: KnowledgeBase, said: str) -> list[str]:
    """The records and guides in whose checks just this error was given; none if there are many."""
    rows = kb.rows(
        "SELECT DISTINCT owner FROM message WHERE text = ? ORDER BY id", (messages.general(said),)
    )
    return [owner for (owner,) in rows] if len(rows) <= _FEW else []


_FEW = 3


def _missing(kb: KnowledgeBase, said: str, text: str, code: str) -> Explanation | None:
    """A name of PyTorch's that MindSpore doesn't have."""
    for asked, spellings in _lacking(kb, said):
        for spelling in spellings:
            name = kb.torch_name(spelling)
            record = kb.find(name) if name else None
            if record is not None:
                cause, instead = _becomes(asked, record), _instead(kb, record, code)
                see = (record.torch, *(f"guide:{guide}" for guide in record.guides))
                return Explanation(said, cause, instead, see, "name")
    return None


def _lacking(kb: KnowledgeBase, said: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What is missing, as it was asked for, and the names of PyTorch that it may be."""
    for kind, leaf in _CELL.findall(said):
        homes = ["torch.nn.Module", "torch.optim.Optimizer"]
        if kb.torch_name(f"torch.optim.{kind}") is not None:
            homes.reverse()
        yield f"{kind}.{leaf}", tuple(f"{home}.{leaf}" for home in homes)
    for leaf in _TENSOR.findall(said):
        yield f"Tensor.{leaf}", (f"torch.Tensor.{leaf}",)
    for module, leaf, other_leaf, other in _MODULE.findall(said):
        home, name = module or other, leaf or other_leaf
        yield f"{home}.{name}", tuple(pasted.at_home(home, name))


def _becomes(asked: str, record: model.Record) -> Text:
    """What MindSpore has in the place of a name of PyTorch's, in a sentence."""
    en = f"MindSpore has no {asked}: it is a name of PyTorch's ({record.torch})."
    zh = f"MindSpore 没有 {asked}，它是 PyTorch 的名称（{record.torch}）。"
    if not record.targets:
        missing = record.missing or Text("", "")
        return Text(f"{en} {missing.en}".strip(), f"{zh}{missing.zh}")
    best = record.targets[0]
    if best.remove or best.expression == "{self}":
        return Text(f"{en} Leave it out.", f"{zh}请将其删去。")
    if best.api:
        return Text(f"{en} Its counterpart is {best.api}.", f"{zh}对应接口为 {best.api}。")
    return Text(f"{en} It is written otherwise.", f"{zh}写法不同。")


def _instead(kb: KnowledgeBase, record: model.Record, code: str) -> str:
    """The line of code with the record's name carried over, if nothing else changes in it."""
    if code:
        try:
            port = kb.port(code)
        except (SyntaxError, ValueError):
            port = None
        if (
            port is not None
            and port.edits
            and not port.refusals
            and port.records == (record.torch,)
        ):
            return (port.code or "").strip()
    best = record.targets[0] if record.targets else None
    gone = best is None or best.remove or best.expression == "{self}"
    return "" if gone else record.example_mindspore


def _keyword(kb: KnowledgeBase, said: str, text: str, code: str) -> Explanation | None:
    """An argument by PyTorch's name."""
    if (found := _KEYWORD.search(said)) is None:
        return None
    function, keyword = found[1] or "", found[2]
    for call, name in _called(kb, function, keyword, code):
        rows = kb.rows("SELECT torch FROM target WHERE api = ? ORDER BY rank, torch", (name,))
        records = [record for (torch,) in rows if (record := kb.find(torch)) is not None]
        for record in records:
            if (told := _renamed(record, name, keyword, code)) is not None:
                return replace(told, error=said)
        if not records and (told := _elsewhere(kb, call, name, keyword, code)) is not None:
            return replace(told, error=said)
    return None


def _called(kb: KnowledgeBase, function: str, keyword: str, code: str) -> Iterator[tuple[str, str]]:
    """The MindSpore names that were called with a keyword, as spelled and in full."""
    if not code:
        spelled = [function] if function else []
    else:
        spelled = [
            call for call in _CALL.findall(code)
            if (not function or call.rpartition(".")[2] == function)
            and call.partition(".")[0] not in _FOREIGN
        ]  # fmt: skip
        if f"{keyword}=" not in code.replace(" ", ""):
            spelled = [call for call in spelled if function]
    for call in spelled:
        if (name := kb.mindspore_name(call)) is not None:
            yield call, name


def _renamed(record: model.Record, name: str, keyword: str, code: str) -> Explanation | None:
    """What an argument of PyTorch's is called by a target of a record."""
    target = next(target for target in record.targets if target.api == name)
    told = (p for p in (*target.parameters, *target.inputs) if keyword in p.torch)
    p = next(told, None)
    if p is None or p.mindspore == p.torch:
        return None
    note = p.note or Text("", "")
    other = ", ".join(p.mindspore)
    if not other:
        en = f"{name} has no {keyword}, as {record.torch} has it. {note.en}"
        zh = f"{name} 没有 {record.torch} 的参数 {keyword}。{note.zh}"
        instead = record.example_mindspore
    else:
        en = f"{keyword} of {record.torch} is {other} of {name}. {note.en}"
        zh = f"{record.torch} 的 {keyword} 在 {name} 中为 {other}。{note.zh}"
        instead = f"{other}={p.value or '...'}"
        if p.relation in _ONLY_RENAMED and re.search(rf"\b{keyword}\s*=", code):
            instead = re.sub(rf"\b{keyword}\s*=\s*", f"{other}=", code)
    return Explanation("", Text(en.strip(), zh.strip()), instead, (record.torch,), "keyword")


_ONLY_RENAMED = ("renamed", "default_differs", "reordered")


def _elsewhere(
    kb: KnowledgeBase, call: str, name: str, keyword: str, code: str
) -> Explanation | None:
    """Another function of MindSpore's that takes the argument as PyTorch's does."""
    module, _, leaf = name.rpartition(".")
    for spelling in pasted.at_home(module, leaf):
        known = kb.torch_name(spelling)
        record = kb.find(known) if known else None
        for target in record.targets[:1] if record is not None else ():
            taken = {n for p in (*target.parameters, *target.inputs) for n in p.mindspore}
            if record is None or not target.api or keyword not in taken:
                continue
            cause = Text(
                f"{name} has no {keyword}; {target.api} takes the arguments of {record.torch}.",
                f"{name} 没有参数 {keyword}；{target.api} 接受 {record.torch} 的参数。",
            )
            instead = code.replace(f"{call}(", f"{target.api}(") or record.example_mindspore
            return Explanation("", cause, instead, (record.torch,), "keyword")
    return None


def _checked(kb: KnowledgeBase, said: str, text: str, code: str) -> Explanation | None:
    """What a caveat tells of the very error that a check gave, where one alone tells it.

    With other numbers or paths in it, an error may have another cause.
    """
    if (general := messages.general(said)) != said:
        return None
    rows = kb.rows("SELECT owner, slug FROM message WHERE text = ? ORDER BY id", (general,))
    found: dict[str, tuple[str, model.Record, model.Caveat]] = {}
    for owner, slug in rows:
        try:
            record = kb.find(owner)
        except NotFound:
            continue
        for caveat in record.caveats if record is not None else ():
            if slug in caveat.shown_by and record is not None:
                found.setdefault(caveat.text.en, (owner, record, caveat))
    if len(found) != 1 or len(rows) > _FEW:
        return None
    ((owner, record, caveat),) = found.values()
    if code and owner.rpartition(".")[2].lower() not in code.lower():
        return None
    see = (owner, *(f"guide:{guide}" for guide in record.guides))
    return Explanation(said, caveat.text, "", see, "check")
