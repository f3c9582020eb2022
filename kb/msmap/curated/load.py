"""Everything that people write, read from YAML, with file and line in every complaint."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import yaml
from pydantic import ValidationError

from msmap.curated import families, references
from msmap.curated.claims import Claims, Source
from msmap.curated.families import Family, wrong
from msmap.curated.finding import Mistake, Synonyms
from msmap.curated.schema import Guide, Model, Record, Reference
from msmap.curated.tables import Table
from msmap.messages import Message
from msmap.problems import DataError, Problem

if TYPE_CHECKING:
    from yaml import SafeLoader as _Base
else:
    _Base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
M = TypeVar("M", bound=Model)
_TEXT, _LIST, _MAPPING = (f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map"))


class _Loader(_Base):
    """YAML as PyYAML reads it: what it asks of Python for every node is answered sooner."""

    @staticmethod
    def resolve(kind: type[yaml.Node], value: str, implicit: tuple[bool, bool]) -> str:
        """The tag of a node that is written without one; ``implicit`` if without quotes."""
        if kind is yaml.ScalarNode:
            if implicit[0]:
                for tag, pattern in _Base.yaml_implicit_resolvers.get(value[:1], ()):
                    if pattern.match(value):
                        return str(tag)
            return _TEXT
        return _LIST if kind is yaml.SequenceNode else _MAPPING

    # Tags by the place of a node, which nothing here has: two of C's functions that do nothing.
    descend_resolver = staticmethod(operator.is_)  # type: ignore[assignment]
    ascend_resolver = staticmethod(tuple)  # type: ignore[assignment]


def _key(kind: type[Model]) -> str:
    return "torch" if kind is Record else "id"


@dataclass(frozen=True, slots=True)
class Loaded(Generic[M]):
    """A validated file: its content, path, and the text that tells the line of every key.

    ``families`` are those that a record may be like.
    """

    item: M
    path: Path
    text: str
    families: Mapping[str, families.Source] = field(default_factory=dict, compare=False)

    def line(self, *where: str | int) -> int:
        """The line of a key, or of the nearest enclosing one that is known."""
        return self.at(*where)[1]

    def at(self, *where: str | int) -> tuple[Path, int]:
        """The file and line of a key: a family's where it is that which says it."""
        node = families.expanded(_composed(self.text), self.path, self.families, keep=True)
        mark: Any = node.start_mark if node else None
        for key in where:
            found = next((pair for known, *pair in _children(node) if known == key), None)
            if found is None:
                break
            mark, node = found[0].start_mark, found[1]
        place = Path(mark.name) if isinstance(mark, families.Mark) else self.path
        return place, mark.line + 1 if mark else 1

    def place(self, line: int) -> tuple[str | int, ...]:
        """The keys that lead to what stands in a line: the innermost that begins there or above."""
        node = _composed(self.text)
        found: tuple[str | int, ...] = ()
        while above := [c for c in _children(node) if c[1].start_mark.line < line]:
            key, _, node = above[-1]
            found = (*found, key)
        return found

    @property
    def name(self) -> str:
        """The PyTorch name or the id of what stands in it."""
        return str(getattr(self.item, _key(type(self.item))))

    def problem(self, rule: str, message: str, *where: str | int, mend: str = "") -> Problem:
        """A complaint about a place in this file, with the lines that mend it."""
        return Problem(*self.at(*where), message, rule, mend)


@dataclass(frozen=True, slots=True)
class Files:
    """All files below a data directory that people write, sorted by name."""

    records: list[Loaded[Record]] = field(default_factory=list)
    guides: list[Loaded[Guide]] = field(default_factory=list)
    claims: list[Loaded[Claims]] = field(default_factory=list)
    sources: list[Loaded[Source]] = field(default_factory=list)
    tables: list[Loaded[Table]] = field(default_factory=list)
    synonyms: list[Loaded[Synonyms]] = field(default_factory=list)
    mistakes: list[Loaded[Mistake]] = field(default_factory=list)
    families: list[Loaded[Family]] = field(default_factory=list)

    def owners(self) -> list[Loaded[Any]]:
        """What has checks: records, then guides."""
        return [*self.records, *self.guides]


