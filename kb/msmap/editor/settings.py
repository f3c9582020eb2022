"""What an editor asks of the server: its settings, as they come, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from msmap.vocabulary import Language, Platform

_DEVICES = {name.lower(): name for name in get_args(Platform)}


@dataclass(frozen=True, slots=True)
class Settings:
    """What may be set; ``says`` of each is what the documents say of it."""

    language: Language = field(default="en", metadata={"says": "the language of texts: en, zh"})
    device: str | None = field(
        default=None,
        metadata={
            "says": "what is best and what bites there: ascend, gpu, cpu; else the project's"
        },
    )
    mindspore: str | None = field(
        default=None,
        metadata={"says": "as of that MindSpore release, such as 2.8; else the project's"},
    )
    site: str = field(
        default="", metadata={"says": "the address of a site of msmap's, to which names lead"}
    )
    delay: float = field(
        default=0.2, metadata={"says": "seconds after the last change until a file is read"}
    )
    patience: float = field(
        default=2.0,
        metadata={"says": "seconds that an answer waits for a file that is being read"},
    )

    def page(self, name: str) -> str:
        """The address of the page of a name; "" if no site is known."""
        from urllib.parse import quote

        if not self.site or not name:
            return ""
        prefix = "/zh" if self.language == "zh" else ""
        return f"{self.site}{prefix}/{quote(name, safe='')}"


def changed(before: Settings, given: object) -> tuple[Settings, list[str]]:
    """Settings with what an editor gives, and a sentence on each value that nobody can follow."""
    if isinstance(given, Mapping) and isinstance(given.get("msmap"), Mapping):
        given = given["msmap"]
    if given is None:
        return before, []
    if not isinstance(given, Mapping):
        return before, [f"settings = {given!r}: a table is wanted"]
    found, wrong = before, list[str]()
    for key, value in given.items():
        reader = _READERS.get(key)
        if reader is None:
            wrong.append(f"{key}: one of {', '.join(_READERS)}")
            continue
        try:
            found = replace(found, **{key: reader(value)})
        except ValueError as error:
            wrong.append(f"{key} = {value!r}: {error}")
    return found, wrong


def _language(value: Any) -> Any:
    if value not in get_args(Language):
        raise ValueError(f"one of {', '.join(get_args(Language))}")
    return value


def _device(value: Any) -> str | None:
    if value in (None, ""):
        return None
    if not isinstance(value, str) or value.lower() not in _DEVICES:
        raise ValueError(f"one of {', '.join(_DEVICES)}")
    return value


def _release(value: Any) -> str | None:
    if not isinstance(value, str | None):
        raise ValueError('a release such as "2.8" is wanted')
    return value or None


def _site(value: Any) -> str:
    if value in (None, ""):
        return ""
    if not isinstance(value, str) or not value.startswith(("http://", "https://")):
        raise ValueError("an address that begins with http:// or https:// is wanted")
    return value.rstrip("/")


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 60:
        raise ValueError("seconds from 0 to 60 are wanted")
    return float(value)


_READERS = {
    "language": _language,
    "device": _device,
    "mindspore": _release,
    "site": _site,
    "delay": _seconds,
    "patience": _seconds,
}
