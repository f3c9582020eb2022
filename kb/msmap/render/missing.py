"""What is said where nothing is known of a name, in one place: to every reader the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msmap import names, npu, private
from msmap.render.labels import MISSING

if TYPE_CHECKING:
    from msmap.foreign import Foreign
    from msmap.model import Api
    from msmap.query.names.answers import Answer


def words(
    name: str,
    language: str,
    known: str | None = None,
    elsewhere: Api | None = None,
    kind: str = "name",
) -> str:
    """Why there is no answer, in a sentence without its full stop.

    ``known`` is the canonical name of what no record is about, ``elsewhere`` what another release
    of MindSpore has under the name, ``kind`` a ``name`` of the frameworks or any ``other``.
    """
    labels = MISSING[language]
    if elsewhere is not None:
        when = [labels["since"].format(elsewhere.since)] if elsewhere.since else []
        when += [labels["until"].format(elsewhere.until)] if elsewhere.until else []
        return labels["elsewhere"].format(elsewhere.name, "".join(when))
    if known is not None:
        return labels["mindspore" if known.startswith("mindspore") else "torch"].format(known)
    told = (private.said(name) or npu.said(name)) if kind == "name" else None
    if told is not None:
        return told[language == "zh"]
    if kind == "name" and (other := _other(name)) is not None:
        return other.said[language == "zh"]
    return labels[kind].format(name)


def _other(text: str) -> Foreign | None:
    """What is said of a text that names something of another package."""
    if not names.may_be_elsewhere(text):
        return None
    if text.replace(".", "_").isidentifier():
        from msmap import foreign

        spelled = foreign.full(text)
        return foreign.told(spelled) if spelled else None
    # What is pasted takes more to read, and most that nobody knows is a name.
    from msmap.query.names import pasted_names as pasted

    return pasted.other(text)


def lines(
    name: str,
    language: str,
    known: str | None = None,
    elsewhere: Api | None = None,
    guides: tuple[str, ...] = (),
    nearest: tuple[str, ...] = (),
    kind: str = "name",
    told: tuple[str, ...] = (),
) -> Iterator[str]:
    """Why there is no answer, then the records, guides and names that may help, a line each."""
    labels = MISSING[language]
    said = words(name, language, known, elsewhere, kind)
    yield labels["see"].format(said, elsewhere.release) if elsewhere is not None else said
    if told:
        yield labels["told"].format(", ".join(told))
    if guides:
        yield labels["guides"].format(", ".join(guides))
    if nearest:
        yield labels["nearest"].format(", ".join(nearest))


def told(answer: Answer, language: str) -> Iterator[str]:
    """Which guides and records tell of a name that none maps to, a line each."""
    yield from lines(
        answer.query, language, answer.known, guides=answer.guides, told=answer.told
    )  # fmt: skip