def read_record(path: Path) -> Loaded[Record]:
    """The record in a file.

    Raises:
        DataError: not YAML, or not a record.
    """
    return _read(path, Record, sources(_near(path)))


def read_guide(path: Path) -> Loaded[Guide]:
    """The guide in a file.

    Raises:
        DataError: not YAML, or not a guide.
    """
    return _read(path, Guide)


def load(directory: Path) -> Files:
    """All that people write below a data directory.

    Raises:
        DataError: with the problems of all files together.
    """
    require(directory)
    problems: list[Problem] = []
    places = paths(directory)
    # Records that are like one that can't be read would all be wrong.
    alike = _all(places["families"], Family, problems)
    if problems:
        raise DataError(problems)
    known = sources({loaded.path: loaded.text.encode() for loaded in alike})
    found = Files(
        _all(places["records"], Record, problems, known),
        _all(places["guides"], Guide, problems),
        _all(places["claims"], Claims, problems),
        _all(places["sources"], Source, problems),
        _all(places["tables"], Table, problems),
        _all(places["synonyms"], Synonyms, problems),
        _all(places["mistakes"], Mistake, problems),
        alike,
    )
    if problems:
        raise DataError(problems)
    return found


def require(directory: Path) -> None:
    """Refuse a directory without records.

    Raises:
        DataError: there are none.
    """
    if not (directory / "records").is_dir():
        message = Message(
            "no data here: expected a directory `records` (run from a checkout, or --data)"
        )
        raise DataError([Problem(directory, 1, message)])


# What is written in which folder.
_KINDS: dict[str, type[Model]] = {
    "records": Record,
    "guides": Guide,
    "claims": Claims,
    "sources": Source,
    "tables": Table,
    "synonyms": Synonyms,
    "mistakes": Mistake,
    "families": Family,
}


def paths(directory: Path) -> dict[str, list[Path]]:
    """The files that people write below a data directory, by folder, sorted."""
    found = {}
    for folder in _KINDS:
        place = directory / folder
        found[folder] = sorted((place.rglob if folder == "records" else place.glob)("*.y*ml"))
    return found


def read(
    path: Path, folder: str, source: bytes, known: Mapping[str, families.Source] | None = None
) -> Loaded[Any]:
    """What stands in a file of one of these folders, whose bytes were read already.

    ``known`` are the families that a record may be like; those that stand beside it if None.

    Raises:
        DataError: not YAML, or not what stands there.
    """
    if known is None:
        known = sources(_near(path)) if is_like(source) else {}
    return _parsed(path, _KINDS[folder], source, known)


def plain(
    path: Path, text: str, known: Mapping[str, families.Source] | None = None
) -> dict[str, Any]:
    """What a file says as it stands there; with what a record's families say if these are given."""
    node: yaml.Node | None = yaml.compose(text, Loader=_Loader)
    if known is not None:
        node = families.expanded(node, path, known)
    content = None if node is None else _plain(node, path, [_MOST])
    return content if isinstance(content, dict) else {}


def is_like(source: bytes) -> bool:
    """Whether a record with these bytes may be like a family."""
    return source.startswith(b"like:") or b"\nlike:" in source


def sources(written: Mapping[Path, bytes]) -> dict[str, families.Source]:
    """The families in some files by id; what is wrong there is told where they are read."""
    found = {}
    for path, data in written.items():
        try:
            loaded = _parsed(path, Family, data)
        except DataError:
            continue
        node = yaml.compose(loaded.text, Loader=_Loader)
        if isinstance(node, yaml.MappingNode):
            found[loaded.name] = families.Source(path, node, loaded.item)
    return found


def families_in(directory: Path) -> dict[str, families.Source]:
    """The families below a data directory, by id."""
    return sources({path: path.read_bytes() for path in paths(directory)["families"]})


