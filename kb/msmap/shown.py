"""What notebooks show by themselves: the base class of answers, and nothing else."""

from __future__ import annotations

from importlib import import_module
from typing import Any

# Named and not imported: what draws stands floors above what is drawn.
_BY = "msmap.notebook.rich"


class Shown:
    """An answer that IPython and Jupyter show as a page instead of its fields."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        # IPython takes the first class that has this or __repr__, which dataclasses write.
        cls._repr_pretty_ = Shown._repr_pretty_  # type: ignore[method-assign]

    def _repr_markdown_(self) -> str:
        found: str = import_module(_BY).markdown(self)
        return found

    def _repr_html_(self) -> str | None:
        found: str | None = import_module(_BY).html(self)
        return found

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(import_module(_BY).text(self))
