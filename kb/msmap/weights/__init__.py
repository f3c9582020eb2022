"""Weights of PyTorch under MindSpore's names and in its shapes, and back."""

from __future__ import annotations

from msmap.weights.carry import Model, Named, Plan, backward, forward
from msmap.weights.contents import Contents, read
from msmap.weights.layers import cells, live

__all__ = ["Contents", "Model", "Named", "Plan", "backward", "cells", "forward", "live", "read"]
