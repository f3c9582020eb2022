"""What one check may leave to the next in a process: settings that change what code does."""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np

_CONTEXT = ("mode", "device_target", "deterministic")


def now() -> tuple[Any, ...]:
    """The settings as they are, of the frameworks that are imported, and what stands around."""
    found: list[Any] = [os.getcwd(), tuple(os.listdir()), tuple(np.geterr().items())]
    if torch := sys.modules.get("torch"):
        found += [
            torch.get_default_dtype(),
            torch.get_num_threads(),
            torch.is_grad_enabled(),
            torch.is_inference_mode_enabled(),
            torch.is_anomaly_enabled(),
            torch.are_deterministic_algorithms_enabled(),
        ]
    if mindspore := sys.modules.get("mindspore"):
        found += [
            mindspore.get_context(name) for name in ("mode", "device_target", "deterministic")
        ]
    return tuple(found)
