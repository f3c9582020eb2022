"""Everything that people write, read from YAML, with file and line in every complaint."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import yaml
from pydantic import ValidationError

from msmap.curated.claims import Claims, Source
from msmap.curated.schema import Guide, Model, Record
from msmap.problems import DataError, Problem

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Loaded(Generic[M]):
    """A validated file: its content, path, and the line of every key."""

    item: M
    path: Path
    lines: dict[tuple[str | int, ...], int]

    def line(self, *where: str | int) -> int:
        """The line of a key, or of the nearest enclosing one that is known."""
        while where and where not in self.lines:
            where = where[:-1]
        return self.lines.get(where, 1)

    def problem(self, rule: str, message: str, *where: str | int) -> Problem:
        """A complaint about a place in this file."""
        return Problem(self.path, self.line(*where), message, rule)


@dataclass(frozen=True, slots=True)
class Files:
    """All files below a data directory that people write, sorted by name."""

    records: list[Loaded[Record]] = field(default_factory=list)
    guides: list[Loaded[Guide]] = field(default_factory=list)
    claims: list[Loaded[Claims]] = field(default_factory=list)
    sources: list[Loaded[Source]] = field(default_factory=list)


def read_record(path: Path) -> Loaded[Record]:
    """The record in a file.

    Raises:
        DataError: not YAML, or not a record.
    """
    return _read(path, Record)


def read_guide(path: Path) -> Loaded[Guide]:
    """The guide in a file.

    Raises:
        DataError: not YAML, or not a guide.
    """
    return _read(path, Guide)


def load(directory: Path) -> Files:
    """All records, guides, statements and documents below a data directory.

    Raises:
        DataError: with the problems of all files together.
    """
    if not (directory / "records").is_dir():
        message = "no data here: expected a directory `records` (run from a checkout, or --data)"
        raise DataError([Problem(directory, 1, message)])
    problems: list[Problem] = []
    found = Files(
        _all((directory / "records").rglob("*.y*ml"), Record, "torch", problems),
        _all((directory / "guides").glob("*.y*ml"), Guide, "id", problems),
        _all((directory / "claims").glob("*.y*ml"), Claims, "id", problems),
        _all((directory / "sources").glob("*.y*ml"), Source, "id", problems),
    )
    if problems:
        raise DataError(problems)
    return found


def _all(
    paths: Iterable[Path], kind: type[M], key: str, problems: list[Problem]
) -> list[Loaded[M]]:
    """What stands in some files, sorted by the value of a key, which no two share."""
    found: dict[str, Loaded[M]] = {}
    for path in sorted(paths):
        try:
            loaded = _read(path, kind)
        except DataError as error:
            problems += error.problems
            continue
        name = str(getattr(loaded.item, key))
        if name in found:
            problems.append(
                loaded.problem("schema", f"{name} stands in {found[name].path} too", key)
            )
        found[name] = loaded
    return [found[name] for name in sorted(found)]


# Far more than any file has, and quickly read: aliases of aliases would never end.
_MOST = 50_000
_FEW, _DEEPEST = 500, 100


def _read(path: Path, kind: type[M]) -> Loaded[M]:
    """The validated content of a file; DataError if it is none, or can't be what ``kind`` is."""
    if path.exists() and not path.is_file():
        raise DataError([Problem(path, 1, "not a regular file")])
    try:
        source = path.read_text(encoding="utf-8")
        _refuse_depth(source, path)
        node = yaml.compose(source, Loader=_Loader)
    except UnicodeDecodeError as error:
        raise DataError([Problem(path, 1, f"not UTF-8: byte {error.start}")]) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        reason = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise DataError([Problem(path, line, f"not YAML: {reason}")]) from None
    lines: dict[tuple[str | int, ...], int] = {}
    content = _plain(node, (), lines, path, [_MOST])
    try:
        return Loaded(kind.model_validate(content), path, lines)
    except ValidationError as error:
        empty = Loaded(kind.model_construct(), path, lines)
        said = [
            empty.problem("schema", _say(e, content), *_place(e))
            for e in error.errors()
            if not _other_form(e)
        ]
        raise DataError(said) from None


