"""One release of a framework: its names, and their overloads as a mapping sees them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from msmap import model, releases
from msmap.errors import SignatureFileError
from msmap.messages import Message
from msmap.problems import DataError, Problem
from msmap.signatures import files, lifetimes
from msmap.signatures.files import Api
from msmap.signatures.lifetimes import ALWAYS, Lifetime
from msmap.signatures.parse import Signature, overloads


@dataclass(frozen=True, slots=True)
class Side:
    """One API's overloads as a relation sees them; ``kind`` is class, function, method, ..."""

    kind: str
    signatures: tuple[Signature, ...]

    def names(self) -> list[str]:
        """All parameter names but ``**kwargs``, in order of first appearance."""
        return list(
            dict.fromkeys(
                p.name for s in self.signatures for p in s.parameters if p.kind != "var_keyword"
            )
        )

    def default(self, name: str) -> str | None:
        """The default in the first overload that has the parameter."""
        return next((p.default for s in self.signatures if (p := s.get(name))), None)

    def defaults(self, name: str) -> set[str | None]:
        """The defaults in all overloads that have the parameter."""
        return {p.default for s in self.signatures if (p := s.get(name))}

    def required(self, name: str) -> bool:
        """Whether every overload needs it."""
        return all((p := s.get(name)) is not None and p.required for s in self.signatures)

    def variadic(self, name: str) -> bool:
        """Whether it is ``*args``, which nobody needs to give."""
        return any(p.kind == "var_positional" for s in self.signatures if (p := s.get(name)))

    def position(self, name: str) -> int | None:
        """Its place among positional parameters, from 0, in the first overload that has it."""
        for signature in self.signatures:
            if (parameter := signature.get(name)) is not None:
                if not parameter.positional:
                    return None
                return [p.name for p in signature.parameters if p.positional].index(name)
        return None


@dataclass(frozen=True, slots=True)
class Signatures:
    """The names of one release of one framework."""

    framework: str
    release: str
    apis: dict[str, Api]
    path: Path | None = None
    lifetimes: Mapping[str, Lifetime] = field(default_factory=dict)

    def canonical(self, name: str) -> str | None:
        """The name itself, or the one it is an alias of; None if unknown."""
        found = self.apis.get(name)
        if found is None:
            return None
        return found.alias_of or name

    def api(self, name: str) -> model.Api:
        """A known name as readers get it."""
        api, life = self.apis[name], self.lifetimes.get(name, ALWAYS)
        return model.Api(
            name, self.framework, self.release, api.kind, api.signatures, api.call, api.platforms,
            api.deprecated, life.since, life.until, life.changed,
        )  # fmt: skip

    def texts(self, name: str | None, what: str = "signatures") -> tuple[str, ...]:
        """A name's overloads as they are written; ``what`` is signatures or call."""
        found = self._overloaded(name, what)
        return () if found is None else _texts(found, what)

    def kind(self, name: str) -> str:
        """What a name is: class, function, method, ...; a function if it isn't known."""
        found = self._overloaded(name, "signatures")
        return "function" if found is None else found.kind

    def side(self, name: str | None, what: str = "signatures") -> Side:
        """A name's overloads, as relations see them; ``what`` is signatures or call."""
        found = self._overloaded(name, what)
        if found is None:
            return Side("function", ())
        try:
            return Side(found.kind, overloads(_texts(found, what)))
        except ValueError as error:
            # A line a name, in the order in which they were read.
            line = list(self.apis).index(found.name) + 1
            raise SignatureFileError("{}:{}: {}: {}", self.path, line, found.name, error) from None

    def _overloaded(self, name: str | None, what: str) -> Api | None:
        """The name, or what it is an alias of, where the overloads stand."""
        found = self.apis.get(name or "")
        if found is not None and found.alias_of and not _texts(found, what):
            return self.apis.get(found.alias_of, found)
        return found


def _texts(found: Api, what: str) -> tuple[str, ...]:
    return found.call if what == "call" else found.signatures


def known(directory: Path, framework: str) -> dict[str, Path]:
    """The signature files of a framework by release, oldest first.

    Raises:
        DataError: there is none.
    """
    place = directory / "signatures"
    found = {release: path for name, release, path in files.available(place) if name == framework}
    if not found:
        hint = Message("no signatures of {0}; run `msmap signatures {0}`", framework)
        raise DataError([Problem(place, 1, hint)])
    return {release: found[release] for release in sorted(found, key=releases.order)}


def read(directory: Path, framework: str, release: str | None = None) -> Signatures:
    """The names of a known release of a framework, by default the newest.

    Raises:
        DataError: there are none of the framework.
    """
    paths = known(directory, framework)
    release = release or next(reversed(paths))
    return Signatures(framework, release, files.load(paths[release]), paths[release])


def history(directory: Path, framework: str) -> list[Signatures]:
    """The names of every release, oldest first, with their lifetimes."""
    shared: dict[bytes, Api] = {}
    paths = known(directory, framework)
    loaded = {release: files.load(path, shared) for release, path in paths.items()}
    found = lifetimes.spans(list(loaded.values()))
    # Most names were always there: saying so of each would only cost time.
    lives = {
        name: lifetimes.lifetime(spans, list(loaded))
        for name, spans in found.items()
        if len(spans) > 1 or spans[0].first or spans[0].last < len(loaded) - 1
    }
    return [Signatures(framework, r, apis, paths[r], lives) for r, apis in loaded.items()]
