"""What a project asks of msmap: the table ``[tool.msmap]`` of its ``pyproject.toml``."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msmap.errors import MsmapError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_LISTS = ("exclude", "fail-on")
_TEXTS = ("device", "mindspore", "baseline")


class BadSettings(MsmapError):
    """A setting that nobody can follow; the message names file and key."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is asked for; ``baseline`` is as seen from the file's folder."""

    exclude: tuple[str, ...] = ()
    fail_on: tuple[str, ...] = ()
    device: str | None = None
    mindspore: str | None = None
    baseline: Path | None = None


def find(folder: Path) -> Settings:
    """The settings of the project in which a folder is: of the nearest ``pyproject.toml``.

    Raises:
        BadSettings: it is no TOML, or has what isn't known here.
    """
    path = place(folder)
    return Settings() if path is None else read(path)


def place(folder: Path) -> Path | None:
    """The ``pyproject.toml`` of the project in which a folder is, or None."""
    here = folder.absolute()
    ways = (above / "pyproject.toml" for above in (here, *here.parents))
    return next((path for path in ways if path.is_file()), None)


def read(path: Path) -> Settings:
    """The settings in a file.

    Raises:
        BadSettings: it is no TOML, or has what isn't known here.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadSettings(f"{path}: {error}") from None
    tool = content.get("tool")
    table: Any = tool.get("msmap", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise BadSettings(f"{path}: tool.msmap is no table")
    for key, value in table.items():
        _check(path, key, value)
    baseline = table.get("baseline")
    return Settings(
        tuple(table.get("exclude", ())),
        tuple(table.get("fail-on", ())),
        table.get("device"),
        table.get("mindspore"),
        path.parent / baseline if baseline is not None else None,
    )


def _check(path: Path, key: str, value: object) -> None:
    if key in _TEXTS and not isinstance(value, str):
        raise BadSettings(f"{path}: tool.msmap.{key} = {value!r}: a text is wanted")
    if key in _LISTS and not (
        isinstance(value, list) and all(isinstance(item, str) for item in value)
    ):
        raise BadSettings(f"{path}: tool.msmap.{key} = {value!r}: a list of texts is wanted")
    if key not in (*_TEXTS, *_LISTS):
        known = ", ".join((*_LISTS, *_TEXTS))
        raise BadSettings(f"{path}: tool.msmap.{key}: one of {known}")