def _refuse_depth(source: str, path: Path) -> None:
    """Raise DataError if values are nested so deeply that composing them would end the process."""
    # No level without a bracket or a longer line: nearly no file has to be read twice.
    longest = max(map(len, source.splitlines()), default=0)
    if source.count("[") + source.count("{") + longest < _FEW:
        return
    depth = 0
    for event in yaml.parse(source, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            line = event.start_mark.line + 1 if event.start_mark else 1
            raise DataError([Problem(path, line, f"nested deeper than {_DEEPEST} levels")])


def _other_form(error: Any) -> bool:
    """Whether an error is about the form of an input, text or mapping, that wasn't meant."""
    form = str(error["loc"][-1]) if error["loc"] else ""
    if form == "constrained-str":
        return bool(error["type"] == "string_type")
    return error["type"] == "model_type" and "Input" in form and isinstance(error["input"], str)


def _place(error: Any) -> tuple[str | int, ...]:
    """The keys that lead to an error, without pydantic's names for the parts of a union."""
    return tuple(key for key in error["loc"] if not re.search(r"[\[(-]|^Input$", str(key)))


def _plain(
    node: yaml.Node | None,
    where: tuple[str | int, ...],
    lines: dict[tuple[str | int, ...], int],
    path: Path,
    left: list[int],
    around: tuple[yaml.Node, ...] = (),
) -> Any:
    """The content of a node; notes the line of each key, and refuses a key given twice.

    ``left`` holds how many more values there may be.
    """
    if node is None:
        return None
    left[0] -= 1
    if left[0] < 0:
        line = node.start_mark.line + 1
        raise DataError([Problem(path, line, f"more than {_MOST} values, aliases counted in full")])
    if any(node is outer for outer in around):
        line = node.start_mark.line + 1
        raise DataError([Problem(path, line, "an anchor contains itself")])
    if len(around) > _DEEPEST:
        line = node.start_mark.line + 1
        raise DataError([Problem(path, line, f"nested deeper than {_DEEPEST} levels")])
    around = (*around, node)
    lines.setdefault(where, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            if key in mapping:
                line = key_node.start_mark.line + 1
                raise DataError([Problem(path, line, f"key `{key}` stands twice")])
            lines[(*where, key)] = key_node.start_mark.line + 1
            mapping[key] = _plain(value_node, (*where, key), lines, path, left, around)
        return mapping
    if isinstance(node, yaml.SequenceNode):
        return [_plain(n, (*where, i), lines, path, left, around) for i, n in enumerate(node.value)]
    try:
        return _SCALARS.construct(node)
    except (yaml.YAMLError, ValueError) as error:
        reason = getattr(error, "problem", None) or str(error)
        line = node.start_mark.line + 1
        raise DataError([Problem(path, line, f"not YAML: {reason}")]) from None


class _Scalars(yaml.SafeLoader):
    """PyYAML's own reading of scalars, for nodes that were already composed."""

    def __init__(self) -> None:
        super().__init__("")

    def construct(self, node: yaml.Node) -> Any:
        """The Python value of a scalar node."""
        return self.construct_object(node, deep=True)


_SCALARS = _Scalars()


def _say(error: Any, content: Any) -> str:
    """A validation error as one sentence: the thing, what was found, what is expected."""
    where = ".".join(str(part) for part in _place(error))
    kind, found = error["type"], error.get("input")
    if kind == "extra_forbidden":
        return f"unknown key `{where}`"
    if kind == "missing":
        return f"key `{where}` is missing"
    if kind == "literal_error":
        return f'{where} "{found}": one of {_expected(error)}'
    if kind == "value_error":
        return f"{where or 'file'}: {error['ctx']['error']}"
    if kind in ("model_type", "dict_type") and content is None:
        return "the file is empty"
    shown = repr(found) if len(repr(found)) < 60 else f"a {type(found).__name__}"
    return f"{where or 'file'}: {shown}: {error['msg'][0].lower()}{error['msg'][1:]}"


def _expected(error: Any) -> str:
    return str(error["ctx"]["expected"]).replace("'", "").replace(" or ", ", ")
