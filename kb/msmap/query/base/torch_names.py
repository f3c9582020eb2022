"""What PyTorch's names mean, whatever the release of MindSpore: asked often, so kept."""

from __future__ import annotations

import json

from msmap import database
from msmap.query.base.rows import Rows

# As many spellings are kept with what they mean, unless they are long; on a server anybody may ask
# for any.
_SPELLINGS, _LONG = 20_000, 100
_NOTHING: tuple[str, tuple[str, ...]] = ("", ())


class Torch:
    """PyTorch's names in one database."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._methods: dict[str, tuple[str, ...]] = {}
        self._spelled: dict[str, str | None] = {}
        self._known: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._unknown: set[str] = set()

    def name(self, spelling: str) -> str | None:
        """The canonical name of any usual spelling, or None."""
        found = self._spelled.get(spelling, "")
        if found == "":
            with self._rows.reading() as connection:
                found = database.resolve(connection, spelling, "torch")
            if len(self._spelled) >= _SPELLINGS:
                self._spelled.clear()
            if len(spelling) <= _LONG:
                self._spelled[spelling] = found
        return found

    def methods(self, attribute: str) -> tuple[str, ...]:
        """The methods and properties of that bare name."""
        if not self._methods:
            # All at once: code has hundreds of attributes, and each query would look at every name.
            rows = self._rows(
                "SELECT name FROM api WHERE framework = 'torch' AND kind IN ('method', 'property')"
                " ORDER BY 1"
            )
            found: dict[str, list[str]] = {}
            for (name,) in rows:
                found.setdefault(name.rpartition(".")[2], []).append(name)
            self._methods = {leaf: tuple(every) for leaf, every in found.items()}
        return self._methods.get(attribute, ())

    def known(self, name: str) -> tuple[str, tuple[str, ...]]:
        """The kind and the signatures of a canonical name; nothing if nobody knows it."""
        found = self._known.get(name)
        if found is None:
            if name in self._unknown:
                return _NOTHING
            rows = self._rows(
                "SELECT kind, signatures FROM api WHERE framework = 'torch' AND name = ?", (name,)
            )
            if not rows:
                if len(name) <= _LONG:
                    if len(self._unknown) >= _SPELLINGS:
                        self._unknown.clear()
                    self._unknown.add(name)
                return _NOTHING
            kind, texts = rows[0]
            found = self._known[name] = (kind, tuple(json.loads(texts)))
        return found
