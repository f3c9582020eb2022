"""A record as it is written if it is like families: what these say is left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msmap.curated import layout
from msmap.curated.families import _PLACE, LIKE, WITH, Family, called, derived, filled

_LISTS = ("targets", "caveats", "checks")
_PARAMETERS = ("parameters", "inputs")
# What has an id is that entry of a family which is called so, if it is one.
_NAMED = ("caveats", "checks")
Values = dict[str, Any]
Place = tuple[str | int, ...]
Hints = Mapping[tuple[str, int], str]


def folded(
    data: Mapping[str, Any], families: Sequence[Family], hints: Hints | None = None
) -> dict[str, Any]:
    """A record's whole data without what some families say; the same where that saves nothing.

    Args:
        data: the record, in which nothing is left to a family.
        families: those that it may be like.
        hints: entries of families that are meant though they have other ids, by list and place.
    """
    best = dict(data)
    chosen = [family for family in families if _folded(data, [family], hints) != best]
    if not chosen:
        return best
    made = _folded(data, chosen, hints)
    # Whoever named families wants them.
    return made if hints is not None or _size(made) < _size(best) else best


def _folded(
    data: Mapping[str, Any], families: Sequence[Family], hints: Hints | None
) -> dict[str, Any]:
    fold = _Fold(str(data.get("torch", "")), families, hints)
    fold.given = fold.agreed(data)
    made = {
        key: fold.entries(value, key) if key in _LISTS else value for key, value in data.items()
    }
    if made == dict(data):
        return made
    used = [family.id for family in families if family.id in fold.used]
    given = {k: v for k, v in fold.given.items() if k in fold.asked}
    head: dict[str, Any] = {"torch": data["torch"], LIKE: used[0] if len(used) == 1 else used}
    return head | ({WITH: given} if given else {}) | {k: v for k, v in made.items() if k != "torch"}


def entry(family: Family, kind: str, key: str, name: str, **values: str) -> dict[str, Any]:
    """An entry of a family as a record has it that says no more than some values.

    Raises:
        KeyError: the family has no such entry, or one of its placeholders no value.
    """
    fold = _Fold(name, [family])
    candidate = _Candidate(family, key, getattr(family, kind)[key])
    made = fold.filled(candidate, kind, family.values | values, set())
    if made is None:
        raise KeyError(key)
    return made


def nearest(data: Mapping[str, Any], families: Iterable[Family]) -> dict[str, Any]:
    """A record like the family that saves the most lines; as it is where none saves enough."""
    found = [(_size(made), n, made) for n, made in enumerate(folded(data, [f]) for f in families)]
    (lines, _), _, made = min(found, default=((_size(data)), 0, data))
    return dict(made if lines + _LEAST <= _size(data)[0] else data)


# So many lines a family has to save.
_LEAST = 3


def repeated(
    written: Mapping[str, Any], whole: Mapping[str, Any], families: Sequence[Family]
) -> Iterator[tuple[Place, str, str]]:
    """What a record says that its families say: where, whose entry's name, and the family's.

    Args:
        written: the record as it stands in its file.
        whole: the same with what its families say.
        families: those that it is like.
    """
    fold = _Fold(str(written.get("torch", "")), families)
    fold.given = dict(written.get(WITH) or {})
    for kind in _LISTS:
        pairs = zip(written.get(kind) or (), whole.get(kind) or (), strict=False)
        for number, (item, entry) in enumerate(pairs):
            for keys, name, family in fold.repeated(item, entry, kind):
                yield (kind, number, *keys), name, family


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An entry of a family that an entry of a record may be."""

    family: Family
    name: str
    entry: Mapping[str, Any]