def _near(path: Path) -> dict[Path, bytes]:
    """The files of families that stand beside the folder of a record."""
    data = next((p.parent for p in path.absolute().parents if p.name == "records"), None)
    found = [] if data is None else sorted((data / "families").glob("*.y*ml"))
    return {place: place.read_bytes() for place in found}


def _all(
    paths: Iterable[Path], kind: type[M], problems: list[Problem],
    known: Mapping[str, families.Source] | None = None,
) -> list[Loaded[M]]:  # fmt: skip
    """What stands in some files, sorted by name, which no two share."""
    found: dict[str, Loaded[M]] = {}
    key = _key(kind)
    for path in paths:
        try:
            loaded = _read(path, kind, known or {})
        except DataError as error:
            problems += error.problems
            continue
        name = loaded.name
        if name in found:
            problems.append(
                loaded.problem(
                    "schema", Message("{} stands in {} too", name, found[name].path), key
                )
            )
        found[name] = loaded
    return [found[name] for name in sorted(found)]


# Far more than any file has, and quickly read: aliases of aliases would never end.
_MOST = 50_000
_FEW, _DEEPEST = 500, 100
_DEEP = Message("nested deeper than {} levels", _DEEPEST)


def _read(
    path: Path, kind: type[M], known: Mapping[str, families.Source] | None = None
) -> Loaded[M]:
    """The validated content of a file; DataError if it is none, or can't be what ``kind`` is."""
    if path.exists() and not path.is_file():
        raise DataError([Problem(path, 1, Message("not a regular file"))])
    return _parsed(path, kind, path.read_bytes(), known)


def _parsed(
    path: Path, kind: type[M], data: bytes, known: Mapping[str, families.Source] | None = None
) -> Loaded[M]:
    try:
        # Line breaks of any kind become those of POSIX.
        source = TextIOWrapper(BytesIO(data), encoding="utf-8").read()
        _refuse_depth(source, path)
        node: yaml.Node | None = yaml.compose(source, Loader=_Loader)
    except UnicodeDecodeError as error:
        raise DataError([Problem(path, 1, Message("not UTF-8: byte {}", error.start))]) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        reason = getattr(error, "problem", None) or str(error).splitlines()[0]
        # From 0.2.6 on libyaml may see what stands deep inside before it tells of what is around.
        deep = reason == "exceeded maximum nesting depth"
        raise DataError(
            [Problem(path, line, _DEEP if deep else Message("not YAML: {}", reason))]
        ) from None
    known = known or {}
    if kind is Record:
        node = families.expanded(node, path, known)
    content = None if node is None else _plain(node, path, [_MOST])
    try:
        item = kind.model_validate(content)
        if isinstance(item, Record):
            item = item.model_copy(update={"references": _references(item)})
        return Loaded(item, path, source, known)
    except ValidationError as error:
        empty = Loaded(kind.model_construct(), path, source, known)
        said = [
            empty.problem("schema", _say(e, content), *_place(e))
            for e in error.errors()
            if not _other_form(e)
        ]
        raise DataError(said) from None


def _references(record: Record) -> list[Reference]:
    """What a record refers to: what it writes, and what follows from the names."""
    targets = [{"api": t.api, "expression": t.expression} for t in record.targets]
    written = [{"kind": r.kind, "url": r.url} for r in record.references]
    whole = references.whole(record.torch, targets, written)
    return [Reference.model_construct(**page) for page in whole]  # type: ignore[arg-type]


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
            raise DataError([Problem(path, line, _DEEP)])


def _other_form(error: Any) -> bool:
    """Whether an error is about the form of an input, text or mapping, that wasn't meant."""
    form = str(error["loc"][-1]) if error["loc"] else ""
    if "constrained-str" in form:
        return bool(error["type"] == "string_type")
    return error["type"] == "model_type" and "Input" in form and isinstance(error["input"], str)


