"""Which language a browser asks for."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=256)
def chinese(accepted: str) -> bool:
    """Whether an ``Accept-Language`` prefers Chinese to English.

    >>> chinese("zh-CN,zh;q=0.9,en;q=0.8"), chinese("de,en;q=0.8,zh;q=0.5"), chinese("")
    (True, False, False)
    """
    # Of equal ones the first counts, and English where neither is named.
    found, most = "en", 0.0
    for part in accepted.lower().split(","):
        name, _, rest = part.strip().partition(";")
        language = name.partition("-")[0]
        if language not in ("zh", "en"):
            continue
        try:
            quality = float(rest.strip().removeprefix("q=")) if rest else 1.0
        except ValueError:
            continue
        if quality > most:
            found, most = language, quality
    return found == "zh"
