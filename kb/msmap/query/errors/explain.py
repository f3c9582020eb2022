"""Errors explained: the cause, what to write, and where to read more; or nothing, if in doubt.

An error that isn't known gets nothing: a wrong cause costs more than none.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from msmap import foreign, model, packages
from msmap.errors import NotFound
from msmap.model import Text
from msmap.query.base.asked import Asked
from msmap.query.errors import arguments as taken
from msmap.query.errors import installed
from msmap.query.errors.explanation import Explanation
from msmap.query.names import pasted_names as pasted
from msmap.query.search import messages

__all__ = ["Explanation", "explain", "mistakes"]

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
_NO_MODULE = re.compile(r"No module named '(mindspore(?:\.\w+)+)'")
_ABSENT = re.compile(r"No module named '([\w.]+)'")
# The mistake that any operator without a kernel gives.
_NO_KERNEL = "no-kernel-here"
_FUNCTION = re.compile(r"'function' object has no attribute '(\w+)'")


def explain(kb: Asked, text: str) -> Explanation | None:
    """What is known of the error that a text says or ends with, such as a traceback.

    None if it isn't known, which includes what can't be told for certain.
    """
    text = text[-_LONGEST:].replace("\0", "?")
    said = messages.error(text)
    if said is None:
        return None
    code = _own_code(text)
    last = text[text.rfind("Traceback (most recent call last)") :] if code else text
    for way in (_missing, _module, _package, taken.explained, _mistake, taken.refused, _checked):
        if (found := way(kb, said, last, code)) is not None:
            return found
    return None


def mistakes(kb: Asked, text: str) -> list[model.Mistake]:
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


def _mistake(kb: Asked, said: str, text: str, code: str) -> Explanation | None:
    found = mistakes(kb, text)
    if not found:
        return None
    first = found[0]
    guides = {guide.id for guide in kb.guides()}
    see = tuple(f"guide:{name}" if name in guides else name for name in first.see)
    operators = pasted.operators(said)
    records = [name for op in operators if (name := _record(kb, op)) is not None]
    more = dict.fromkeys((*see, *records, *(_owners(kb, said, code) if operators else ())))
    instead = first.instead
    if first.id == _NO_KERNEL and records and (record := kb.find(records[0])) is not None:
        # The record of the operator knows what runs; the mistake tells of one for all.
        instead = record.example_mindspore or instead
    return Explanation(said, first.cause, instead, tuple(more), "mistake")


def _record(kb: Asked, spelling: str) -> str | None:
    name = kb.torch_name(spelling)
    return name if name is not None and kb.find(name) is not None else None


def _owners(kb: Asked, said: str, code: str) -> list[str]:
    """The records and guides in whose checks just this error was given.

    Of many those that the code calls, and none if these are many too.
    """
    rows = kb.rows(
        "SELECT DISTINCT owner FROM message WHERE text = ? ORDER BY id", (messages.general(said),)
    )
    owners = [owner for (owner,) in rows]
    if len(owners) > _FEW:
        called = {name.rpartition(".")[2] for name in pasted.calls(code)}
        owners = [owner for owner in owners if owner.rpartition(".")[2] in called]
    return owners if len(owners) <= _FEW else []


_FEW = 3


def _missing(kb: Asked, said: str, text: str, code: str) -> Explanation | None:
    """A name of PyTorch's that MindSpore doesn't have, or has elsewhere."""
    for kind, leaf in _CELL.findall(said):
        if (found := installed.renamed(kb, kind, leaf, code)) is not None:
            return replace(found, error=said)
    for asked, spellings in _lacking(kb, said, code):
        for spelling in spellings:
            name = kb.torch_name(spelling)
            record = kb.find(name) if name else None
            if (found := installed.lacks(kb, asked, record, code)) is not None:
                return replace(found, error=said)
            if record is not None:
                cause, instead = _becomes(asked, record), _instead(kb, record, code)
                see = (record.torch, *(f"guide:{guide}" for guide in record.guides))
                return Explanation(said, cause, instead, see, "name")
        found = installed.lacks(kb, asked, None, code) or _moved(kb, asked)
        if found is not None:
            return replace(found, error=said)
    return None


def _lacking(kb: Asked, said: str, code: str) -> Iterator[tuple[str, tuple[str, ...]]]:
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
        # What is missing may be a module, of which the code goes on to name a part.
        for rest in (*re.findall(rf"\.{name}((?:\.[A-Za-z_]\w*)+)", code), ""):
            yield f"{home}.{name}{rest}", tuple(pasted.at_home(home, name + rest))
    for leaf in _FUNCTION.findall(said):
        for chain in re.findall(rf"([A-Za-z_][\w.]*)\.{leaf}\b", code):
            if (home := kb.mindspore_name(chain)) is not None:
                yield f"{home}.{leaf}", (home.replace("mindspore", "torch", 1) + f".{leaf}",)


def _module(kb: Asked, said: str, text: str, code: str) -> Explanation | None:
    """A module of PyTorch's that MindSpore doesn't have, and where its names went."""
    if (found := _NO_MODULE.search(said)) is None:
        return None
    torch = found[1].replace("mindspore", "torch", 1)
    rows = kb.rows(
        "SELECT api FROM target WHERE rank = 1 AND api != '' AND torch LIKE ?", (f"{torch}.%",)
    )
    homes = Counter(api.rpartition(".")[0] for (api,) in rows).most_common(2)
    if not homes:
        return None
    where = [home for home, _ in homes]
    cause = Text(
        f"MindSpore has no {found[1]}: it is a module of PyTorch's ({torch}). Most of its names"
        f" have their counterparts in {' and '.join(where)}.",
        f"MindSpore 没有 {found[1]}，它是 PyTorch 的模块（{torch}），其中名称的对应接口大多在"
        f" {' 和 '.join(where)} 中。",
    )
    return Explanation(said, cause, "", (torch,), "name")


def _package(kb: Asked, said: str, text: str, code: str) -> Explanation | None:
    """Another package that isn't installed, and what there is instead for MindSpore."""
    found = _ABSENT.search(said)
    if found is None or packages.of(found[1]) is None:
        return None
    told = foreign.told(found[1])
    en, zh = told.said
    cause = Text(f"{found[1]} isn't installed; {en}.", f"没有安装 {found[1]}；{zh}。")
    return Explanation(said, cause, "", tuple(f"guide:{g}" for g in told.guides), "name")


def _moved(kb: Asked, asked: str) -> Explanation | None:
    """The one name of MindSpore's that ends as what is missing does."""
    if not asked.startswith("mindspore."):
        return None
    leaf = asked.rpartition(".")[2]
    rows = kb.rows(
        "SELECT name FROM api WHERE framework = 'mindspore' AND name LIKE ? AND alias_of = ''"
        " AND kind IN ('class', 'function')",
        (f"%.{leaf}",),
    )
    names = [name for (name,) in rows if name.rpartition(".")[2] == leaf]
    if len(names) != 1:
        return None
    home, _, _ = asked.rpartition(".")
    cause = Text(
        f"{home} has no {leaf}; there is {names[0]}.", f"{home} 中没有 {leaf}；有 {names[0]}。"
    )
    module = names[0].rpartition(".")[0]
    return Explanation("", cause, f"from {module} import {leaf}", (), "name")


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


def _instead(kb: Asked, record: model.Record, code: str) -> str:
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


def _checked(kb: Asked, said: str, text: str, code: str) -> Explanation | None:
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
