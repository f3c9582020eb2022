"""What a last part alone may mean beside the record that is shown."""

from __future__ import annotations

from collections.abc import Sequence

from msmap.render.labels import PROBE, RECORD

_MOST = 5


def words(names: Sequence[str], language: str) -> str:
    """The other names, the likeliest first, as a line."""
    colon, comma = RECORD[language]["colon"], RECORD[language]["comma"]
    return f"{PROBE[language]['near']}{colon}{comma.join(names[:_MOST])}"
