"""What is asked of the base to read code and to port it."""

from __future__ import annotations

from typing import Protocol

from msmap.model import Record, Text


class Facts(Protocol):
    """What is asked of the base to read and to port code."""

    @property
    def device(self) -> str:
        """What answers are for, such as Ascend; "" for all devices."""

    def torch_name(self, spelling: str) -> str | None:
        """The canonical PyTorch name, or None."""

    def find(self, name: str) -> Record | None:
        """The record of a canonical PyTorch name, or None."""

    def unrecorded(self, name: str) -> Text | None:
        """What else is to be said of a PyTorch name that has no record; None for nothing."""

    def methods(self, attribute: str) -> tuple[str, ...]:
        """The canonical names of all PyTorch methods and properties called ``attribute``."""

    def mindspore_dtype(self, name: str) -> str | None:
        """The MindSpore dtype of the same name as a PyTorch dtype, or None."""

    def torch_kind(self, name: str) -> str:
        """The kind of a canonical PyTorch name, such as class; "" if nobody knows it."""

    def returns(self, name: str) -> tuple[str, ...]:
        """The signatures of a canonical PyTorch name with what each gives: ``(x) -> Tensor``."""
