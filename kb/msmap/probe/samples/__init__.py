"""What a PyTorch name is tried with: inputs of PyTorch's tests and documentation, and made ones."""

from __future__ import annotations

from msmap.probe.samples.reading import LIMIT, Sampler, read

__all__ = ["LIMIT", "Sampler", "read"]
