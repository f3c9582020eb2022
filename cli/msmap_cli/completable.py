"""What can be completed of each command, read from the commands: the making of ``words``."""

from __future__ import annotations

from typing import Any

from msmap import vocabulary
from msmap_cli import app, shared

# What arguments and options stand for, by their names; paths and choices say it themselves.
_KINDS = {
    "lookup names": "name", "evidence show name": "owner", "evidence show place": "check",
    "evidence show --environment": "environment", "evidence diff first": "environment",
    "evidence diff second": "environment", "claims topic": "topic", "claims --source": "source",
    "claims --about": "name", "guide name": "guide", "open name": "page", "draft names": "name",
    "draft --like": "owner", "samples names": "name", "probe names": "name",
    "verify names": "owner",
    "mutate names": "owner", "lint names": "owner", "list --namespace": "name",
    "drift before": "release", "drift after": "release", "port what": ":files",
    "schema name": "schema", "lint --explain": "rule", "lint --skip": "rule",
}  # fmt: skip
_WORDS = {
    "list --category": vocabulary.CATEGORIES,
    "list --verification": vocabulary.VERIFICATIONS,
    "claims --verdict": vocabulary.VERDICTS,
    "signatures framework": ("torch", "mindspore"),
}


def table() -> dict[str, dict[str, str]]:
    """What stands behind each word of a command, by the command.

    An option has what its value is: a kind that ``query.completing`` knows, ``:files``, ``:dirs``,
    words between bars, ``?`` for what can't be known, "" if it takes none. Arguments are numbered;
    the last has a ``*`` if there may be many. A group has its commands under "".
    """
    found: dict[str, dict[str, str]] = {}
    _add(found, "", shared.added(app.app))
    return found


def _add(found: dict[str, dict[str, str]], path: str, command: Any) -> None:
    row = found[path] = {}
    place = 0
    for param in command.params:
        if param.param_type_name == "argument":
            row["*" if param.nargs == -1 else str(place)] = _kind(path, param, param.name)
            place += 1
            continue
        value = "" if param.is_flag else _kind(path, param, max(param.opts, key=len))
        row |= dict.fromkeys((*param.opts, *param.secondary_opts), value)
    inside = getattr(command, "commands", {})
    if inside:
        row[""] = "|".join(inside)
    for name, other in inside.items():
        _add(found, f"{path} {name}".strip(), other)


def _kind(path: str, param: Any, name: str) -> str:
    key = f"{path} {name}"
    if words := _WORDS.get(key) or tuple(getattr(param.type, "choices", ())):
        folded = not getattr(param.type, "case_sensitive", True)
        return "|".join(str(word).lower() if folded else str(word) for word in words)
    if type(param.type).__name__ == "TyperPath":
        return ":files" if param.type.file_okay else ":dirs"
    return _KINDS.get(key, "release" if name == "--mindspore" else "?")
