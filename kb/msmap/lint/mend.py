"""Lines that mend what a rule finds: to be pasted into the file, or a command to run.

They are indented as in the file; `TODO` stands where a person must write.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from pydantic import BaseModel

from msmap.curated import layout
from msmap.model import Parameter

Where = tuple[str | int, ...]

TODO = "TODO"
TEXTS = {"en": TODO, "zh": TODO}


def command(*words: str) -> str:
    """A command to run."""
    return "  " + " ".join(("msmap", *words))


def key(where: Where, name: str, value: object) -> str:
    """A key that a mapping in the file lacks."""
    return f"{' ' * _indent(where)}{name}: {layout.flow(value)}"


def entries(
    written: BaseModel | None,
    where: Where,
    made: Iterable[Mapping[str, object]],
    block: bool = False,
) -> str:
    """Entries for a list of the file, below its key if the file hasn't that yet.

    Args:
        written: the file; None if it is another one, which has the list.
        where: the keys that lead to the list.
        made: the entries.
        block: each over several lines, not in one.
    """
    *_, name = where
    space = " " * _indent(where[:-1])
    there = written is None or bool(_at(written, where))
    place = f"  in `{name}`:" if there else f"  in {_spelled(where[:-1])}:"
    lines = [place] if there else [place, f"{space}{name}:"]
    for entry in made:
        lines += _block(entry, space) if block else [f"{space}  - {layout.flow(entry)}"]
    return "\n".join(lines)


def parameter(found: Parameter) -> dict[str, object]:
    """A relation as an entry of `parameters`."""
    entry: dict[str, object] = {}
    for side, names in (("torch", found.torch), ("mindspore", found.mindspore)):
        if names:
            entry[side] = names[0] if len(names) == 1 else list(names)
    entry["relation"] = found.relation
    if found.relation == "target_only_must_set":
        entry["value"] = TODO
    if found.relation in ("default_differs", "source_only_unsupported"):
        entry["note"] = TEXTS
    return entry


def caveat(name: str, **more: object) -> dict[str, object]:
    """A caveat as an entry, with its texts to be written."""
    return {"id": name, "impact": "silent", **more, "text": TEXTS}


def check(name: str, torch: str = TODO, **more: object) -> dict[str, object]:
    """A check as an entry."""
    return {"id": name, "torch": torch, **more}


def slug(*words: str) -> str:
    """An id made of words."""
    return re.sub(r"[^a-z0-9]+", "-", "-".join(words).lower()).strip("-")


def pairs(found: Iterable[Parameter]) -> list[Parameter]:
    """Relations in which those that one side lacks are one under another name, if they may be.

    That is, if they stand in the same place and the other side needn't be told more.
    """
    left = list(found)
    theirs = {p.mindspore_position: p for p in left if not p.torch}
    made = []
    for one in left:
        other = theirs.get(one.torch_position) if one.torch and not one.mindspore else None
        if other is None or one.torch_position is None:
            made.append(one)
            continue
        same = one.torch_default == other.mindspore_default
        relation = "renamed" if same else "default_differs"
        made.append(replace(one, mindspore=other.mindspore, relation=relation))
    taken = {name for p in made if p.torch for name in p.mindspore}
    return [p for p in made if p.torch or taken.isdisjoint(p.mindspore)]


def _at(written: BaseModel, where: Where) -> object:
    found: object = written
    for step in where:
        found = found[step] if isinstance(step, int) else getattr(found, step)  # type: ignore[index]
    return found


def _indent(where: Where) -> int:
    """Where the keys of a mapping begin: lists are indented, and a dash is."""
    return 4 * sum(isinstance(key, int) for key in where)


def _spelled(where: Where) -> str:
    """Such as `targets[0]`."""
    text = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in where)
    return f"`{text[1:]}`" if text else "the file"


def _block(entry: Mapping[str, object], space: str) -> list[str]:
    lines = [f"{space}    {line}" for name, value in entry.items() for line in _lines(name, value)]
    lines[0] = f"{space}  - {lines[0].lstrip()}"
    return lines


def _lines(name: str, value: object) -> list[str]:
    if isinstance(value, Mapping) and value == TEXTS:
        return [f"{name}:", *(f"  {k}: {layout.flow(v)}" for k, v in value.items())]
    return [f"{name}: {layout.flow(value)}"]
