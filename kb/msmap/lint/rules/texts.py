"""Rules about what people read, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pydantic import BaseModel

from msmap.curated.schema import Bilingual, Model
from msmap.lint import mend
from msmap.lint.rule import Found, Subject, Topic, rule
from msmap.messages import Message

_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_FACT = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w]|-D)|[A-Za-z_]\w*(?:[._]\w+)+")
_SUMMARY, _TEXT, _SECTION = 110, 330, 900


def _texts(
    value: object, where: tuple[str | int, ...] = ()
) -> Iterator[tuple[Bilingual, tuple[str | int, ...]]]:
    if isinstance(value, Bilingual):
        yield value, where
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _texts(getattr(value, name), (*where, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts(item, (*where, index))


@rule("text")
def both_languages(topic: Topic[Model]) -> Found:
    """English is English, Chinese is Chinese."""
    for text, where in _texts(topic.written):
        if _CHINESE.search(text.en):
            yield Message("the English text has Chinese in it"), where
        if not _CHINESE.search(text.zh):
            yield Message("the Chinese text has no Chinese in it"), where


_APART = re.compile(r"[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]")


@rule("text")
def spaces_in_chinese(topic: Topic[Model]) -> Found:
    """A space stands between Chinese characters and Latin letters or digits."""
    for text, where in _texts(topic.written):
        for found in _APART.finditer(text.zh):
            yield Message("`{}` in the Chinese text lacks a space", found[0]), where


@rule("text")
def languages_agree(topic: Topic[Model]) -> Found:
    """Numbers and names of code that one language gives, the other gives too."""
    for text, where in _texts(topic.written):
        one, other = set(_FACT.findall(text.en)), set(_FACT.findall(text.zh))
        if one != other:
            only = ", ".join(sorted(one ^ other))
            yield Message("only in one of the two languages: {}", only), where


@rule("text")
def text_is_short(topic: Topic[Model]) -> Found:
    """A summary fits on a line, a caveat in three, a section of a guide on half a screen."""
    for text, where in _texts(topic.written):
        limit = _SUMMARY if where == ("summary",) else _TEXT
        if where[:1] == ("sections",) and where[-1] == "text":
            limit = _SECTION
        if len(text.en) > limit:
            yield Message("{} characters of English; at most {}", len(text.en), limit), where


_LEFT = re.compile(r"(?<![A-Za-z0-9])TODO(?![A-Za-z0-9])", re.IGNORECASE)


@rule("text")
def nothing_is_left_to_write(topic: Topic[Model]) -> Found:
    """No `TODO` is left, in a text, an id, a value or a comment."""
    for number, line in enumerate(topic.loaded.text.splitlines(), 1):
        if _LEFT.search(line):
            yield Message("`{}`: what goes here?", line.strip()), topic.loaded.place(number)


_ON_CPU = re.compile(r"\bon (?:this |the )?CPU\b", re.IGNORECASE)
_ON_CPU_ZH = re.compile(r"(?<![A-Za-z])CPU ?上")


@rule("record")
def caveat_says_where_it_holds(subject: Subject) -> Found:
    """A caveat seen on CPU alone has `device: [CPU]` and doesn't say it in its text."""
    for index, caveat in enumerate(subject.written.caveats):
        said = {
            Message("English"): _ON_CPU.search(caveat.text.en),
            Message("Chinese"): _ON_CPU_ZH.search(caveat.text.zh),
        }
        for language, found in said.items():
            if found and caveat.device:
                yield (
                    Message('the {} text says "{}", as `device` does', language, found[0]),
                    ("caveats", index),
                )
            elif found:
                text = Message('the {} text says "{}": that is `device: [CPU]`', language, found[0])
                place = ("caveats", index)
                yield text, place, mend.key(place, "device", ["CPU"])


@rule("record")
def guides_exist(subject: Subject) -> Found:
    """The guides that a record links to exist."""
    for index, name in enumerate(subject.written.guides):
        if name not in subject.base.guides:
            yield Message("no guide `{}`", name), ("guides", index)
