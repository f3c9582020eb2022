"""Names that MindSpore has, and the release that raised the error lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msmap import model
from msmap.model import Text
from msmap.query.base.asked import Asked
from msmap.query.errors.explanation import Explanation

# What tells an older release from a file that hides the package.
_SHOW = "print(mindspore.__version__, mindspore.__file__)"


def lacks(kb: Asked, asked: str, record: model.Record | None, code: str) -> Explanation | None:
    """Why a name can be missing that MindSpore has; None if it hasn't.

    Args:
        kb: the knowledge base.
        asked: what is missing, as the error calls it: ``mindspore.ops.abs``, ``Tensor.device``,
            ``Net.register_buffer``.
        record: what PyTorch calls so, if anything.
        code: the line that failed, "" if it isn't known.
    """
    for name in _names(asked, record):
        if (api := kb.ever(name)) is not None:
            return _older(kb, name, api, record, code)
    return _of_another_kind(kb, asked, record)


def _names(asked: str, record: model.Record | None) -> Iterator[str]:
    """The full names that MindSpore may have for what is missing."""
    owner, _, leaf = asked.rpartition(".")
    if asked.startswith("mindspore."):
        yield asked
    elif owner == "Tensor":
        yield f"mindspore.Tensor.{leaf}"
    elif record is not None and record.torch.startswith("torch.nn.Module."):
        yield f"mindspore.nn.Cell.{leaf}"


def _older(
    kb: Asked, name: str, api: model.Api, record: model.Record | None, code: str
) -> Explanation:
    """The installed release is older or newer than those that have a name, or isn't MindSpore."""
    newest, oldest = kb.releases()["mindspore"], next(iter(kb.known_releases()))
    if api.until:
        en = f"MindSpore {api.until} is the last release with {name}: the installed one is newer."
        zh = f"MindSpore {api.until} 是最后一个带有 {name} 的版本：所安装的版本更新。"
    else:
        since = api.since or oldest
        en = (
            f"MindSpore has {name} since {since}, and so has {newest}; the installed release is"
            " older, or a file or folder called mindspore hides the package."
        )
        zh = (
            f"MindSpore 自 {since} 起就有 {name}，{newest} 中也有；所安装的版本更旧，或者有名为"
            " mindspore 的文件或文件夹遮住了该包。"
        )
        if not api.since:
            en = en.replace(f"since {since}", f"in {since} and all later releases known here")
            zh = zh.replace(f"自 {since} 起就有", f"在 {since} 及之后的已知版本中都有")
            en = en.replace(f", and so has {newest};", ";")
            zh = zh.replace(f"，{newest} 中也有；", "；")
    note = record.targets[0].note if record is not None and record.targets else None
    if note is not None and name.startswith("mindspore.Tensor."):
        en, zh = f"{en} {note.en}", f"{zh}{note.zh}"
    see = () if record is None else (record.torch, *(f"guide:{g}" for g in record.guides))
    return Explanation("", Text(en, zh), _SHOW, see, "name")


def _of_another_kind(kb: Asked, asked: str, record: model.Record | None) -> Explanation | None:
    """An attribute that MindSpore keeps, of objects of another class than the one at hand.

    The counterpart is written as what just failed, so what to write is told by the caveat on it.
    """
    owner, _, leaf = asked.rpartition(".")
    best = record.targets[0] if record is not None and record.targets else None
    if record is None or best is None or best.expression != f"{{self}}.{leaf}":
        return None
    told = [c.text for c in record.caveats if c.impact == "error" and "AttributeError" in c.text.en]
    en = f"{owner} has no {leaf}." if owner else ""
    zh = f"{owner} 没有 {leaf}。" if owner else ""
    for text in told or filter(None, [best.note]):
        en, zh = f"{en} {text.en}", f"{zh}{text.zh}"
    other = f"mindspore.experimental.optim.{owner}"
    if kb.api(other) is not None:
        en, zh = f"{en} {other} has them.", f"{zh}{other} 具有该属性。"
    see = (record.torch, *(f"guide:{guide}" for guide in record.guides))
    return Explanation("", Text(en, zh), "", see, "name")


def renamed(kb: Asked, kind: str, leaf: str, code: str) -> Explanation | None:
    """What a layer of MindSpore calls the parameter that it is asked for by PyTorch's name."""
    name = f"mindspore.nn.{kind}"
    mapped = kb.mapped(name)
    for _, summary in mapped.sources if mapped is not None else ():
        record = kb.find(summary.torch)
        states = (s for t in record.targets if t.api == name for s in t.state) if record else ()
        other = next((s.mindspore for s in states if s.torch == leaf), None)
        if record is None or not other or other == leaf:
            continue
        instead = re.sub(rf"\.{leaf}\b", f".{other}", code) if f".{leaf}" in code else ""
        cause = Text(
            f"{leaf} of {record.torch} is called {other} in {name}.",
            f"{record.torch} 的 {leaf} 在 {name} 中名为 {other}。",
        )
        see = (record.torch, *(f"guide:{guide}" for guide in record.guides))
        return Explanation("", cause, instead or f"layer.{other}", see, "name")
    return None