def _place(error: Any) -> tuple[str | int, ...]:
    """The keys that lead to an error, without pydantic's names for the parts of a union."""
    return tuple(key for key in error["loc"] if not re.search(r"[\[(-]|^Input$", str(key)))


def _plain(node: yaml.Node, path: Path, left: list[int], around: tuple[yaml.Node, ...] = ()) -> Any:
    """The content of a node; refuses a key given twice.

    ``left`` holds how many more values there may be.
    """
    if isinstance(node, yaml.ScalarNode):
        return node.value if node.tag == _TEXT else _scalar(node, path)
    left[0] -= len(node.value)
    if left[0] < 0:
        raise wrong(node, path, Message("more than {} values, aliases counted in full", _MOST))
    if node in around:
        raise wrong(node, path, Message("an anchor contains itself"))
    if len(around) > _DEEPEST:
        raise wrong(node, path, _DEEP)
    around = (*around, node)
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, path, left, around) for item in node.value]
    mapping: dict[str, Any] = {}
    for key_node, value in node.value:
        key = str(key_node.value)
        if key in mapping:
            raise wrong(key_node, path, Message("key `{}` stands twice", key))
        # Nearly all is text, which needs nothing done.
        plain = value.__class__ is yaml.ScalarNode and value.tag == _TEXT
        mapping[key] = value.value if plain else _plain(value, path, left, around)
    return mapping


def _scalar(node: yaml.Node, path: Path) -> Any:
    """The value of a scalar node, as PyYAML itself reads it."""
    try:
        return _SCALARS.construct_object(node)
    except (yaml.YAMLError, ValueError) as error:
        reason = getattr(error, "problem", None) or str(error)
        raise wrong(node, path, Message("not YAML: {}", reason)) from None
    finally:
        # It would keep the nodes of every file for ever.
        _SCALARS.constructed_objects.clear()
        _SCALARS.recursive_objects.clear()


_SCALARS = yaml.SafeLoader("")


@lru_cache(maxsize=8)
def _composed(text: str) -> yaml.Node | None:
    """The nodes of a text that was read before: only who complains wants to know the lines."""
    node: yaml.Node | None = yaml.compose(text, Loader=_Loader)
    return node


def _children(node: yaml.Node | None) -> Iterator[tuple[str | int, yaml.Node, yaml.Node]]:
    """What a node holds: its key or place, the node that says where it begins, and its value."""
    if isinstance(node, yaml.MappingNode):
        yield from ((str(key.value), key, value) for key, value in node.value)
    elif isinstance(node, yaml.SequenceNode):
        yield from ((place, item, item) for place, item in enumerate(node.value))


def _say(error: Any, content: Any) -> Message:
    """A validation error as one sentence: the thing, what was found, what is expected."""
    where = ".".join(str(part) for part in _place(error))
    kind, found = error["type"], error.get("input")
    if kind == "extra_forbidden":
        return Message("unknown key `{}`", where)
    if kind == "missing":
        return Message("key `{}` is missing", where)
    if kind == "literal_error":
        return Message('{} "{}": one of {}', where, found, _expected(error))
    if kind == "value_error":
        return Message("{}: {}", where or Message("file"), error["ctx"]["error"])
    if kind in ("model_type", "dict_type") and content is None:
        return Message("the file is empty")
    if kind == "string_pattern_mismatch" and "constrained-str" in str(error["loc"][-1]):
        return Message("{}: {!r}: such as float32[2, 3], or int64[4] in 0..5", where, found)
    shown = repr(found) if len(repr(found)) < 60 else _LONG[type(found)]
    expected = error["msg"][0].lower() + error["msg"][1:]
    return Message("{}: {}: {}", where or Message("file"), shown, expected)


_LONG: dict[type, Message] = {
    list: Message("a list"),
    dict: Message("a dict"),
    str: Message("a str"),
}


def _expected(error: Any) -> str:
    return str(error["ctx"]["expected"]).replace("'", "").replace(" or ", ", ")