class _Fold:
    """One record under way.

    ``given`` is what its own ``with`` says, ``asked`` what was used of it.
    """

    def __init__(
        self, name: str, families: Sequence[Family], hints: Hints | None = None
    ) -> None:  # fmt: skip
        self.name, self.families, self.hints = name, families, hints or {}
        self.given: Values = {}
        self.used: set[str] = set()
        self.asked: set[str] = set()

    def agreed(self, data: Mapping[str, Any]) -> Values:
        """The values that most entries of a record want where they differ from a family's own."""
        votes: dict[str, Counter[str]] = {}
        kept: dict[tuple[str, str], Any] = {}
        for kind, number, item in _entries(data):
            for candidate in self._candidates(item, kind, number):
                for name, value in self._wanted(candidate, item).items():
                    # A value may be a list, which can't be counted.
                    kept[name, repr(value)] = value
                    votes.setdefault(name, Counter())[repr(value)] += 1
        best = {name: kept[name, counts.most_common(1)[0][0]] for name, counts in votes.items()}
        own = {k: v for family in self.families for k, v in family.values.items()}
        return {
            name: best[name]
            for name, default in own.items()
            if name in best and not self._is(default, best[name], best, own)
        }

    def _is(self, template: Any, value: Any, known: Values, declared: Values) -> bool:
        """Whether a value is what a family has for it anyway."""
        try:
            return bool(self._put(template, declared | known, declared) == value)
        except KeyError:
            return False

    def entries(self, items: Any, kind: str) -> Any:
        """A list with its entries as they are written."""
        if not isinstance(items, list):
            return items
        return [self._entry(item, kind, number) for number, item in enumerate(items)]

    def repeated(
        self, item: Any, entry: Mapping[str, Any], kind: str
    ) -> Iterator[tuple[Place, str, str]]:
        """What an entry says though its family does: keys of its own, or all of it."""
        if not isinstance(item, Mapping):
            return
        named = {"id": item[LIKE]} if LIKE in item else entry
        for candidate in self._candidates(named, kind):
            if LIKE in item and item[LIKE] != candidate.name:
                continue
            known = candidate.family.values | self.given | dict(item.get(WITH) or {})
            said = self.filled(candidate, kind, known, set()) or {}
            if LIKE in item:
                same = [key for key in item if key in said and said[key] == entry.get(key)]
                yield from (((key,), candidate.name, candidate.family.id) for key in same)
            elif said == dict(item):
                yield (), candidate.name, candidate.family.id

    def _entry(self, item: Any, kind: str, number: int) -> Any:
        if not isinstance(item, Mapping):
            return item
        inner = dict(item)
        if kind == "targets":
            for key in _PARAMETERS:
                if key in inner:
                    inner[key] = self.entries(inner[key], "parameters")
        best: Any = inner
        chosen: tuple[_Candidate, set[str]] | None = None
        for candidate in self._candidates(item, kind, number):
            for values in ({}, self._wanted(candidate, item)):
                asked: set[str] = set()
                made = self._written(candidate, item, inner, kind, values, asked)
                if made is not None and _size(made) < _size(best):
                    best, chosen = made, (candidate, asked)
        if chosen is not None:
            self.used.add(chosen[0].family.id)
            self.asked |= chosen[1]
        return best

    def _written(
        self, candidate: _Candidate, item: Mapping[str, Any], inner: Mapping[str, Any], kind: str,
        values: Values, asked: set[str],
    ) -> Any:  # fmt: skip
        """An entry as a family's with keys of its own; None if the family can't say any of it."""
        own = {k: v for k, v in values.items() if self.given.get(k, _NOTHING) != v}
        known = candidate.family.values | self.given | own
        said = self.filled(candidate, kind, known, asked)
        if said is None:
            return None
        more = {key: inner[key] for key in item if said.get(key, _NOTHING) != item[key]}
        more |= {key: None for key in said if key not in item}
        if len(more) >= len(item):
            return None
        asked.difference_update(own)
        default = candidate.family.values | self.given
        own = {k: v for k, v in own.items() if not self._is(default[k], v, {}, default)}
        if not more and not own:
            return candidate.name
        return {LIKE: candidate.name} | ({WITH: own} if own else {}) | more

    def filled(
        self, candidate: _Candidate, kind: str, known: Values, asked: set[str]
    ) -> dict[str, Any] | None:  # fmt: skip
        """What a family's entry says with some values; None if one is missing."""
        entry = dict(candidate.entry)
        if kind == "targets":
            rows = candidate.family.parameters
            for key in _PARAMETERS:
                if key in entry:
                    entry[key] = [
                        rows.get(row, row) if isinstance(row, str) else row for row in entry[key]
                    ]
        try:
            made: dict[str, Any] = self._put(entry, known, known, asked)
        except KeyError:
            return None
        return ({"id": candidate.name} if kind in _NAMED else {}) | made

    def _put(
        self, value: Any, known: Values, declared: Values, asked: set[str] | None = None
    ) -> Any:
        """A family's value with its placeholders filled.

        Raises:
            KeyError: one has no value.
        """
        if isinstance(value, Mapping):
            return {
                self._put(k, known, declared, asked): self._put(v, known, declared, asked)
                for k, v in value.items()
            }
        if isinstance(value, list):
            return [self._put(v, known, declared, asked) for v in value]
        if not isinstance(value, str):
            return value

        def text(name: str) -> str | None:
            if name not in declared:
                return None
            if asked is not None:
                asked.add(name)
            found = known.get(name)
            if not isinstance(found, str | int | float):
                raise KeyError(name)
            return str(self._put(str(found), known, declared, asked))

        whole = _PLACE.fullmatch(value)
        if whole and isinstance(known.get(whole[1]), list | dict):
            if asked is not None:
                asked.add(whole[1])
            return known[whole[1]]
        return filled(value, self.name, text)

    def _candidates(self, item: Any, kind: str, number: int = -1) -> Iterator[_Candidate]:
        """The entries of families that an entry may be: those of its id, or any of its kind."""
        if not isinstance(item, Mapping):
            return
        seen: set[str] = set()
        for family in self.families:
            entries = getattr(family, kind)
            for key, entry in entries.items():
                # Of several families the first that has an entry is meant.
                named = self.hints.get((kind, number), item.get("id"))
                if key not in seen and (kind not in _NAMED or key == named):
                    yield _Candidate(family, key, entry)
            seen |= entries.keys()

    def _wanted(self, candidate: _Candidate, item: Mapping[str, Any]) -> Values:
        """The values by which a family's entry would say what a record's does."""
        found: Values = {}
        for key, value in candidate.entry.items():
            if key in item:
                self._match(value, item[key], candidate.family.values, found)
        return found

    def _match(self, template: Any, actual: Any, declared: Values, found: Values) -> None:
        if isinstance(template, Mapping) and isinstance(actual, Mapping):
            for key in template.keys() & actual.keys():
                self._match(template[key], actual[key], declared, found)
        elif isinstance(template, list) and isinstance(actual, list):
            for one, other in zip(template, actual, strict=False):
                self._match(one, other, declared, found)
        elif isinstance(template, str):
            whole = _PLACE.fullmatch(template)
            if whole and whole[1] in declared:
                found.setdefault(whole[1], actual)
            elif isinstance(actual, str) and (
                match := self._pattern(template, declared).fullmatch(actual)
            ):
                for name, value in match.groupdict().items():
                    found.setdefault(
                        name, value.removeprefix(", ") if name == "arguments" else value
                    )

    def _pattern(self, template: str, declared: Values) -> re.Pattern[str]:
        """What texts a template may become."""
        seen: set[str] = set()
        parts, end = [], 0
        for place in _PLACE.finditer(template):
            parts.append(re.escape(template[end : place.start()]))
            parts.append(self._part(place[1], declared, seen) or re.escape(place[0]))
            end = place.end()
        return re.compile("".join([*parts, re.escape(template[end:])]), re.DOTALL)

    def _part(self, word: str, declared: Values, seen: set[str]) -> str:
        name, _, operand = word.partition(" ")
        if operand:
            call = called(self.name, operand, "\0")
            escaped = (
                re.escape(call).replace(re.escape(", \0"), "\0").replace(re.escape("\0"), "\0")
            )
            return escaped.replace("\0", self._group("arguments", declared, seen))
        if name in (own := derived(self.name)):
            return re.escape(own[name])
        return self._group(name, declared, seen) if name in declared else ""

    def _group(self, name: str, declared: Values, seen: set[str]) -> str:
        if name in seen:
            return f"(?P={name})"
        if name not in declared:
            return ""
        seen.add(name)
        return f"(?P<{name}>.*?)"


_NOTHING = object()


def _entries(data: Mapping[str, Any]) -> Iterator[tuple[str, int, Any]]:
    """The entries of a record's lists with what they are."""
    for kind in _LISTS:
        for number, item in enumerate(data.get(kind) or ()):
            yield kind, number, item
            if kind == "targets" and isinstance(item, Mapping):
                yield from (
                    ("parameters", -1, p) for key in _PARAMETERS for p in item.get(key) or ()
                )


def _size(value: Any) -> tuple[int, int]:
    """How much there is to read of an entry, or of a record: lines, and then characters."""
    text = layout.text(
        value
        if isinstance(value, Mapping) and "torch" in value and "summary" in value
        else {"": [value]}
    )
    return text.count("\n"), len(text)
